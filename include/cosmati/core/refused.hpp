// SPDX-License-Identifier: Apache-2.0
/// @file
/// What a call returns after a mistake that the compiler has named: everything may be asked of it, and nothing is said.
///
/// A function that is called wrongly has an overload whose *return type* is a class template derived from `refused`,
/// with the numbers of the case as arguments and a failing `static_assert` inside. The class is completed where the
/// function is called: the compiler prints that line, the sentence and the numbers, and no template arguments of the
/// library's.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/integral_constant.hpp>

namespace COSMATI_NAMESPACE {

/// Stands for the result of a call that was refused: it does everything, so that the mistake is the only error.
struct refused {
  static constexpr bool ok = false;
  template <class... X>
  COSMATI_HD constexpr refused operator()(X const&...) const {
    return {};
  }
  template <class X>
  COSMATI_HD constexpr refused operator[](X const&) const {
    return {};
  }
  template <class X>
  COSMATI_HD constexpr refused const& operator=(X const&) const {
    return *this;
  }
  template <class X>
  requires(std::is_arithmetic_v<X>) COSMATI_HD constexpr operator X() const {
    return {};
  }  // NOLINT(google-explicit-constructor): stands for an element
  /// Of a tensor or a layout.
  COSMATI_HD constexpr refused data() const { return {}; }
  COSMATI_HD constexpr refused layout() const { return {}; }
  template <int...>
  COSMATI_HD constexpr refused shape() const {
    return {};
  }
  template <int...>
  COSMATI_HD constexpr refused stride() const {
    return {};
  }
  template <int...>
  COSMATI_HD constexpr C<1> size() const {
    return {};
  }
  /// Of a tiled copy, or of a thread's slice of one.
  template <class X>
  COSMATI_HD static constexpr refused get_slice(X const&) {
    return {};
  }
  template <class X>
  COSMATI_HD static constexpr refused get_thread_slice(X const&) {
    return {};
  }
  template <class X>
  COSMATI_HD static constexpr refused partition_S(X const&) {
    return {};
  }
  template <class X>
  COSMATI_HD static constexpr refused partition_D(X const&) {
    return {};
  }
  template <class X>
  COSMATI_HD static constexpr refused retile_S(X const&) {
    return {};
  }
  template <class X>
  COSMATI_HD static constexpr refused retile_D(X const&) {
    return {};
  }
};

/// T is the result of a call that was refused.
template <class T>
concept refusal = std::is_base_of_v<refused, std::remove_cvref_t<T>>;

/// @name What is done with such a result
/// @{
template <class... X>
requires((refusal<X> || ...)) COSMATI_HD constexpr refused copy(X const&...) { return {}; }
template <class... X>
requires((refusal<X> || ...)) COSMATI_HD constexpr refused copy_if(X const&...) { return {}; }
template <class Iterator, refusal L, class... X>
COSMATI_HD constexpr refused make_tensor(Iterator const&, L const&, X const&...) {
  return {};
}
#define COSMATI_REFUSED(name, result, ...)                        \
  template <__VA_ARGS__ class... X>                               \
  COSMATI_HD constexpr result name(refused const&, X const&...) { \
    return {};                                                    \
  }
COSMATI_REFUSED(make_layout, refused)
COSMATI_REFUSED(composition, refused)
COSMATI_REFUSED(complement, refused)
COSMATI_REFUSED(coalesce, refused)
COSMATI_REFUSED(right_inverse, refused)
COSMATI_REFUSED(left_inverse, refused)
COSMATI_REFUSED(logical_divide, refused)
COSMATI_REFUSED(zipped_divide, refused)
COSMATI_REFUSED(tiled_divide, refused)
COSMATI_REFUSED(flat_divide, refused)
COSMATI_REFUSED(logical_product, refused)
COSMATI_REFUSED(blocked_product, refused)
COSMATI_REFUSED(raked_product, refused)
COSMATI_REFUSED(cosize, C<1>, int... k, )
COSMATI_REFUSED(local_tile, refused)
COSMATI_REFUSED(local_partition, refused)
COSMATI_REFUSED(make_tensor_like, refused)
COSMATI_REFUSED(make_fragment_like, refused)
COSMATI_REFUSED(clear, refused)
COSMATI_REFUSED(fill, refused)
COSMATI_REFUSED(size, C<1>, int... k, )
COSMATI_REFUSED(tile_size, C<1>, int... k, )
COSMATI_REFUSED(shape, refused, int... k, )
COSMATI_REFUSED(layout, refused, int... k, )
#undef COSMATI_REFUSED
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
