// SPDX-License-Identifier: Apache-2.0
// Branches, ends of a lane, and instructions without an effect on the simulated device.
#include <cosmati/arch/simulated.hpp>
#include <cosmati/runtime/sim_abi.hpp>
#include <iterator>

#include "../aligned.hpp"
#include "../lane_exit.hpp"
#include "../register_budget.hpp"
#include "thread.hpp"

namespace cosmati_sim::ptx {
namespace {

void branch(thread& t, instruction const& i) { t.next = i.target; }
handler resolve_branch(instruction& i) { return i.target >= 0 ? branch : nullptr; }

void trap(thread& t, instruction const&) { cosmati_sim_fail("trap", "trap was executed", t.file, t.line); }
handler resolve_trap(instruction&) { return trap; }

/// Ends the lane as a return from the kernel does.
void exit_lane(thread&, instruction const&) { throw lane_exit{}; }
handler resolve_exit(instruction&) { return exit_lane; }

/// nanosleep lets other lanes run.
void sleep(thread&, instruction const&) { cosmati_sim_yield(); }
handler resolve_sleep(instruction& i) { return i.operands.size() == 1 ? sleep : nullptr; }

/// setmaxnreg.inc.sync.aligned.u32 registers.
void change_registers(thread& t, instruction const& i) {
  cosmati_sim::change_registers(aligned(t, i), t.get<std::uint32_t>(i.operands[0]), i.has("inc"));
}
handler resolve_registers(instruction& i) { return i.operands.size() == 1 ? change_registers : nullptr; }

void nothing(thread&, instruction const&) {}
handler resolve_nothing(instruction&) { return nothing; }

constexpr table_row table[] = {{"bra", resolve_branch},
                               {"trap", resolve_trap},
                               {"exit", resolve_exit},
                               {"ret", resolve_exit},
                               {"nanosleep", resolve_sleep},
                               {"brkpt", resolve_nothing},
                               {"pmevent", resolve_nothing},
                               {"setmaxnreg", resolve_registers},
                               {"griddepcontrol", resolve_nothing}};

}  // namespace

rows control_rows() { return {table, std::size(table)}; }

}  // namespace cosmati_sim::ptx
