// SPDX-License-Identifier: Apache-2.0
#include "trace_state.hpp"
namespace cosmati_sim {
bool trace_is_on() { return false; }
void trace_access(worker const&, std::uintptr_t, std::size_t, int, int, std::uintptr_t, char const*, site) {}
}  // namespace cosmati_sim
