// SPDX-License-Identifier: Apache-2.0
// Instructions of a warp: shuffles, votes, matches, reductions, election.
#include <cosmati/runtime/sim_abi.hpp>
#include <iterator>

#include "../state.hpp"
#include "thread.hpp"

namespace cosmati_sim::ptx {
namespace {

enum direction { up, down, butterfly, index };

/// shfl.sync.mode.b32 d|p, a, b, c, mask. The upper bits of c cut the warp into segments, its lower bits clamp.
void shuffle(thread& t, instruction const& i) {
  std::size_t const a = i.operands[1].paired ? 2 : 1;
  auto const value = t.get<std::uint32_t>(i.operands[a]);
  int const by = static_cast<int>(t.get<std::uint32_t>(i.operands[a + 1]) & 31u);
  auto const c = t.get<std::uint32_t>(i.operands[a + 2]);
  auto const lanes = t.get<std::uint32_t>(i.operands[a + 3]);
  int const lane = static_cast<int>(cosmati_sim_lane()), clamp = static_cast<int>(c & 31u),
            segment = static_cast<int>(c >> 8 & 31u), most = (lane & segment) | (clamp & ~segment & 31),
            least = lane & segment;
  int from = i.code == up          ? lane - by
             : i.code == down      ? lane + by
             : i.code == butterfly ? lane ^ by
                                   : least | (by & ~segment & 31);
  bool const inside = i.code == up ? from >= most : from <= most;
  if (!inside) from = lane;
  auto const got = cosmati_sim_shuffle(0, lanes, value, from, 32, i.name.c_str(), t.file, t.line);
  t.set<std::uint32_t>(i.operands[0], static_cast<std::uint32_t>(got));
  if (a == 2) t.set<bool>(i.operands[1], inside);
}
handler resolve_shuffle(instruction& i) {
  std::size_t const needed = i.operands.size() > 1 && i.operands[1].paired ? 6 : 5;
  if (!i.has("sync") || i.operands.size() != needed) return nullptr;
  i.code = i.has("up") ? up : i.has("down") ? down : i.has("bfly") ? butterfly : index;
  return shuffle;
}

/// vote.sync.mode d, a, mask.
void vote(thread& t, instruction const& i) {
  bool const a = t.predicate(i.operands[1]);
  auto const lanes = t.get<std::uint32_t>(i.operands[2]);
  char const* const name = i.name.c_str();
  if (i.has("ballot")) return t.set<std::uint32_t>(i.operands[0], cosmati_sim_ballot(lanes, a, name, t.file, t.line));
  if (i.has("any")) return t.set<bool>(i.operands[0], cosmati_sim_ballot(lanes, a, name, t.file, t.line) != 0);
  unsigned const without = cosmati_sim_ballot(lanes, !a, name, t.file, t.line);
  if (i.has("all")) return t.set<bool>(i.operands[0], without == 0);
  t.set<bool>(i.operands[0], without == 0 || cosmati_sim_ballot(lanes, a, name, t.file, t.line) == 0);
}
handler resolve_vote(instruction& i) { return i.has("sync") && i.operands.size() == 3 ? vote : nullptr; }

/// match.any.sync.b32 d, a, mask; match.all.sync.b32 d|p, a, mask.
template <class T>
void match(thread& t, instruction const& i) {
  std::size_t const a = i.operands[1].paired ? 2 : 1;
  int all = 0;
  bool const asks_for_all = i.has("all");
  unsigned const found = cosmati_sim_match(t.get<std::uint32_t>(i.operands[a + 1]), t.get<T>(i.operands[a]),
                                           asks_for_all ? &all : nullptr, i.name.c_str(), t.file, t.line);
  t.set<std::uint32_t>(i.operands[0], found);
  if (a == 2) t.set<bool>(i.operands[1], all != 0);
}
handler resolve_match(instruction& i) {
  if (i.operands.size() < 3) return nullptr;
  return i.type() == "b64" ? match<std::uint64_t> : i.type() == "b32" ? match<std::uint32_t> : nullptr;
}

/// redux.sync.op.type d, a, mask.
void reduce(thread& t, instruction const& i) {
  t.set<std::uint32_t>(i.operands[0],
                       cosmati_sim_reduce(i.code, i.type() == "s32" ? 1 : 0, t.get<std::uint32_t>(i.operands[2]),
                                          t.get<std::uint32_t>(i.operands[1]), i.name.c_str(), t.file, t.line));
}
handler resolve_redux(instruction& i) {
  constexpr std::string_view names[] = {"add", "min", "max", "and", "or", "xor"};
  i.code = -1;
  for (int op = 0; op < 6; ++op) {
    if (i.has(names[op])) i.code = op;
  }
  return i.code >= 0 && i.operands.size() == 3 && i.type() != "f32" ? reduce : nullptr;
}

void active_mask(thread& t, instruction const& i) {
  t.set<std::uint32_t>(i.operands[0], cosmati_sim_activemask(t.file, t.line));
}
handler resolve_activemask(instruction& i) { return i.operands.size() == 1 ? active_mask : nullptr; }

/// elect.sync d|p, mask: the lowest lane of the mask.
void elect(thread& t, instruction const& i) {
  unsigned const lanes = cosmati_sim_ballot(t.get<std::uint32_t>(i.operands[2]), 1, i.name.c_str(), t.file, t.line);
  unsigned const leader = lanes == 0 ? 0 : static_cast<unsigned>(__builtin_ctz(lanes));
  t.set<std::uint32_t>(i.operands[0], leader);
  t.set<bool>(i.operands[1], leader == cosmati_sim_lane());
}
handler resolve_elect(instruction& i) { return i.operands.size() == 3 && i.operands[1].paired ? elect : nullptr; }

constexpr table_row table[] = {{"shfl", resolve_shuffle},          {"vote", resolve_vote},
                               {"match", resolve_match},           {"redux", resolve_redux},
                               {"activemask", resolve_activemask}, {"elect", resolve_elect}};

}  // namespace

rows warp_rows() { return {table, std::size(table)}; }

}  // namespace cosmati_sim::ptx
