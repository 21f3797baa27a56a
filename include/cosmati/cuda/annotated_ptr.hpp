// SPDX-License-Identifier: Apache-2.0
/// @file
/// What CUDA's header cuda/annotated_ptr provides: pointers with hints to the L2 cache, which change no value. The
/// simulated device ignores the hints.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/barrier.hpp>
#include <cstdint>

namespace cuda {

/// How often data are going to be used.
class access_property {
 public:
  struct shared {};
  struct global {};
  struct normal {};
  struct streaming {};
  struct persisting {};
  access_property() = default;
  template <class Property>
  explicit constexpr access_property(Property, float = 1.f) {}
  template <class Property, class Other>
  constexpr access_property(Property, float, Other) {}
  template <class Property, class Other>
  constexpr access_property(void*, ::std::size_t, ::std::size_t, Property, Other) {}
  template <class Property>
  constexpr access_property(void*, ::std::size_t, ::std::size_t, Property) {}
};

/// A pointer with a hint.
template <class T, class Property>
class annotated_ptr {
 public:
  annotated_ptr() = default;
  explicit constexpr annotated_ptr(T* p) : p_(p) {}
  template <class Run>
  constexpr annotated_ptr(T* p, Run) : p_(p) {}
  T& operator*() const { return *p_; }
  T* operator->() const { return p_; }
  T& operator[](::std::ptrdiff_t i) const { return p_[i]; }
  explicit operator bool() const { return p_ != nullptr; }
  T* get() const { return p_; }
  annotated_ptr operator+(::std::ptrdiff_t n) const { return annotated_ptr(p_ + n); }
  ::std::ptrdiff_t operator-(annotated_ptr other) const { return p_ - other.p_; }
  bool operator==(annotated_ptr const& other) const { return p_ == other.p_; }
  Property property() const { return {}; }

 private:
  T* p_ = nullptr;
};

/// @name Hints about memory, for one thread or the threads of a group
/// @{
template <class T, class Property>
T* associate_access_property(T* p, Property) {
  return p;
}
template <class Shape, class Property>
void apply_access_property(void const volatile*, Shape, Property) {}
template <class Group, class Shape, class Property>
void apply_access_property(Group const&, void const volatile*, Shape, Property) {}
/// The bytes hold no value that anybody will read.
template <class Shape>
void discard_memory(void volatile* p, Shape bytes) {
  if (cosmati_cuda::sim_active() != 0) cosmati_sim_poison(const_cast<void*>(p), static_cast<::std::size_t>(bytes));
}
template <class Group, class Shape>
void discard_memory(Group const& g, void volatile* p, Shape bytes) {
  if (g.thread_rank() == 0) discard_memory(p, bytes);
}
/// @}

/// The copy from a pointer with a hint.
template <class T, class Property, class Shape, class Sync>
async_contract_fulfillment memcpy_async(T* to, annotated_ptr<T const, Property> from, Shape bytes, Sync& sync) {
  return memcpy_async(to, from.get(), bytes, sync);
}
template <class Group, class T, class Property, class Shape, class Sync>
async_contract_fulfillment memcpy_async(Group const& g, T* to, annotated_ptr<T const, Property> from, Shape bytes,
                                        Sync& sync) {
  return memcpy_async(g, to, from.get(), bytes, sync);
}

}  // namespace cuda

#endif

#include <cosmati/core/macros_end.hpp>
