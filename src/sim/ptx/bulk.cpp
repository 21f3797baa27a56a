// SPDX-License-Identifier: Apache-2.0
// cp.async.bulk and cp.reduce.async.bulk: copies of many bytes, and of boxes of tensors.
#include <cosmati/arch/simulated.hpp>
#include <cosmati/arch/tensor_map.hpp>
#include <iterator>

#include "../bulk.hpp"
#include "../cluster.hpp"
#include "../sites.hpp"
#include "addresses.hpp"

namespace cosmati_sim::ptx {
namespace {

using cosmati::tensor_map_type;

/// Tells the next function of the library where the statement is.
void called_at(thread const& t) { running_lane("cp.async.bulk").text_pc = t.pc; }

template <class T = void>
T* shared_operand(thread const& t, operand const& o) {
  return reinterpret_cast<T*>(address_of(t, o, true));
}
template <class T = void>
T* global_operand(thread const& t, operand const& o) {
  return reinterpret_cast<T*>(address_of(t, o, false));
}
/// The running block's place that corresponds to one in the cluster, and the block's rank.
struct cluster_operand {
  std::uintptr_t own;
  unsigned rank;
};
cluster_operand in_cluster(thread const& t, operand const& o) {
  std::uintptr_t const at = address_of(t, o, true);
  cluster_place const found = find_in_cluster(running_lane("cp.async.bulk"), at);
  if (found.owner == nullptr) return {at, cosmati_sim_cluster_rank()};
  return {found.own, found.owner->cluster->rank};
}

void load(thread& t, instruction const& i) {
  called_at(t);
  cosmati_sim_bulk_load(shared_operand(t, i.operands[0]), global_operand(t, i.operands[1]),
                        t.get<std::uint32_t>(i.operands[2]), shared_operand<std::uint64_t>(t, i.operands[3]), t.file,
                        t.line);
}
void send(thread& t, instruction const& i) {
  cluster_operand const to = in_cluster(t, i.operands[0]), barrier = in_cluster(t, i.operands[3]);
  called_at(t);
  cosmati_sim_bulk_send(reinterpret_cast<void*>(to.own), to.rank, shared_operand(t, i.operands[1]),
                        t.get<std::uint32_t>(i.operands[2]), reinterpret_cast<std::uint64_t*>(barrier.own), t.file,
                        t.line);
}
void store(thread& t, instruction const& i) {
  called_at(t);
  cosmati_sim_bulk_store(global_operand(t, i.operands[0]), shared_operand(t, i.operands[1]),
                         t.get<std::uint32_t>(i.operands[2]), t.file, t.line);
}
void commit(thread& t, instruction const&) { cosmati_sim_bulk_commit(t.file, t.line); }
void wait(thread& t, instruction const& i) {
  cosmati_sim_bulk_wait(static_cast<int>(t.get<std::uint32_t>(i.operands[0])), i.has("read") ? 1 : 0, t.file, t.line);
}
void prefetch(thread& t, instruction const& i) { cosmati_sim_prefetch(global_operand(t, i.operands[0])); }

/// The tensor and the coordinates of `[tensor, {c0, c1}]`, and the offsets of the mode im2col.
struct box {
  cosmati_sim_tensor_map const* tensor;
  int first[5];
  int rank;
  int offsets[3];
};
box box_of(thread const& t, instruction const& i, operand const& o) {
  box b = {global_operand<cosmati_sim_tensor_map>(t, o), {}, i.count, {}};
  for (int n = 0; n < b.rank; ++n) b.first[n] = t.get<std::int32_t>(o.more[0].parts[static_cast<std::size_t>(n)]);
  return b;
}
/// The same with the offsets `{o0, o1}`.
box pixels_of(thread const& t, instruction const& i, operand const& o, operand const& offsets) {
  box b = box_of(t, i, o);
  for (std::size_t n = 0; n < offsets.parts.size(); ++n) b.offsets[n] = t.get<std::uint16_t>(offsets.parts[n]);
  return b;
}
void load_pixels(thread& t, instruction const& i) {
  box const b = pixels_of(t, i, i.operands[1], i.operands[3]);
  void* const to = shared_operand(t, i.operands[0]);
  auto* const barrier = shared_operand<std::uint64_t>(t, i.operands[2]);
  int const mask = i.has("multicast::cluster") ? t.get<std::uint16_t>(i.operands[4]) : -1;
  called_at(t);
  cosmati_sim_tensor_load_im2col(to, b.tensor, b.rank, b.first, b.offsets, barrier, mask, t.file, t.line);
}
void store_pixels(thread& t, instruction const& i) {
  box const b = box_of(t, i, i.operands[0]);
  called_at(t);
  cosmati_sim_tensor_store_im2col(b.tensor, shared_operand(t, i.operands[1]), b.rank, b.first, t.file, t.line);
}
void reduce_pixels(thread& t, instruction const& i) {
  box const b = box_of(t, i, i.operands[0]);
  called_at(t);
  cosmati_sim_tensor_reduce_im2col(b.tensor, shared_operand(t, i.operands[1]), b.rank, b.first, i.code, t.file, t.line);
}
void prefetch_pixels(thread& t, instruction const& i) {
  box const b = pixels_of(t, i, i.operands[0], i.operands[1]);
  cosmati_sim_tensor_prefetch(b.tensor, b.rank, b.first, b.offsets, t.file, t.line);
}
void load_tensor(thread& t, instruction const& i) {
  box const b = box_of(t, i, i.operands[1]);
  void* const to = shared_operand(t, i.operands[0]);
  auto* const barrier = shared_operand<std::uint64_t>(t, i.operands[2]);
  if (i.has("multicast::cluster")) {
    called_at(t);
    cosmati_sim_tensor_load_multicast(to, b.tensor, b.rank, b.first, barrier, t.get<std::uint16_t>(i.operands[3]),
                                      t.file, t.line);
  } else {
    called_at(t);
    cosmati_sim_tensor_load(to, b.tensor, b.rank, b.first, barrier, t.file, t.line);
  }
}
void store_tensor(thread& t, instruction const& i) {
  box const b = box_of(t, i, i.operands[0]);
  called_at(t);
  cosmati_sim_tensor_store(b.tensor, shared_operand(t, i.operands[1]), b.rank, b.first, t.file, t.line);
}
void reduce_tensor(thread& t, instruction const& i) {
  box const b = box_of(t, i, i.operands[0]);
  called_at(t);
  cosmati_sim_tensor_reduce(b.tensor, shared_operand(t, i.operands[1]), b.rank, b.first, i.code, t.file, t.line);
}
void prefetch_tensor(thread& t, instruction const& i) {
  box const b = box_of(t, i, i.operands[0]);
  cosmati_sim_tensor_prefetch(b.tensor, b.rank, b.first, nullptr, t.file, t.line);
}
void reduce(thread& t, instruction const& i) {
  called_at(t);
  cosmati_sim_bulk_reduce(global_operand(t, i.operands[0]), shared_operand(t, i.operands[1]),
                          t.get<std::uint32_t>(i.operands[2]), i.code, i.bytes, t.file, t.line);
}
void reduce_send(thread& t, instruction const& i) {
  cluster_operand const to = in_cluster(t, i.operands[0]), barrier = in_cluster(t, i.operands[3]);
  called_at(t);
  cosmati_sim_bulk_reduce_send(reinterpret_cast<void*>(to.own), to.rank, shared_operand(t, i.operands[1]),
                               t.get<std::uint32_t>(i.operands[2]), reinterpret_cast<std::uint64_t*>(barrier.own),
                               i.code, i.bytes, t.file, t.line);
}

/// The number of tma_reduction, or -1.
int reduction_of(instruction const& i) {
  constexpr std::string_view names[] = {"add", "min", "max", "inc", "dec", "and", "or", "xor"};
  for (int n = 0; n < 8; ++n) {
    if (i.has(names[n])) return n;
  }
  return -1;
}
/// The number of tensor_map_type, or -1.
int element_type(std::string_view name) {
  constexpr struct {
    std::string_view name;
    tensor_map_type type;
  } types[] = {{"u8", tensor_map_type::u8},   {"u16", tensor_map_type::u16}, {"u32", tensor_map_type::u32},
               {"b32", tensor_map_type::u32}, {"s32", tensor_map_type::s32}, {"u64", tensor_map_type::u64},
               {"b64", tensor_map_type::u64}, {"s64", tensor_map_type::s64}, {"f16", tensor_map_type::f16},
               {"f32", tensor_map_type::f32}, {"f64", tensor_map_type::f64}, {"bf16", tensor_map_type::bf16}};
  for (auto const& t : types) {
    if (t.name == name) return static_cast<int>(t.type);
  }
  return -1;
}

bool goes_to_global(instruction const& i) {
  for (std::string const& m : i.modifiers) {
    if (m == "global") return true;
    if (m == "shared::cluster" || m == "shared::cta") return false;
  }
  return false;
}

handler resolve_tensor(instruction& i) {
  for (std::string const& m : i.modifiers) {
    if (m.size() == 2 && m[1] == 'd' && m[0] >= '1' && m[0] <= '5') i.count = m[0] - '0';
    if (m.starts_with("im2col::") || m.starts_with("tile::")) return nullptr;
  }
  bool const pixels = i.has("im2col") || i.has("im2col_no_offs");
  bool const loads = !i.has("prefetch") && !goes_to_global(i);
  std::size_t const box = loads ? 1 : 0, n = i.operands.size();
  if (i.count == 0 || n <= box || i.operands[box].more.empty()) return nullptr;
  if (i.operands[box].more[0].parts.size() != static_cast<std::size_t>(i.count)) return nullptr;
  if (pixels && i.count < 3) return nullptr;
  if (pixels && (loads || i.has("prefetch"))) {  // the offsets follow
    std::size_t const at = loads ? 3 : 1;
    if (n <= at || i.operands[at].parts.size() + 2 != static_cast<std::size_t>(i.count)) return nullptr;
    if (!loads) return prefetch_pixels;
    return n >= (i.has("multicast::cluster") ? 5u : 4u) ? load_pixels : nullptr;
  }
  if (i.has("prefetch")) return prefetch_tensor;
  if (loads) return n >= (i.has("multicast::cluster") ? 4u : 3u) ? load_tensor : nullptr;
  if (n < 2) return nullptr;
  if (i.modifiers[0] != "reduce") return pixels ? store_pixels : store_tensor;
  i.code = reduction_of(i);
  return i.code < 0 ? nullptr : pixels ? reduce_pixels : reduce_tensor;
}

handler resolve_reduction(instruction& i) {
  i.code = reduction_of(i);
  i.bytes = element_type(i.type());
  std::size_t const n = i.operands.size();
  if (i.code < 0 || i.bytes < 0) return nullptr;
  if (goes_to_global(i)) return n >= 3 ? reduce : nullptr;
  return n >= 4 ? reduce_send : nullptr;
}

/// st.async [a], value, [barrier], and red.async. Each element of a vector is a store of its own.
void store_async(thread& t, instruction const& i) {
  quiet const hush;
  worker& w = running_lane(i.name.c_str());
  site const where = site_here(w, t.file, t.line, t.pc, i.name.c_str());
  auto const place = [&](operand const& o) { return address_of(t, o, is_shared(i) || t.address(o) >> 32 == 0); };
  std::uintptr_t const at = place(i.operands[0]), barrier = place(i.operands[2]);
  reduction reduces;
  if (i.opcode == "red") reduces = {static_cast<unsigned>(i.bytes), reduction_of(i), element_type(i.type())};
  for (int n = 0; n < i.count; ++n) {
    operand const& value = i.count > 1 ? i.operands[1].parts[static_cast<std::size_t>(n)] : i.operands[1];
    auto const bytes = static_cast<unsigned>(i.bytes);
    async_store(w, i.name.c_str(), at + static_cast<unsigned>(n) * bytes, bytes,
                static_cast<std::uint64_t>(t.bits(value, bytes)), barrier, reduces, where, t.pc);
  }
}

}  // namespace

handler resolve_async_store(instruction& i) {
  i.count = i.has("v4") ? 4 : i.has("v2") ? 2 : 1;
  i.bytes = bytes_of_type(i.type());
  bool const right = i.operands.size() == 3 && i.operands[0].kind == operand_kind::address &&
                     i.operands[2].kind == operand_kind::address && i.has("mbarrier::complete_tx::bytes") &&
                     (i.bytes == 4 || i.bytes == 8) && i.bytes * i.count <= 16;
  bool const fits = i.count == 1 || (right && i.operands[1].kind == operand_kind::vector &&
                                     i.operands[1].parts.size() == static_cast<std::size_t>(i.count));
  if (!right || !fits) return nullptr;
  if (i.opcode == "red" && (i.count != 1 || reduction_of(i) < 0 || element_type(i.type()) < 0)) return nullptr;
  return store_async;
}

handler resolve_bulk(instruction& i) {
  std::size_t const n = i.operands.size();
  if (i.has("commit_group")) return n == 0 ? commit : nullptr;
  if (i.has("wait_group")) return n == 1 ? wait : nullptr;
  if (i.has("tensor")) return resolve_tensor(i);
  if (i.modifiers[0] == "reduce") return resolve_reduction(i);
  if (i.has("prefetch")) return n >= 2 ? prefetch : nullptr;
  if (i.has("multicast::cluster")) return nullptr;
  if (goes_to_global(i)) return n >= 3 ? store : nullptr;
  return n < 4 ? nullptr : i.has("global") ? load : send;
}

}  // namespace cosmati_sim::ptx
