// SPDX-License-Identifier: Apache-2.0
// Barriers of blocks, warps and clusters; fences.
#include <cosmati/arch/simulated.hpp>
#include <cosmati/runtime/sim_abi.hpp>
#include <iterator>

#include "../aligned.hpp"
#include "../scheduler.hpp"
#include "thread.hpp"

namespace cosmati_sim::ptx {
namespace {

/// What tells an aligned barrier from others: all threads of a warp execute the same one. `bar` is always aligned.
void const* call_of(instruction const& i) {
  return i.opcode == "bar" || i.has("aligned") ? static_cast<void const*>(&i) : &not_aligned;
}

void sync(thread& t, instruction const& i) {
  int const id = static_cast<int>(t.get<std::uint32_t>(i.operands[0]));
  unsigned const count = i.operands.size() > 1 ? t.get<std::uint32_t>(i.operands[1]) : 0;
  cosmati_sim_barrier(id, count, 0, 0, i.name.c_str(), t.file, t.line, call_of(i));
}
void arrive(thread& t, instruction const& i) {
  int const id = static_cast<int>(t.get<std::uint32_t>(i.operands[0]));
  cosmati_sim_barrier_arrive(id, t.get<std::uint32_t>(i.operands[1]), t.file, t.line);
}
/// bar.red.popc.u32 d, a{, b}, p; bar.red.and.pred q, a{, b}, p.
void reduce(thread& t, instruction const& i) {
  int const id = static_cast<int>(t.get<std::uint32_t>(i.operands[1]));
  bool const counted = i.operands.size() == 4;
  unsigned const count = counted ? t.get<std::uint32_t>(i.operands[2]) : 0;
  bool const p = t.predicate(i.operands[counted ? 3 : 2]);
  unsigned const x = cosmati_sim_barrier(id, count, i.code, p ? 1 : 0, i.name.c_str(), t.file, t.line, call_of(i));
  if (i.code == 1)
    t.set<std::uint32_t>(i.operands[0], x);
  else
    t.set<bool>(i.operands[0], x != 0);
}
void sync_warp(thread& t, instruction const& i) {
  cosmati_sim_meet(t.get<std::uint32_t>(i.operands[0]), nullptr, nullptr, i.name.c_str(), t.file, t.line);
}

void arrive_cluster(thread& t, instruction const& i) {
  if (i.has("aligned")) meet_aligned(aligned(t, i), exited_lanes::may_miss);
  cosmati_sim_cluster_arrive(i.has("relaxed") ? 1 : 0, t.file, t.line);
}
void wait_cluster(thread& t, instruction const& i) {
  if (i.has("aligned")) meet_aligned(aligned(t, i), exited_lanes::may_miss);
  if (cosmati_sim_cluster_blocks() == 1) return cosmati_sim_syncthreads(i.name.c_str(), t.file, t.line, &i);
  cosmati_sim_cluster_wait(t.file, t.line);
}

handler resolve_barrier(instruction& i) {
  std::size_t const n = i.operands.size();
  if (i.has("cluster")) return i.has("arrive") ? arrive_cluster : i.has("wait") ? wait_cluster : nullptr;
  if (i.has("warp")) return n == 1 ? sync_warp : nullptr;
  if (i.has("sync")) return n == 1 || n == 2 ? sync : nullptr;
  if (i.has("arrive")) return n == 2 ? arrive : nullptr;
  if (!i.has("red") || n < 3 || n > 4) return nullptr;
  i.code = i.has("popc") ? 1 : i.has("and") ? 2 : i.has("or") ? 3 : 0;
  return i.code != 0 ? reduce : nullptr;
}

void fence_memory(thread&, instruction const& i) { cosmati_sim_thread_fence(i.has("cta") ? 0 : 1); }
void fence_proxy(thread& t, instruction const& i) {
  int const space = i.has("global") ? 2 : i.has("shared::cta") || i.has("shared::cluster") || i.has("shared") ? 1 : 0;
  // fence.proxy.async::generic.acquire.sync_restrict and kin also name a space.
  cosmati_sim_fence_proxy_async(space, t.file, t.line);
}
void fence_mbarrier(thread& t, instruction const&) { cosmati_sim_fence_mbarrier_init(t.file, t.line); }
handler resolve_fence(instruction& i) {
  if (i.has("mbarrier_init")) return fence_mbarrier;
  if (!i.has("proxy")) return fence_memory;
  for (std::string const& m : i.modifiers) {
    if (m.starts_with("async") || m.starts_with("proxy::async")) return fence_proxy;
  }
  return fence_memory;  // .alias, .tensormap
}
handler resolve_membar(instruction& i) {
  if (i.has("proxy")) return resolve_fence(i);
  return fence_memory;
}

constexpr table_row table[] = {
    {"bar", resolve_barrier}, {"barrier", resolve_barrier}, {"fence", resolve_fence}, {"membar", resolve_membar}};

}  // namespace

rows barrier_rows() { return {table, std::size(table)}; }

}  // namespace cosmati_sim::ptx
