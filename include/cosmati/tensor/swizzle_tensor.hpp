// SPDX-License-Identifier: Apache-2.0
/// @file
/// `as_position_independent_swizzle_tensor`: moves a swizzle from the pointer to the layout.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/error.hpp>
#include <cosmati/layout/run_time_checks.hpp>
#include <cosmati/layout/smem_ptr_flag.hpp>
#include <cosmati/tensor/swizzle_pointer.hpp>
#include <cosmati/tensor/tensor.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
template <class T>
struct tensor_is_not_in_shared_memory {
  static_assert(is_smem_v<T>,
                "as_position_independent_swizzle_tensor(t): t is not in shared memory; make it from make_smem_ptr");
  static constexpr bool ok = is_smem_v<T>;
};
/// The bits of an address that the swizzle reads or changes, and the bits below them.
template <int Bits, int M, int S>
COSMATI_HD constexpr std::uintptr_t bits_of_swizzle(Swizzle<Bits, M, S>) {
  constexpr std::uintptr_t run = (std::uintptr_t{1} << Bits) - 1;
  return (run << (M + (S > 0 ? S : 0))) | (run << (M + (S < 0 ? -S : 0))) | ((std::uintptr_t{1} << M) - 1);
}
}  // namespace detail

/// The same elements by a plain pointer and a layout that swizzles offsets. An offset may be computed once and added to
/// the address of any tile. If the pointer has no swizzle, the result is the tensor itself.
/// @pre the memory begins at an address where the swizzle's bits are zero; the simulated device and debug builds check
///   it
template <class T>
COSMATI_HD constexpr auto as_position_independent_swizzle_tensor(T&& tensor) {
  using Tensor = std::remove_cvref_t<T>;
  if constexpr (detail::tensor_is_not_in_shared_memory<Tensor>::ok) {
    using S = pointer_swizzle_t<decltype(tensor.data())>;
    if constexpr (std::is_void_v<S>) {
      return tensor;
    } else {
      auto const p = raw_pointer_cast(tensor.data());
      if constexpr (detail::run_time_integers_are_checked) {
        auto const address = reinterpret_cast<std::uintptr_t>(p);
        if ((address & detail::bits_of_swizzle(S{})) != 0)
          fail(
              "as_position_independent_swizzle_tensor(t): t begins at %#llx, where the swizzle's bits are not zero; "
              "let "
              "it begin at a multiple of the swizzle's period, as alignas(1024) gives",
              static_cast<unsigned long long>(address));
      }
      constexpr int bits = static_cast<int>(sizeof_bits_v<typename Tensor::value_type>);
      return make_tensor(make_smem_ptr(p),
                         composition(detail::swizzle_of_elements<bits>(S{}), C<0>{}, tensor.layout()));
    }
  }
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
