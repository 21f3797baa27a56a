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
// No member may have the name of a derived class's template parameter: it would hide the parameter (`rank` did).
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
  COSMATI_HD constexpr refused* begin() const { return nullptr; }
  COSMATI_HD constexpr refused* end() const { return nullptr; }

  /// @name Operators, found for such results alone
  /// @{
#define COSMATI_REFUSED(op, result)                                                                                   \
  template <class X>                                                                                                  \
  friend COSMATI_HD constexpr result operator op(refused const&, X const&) {                                          \
    return {};                                                                                                        \
  }                                                                                                                   \
  template <class X>                                                                                                  \
  requires(!std::is_base_of_v<refused, X>) friend COSMATI_HD constexpr result operator op(X const&, refused const&) { \
    return {};                                                                                                        \
  }
  COSMATI_REFUSED(+, refused)
  COSMATI_REFUSED(-, refused)
  COSMATI_REFUSED(*, refused)
  COSMATI_REFUSED(/, refused)
  COSMATI_REFUSED(%, refused)
  COSMATI_REFUSED(&, refused)
  COSMATI_REFUSED(|, refused)
  COSMATI_REFUSED(^, refused)
  COSMATI_REFUSED(<<, refused)
  COSMATI_REFUSED(>>, refused)
  COSMATI_REFUSED(==, bool)
  COSMATI_REFUSED(!=, bool)
  COSMATI_REFUSED(<, bool)
  COSMATI_REFUSED(>, bool)
  COSMATI_REFUSED(<=, bool)
  COSMATI_REFUSED(>=, bool)
#undef COSMATI_REFUSED
  template <std::size_t i>
  friend COSMATI_HD constexpr refused get(refused const&) {
    return {};
  }
  COSMATI_HD constexpr refused operator-() const { return {}; }
  COSMATI_HD constexpr refused operator+() const { return {}; }
  COSMATI_HD constexpr refused operator~() const { return {}; }
  COSMATI_HD constexpr bool operator!() const { return false; }
  COSMATI_HD constexpr refused operator*() const { return {}; }
  template <class X>
  COSMATI_HD constexpr refused const& operator+=(X const&) const {
    return *this;
  }
  template <class X>
  COSMATI_HD constexpr refused const& operator-=(X const&) const {
    return *this;
  }
  template <class X>
  COSMATI_HD constexpr refused const& operator*=(X const&) const {
    return *this;
  }
  /// @}

  /// Of a tensor or a layout.
  COSMATI_HD constexpr refused tiled_mma() const { return {}; }
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
  template <class... X>
  COSMATI_HD constexpr refused compose(X const&...) const {
    return {};
  }
  /// Of a tiled copy or a tiled product, or of a thread's slice of one.
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
  template <class X>
  COSMATI_HD static constexpr refused partition_A(X const&) {
    return {};
  }
  template <class X>
  COSMATI_HD static constexpr refused partition_B(X const&) {
    return {};
  }
  template <class X>
  COSMATI_HD static constexpr refused partition_C(X const&) {
    return {};
  }
  template <class X>
  COSMATI_HD static constexpr refused partition_fragment_A(X const&) {
    return {};
  }
  template <class X>
  COSMATI_HD static constexpr refused partition_fragment_B(X const&) {
    return {};
  }
  template <class X>
  COSMATI_HD static constexpr refused partition_fragment_C(X const&) {
    return {};
  }
  template <class X>
  COSMATI_HD static constexpr refused make_fragment_A(X const&) {
    return {};
  }
  template <class X>
  COSMATI_HD static constexpr refused make_fragment_B(X const&) {
    return {};
  }
  template <class X>
  COSMATI_HD static constexpr refused make_fragment_C(X const&) {
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
/// Exact for one argument, where a function takes any type.
#define COSMATI_REFUSED(name, ...)              \
  template <__VA_ARGS__ refusal R>              \
  COSMATI_HD constexpr refused name(R const&) { \
    return {};                                  \
  }
COSMATI_REFUSED(print_layout)
COSMATI_REFUSED(print_tensor)
COSMATI_REFUSED(rank, int... k, )
COSMATI_REFUSED(depth, int... k, )
COSMATI_REFUSED(stride, int... k, )
COSMATI_REFUSED(product)
COSMATI_REFUSED(clear)
COSMATI_REFUSED(make_tensor_like)
COSMATI_REFUSED(make_fragment_like)
COSMATI_REFUSED(make_identity_tensor)
COSMATI_REFUSED(tile_size, int... k, )
COSMATI_REFUSED(make_tensor, class T, )
COSMATI_REFUSED(recast, class T, )
COSMATI_REFUSED(recast_layout, class From, class To, )
#undef COSMATI_REFUSED
/// Among others, at any place.
#define COSMATI_REFUSED(name, ...)  \
  template <__VA_ARGS__ class... X> \
  requires((refusal<X> || ...)) COSMATI_HD constexpr refused name(X const&...) { return {}; }
COSMATI_REFUSED(axpby)
COSMATI_REFUSED(gemm)
COSMATI_REFUSED(ceil_div)
COSMATI_REFUSED(idx2crd)
COSMATI_REFUSED(make_tiled_copy)
COSMATI_REFUSED(make_tiled_mma)
COSMATI_REFUSED(raked_product)
COSMATI_REFUSED(blocked_product)
COSMATI_REFUSED(tile_to_shape)
COSMATI_REFUSED(crd2idx)
COSMATI_REFUSED(with_shape)
COSMATI_REFUSED(max_common_vector)
COSMATI_REFUSED(max_common_layout)
COSMATI_REFUSED(max_alignment)
COSMATI_REFUSED(nullspace)
COSMATI_REFUSED(slice)
COSMATI_REFUSED(dice)
COSMATI_REFUSED(filter)
COSMATI_REFUSED(filter_zeros)
COSMATI_REFUSED(upcast, int n, )
COSMATI_REFUSED(downcast, int n, )
COSMATI_REFUSED(group_modes, int first, int last, )
COSMATI_REFUSED(cooperative_copy, auto threads, auto bits, )
#undef COSMATI_REFUSED
#define COSMATI_REFUSED(name) \
  template <class X, class Y> \
  requires(refusal<X> || refusal<Y>) COSMATI_HD constexpr bool name(X const&, Y const&) { return false; }
COSMATI_REFUSED(elem_less)
COSMATI_REFUSED(elem_leq)
COSMATI_REFUSED(elem_gtr)
COSMATI_REFUSED(elem_geq)
COSMATI_REFUSED(congruent)
COSMATI_REFUSED(weakly_congruent)
COSMATI_REFUSED(compatible)
#undef COSMATI_REFUSED
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
