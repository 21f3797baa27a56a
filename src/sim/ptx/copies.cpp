// SPDX-License-Identifier: Apache-2.0
// cp.async: asynchronous copies of 4, 8 and 16 bytes, and their groups.
#include <cosmati/arch/simulated.hpp>
#include <iterator>

#include "addresses.hpp"

namespace cosmati_sim::ptx {

handler resolve_bulk(instruction& i);

namespace {

/// cp.async.cg.shared.global [to], [from], bytes{, source bytes or a predicate that ignores them}{, policy}.
void copy(thread& t, instruction const& i) {
  auto const bytes = t.get<std::uint32_t>(i.operands[2]);
  std::uint32_t source = bytes;
  if (i.operands.size() > static_cast<std::size_t>(i.count)) {
    operand const& o = i.operands[3];
    source = o.predicate ? (t.predicate(o) ? 0 : bytes) : t.get<std::uint32_t>(o);
  }
  if (bytes != 4 && bytes != 8 && bytes != 16)
    fail_instruction(t, "invalid_argument", "copies " + std::to_string(bytes) + " bytes; give 4, 8 or 16");
  if (i.code == 1 && bytes != 16)
    fail_instruction(t, "invalid_argument", "copies " + std::to_string(bytes) + " bytes; .cg copies 16");
  if (source > bytes)
    fail_instruction(t, "invalid_argument",
                     "reads " + std::to_string(source) + " bytes for " + std::to_string(bytes) +
                         "; let src-size be at most cp-size");
  auto* const to = reinterpret_cast<void*>(address_of(t, i.operands[0], true));
  auto const* const from = reinterpret_cast<void const*>(address_of(t, i.operands[1], false));
  running_lane("cp.async").text_pc = t.pc;
  cosmati_sim_cp_async(to, from, bytes, source, i.code, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, t.file,
                       t.line);
}
void commit(thread& t, instruction const&) { cosmati_sim_cp_async_commit(t.file, t.line); }
void wait_group(thread& t, instruction const& i) {
  cosmati_sim_cp_async_wait(static_cast<int>(t.get<std::uint32_t>(i.operands[0])), t.file, t.line);
}
void wait_all(thread& t, instruction const&) { cosmati_sim_cp_async_wait(-1, t.file, t.line); }
void arrive(thread& t, instruction const& i) {
  bool const shared = is_shared(i) || t.address(i.operands[0]) >> 32 == 0;
  auto* const barrier = reinterpret_cast<std::uint64_t*>(address_of(t, i.operands[0], shared));
  cosmati_sim_cp_async_mbarrier_arrive(barrier, i.has("noinc") ? 1 : 0, t.file, t.line);
}

handler resolve_cp(instruction& i) {
  if (i.modifiers.empty()) return nullptr;
  if (i.has("bulk") || i.modifiers[0] == "reduce") return resolve_bulk(i);
  std::size_t const n = i.operands.size();
  if (i.modifiers[0] != "async") return nullptr;
  if (i.has("commit_group")) return n == 0 ? commit : nullptr;
  if (i.has("wait_group")) return n == 1 ? wait_group : nullptr;
  if (i.has("wait_all")) return n == 0 ? wait_all : nullptr;
  if (i.has("mbarrier")) return n == 1 ? arrive : nullptr;
  if ((!i.has("ca") && !i.has("cg")) || n < 3) return nullptr;
  i.code = i.has("cg") ? 1 : 0;
  i.count = i.has("L2::cache_hint") ? 4 : 3;  // operands without the source's size
  bool const addresses = i.operands[0].kind == operand_kind::address && i.operands[1].kind == operand_kind::address;
  return addresses && n <= static_cast<std::size_t>(i.count) + 1 ? copy : nullptr;
}

constexpr table_row table[] = {{"cp", resolve_cp}};

}  // namespace

rows copy_rows() { return {table, std::size(table)}; }

}  // namespace cosmati_sim::ptx
