// SPDX-License-Identifier: Apache-2.0
/// @file
/// `product` of nested tuples of integers; how a function of core/algebra/ is carried over to types.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/algebra/reduce.hpp>
#include <cosmati/core/evaluate.hpp>
#include <cosmati/core/refused.hpp>

namespace COSMATI_NAMESPACE {

/// An integer, or a tuple of such to any depth.
template <class T>
concept int_tuple = integer<T> || tuple_type<T> || scaled_basis<T>;

/// Defines detail::NAME_object, the function object that `evaluate` applies. Behind the name stand the members of
/// operand_forms that differ: COSMATI_ALGEBRA_OBJECT(composition, .second = read_as::tiler).
#define COSMATI_ALGEBRA_OBJECT(name, ...)                     \
  namespace detail {                                          \
  struct name##_object {                                      \
    static constexpr operand_forms operands{__VA_ARGS__};     \
    template <class... Num>                                   \
    static constexpr auto apply(flat_tree<Num> const&... f) { \
      return algebra::name(f...);                             \
    }                                                         \
  };                                                          \
  }
COSMATI_ALGEBRA_OBJECT(product)

namespace detail {
/// Stands for a product that 64 bits do not hold.
inline constexpr std::int64_t no_product = INT64_MIN;
struct factor {
  std::int64_t value;
  friend constexpr factor operator*(factor a, factor b) {
    bool const fits = a.value != no_product && b.value != no_product && product_fits(a.value, b.value);
    return {fits ? a.value * b.value : no_product};
  }
};
/// The product of static integers, without the algebra's help: the commonest question of all.
template <class T>
inline constexpr std::int64_t static_product = operation<product_object, T>::tree.shape[0];
template <auto v>
inline constexpr std::int64_t static_product<C<v>> = static_cast<std::int64_t>(v);
template <class... T>
inline constexpr std::int64_t static_product<tuple<T...>> = (factor{1} * ... * factor{static_product<T>}).value;
template <auto... v>
inline constexpr std::int64_t static_product<tuple<C<v>...>> =
    (factor{1} * ... * factor{static_cast<std::int64_t>(v)}).value;
template <class Shape>
struct size_exceeds_64_bits : refused {
  static_assert(sizeof(Shape) == 0,
                "size, product: size_exceeds_64_bits<SHAPE>: the product of SHAPE's static integers is 2^63 or more; "
                "check its extents");
};
}  // namespace detail

/// The product of all integers. Products of several run-time factors are 64 bits wide.
template <int_tuple T>
COSMATI_HD constexpr auto product(T const& t) {
  if constexpr (!tuple_type<T>)
    return t;
  else if constexpr (!detail::holds_nothing<T>)
    return detail::evaluate_tuple<detail::product_object>(t);
  else if constexpr (detail::static_product<T> == detail::no_product)
    return detail::size_exceeds_64_bits<T>{};
  else
    return detail::literal<detail::static_product<T>>{};
}
template <refusal R>
COSMATI_HD constexpr refused product(R const&) {
  return {};
}
/// `product` as an object that other functions take: `transform(t, Product{})`. The name `product` itself is a
/// function, so that a program's own function of that name is called for its own types.
struct Product {
  template <class T>
  COSMATI_HD constexpr auto operator()(T const& t) const {
    return product(t);
  }
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
