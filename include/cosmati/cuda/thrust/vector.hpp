// SPDX-License-Identifier: Apache-2.0
/// @file
/// Thrust's vectors of the host and of the device.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <algorithm>
#include <cosmati/cuda/thrust/device_ptr.hpp>
#include <cstddef>
#include <initializer_list>
#include <iostream>
#include <iterator>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace thrust {

template <class T>
class device_vector;

/// A vector of the host.
template <class T>
class host_vector : public std::vector<T> {
 public:
  using std::vector<T>::vector;
  host_vector() = default;
  host_vector(std::vector<T> const& other) : std::vector<T>(other) {}  // NOLINT(google-explicit-constructor)
  host_vector(device_vector<T> const& other) : std::vector<T>(other.size()) { other.download(this->data()); }  // NOLINT
  template <class U, class Allocator>
  host_vector(std::vector<U, Allocator> const& other)  // NOLINT(google-explicit-constructor)
      : std::vector<T>(other.begin(), other.end()) {}
  template <class U>
  host_vector(device_vector<U> const& other) : host_vector(host_vector<U>(other)) {}  // NOLINT
  host_vector& operator=(device_vector<T> const& other) {
    this->resize(other.size());
    other.download(this->data());
    return *this;
  }
  template <class U>
  host_vector& operator=(device_vector<U> const& other) {
    return *this = host_vector(other);
  }
};

/// A vector in memory of the device. Elements that are given no value are zero.
template <class T>
class device_vector {
  static_assert(std::is_trivially_copyable_v<T>, "device_vector<T>: elements are copied as bytes");

 public:
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using pointer = device_ptr<T>;
  using const_pointer = device_ptr<T const>;
  using reference = device_reference<T>;
  using const_reference = device_reference<T const>;
  using iterator = device_ptr<T>;
  using const_iterator = device_ptr<T const>;
  using reverse_iterator = std::reverse_iterator<iterator>;

  device_vector() = default;
  explicit device_vector(std::size_t count) { resize(count); }
  device_vector(std::size_t count, T const& value) { resize(count, value); }
  device_vector(std::initializer_list<T> values) { assign(values.begin(), values.end()); }
  device_vector(std::vector<T> const& values) { upload(values.data(), values.size()); }  // NOLINT
  template <class U, class Allocator>
  device_vector(std::vector<U, Allocator> const& values) {  // NOLINT(google-explicit-constructor)
    assign(values.begin(), values.end());
  }
  template <class U>
  device_vector(device_vector<U> const& other) : device_vector(host_vector<U>(other)) {}  // NOLINT
  template <class Iterator>
  requires(!std::is_integral_v<Iterator>) device_vector(Iterator first, Iterator last) { assign(first, last); }
  device_vector(device_vector const& other) { copy_of(other); }
  device_vector(device_vector&& other) noexcept { swap(other); }
  ~device_vector() { release(); }
  device_vector& operator=(device_vector const& other) {
    if (this != &other) copy_of(other);
    return *this;
  }
  device_vector& operator=(device_vector&& other) noexcept {
    swap(other);
    return *this;
  }
  device_vector& operator=(std::vector<T> const& values) {
    upload(values.data(), values.size());
    return *this;
  }

  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }
  pointer data() { return pointer(at_); }
  const_pointer data() const { return const_pointer(at_); }
  iterator begin() { return data(); }
  iterator end() { return data() + static_cast<std::ptrdiff_t>(size_); }
  const_iterator begin() const { return data(); }
  const_iterator end() const { return data() + static_cast<std::ptrdiff_t>(size_); }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }
  reverse_iterator rbegin() { return reverse_iterator(end()); }
  reverse_iterator rend() { return reverse_iterator(begin()); }
  /// @throws std::out_of_range, which Thrust does not
  reference operator[](std::size_t i) { return *(begin() + checked(i)); }
  const_reference operator[](std::size_t i) const { return *(begin() + checked(i)); }
  reference front() { return (*this)[0]; }
  const_reference front() const { return (*this)[0]; }
  reference back() { return (*this)[size_ - 1]; }
  const_reference back() const { return (*this)[size_ - 1]; }

  void reserve(std::size_t count) {
    if (count <= capacity_) return;
    T* const room = device_malloc<T>(count).get();
    if (size_ != 0) cudaMemcpy(room, at_, size_ * sizeof(T), cudaMemcpyDeviceToDevice);
    std::size_t const size = size_;
    release();
    at_ = room;
    capacity_ = count;
    size_ = size;
  }
  void resize(std::size_t count, T const& value = T()) {
    reserve(count);
    if (count > size_) {
      std::vector<T> const more(count - size_, value);
      cudaMemcpy(at_ + size_, more.data(), more.size() * sizeof(T), cudaMemcpyHostToDevice);
    }
    size_ = count;
  }
  void clear() { size_ = 0; }
  void shrink_to_fit() {}
  void push_back(T const& value) {
    if (size_ == capacity_) reserve(size_ == 0 ? 1 : 2 * size_);
    cudaMemcpy(at_ + size_++, &value, sizeof(T), cudaMemcpyHostToDevice);
  }
  void pop_back() { --size_; }
  /// Removes elements. @returns where the first one behind them is now
  iterator erase(const_iterator first, const_iterator last) {
    return replaced(first - cbegin(), last - first, std::vector<T>());
  }
  iterator erase(const_iterator at) { return erase(at, at + 1); }
  /// Inserts elements before `at`. @returns where the first one is now
  iterator insert(const_iterator at, T const& value) { return insert(at, 1, value); }
  iterator insert(const_iterator at, std::size_t count, T const& value) {
    return replaced(at - cbegin(), 0, std::vector<T>(count, value));
  }
  template <class Iterator>
  requires(!std::is_integral_v<Iterator>) iterator insert(const_iterator at, Iterator first, Iterator last) {
    std::vector<T> values;
    for (; first != last; ++first) values.push_back(static_cast<T>(*first));
    return replaced(at - cbegin(), 0, values);
  }
  template <class Iterator>
  requires(!std::is_integral_v<Iterator>) void assign(Iterator first, Iterator last) {
    std::vector<T> values;
    for (; first != last; ++first) values.push_back(static_cast<T>(*first));
    upload(values.data(), values.size());
  }
  void assign(std::size_t count, T const& value) {
    std::vector<T> const values(count, value);
    upload(values.data(), count);
  }
  void swap(device_vector& other) noexcept {
    std::swap(at_, other.at_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }
  /// Copies all elements to memory of the host.
  void download(T* to) const {
    if (size_ != 0) cudaMemcpy(to, at_, size_ * sizeof(T), cudaMemcpyDeviceToHost);
  }
  friend bool operator==(device_vector const& a, device_vector const& b) {
    return host_vector<T>(a) == host_vector<T>(b);
  }

 private:
  std::ptrdiff_t checked(std::size_t i) const {
    if (i >= size_)
      throw std::out_of_range("thrust::device_vector: element " + std::to_string(i) + " of " + std::to_string(size_));
    return static_cast<std::ptrdiff_t>(i);
  }
  /// Puts `values` in the place of `count` elements from the element `first` on.
  iterator replaced(std::ptrdiff_t first, std::ptrdiff_t count, std::vector<T> const& values) {
    host_vector<T> all(*this);
    auto const at = all.erase(all.begin() + first, all.begin() + first + count);
    all.insert(at, values.begin(), values.end());
    upload(all.data(), all.size());
    return begin() + first;
  }
  void upload(T const* from, std::size_t count) {
    reserve(count);
    size_ = count;
    if (count != 0) cudaMemcpy(at_, from, count * sizeof(T), cudaMemcpyHostToDevice);
  }
  void copy_of(device_vector const& other) {
    reserve(other.size_);
    size_ = other.size_;
    if (size_ != 0) cudaMemcpy(at_, other.at_, size_ * sizeof(T), cudaMemcpyDeviceToDevice);
  }
  void release() {
    if (at_ != nullptr) cudaFree(at_);
    at_ = nullptr;
    size_ = capacity_ = 0;
  }

  T* at_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace thrust

#endif

#include <cosmati/core/macros_end.hpp>
