// SPDX-License-Identifier: Apache-2.0
/// @file
/// `stream_buffer<T>`: memory of the device for the work of one stream, allocated and freed in the stream's order.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/stream.hpp>
#include <cstddef>

namespace COSMATI_NAMESPACE {

/// `size()` elements of T, with unspecified content. Only work that is queued on the stream between the constructor and
/// the destructor may use them. Neither waits for the device.
template <class T>
class stream_buffer {
 public:
  /// @param count the number of elements; throws `error` if the device has no room
  stream_buffer(std::size_t count, [[maybe_unused]] stream_handle stream)
#if defined(__CUDACC__)
      : size_(count), stream_(stream) {
    if (count != 0)
      detail::check_cuda(cudaMallocAsync(reinterpret_cast<void**>(&data_), count * sizeof(T), stream),
                         "allocating device memory on a stream");
  }
#else
      : memory_(count), data_(memory_.data()), size_(count) {
  }
#endif
  stream_buffer(stream_buffer const&) = delete;
  stream_buffer& operator=(stream_buffer const&) = delete;
#if defined(__CUDACC__)
  ~stream_buffer() {
    if (data_ != nullptr) cudaFreeAsync(data_, stream_);
  }
#else
  ~stream_buffer() = default;
#endif

  /// The device address of the first element, aligned to 256 bytes.
  T* data() { return data_; }
  std::size_t size() const { return size_; }

 private:
#if !defined(__CUDACC__)
  device_buffer<T> memory_;  // the simulated device has finished a launch when the call returns
#endif
  T* data_ = nullptr;
  std::size_t size_;
#if defined(__CUDACC__)
  stream_handle stream_;
#endif
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
