// SPDX-License-Identifier: Apache-2.0
/// @file
/// Asynchronous copies and fills beside the kernels and copies of other streams. The simulated device runs each inside
/// its call. This finds those that a GPU may run at the same time as another use of the bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cosmati_sim {

struct job;

/// Rows of `width` bytes, `pitch` bytes apart, that a copy or a fill reads or writes.
struct copied_rows {
  char const* function;  // "cudaMemcpyAsync"
  std::uintptr_t at;
  std::size_t pitch, width, height;
  bool writes;
};

/// Checks the rows against what may run beside the next work of the stream, and reports the call.
/// @param calls the program's calls that lead to it
void look_beside_copy(copied_rows const& rows, void const* stream, std::vector<void const*> const& calls);
/// Remembers the rows until the host waits. @param number that of the copy among the works of its stream
void copy_runs(copied_rows const& rows, void const* stream, std::uint64_t number,
               std::vector<void const*> const& calls);
/// Checks what the launch has accessed against the copies that may run beside it.
void look_for_copies_beside(job& j);

}  // namespace cosmati_sim
