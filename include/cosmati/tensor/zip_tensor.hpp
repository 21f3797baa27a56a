// SPDX-License-Identifier: Apache-2.0
/// @file
/// `make_zip_tensor`: several tensors of one shape as one tensor, whose elements are tuples of their elements.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/arithmetic_tuple.hpp>
#include <cosmati/tensor/tensor.hpp>

namespace COSMATI_NAMESPACE {

/// Gives the tuple of the tensors' elements at a coordinate. A step is a coordinate, as an identity layout gives.
template <class Coord, class... Tensors>
struct zip_iterator {
  using value_type = tuple<typename Tensors::value_type...>;
  using element_type = value_type const;  // read only, because it is a tuple of values
  using reference = value_type;

  Coord coord_;
  tuple<Tensors...> tensors_;

  COSMATI_HD constexpr reference operator*() const { return at(std::make_index_sequence<sizeof...(Tensors)>{}); }
  template <class Step>
  COSMATI_HD constexpr auto operator+(Step const& step) const {
    using To = decltype(coord_ + step);
    return zip_iterator<To, Tensors...>{coord_ + step, tensors_};
  }
  template <class Step>
  COSMATI_HD constexpr reference operator[](Step const& step) const {
    return *(*this + step);
  }

 private:
  template <std::size_t... i>
  COSMATI_HD constexpr reference at(std::index_sequence<i...>) const {
    return reference{static_cast<typename Tensors::value_type>(get<i>(tensors_)(as_coordinate(coord_)))...};
  }
  template <class... X>
  COSMATI_HD static constexpr auto as_coordinate(ArithmeticTuple<X...> const& c) {
    return as_coordinate(c, std::make_index_sequence<sizeof...(X)>{});
  }
  template <class X>
  COSMATI_HD static constexpr auto as_coordinate(X const& c) {
    return c;
  }
  template <class X, std::size_t... i>
  COSMATI_HD static constexpr auto as_coordinate(X const& c, std::index_sequence<i...>) {
    return make_coord(as_coordinate(get<i>(c))...);
  }
};

namespace detail {
/// The name that the error of make_zip_tensor shows.
template <class Shape, class Other>
struct zipped_tensors_differ_in_shape {
  static constexpr bool ok = decltype(congruent(std::declval<Shape>(), std::declval<Other>()))::value;
  static_assert(ok,
                "make_zip_tensor(a, b, ...): the shapes of the tensors are nested differently "
                "(zipped_tensors_differ_in_shape<SHAPE, OTHER>); give them one shape");
};
/// The name that the error of unzip_tensor shows.
template <bool whole>
struct unzip_tensor_needs_what_make_zip_tensor_gave {
  static_assert(whole,
                "unzip_tensor(z): z is a part of what was zipped; unzip first, and cut the same part of each tensor");
  static constexpr bool ok = whole;
};
}  // namespace detail

/// A tensor of a's shape. Its element at a coordinate is the tuple of the elements of a and of the others at that
/// coordinate. The tensor is read only. It can be sliced, divided, tiled and partitioned as any tensor. The others'
/// shapes must be congruent to a's, and their extents must not be smaller.
template <class EA, class LA, class... E, class... L>
COSMATI_HD constexpr auto make_zip_tensor(Tensor<EA, LA> const& a, Tensor<E, L> const&... others) {
  if constexpr ((detail::zipped_tensors_differ_in_shape<std::remove_cvref_t<decltype(a.shape())>,
                                                        std::remove_cvref_t<decltype(others.shape())>>::ok &&
                 ...)) {
    auto const layout = make_identity_layout(a.shape());
    auto const origin = as_arithmetic_tuple(repeat_like(a.shape(), C<0>{}));
    using Origin = std::remove_const_t<decltype(origin)>;
    return make_tensor(
        zip_iterator<Origin, Tensor<EA, LA>, Tensor<E, L>...>{origin,
                                                              tuple<Tensor<EA, LA>, Tensor<E, L>...>(a, others...)},
        layout);
  }
}

/// The tensors that were zipped, as a tuple. @pre `t` is a whole zipped tensor; a slice or a tile is an error
template <class Coord, class A, class... T, class L>
COSMATI_HD constexpr auto unzip_tensor(Tensor<ViewEngine<zip_iterator<Coord, A, T...>>, L> const& zipped) {
  using Whole = decltype(make_zip_tensor(std::declval<A const&>(), std::declval<T const&>()...));
  constexpr bool whole = std::is_same_v<Tensor<ViewEngine<zip_iterator<Coord, A, T...>>, L>, Whole>;
  if constexpr (detail::unzip_tensor_needs_what_make_zip_tensor_gave<whole>::ok) return zipped.data().tensors_;
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
