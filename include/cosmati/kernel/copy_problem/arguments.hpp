// SPDX-License-Identifier: Apache-2.0
/// @file
/// Checks of the arguments of `copy_tensor` and `plan_copy`, with errors that say what is wrong.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/sizeof_bits.hpp>
#include <cosmati/core/tuple/flatten.hpp>
#include <cosmati/tensor/tensor.hpp>

namespace COSMATI_NAMESPACE::detail {

template <class T>
inline constexpr bool may_be_copied = __is_trivially_copyable(T) && (sizeof(T) & (sizeof(T) - 1)) == 0 &&
                                      sizeof(T) <= 16;

/// Whether the layout has a shape and strides, and is not composed.
template <class L>
inline constexpr bool is_strided = false;
template <class S, class D>
inline constexpr bool is_strided<Layout<S, D>> = true;

/// Whether the tensor owns its elements.
template <class T>
inline constexpr bool owns_elements = false;
template <class T, int N, class L>
inline constexpr bool owns_elements<Tensor<ArrayEngine<T, N>, L>> = true;

template <class Flat, std::size_t... place>
constexpr bool are_integers(Flat const&, std::index_sequence<place...>) {
  return (std::is_convertible_v<std::remove_cvref_t<decltype(get<place>(std::declval<Flat>()))>, std::int64_t> && ...);
}
/// Whether the strides are integers, not multiples of bases.
template <class L>
inline constexpr bool strides_are_integers = [] {
  using Flat = decltype(flatten_to_tuple(std::declval<L const&>().stride()));
  return are_integers(
      Flat{}, std::make_index_sequence<static_cast<std::size_t>(decltype(rank(std::declval<Flat>()))::value)>{});
}();

/// Checks the two layouts of a copy. @tparam S, D plain types
template <class S, class D>
struct copied_layouts {
  static constexpr bool strided = is_strided<S> && is_strided<D>;
  static_assert(strided,
                "copy_tensor(src, dst): a swizzled or composed layout: both are layouts of a shape and strides; copy "
                "others within a kernel, by copy");
  static constexpr bool numbers = [] {
    if constexpr (strided)
      return strides_are_integers<S> && strides_are_integers<D>;
    else
      return true;
  }();
  static_assert(numbers,
                "copy_tensor(src, dst): strides that are basis vectors: there are no elements at coordinates; give "
                "integers as strides");
  static constexpr bool ok = strided && numbers;
};

template <class T>
inline constexpr bool is_in_shared_memory = [] {
  if constexpr (requires(T const& t) { t.data(); })
    return is_smem_v<decltype(std::declval<T const&>().data())>;
  else
    return false;
}();
template <class T>
inline constexpr bool has_address = requires(T const& t) {
  { raw_pointer_cast(t.data()) } -> std::convertible_to<void const*>;
};

/// Checks the two tensors of a copy, except for their layouts. @tparam Src, Dst plain types
template <class Src, class Dst>
struct copied_tensors {
  static constexpr bool tensors = is_tensor_v<Src> && is_tensor_v<Dst>;
  static_assert(tensors, "copy_tensor(src, dst): both are tensors, make_tensor(make_gmem_ptr(p), layout)");
  static constexpr bool ok = [] {
    if constexpr (tensors) {
      constexpr bool outside = !owns_elements<Src> && !owns_elements<Dst>;
      static_assert(outside,
                    "copy_tensor(src, dst): a tensor in registers, made without a pointer: both lie in device memory; "
                    "within a kernel use copy");
      constexpr bool lasting =
          !(std::is_volatile_v<typename Src::element_type> || std::is_volatile_v<typename Dst::element_type>);
      static_assert(lasting,
                    "copy_tensor(src, dst): volatile elements: each would be accessed on its own and in order; give "
                    "pointers to elements that are not volatile");
      constexpr bool global = !is_in_shared_memory<Src> && !is_in_shared_memory<Dst>;
      static_assert(global,
                    "copy_tensor(src, dst): a tensor in shared memory, which only kernels have: both lie in device "
                    "memory; within a kernel use copy");
      constexpr bool in_memory = !lasting || (has_address<Src> && has_address<Dst>);
      static_assert(in_memory,
                    "copy_tensor(src, dst): a tensor whose elements are computed, such as make_identity_tensor: both "
                    "lie in device memory");
      using From = std::remove_cv_t<typename Src::value_type>;
      using To = std::remove_cv_t<typename Dst::value_type>;
      constexpr bool whole = !in_memory || !(is_subbyte_v<From> || is_subbyte_v<To>);
      static_assert(whole,
                    "copy_tensor(src, dst): elements of fewer than 8 bits, several of which share a byte: copy_tensor "
                    "moves whole bytes; where they are contiguous, copy recast<uint8_t>(src) to recast<uint8_t>(dst)");
      return outside && lasting && global && in_memory && whole;
    } else {
      return false;
    }
  }();
};
/// Checks the elements of the tensors.
template <class From, class To>
struct copied_elements {
  static constexpr bool movable = may_be_copied<From> && may_be_copied<To>;
  static_assert(movable, "copy_tensor(src, dst): elements are trivially copyable, of 1, 2, 4, 8 or 16 bytes");
  static constexpr bool convertible = requires(From const& from) { static_cast<To>(from); };
  static_assert(convertible,
                "copy_tensor(src, dst): src's elements cannot be converted to dst's: static_cast has no way from one "
                "type to the other; make the types equal, or convert in a kernel");
  static constexpr bool ok = movable && convertible;
};

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
