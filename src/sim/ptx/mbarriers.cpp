// SPDX-License-Identifier: Apache-2.0
// mbarrier objects.
#include <cosmati/arch/simulated.hpp>
#include <cosmati/runtime/sim_abi.hpp>
#include <iterator>

#include "../async.hpp"
#include "../cluster.hpp"
#include "../sites.hpp"
#include "addresses.hpp"

namespace cosmati_sim::ptx {
namespace {

/// A barrier as the library's functions take it: the place in the running block's memory, and the block.
struct barrier_place {
  std::uint64_t* own;
  bool is_remote;
  unsigned rank;
};
barrier_place barrier_of(thread const& t, instruction const& i, operand const& o) {
  // Addresses may be generic: those have more than 32 bits.
  std::uint64_t const given = t.address(o);
  bool const shared = is_shared(i) || given >> 32 == 0;
  std::uintptr_t const at = address_of(t, o, shared);
  cluster_place const found = find_in_cluster(running_lane("mbarrier"), at);
  if (found.owner == nullptr) return {reinterpret_cast<std::uint64_t*>(at), false, 0};
  return {reinterpret_cast<std::uint64_t*>(found.own), true, found.owner->cluster->rank};
}

void init(thread& t, instruction const& i) {
  cosmati_sim_mbarrier_init(barrier_of(t, i, i.operands[0]).own, t.get<std::uint32_t>(i.operands[1]), t.file, t.line);
}
void inval(thread& t, instruction const& i) {
  cosmati_sim_mbarrier_inval(barrier_of(t, i, i.operands[0]).own, t.file, t.line);
}
/// mbarrier.arrive state, [a]{, count}; mbarrier.arrive.expect_tx state, [a], bytes. The state may be left out.
void arrive(thread& t, instruction const& i) {
  bool const with_state = i.operands[0].kind != operand_kind::address;
  std::size_t const a = with_state ? 1 : 0;
  bool const expects = i.has("expect_tx"), given = i.operands.size() > a + 1;
  std::uint32_t const number = given ? t.get<std::uint32_t>(i.operands[a + 1]) : 1;
  barrier_place const b = barrier_of(t, i, i.operands[a]);
  std::uint64_t state = 0;
  if (b.is_remote) {
    for (std::uint32_t n = 0; n < (expects ? 1 : number); ++n)
      cosmati_sim_mbarrier_arrive_remote(b.own, b.rank, expects ? 1 : 0, expects ? number : 0, t.file, t.line);
  } else {
    state = expects ? cosmati_sim_mbarrier_arrive_expect_tx(b.own, number, t.file, t.line)
                    : cosmati_sim_mbarrier_arrive(b.own, number, t.file, t.line);
  }
  if (with_state) t.set<std::uint64_t>(i.operands[0], state);
}
/// The barrier itself, of the running block or of another one of the cluster.
struct barrier_object {
  worker& owner;
  mbarrier& b;
  site where;
};
barrier_object object_of(thread const& t, instruction const& i, operand const& o) {
  worker& w = running_lane(i.name.c_str());
  site const where = site_here(w, t.file, t.line, t.pc, i.name.c_str());
  std::uintptr_t const at = address_of(t, o, is_shared(i) || t.address(o) >> 32 == 0);
  auto* const place = reinterpret_cast<std::uint64_t*>(at);
  cluster_place const found = find_in_cluster(w, at);
  if (found.owner == nullptr) return {w, need_mbarrier(w, place, i.name.c_str(), where), where};
  return {*found.owner, need_mbarrier_of(w, *found.owner, place, i.name.c_str(), where), where};
}
void expect(thread& t, instruction const& i) {
  quiet const hush;
  barrier_object const o = object_of(t, i, i.operands[0]);
  o.b.expected_at = o.where;
  add_transactions(o.b, t.get<std::uint32_t>(i.operands[1]), i.name.c_str(), o.where);
}
void complete(thread& t, instruction const& i) {
  quiet const hush;
  barrier_object const o = object_of(t, i, i.operands[0]);
  add_transactions(o.b, -std::int64_t{t.get<std::uint32_t>(i.operands[1])}, i.name.c_str(), o.where);
  complete_phase_if_due(o.owner, o.b);
}
/// arrive_drop: later phases expect fewer arrivals.
void arrive_and_drop(thread& t, instruction const& i) {
  {
    quiet const hush;
    bool const with_state = i.operands[0].kind != operand_kind::address;
    std::size_t const a = with_state ? 1 : 0;
    barrier_object const o = object_of(t, i, i.operands[a]);
    bool const counted = i.operands.size() > a + 1 && !i.has("expect_tx");
    std::uint32_t const count = counted ? t.get<std::uint32_t>(i.operands[a + 1]) : 1;
    if (count > o.b.count)
      misuse_of_mbarrier(o.where, i.name.c_str(), "more arrivals are dropped than the barrier expects");
    o.b.count -= count;
  }
  arrive(t, i);
}
/// mbarrier.try_wait{.parity} p, [a], state or parity{, nanoseconds}.
void wait(thread& t, instruction const& i) {
  std::uint64_t* const b = barrier_of(t, i, i.operands[1]).own;
  int const over = i.has("parity")
                       ? cosmati_sim_mbarrier_try_wait_parity(b, t.get<std::uint32_t>(i.operands[2]), t.file, t.line)
                       : cosmati_sim_mbarrier_test_wait(b, t.get<std::uint64_t>(i.operands[2]), t.file, t.line);
  t.set<bool>(i.operands[0], over != 0);
}

handler resolve_mbarrier(instruction& i) {
  std::size_t const n = i.operands.size();
  if (i.modifiers.empty() || n == 0) return nullptr;
  bool const addressed =
      i.operands[n > 1 && i.operands[0].kind != operand_kind::address ? 1 : 0].kind == operand_kind::address;
  if (!addressed) return nullptr;
  std::string_view const what = i.modifiers[0];
  if (what == "init") return n == 2 ? init : nullptr;
  if (what == "inval") return n == 1 ? inval : nullptr;
  if (what == "arrive") return arrive;
  if (what == "arrive_drop") return arrive_and_drop;
  if (what == "complete_tx") return n == 2 ? complete : nullptr;
  if (what == "expect_tx") return n == 2 ? expect : nullptr;
  return (what == "test_wait" || what == "try_wait") && n >= 3 ? wait : nullptr;
}

constexpr table_row table[] = {{"mbarrier", resolve_mbarrier}};

}  // namespace

rows mbarrier_rows() { return {table, std::size(table)}; }

}  // namespace cosmati_sim::ptx
