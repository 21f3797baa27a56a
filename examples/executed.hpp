// SPDX-License-Identifier: Apache-2.0
// The accesses that a launch executed on the simulated device: their widths and numbers, in global and shared memory.
#pragma once

#include <cosmati/runtime/sim_abi.hpp>
#include <string>

namespace example {

/// Runs `f` and says what its launches loaded and stored, such as "64 loads of 16 bytes, 64 stores of 16 bytes".
/// On a GPU nothing is counted, and the answer is "".
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
