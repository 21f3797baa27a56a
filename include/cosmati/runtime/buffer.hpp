// SPDX-License-Identifier: Apache-2.0
/// @file
/// `device_buffer<T>`: memory of the GPU, or of the simulated device.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/config.hpp>
#include <cosmati/core/error.hpp>
#include <cosmati/runtime/sim_abi.hpp>
#include <cosmati/runtime/stream.hpp>
#include <cstddef>
#include <cstring>
#include <vector>

namespace COSMATI_NAMESPACE {

/// `size()` elements of T in device memory, which the object owns. It is move-only. The content of a buffer made from a
/// count is unspecified on a GPU, and poison on the simulated device.
template <class T>
class device_buffer {
  static_assert(__is_trivially_copyable(T),
                "device_buffer<T> needs a trivially copyable T: its elements travel between host and device as bytes");

 public:
  using value_type = T;

  device_buffer() = default;
  /// @param count the number of elements; throws `error` if the device has no room
  explicit device_buffer(std::size_t count) : size_(count) { allocate(); }
  /// A copy of any contiguous range with `data()` and `size()`.
  template <class Range>
  requires requires(Range const& range) {
    static_cast<T const*>(range.data());
    static_cast<std::size_t>(range.size());
  }
  explicit device_buffer(Range const& range) : size_(range.size()) {
    allocate();
    upload(range);
  }
  device_buffer(device_buffer&& other) noexcept : data_(other.data_), size_(other.size_) {
    other.data_ = nullptr;
    other.size_ = 0;
  }
  device_buffer& operator=(device_buffer&& other) noexcept {
    T* const data = data_;
    std::size_t const size = size_;
    data_ = other.data_;
    size_ = other.size_;
    other.data_ = data;
    other.size_ = size;
    return *this;
  }
  device_buffer(device_buffer const&) = delete;
  device_buffer& operator=(device_buffer const&) = delete;
  ~device_buffer() { release(); }

  /// The device address of the first element, aligned to 256 bytes or more. It is null if the buffer is empty.
  T* data() { return data_; }
  T const* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }
  bool empty() const { return size_ == 0; }

  /// Copies the range's elements to the buffer's first elements. Throws `error` if they do not fit. As `fill` and
  /// `clear`, it waits for earlier work of the device on any stream, and until the elements have arrived.
  template <class Range>
  void upload(Range const& range) {
    T const* const source = range.data();
    std::size_t const count = range.size();
    if (count > size_) {
      throw error("device_buffer::upload: %zu elements do not fit in a buffer of %zu", count, size_);
    }
    if (count == 0) return;
#if defined(__CUDACC__)
    // Other streams and the default stream do not wait for each other, so earlier copies may still be in flight.
    detail::check_cuda(cudaDeviceSynchronize(), "waiting for the GPU");
    detail::check_cuda(cudaMemcpy(data_, source, count * sizeof(T), cudaMemcpyHostToDevice), "copying to the GPU");
    detail::check_cuda(cudaStreamSynchronize(nullptr), "copying to the GPU");
#else
    detail::wait_for_device();
    cosmati_sim_move(data_, source, count * sizeof(T));
    cosmati_sim_written(data_, count * sizeof(T));
#endif
  }

  /// Copies all elements to the host. It waits for earlier work of the device on any stream.
  std::vector<T> download() const {
    std::vector<T> host(size_);
    if (size_ != 0) copy_to_host(host.data());
    return host;
  }
  /// Copies all elements to `size()` elements at `target` on the host.
  void download_to(T* target) const {
    if (size_ != 0) copy_to_host(target);
  }

  /// Sets every element to `value`.
  void fill(T const& value) { upload(std::vector<T>(size_, value)); }
  /// Sets every byte to 0.
  void clear() {
    if (size_ == 0) return;
#if defined(__CUDACC__)
    detail::check_cuda(cudaDeviceSynchronize(), "waiting for the GPU");
    detail::check_cuda(cudaMemset(data_, 0, bytes()), "clearing device memory");
    detail::check_cuda(cudaStreamSynchronize(nullptr), "clearing device memory");
#else
    detail::wait_for_device();
    cosmati_sim_move(data_, nullptr, bytes());
    cosmati_sim_written(data_, bytes());
#endif
  }

 private:
  void allocate() {
    if (size_ == 0) return;
    if (size_ > static_cast<std::size_t>(-1) / 2 / sizeof(T)) {
      throw error("device_buffer: %zu elements of %zu bytes are more than any device has", size_, sizeof(T));
    }
    void* memory = nullptr;
#if defined(__CUDACC__)
    cudaError_t const status = cudaMalloc(&memory, bytes());
    if (status != cudaSuccess) {
      (void)cudaGetLastError();
      throw error("device_buffer: allocating %zu bytes: %s", bytes(), cudaGetErrorString(status));
    }
#else
    char text[512];
    if (cosmati_sim_allocate(&memory, bytes(), text, sizeof text) != 0) throw error("device_buffer: %s", text);
#endif
    data_ = static_cast<T*>(memory);
  }
  void release() {
    if (data_ == nullptr) return;
#if defined(__CUDACC__)
    cudaFree(data_);
#else
    cosmati_sim_free(data_);
#endif
  }
  void copy_to_host(T* target) const {
#if defined(__CUDACC__)
    detail::check_cuda(cudaDeviceSynchronize(), "waiting for the GPU");
    detail::check_cuda(cudaMemcpy(target, data_, bytes(), cudaMemcpyDeviceToHost), "copying from the GPU");
#else
    detail::wait_for_device();
    cosmati_sim_move(target, data_, bytes());
#endif
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
};

template <class Range>
requires requires(Range const& range) { range.data()[0]; }
device_buffer(Range const&)->device_buffer<typename Range::value_type>;

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
