// SPDX-License-Identifier: Apache-2.0
#include "library_call.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "cuda_capture.hpp"
#include "cuda_state.hpp"
#include "formatted.hpp"
#include "host_hazard.hpp"
#include "host_waits.hpp"
#include "memory.hpp"
#include "raw_access.hpp"
#include "report.hpp"
#include "shadow.hpp"
#include "stream_copies.hpp"
#include "stream_order.hpp"
#include "symbols.hpp"

namespace cosmati_sim {
namespace {

std::uintptr_t address(library_operand const& o) { return reinterpret_cast<std::uintptr_t>(o.at); }
std::size_t bytes_of(library_operand const& o) { return ((o.columns - 1) * o.leading + o.rows) * o.element; }
bool is_in_device_range(std::uintptr_t at) { return at - device_memory.low < device_memory.bytes; }

bool refuse(hazard_kind kind, std::string message) {
  report_host_hazard(kind, std::move(message));
  return false;
}

/// "32 x 64 elements of 4 bytes with the leading dimension 40", or less if less says it.
std::string text_of(library_operand const& o) {
  if (o.columns == 1 || (o.rows == 1 && o.leading == 1))
    return formatted("{} elements of {} bytes", o.rows * o.columns, o.element);
  if (o.rows == 1) return formatted("{} elements of {} bytes, {} elements apart", o.columns, o.element, o.leading);
  return formatted("{} x {} elements of {} bytes with the leading dimension {}", o.rows, o.columns, o.element,
                   o.leading);
}

/// Whether the operand lies in one live allocation.
bool lies_in(char const* function, library_operand const& o, allocation const* a) {
  std::uintptr_t const at = address(o);
  if (a == nullptr) {
    return refuse(hazard_kind::out_of_bounds,
                  formatted("{}: {}, at {:#x}, is in no allocation of the device", function, o.name, at));
  }
  if (a->freed) {
    return refuse(hazard_kind::out_of_bounds,
                  formatted("{}: {} is byte {} of an allocation of {} bytes that has been freed", function, o.name,
                            at - a->low, a->bytes));
  }
  std::size_t const begin = at - a->low, end = begin + bytes_of(o);
  if (end <= a->bytes) return true;
  return refuse(
      hazard_kind::out_of_bounds,
      formatted("{}: {} has {}, which are bytes {} to {} of an allocation of {} bytes; allocate {} bytes more, or "
                "change the sizes of the call",
                function, o.name, text_of(o), begin, end - 1, a->bytes, end - a->bytes));
}

/// The first byte of [at, at + bytes) that nothing has written; `at + bytes` if there is none.
std::uintptr_t first_unwritten(shadow_region const& s, std::uintptr_t at, std::size_t bytes) {
  std::size_t byte = at - s.low;
  std::size_t const end = byte + bytes;
  while (byte < end) {
    if ((byte & 15) == 0 && s.written[byte >> 4] == 0xffff) {
      byte += 16;
    } else if ((s.written[byte >> 4] >> (byte & 15) & 1) == 0) {
      break;
    } else {
      ++byte;
    }
  }
  return s.low + std::min(byte, end);
}

/// Reports the first element that nothing has written.
void look_for_unwritten(char const* function, library_operand const& o, allocation const& a) {
  if (a.shadow == nullptr || a.shadow->counts_as_written) return;
  std::size_t const width = o.rows * o.element, pitch = o.leading * o.element;
  for (std::size_t column = 0; column < o.columns; ++column) {
    std::uintptr_t const begin = address(o) + column * pitch;
    std::uintptr_t const found = a.shadow->written == nullptr ? begin : first_unwritten(*a.shadow, begin, width);
    if (found == begin + width) continue;
    std::size_t const row = (found - begin) / o.element;
    bool const is_vector = o.columns == 1 || o.rows == 1;
    std::string const which = is_vector ? formatted("{}", std::max(row, column)) : formatted("({}, {})", row, column);
    report_host_hazard(hazard_kind::uninitialized,
                       formatted("{} reads {}, and nothing has written its element {}, which is byte {} of an "
                                 "allocation of {} bytes",
                                 function, o.name, which, found - a.low, a.bytes));
    return;
  }
}

copied_rows rows_of(char const* function, library_operand const& o, bool writes) {
  std::size_t const pitch = o.leading * o.element;
  if (o.columns == 1 || o.leading == o.rows) return {function, address(o), bytes_of(o), bytes_of(o), 1, writes};
  return {function, address(o), pitch, o.rows * o.element, o.columns, writes};
}

/// Tells what the operand's accesses mean for the work that comes.
void has_run(char const* function, library_operand const& o, void const* stream, std::uint64_t number,
             std::vector<void const*> const& calls) {
  copied_rows const rows = rows_of(function, o, o.writes);
  for (std::size_t row = 0; o.writes && row < rows.height && is_in_device_range(rows.at); ++row)
    host_writes(rows.at + row * rows.pitch, rows.width);
  copy_runs(rows, stream, number, calls);
  copy_is_in_flight(rows.at, bytes_of(o), o.writes, stream, function);
}

cudaError_t run(char const* function, std::function<bool(library_task&)> const& make, void const* stream,
                std::vector<void const*> const& calls) {
  if (cudaError_t const lasting = cuda_lasting_error()) return lasting;
  library_task task;
  own_moves const device;
  if (!make(task)) return cuda_kernel_error(cudaErrorIllegalAddress);
  std::erase_if(task.operands, [](library_operand const& o) { return o.rows == 0 || o.columns == 0; });
  for (library_operand const& o : task.operands) {
    if (!device_may_access(function, o)) return cuda_kernel_error(cudaErrorIllegalAddress);
  }
  for (library_operand const& o : task.operands) look_beside_copy(rows_of(function, o, o.writes), stream, calls);
  if (task.compute) task.compute();
  report_library(function);
  std::uint64_t const number = order_copy(stream);
  for (library_operand const& o : task.operands) has_run(function, o, stream, number, calls);
  return cudaSuccess;
}

}  // namespace

bool device_may_access(char const* function, library_operand const& o) {
  std::uintptr_t const at = address(o);
  if (at == 0) return refuse(hazard_kind::invalid_argument, formatted("{}: {} is null", function, o.name));
  std::size_t registered = 0;
  if (!is_in_device_range(at)) {
    if (is_module_memory(at) || registered_bytes(at, registered)) return true;
    return refuse(
        hazard_kind::wrong_space,
        formatted("{}: {}, at {:#x}, is memory of the host; give memory of the device", function, o.name, at));
  }
  if (at % o.element != 0) {
    return refuse(hazard_kind::misaligned,
                  formatted("{}: {}, at {:#x}, is no multiple of {} bytes, which its elements have", function, o.name,
                            at, o.element));
  }
  allocation_table const table = current_allocations();
  allocation const* const a = find_allocation(*table, at);
  if (!lies_in(function, o, a)) return false;
  if (o.reads) look_for_unwritten(function, o, *a);
  return true;
}

bool host_may_access(char const* function, char const* name, void const* at, char const* reason) {
  auto const number = reinterpret_cast<std::uintptr_t>(at);
  if (!is_in_device_range(number) || is_shared_with_host(number)) return true;
  return refuse(hazard_kind::wrong_space,
                formatted("{}: {}, at {:#x}, is memory of the device, and {}", function, name, number, reason));
}

cudaError_t library_enqueue(char const* function, cudaStream_t stream, std::function<bool(library_task&)> make) {
  if (cudaError_t const lasting = cuda_lasting_error()) return lasting;
  if (!cuda_stream_exists(stream)) {
    return refuse(hazard_kind::invalid_argument,
                  formatted("{}: the stream was never made, or has been destroyed", function))
               ? cudaSuccess
               : cuda_result(cudaErrorInvalidResourceHandle);
  }
  return cuda_enqueue(stream, cudaGraphNodeTypeKernel,
                      [=, make = std::move(make), calls = calls_of_program()](cudaStream_t s) {
                        cuda_order(s);
                        return run(function, make, s == cudaStreamLegacy ? nullptr : s, calls);
                      });
}

}  // namespace cosmati_sim
