// SPDX-License-Identifier: Apache-2.0
/// @file
/// Thrust's pointers and references to memory of the device. The host reads and writes single elements through them.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/memory.hpp>
#include <cstddef>
#include <iterator>
#include <memory>
#include <new>
#include <ostream>
#include <system_error>
#include <type_traits>

namespace thrust {

using std::error_code;
using std::system_error;
namespace system {
using std::error_code;
using std::system_error;
}  // namespace system

template <class T>
class device_ptr;

/// An element of the device's memory. A read downloads it, a write uploads it.
template <class T>
class device_reference {
 public:
  using value_type = std::remove_cv_t<T>;
  explicit device_reference(T* at) : at_(at) {}
  device_reference(device_reference const&) = default;

  operator value_type() const {  // NOLINT(google-explicit-constructor): it stands for the element
    alignas(value_type) unsigned char bytes[sizeof(value_type)];
    cudaMemcpy(bytes, at_, sizeof(value_type), cudaMemcpyDefault);
    return *std::launder(reinterpret_cast<value_type*>(bytes));
  }
  device_reference& operator=(value_type const& value) {
    cudaMemcpy(const_cast<value_type*>(at_), &value, sizeof(value_type), cudaMemcpyDefault);
    return *this;
  }
  device_reference& operator=(device_reference const& other) { return *this = static_cast<value_type>(other); }
  template <class U>
  device_reference& operator=(device_reference<U> const& other) {
    return *this = static_cast<value_type>(static_cast<std::remove_cv_t<U>>(other));
  }
  device_ptr<T> operator&() const { return device_ptr<T>(at_); }
#define COSMATI_THRUST_ASSIGN_(op)                                                   \
  device_reference& operator op##=(value_type const& value) {                        \
    return *this = static_cast<value_type>(static_cast<value_type>(*this) op value); \
  }
  COSMATI_THRUST_ASSIGN_(+)
  COSMATI_THRUST_ASSIGN_(-)
  COSMATI_THRUST_ASSIGN_(*)
  COSMATI_THRUST_ASSIGN_(/)
#undef COSMATI_THRUST_ASSIGN_
  device_reference& operator++() { return *this += value_type(1); }
  device_reference& operator--() { return *this -= value_type(1); }
  friend std::ostream& operator<<(std::ostream& out, device_reference const& r) {
    return out << static_cast<value_type>(r);
  }

 private:
  T* at_;
};

/// An address in the device's memory.
template <class T>
class device_ptr {
 public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using difference_type = std::ptrdiff_t;
  using reference = device_reference<T>;
  using pointer = device_ptr<T>;
  using iterator_category = std::random_access_iterator_tag;

  device_ptr() = default;
  device_ptr(std::nullptr_t) {}  // NOLINT(google-explicit-constructor): as a pointer
  explicit device_ptr(T* at) : at_(at) {}
  template <class U>
  requires(std::is_convertible_v<U*, T*>) device_ptr(device_ptr<U> const& other)  // NOLINT: as a pointer
      : at_(other.get()) {}

  T* get() const { return at_; }
  reference operator*() const { return reference(at_); }
  reference operator[](difference_type i) const { return reference(at_ + i); }
  explicit operator bool() const { return at_ != nullptr; }
  device_ptr& operator++() { return *this += 1; }
  device_ptr& operator--() { return *this += -1; }
  device_ptr operator++(int) {
    device_ptr const old = *this;
    ++*this;
    return old;
  }
  device_ptr operator--(int) {
    device_ptr const old = *this;
    --*this;
    return old;
  }
  device_ptr& operator+=(difference_type n) {
    at_ += n;
    return *this;
  }
  device_ptr& operator-=(difference_type n) { return *this += -n; }
  friend device_ptr operator+(device_ptr p, difference_type n) { return p += n; }
  friend device_ptr operator+(difference_type n, device_ptr p) { return p += n; }
  friend device_ptr operator-(device_ptr p, difference_type n) { return p -= n; }
  friend difference_type operator-(device_ptr a, device_ptr b) { return a.at_ - b.at_; }
  friend auto operator<=>(device_ptr a, device_ptr b) = default;

 private:
  T* at_ = nullptr;
};

/// Memory of the device without a type. It becomes that of a type by a conversion that is written out.
template <>
class device_ptr<void> {
 public:
  device_ptr() = default;
  device_ptr(std::nullptr_t) {}  // NOLINT(google-explicit-constructor): as a pointer
  explicit device_ptr(void* p) : p_(p) {}
  template <class T>
  device_ptr(device_ptr<T> p) : p_(p.get()) {}  // NOLINT(google-explicit-constructor): as a pointer
  template <class T>
  explicit operator device_ptr<T>() const {
    return device_ptr<T>(static_cast<T*>(p_));
  }
  void* get() const { return p_; }
  explicit operator bool() const { return p_ != nullptr; }
  friend bool operator==(device_ptr l, device_ptr r) { return l.p_ == r.p_; }

 private:
  void* p_ = nullptr;
};

template <class T>
device_ptr<T> device_pointer_cast(T* p) {
  return device_ptr<T>(p);
}
template <class T>
device_ptr<T> device_pointer_cast(device_ptr<T> p) {
  return p;
}
template <class T>
T* raw_pointer_cast(device_ptr<T> p) {
  return p.get();
}
template <class T>
T* raw_pointer_cast(T* p) {
  return p;
}
template <class T>
T& raw_reference_cast(device_reference<T> const& r) {
  return *(&r).get();
}

/// Memory of the device for `count` elements. @throws std::bad_alloc
template <class T>
device_ptr<T> device_malloc(std::size_t count) {
  T* p = nullptr;
  if (cudaMalloc(&p, count * sizeof(T)) != cudaSuccess) throw std::bad_alloc();
  return device_ptr<T>(p);
}
/// The same for so many bytes.
inline device_ptr<void> device_malloc(std::size_t bytes) { return device_malloc<unsigned char>(bytes); }
template <class T>
void device_free(device_ptr<T> p) {
  cudaFree(const_cast<std::remove_cv_t<T>*>(p.get()));
}

}  // namespace thrust

#endif

#include <cosmati/core/macros_end.hpp>
