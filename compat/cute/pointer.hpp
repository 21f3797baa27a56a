// SPDX-License-Identifier: Apache-2.0
/// @file
/// `gmem_ptr`, `smem_ptr`, `rmem_ptr`, `recast_ptr`; `tmem_ptr`, an address in the tensor memory of sm_100.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/bits.hpp>
#include <cosmati/tensor/pointer.hpp>
#include <cute/container/array_subbyte.hpp>
#include <cute/pointer_base.hpp>
#include <cute/pointer_sparse.hpp>

namespace COSMATI_NAMESPACE {

/// An address in tensor memory: lane in the upper 16 bits, column of 32 bits in the lower. It cannot be dereferenced.
template <class T>
struct tmem_ptr {
  using value_type = std::remove_cv_t<T>;
  using element_type = T;
  using reference = T;
  /// Steps are of elements; this many bits of a step say which element of a column (negative: columns an element).
  static constexpr int32_t OffsetShift = [] {
    int shift = 0;
    for (int bits = static_cast<int>(sizeof_bits_v<T>); bits < 32; bits *= 2) ++shift;
    for (int bits = 32; bits < static_cast<int>(sizeof_bits_v<T>); bits *= 2) --shift;
    return shift;
  }();

  uint32_t addr_;

  COSMATI_HD constexpr tmem_ptr(uint32_t address = 0) : addr_(address) {}  // NOLINT(google-explicit-constructor)
  COSMATI_HD constexpr uint32_t const& get() const { return addr_; }
  COSMATI_HD constexpr uint32_t& get() { return addr_; }

  template <class U = T>
  COSMATI_HD constexpr value_type operator*() const {
    static_assert(sizeof(U) == 0, "tmem_ptr: tensor memory cannot be dereferenced; raw_pointer_cast gives its address");
    return value_type{};
  }
  COSMATI_HD constexpr reference operator[](uint32_t i) const { return *(*this + i); }
  /// The number of an element within its column stands in the highest bits, which the hardware does not look at.
  COSMATI_HD constexpr tmem_ptr operator+(uint32_t i) const { return {addr_ + rotr(i, OffsetShift)}; }
};
template <class T>
struct is_tmem : std::false_type {};
template <class T>
struct is_tmem<T const> : is_tmem<T> {};
template <class T>
struct is_tmem<tmem_ptr<T>> : std::true_type {};
template <class T>
requires(!std::is_const_v<T> && requires { typename T::iterator; }) struct is_tmem<T> : is_tmem<typename T::iterator> {
};
template <class T>
inline constexpr bool is_tmem_v = is_tmem<T>::value;

template <class T>
COSMATI_HD constexpr tmem_ptr<T> make_tmem_ptr(uint32_t address = 0) {
  return tmem_ptr<T>(address);
}
template <class T>
COSMATI_HD constexpr uint32_t raw_pointer_cast(tmem_ptr<T> const& p) {
  return p.get();
}
template <class NewT, class T>
COSMATI_HD constexpr auto recast_ptr(tmem_ptr<T> const& p) {
  return tmem_ptr<NewT>{p.addr_};
}
template <class T>
COSMATI_HD void print(tmem_ptr<T> const& p) {
  printf("tmem_[%db](0x%04x.%04x)", static_cast<int>(sizeof_bits_v<T>), p.addr_ >> 16, p.addr_ & 0xFFFF);
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
