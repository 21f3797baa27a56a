// SPDX-License-Identifier: Apache-2.0
// What a launch executed: widths and numbers of the accesses to global and shared memory, on the simulated device.
#pragma once

#include <cosmati/runtime/sim_abi.hpp>
#include <string>

namespace example {

/// Runs `f` and says what its launches loaded and stored, such as "64 loads of 16 bytes, 64 stores of 16 bytes".
/// On a GPU nothing is counted: the answer is "".
template <class F>
std::string executed(F&& f) {
#if defined(COSMATI_SIMULATED)
  std::string out;
  cosmati_sim_trace_begin(0, 0);
  f();
  cosmati_sim_trace_counts(
      [](void* to, cosmati_sim_traced const* t) {
        if (t->space > 1) return;  // not the threads' own variables
        std::string& s = *static_cast<std::string*>(to);
        s += (s.empty() ? "" : ", ") + std::to_string(t->accesses) + (t->kind == 0 ? " loads" : " stores") + " of " +
             std::to_string(t->bytes) + (t->bytes == 1 ? " byte" : " bytes");
      },
      &out);
  cosmati_sim_trace_end();
  return out;
#else
  f();
  return "";
#endif
}

}  // namespace example
