// SPDX-License-Identifier: Apache-2.0
// mov and special registers, and conversions of addresses.
#include <time.h>

#include <iterator>

#include "../cluster.hpp"
#include "../memory.hpp"
#include "addresses.hpp"
#include "thread.hpp"

extern "C" int cosmati_sim_space_of(void const* address);

namespace cosmati_sim::ptx {
namespace {

enum special {
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  cluster_ctaid_x,
  cluster_ctaid_y,
  cluster_ctaid_z,
  clusterid_x,
  clusterid_y,
  clusterid_z,
  nclusterid_x,
  nclusterid_y,
  nclusterid_z,
  cluster_nctaid_x,
  cluster_nctaid_y,
  cluster_nctaid_z,
  cluster_ctarank,
  cluster_nctarank,
  is_explicit_cluster,
  laneid,
  warpid,
  nwarpid,
  smid,
  nsmid,
  gridid,
  lanemask_eq,
  lanemask_lt,
  lanemask_le,
  lanemask_gt,
  lanemask_ge,
  clock_low,
  clock_high,
  clock_64,
  globaltimer,
  globaltimer_lo,
  globaltimer_hi,
  dynamic_smem_size,
  total_smem_size,
  aggr_smem_size,
  envreg
};
constexpr struct {
  std::string_view name;
  special number;
} special_names[] = {{"tid.x", tid_x},
                     {"tid.y", tid_y},
                     {"tid.z", tid_z},
                     {"ntid.x", ntid_x},
                     {"ntid.y", ntid_y},
                     {"ntid.z", ntid_z},
                     {"ctaid.x", ctaid_x},
                     {"ctaid.y", ctaid_y},
                     {"ctaid.z", ctaid_z},
                     {"nctaid.x", nctaid_x},
                     {"nctaid.y", nctaid_y},
                     {"nctaid.z", nctaid_z},
                     {"cluster_ctaid.x", cluster_ctaid_x},
                     {"cluster_ctaid.y", cluster_ctaid_y},
                     {"cluster_ctaid.z", cluster_ctaid_z},
                     {"clusterid.x", clusterid_x},
                     {"clusterid.y", clusterid_y},
                     {"clusterid.z", clusterid_z},
                     {"nclusterid.x", nclusterid_x},
                     {"nclusterid.y", nclusterid_y},
                     {"nclusterid.z", nclusterid_z},
                     {"cluster_nctaid.x", cluster_nctaid_x},
                     {"cluster_nctaid.y", cluster_nctaid_y},
                     {"cluster_nctaid.z", cluster_nctaid_z},
                     {"cluster_ctarank", cluster_ctarank},
                     {"cluster_nctarank", cluster_nctarank},
                     {"is_explicit_cluster", is_explicit_cluster},
                     {"laneid", laneid},
                     {"warpid", warpid},
                     {"nwarpid", nwarpid},
                     {"smid", smid},
                     {"nsmid", nsmid},
                     {"gridid", gridid},
                     {"lanemask_eq", lanemask_eq},
                     {"lanemask_lt", lanemask_lt},
                     {"lanemask_le", lanemask_le},
                     {"lanemask_gt", lanemask_gt},
                     {"lanemask_ge", lanemask_ge},
                     {"clock", clock_low},
                     {"clock_hi", clock_high},
                     {"clock64", clock_64},
                     {"globaltimer", globaltimer},
                     {"globaltimer_lo", globaltimer_lo},
                     {"globaltimer_hi", globaltimer_hi},
                     {"dynamic_smem_size", dynamic_smem_size},
                     {"total_smem_size", total_smem_size},
                     {"aggr_smem_size", aggr_smem_size}};

std::uint64_t of_index(index3 const& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

/// Nanoseconds of the host's clock, which the lane may be waiting for.
std::uint64_t nanoseconds() {
  cosmati_sim_reads_clock();
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1000000000u + static_cast<std::uint64_t>(now.tv_nsec);
}

std::uint64_t place_value(worker const& w, int number) {
  job const& j = *w.running;
  switch (number / 3) {
    case 0:
      return of_index(w.threads[w.current], number % 3);
    case 1:
      return of_index(j.block, number % 3);
    case 2:
      return of_index(w.block_index, number % 3);
    case 3:
      return of_index(j.grid, number % 3);
    default: {
      unsigned place[12];
      cosmati_sim_cluster_place(place);
      int const at = number - cluster_ctaid_x;  // the block in its cluster, the cluster, the clusters, the extents
      constexpr int begin[] = {3, 6, 9, 0};
      return place[begin[at / 3] + at % 3];
    }
  }
}

std::uint64_t shared_bytes_of(worker const& w) {
  std::uint64_t bytes = w.running->request->shared_bytes;
  for (thread_local_variable const& v : w.thread_locals) bytes += v.shared ? v.bytes : 0;
  return bytes;
}

}  // namespace

int special_register(std::string_view name) {
  for (auto const& s : special_names) {
    if (s.name == name) return s.number;
  }
  return -1;
}

std::uint64_t special_value(int number) {
  worker const& w = running_lane("mov");
  unsigned const lane = w.current % 32;
  if (number <= cluster_nctaid_z) return place_value(w, number);
  switch (number) {
    case cluster_ctarank:
      return cosmati_sim_cluster_rank();
    case cluster_nctarank:
      return cosmati_sim_cluster_blocks();
    case is_explicit_cluster:
      return cosmati_sim_cluster_blocks() > 1 ? 1 : 0;
    case laneid:
      return lane;
    case warpid:
      return w.current / 32;
    case nwarpid:
      return (w.lanes_in_block + 31) / 32;
    case smid:
      return w.block % 132;  // blocks go round the multiprocessors
    case nsmid:
      return 132;
    case lanemask_eq:
      return 1u << lane;
    case lanemask_lt:
      return (1u << lane) - 1;
    case lanemask_le:
      return (2u << lane) - 1;
    case lanemask_gt:
      return static_cast<std::uint32_t>(~((2u << lane) - 1));
    case lanemask_ge:
      return static_cast<std::uint32_t>(~((1u << lane) - 1));
    case clock_low:
    case globaltimer_lo:
      return static_cast<std::uint32_t>(nanoseconds());
    case clock_high:
    case globaltimer_hi:
      return nanoseconds() >> 32;
    case clock_64:
    case globaltimer:
      return nanoseconds();
    case dynamic_smem_size:
      return w.running->request->shared_bytes;
    case total_smem_size:
    case aggr_smem_size:
      return shared_bytes_of(w);
    default:
      return 0;  // gridid
  }
}

namespace {

void move_predicate(thread& t, instruction const& i) { t.set<bool>(i.operands[0], t.predicate(i.operands[1])); }
template <class T>
void move(thread& t, instruction const& i) {
  t.set<T>(i.operands[0], t.get<T>(i.operands[1]));
}
handler resolve_mov(instruction& i) {
  if (i.operands.size() != 2) return nullptr;
  if (i.type() == "pred") return move_predicate;
  switch (bytes_of_type(i.type())) {
    case 2:
      return move<std::uint16_t>;
    case 4:
      return move<std::uint32_t>;
    case 8:
      return move<std::uint64_t>;
    case 16:
      return move<word>;
    default:
      return nullptr;
  }
}

/// cvta.to.shared.u64 d, a gives the place in the space; without `to` a generic address. Only those of shared memory
/// differ.
template <class T>
void convert_address(thread& t, instruction const& i) {
  auto const a = t.get<T>(i.operands[1]);
  if (!i.has("shared") && !i.has("shared::cta") && !i.has("shared::cluster")) return t.set<T>(i.operands[0], a);
  t.set<T>(i.operands[0], i.has("to") ? static_cast<T>(static_cast<std::uint32_t>(a))
                                      : static_cast<T>(shared_place(running_lane("cvta"), a)));
}
handler resolve_cvta(instruction& i) {
  if (i.operands.size() != 2) return nullptr;
  if (i.type() == "u64") return convert_address<std::uint64_t>;
  return i.type() == "u32" ? convert_address<std::uint32_t> : nullptr;
}

/// isspacep.shared p, a.
void is_in_space(thread& t, instruction const& i) {
  auto const at = t.get<std::uint64_t>(i.operands[1]);
  int const space = cosmati_sim_space_of(reinterpret_cast<void const*>(at));
  bool const other_block = find_in_cluster(running_lane("isspacep"), at).owner != nullptr;
  bool const yes = i.has("shared::cluster")                  ? space == 1 || other_block
                   : i.has("shared") || i.has("shared::cta") ? space == 1
                   : i.has("global")                         ? space == 2
                   : i.has("local")                          ? space == 0 && !other_block
                                                             : false;
  t.set<bool>(i.operands[0], yes);
}
handler resolve_isspacep(instruction& i) { return i.operands.size() == 2 ? is_in_space : nullptr; }

/// mapa d, a, rank: generic addresses of 64 bits, or places in shared memory.
template <class T>
void map_address(thread& t, instruction const& i) {
  auto const a = t.get<std::uint64_t>(i.operands[1]);
  worker& w = running_lane("mapa");
  bool const place = i.has("shared::cluster") || i.has("shared");
  auto const own = place ? shared_place(w, a) : static_cast<std::uintptr_t>(a);
  void* const there =
      cosmati_sim_map_shared_rank(reinterpret_cast<void*>(own), t.get<std::uint32_t>(i.operands[2]), t.file, t.line);
  auto const at = reinterpret_cast<std::uintptr_t>(there);
  t.set<T>(i.operands[0], static_cast<T>(place ? static_cast<std::uint32_t>(at) : at));
}
handler resolve_mapa(instruction& i) {
  if (i.operands.size() != 3) return nullptr;
  if (i.type() == "u64") return map_address<std::uint64_t>;
  return i.type() == "u32" && i.has("shared::cluster") ? map_address<std::uint32_t> : nullptr;
}
/// getctarank d, a.
void rank_of_address(thread& t, instruction const& i) {
  worker& w = running_lane("getctarank");
  auto const a = t.get<std::uint64_t>(i.operands[1]);
  auto const at = i.has("shared::cluster") ? shared_place(w, a) : static_cast<std::uintptr_t>(a);
  cluster_place const found = find_in_cluster(w, at);
  t.set<std::uint32_t>(i.operands[0], found.owner != nullptr ? found.owner->cluster->rank : cosmati_sim_cluster_rank());
}
handler resolve_rank(instruction& i) { return i.operands.size() == 2 ? rank_of_address : nullptr; }

constexpr table_row table[] = {{"mov", resolve_mov},
                               {"cvta", resolve_cvta},
                               {"isspacep", resolve_isspacep},
                               {"mapa", resolve_mapa},
                               {"getctarank", resolve_rank}};

}  // namespace

rows move_rows() { return {table, std::size(table)}; }

}  // namespace cosmati_sim::ptx
