// SPDX-License-Identifier: Apache-2.0
/// @file
/// The work of functions of CUDA's libraries, such as cublasSgemm: in the order of a stream, with checked operands.
#pragma once

#include <cosmati/cuda/error.hpp>
#include <cosmati/cuda/stream.hpp>

#include <cstddef>
#include <functional>
#include <vector>

namespace cosmati_sim {

/// A matrix or vector of the device that a function reads or writes: columns of `rows` elements, whose first elements
/// are `leading` elements apart. A vector with gaps is a matrix of one row.
struct library_operand {
  char const* name;  // "A"
  void const* at;
  std::size_t element;  // bytes
  std::size_t rows, columns, leading;
  bool reads, writes;
};
/// What a call does: the operands that it accesses, and the computation.
struct library_task {
  std::vector<library_operand> operands;
  std::function<void()> compute;
};

/// Whether the device may access the operand. Otherwise it is a hazard with its line, and an error of the device.
bool device_may_access(char const* function, library_operand const& operand);
/// Whether the host may access the bytes, as the library does for scalars and results. Otherwise it is a hazard.
/// @param reason why it is the host, for the message
bool host_may_access(char const* function, char const* name, void const* at, char const* reason);

/// Does the work in the order of the stream, or adds it to the graph that captures the stream.
/// @param make gives the task when the work begins; without operands and computation there is nothing to do.
///        @return false if it has reported a hazard
cudaError_t library_enqueue(char const* function, cudaStream_t stream, std::function<bool(library_task&)> make);

/// A scalar that the host gives by value, or that is read from the device's memory when the work begins.
template <class T>
class library_scalar {
 public:
  /// @param at not null
  library_scalar(char const* function, char const* name, void const* at, bool of_device, char const* reason)
      : name_(name), at_(static_cast<T const*>(at)), of_device_(of_device) {
    if (of_device) return;
    is_right_ = host_may_access(function, name, at, reason);
    if (is_right_) value_ = *at_;
  }
  bool is_right() const { return is_right_; }
  /// Gets the value, with which `take` is called. @return false if it cannot be read, which is a hazard
  template <class Take>
  bool read(char const* function, Take take) const {
    if (of_device_ && !device_may_access(function, {name_, at_, sizeof(T), 1, 1, 1, true, false})) return false;
    take(of_device_ ? *at_ : value_);
    return true;
  }

 private:
  char const* name_;
  T const* at_;
  bool of_device_;
  bool is_right_ = true;
  T value_ = {};
};

}  // namespace cosmati_sim
