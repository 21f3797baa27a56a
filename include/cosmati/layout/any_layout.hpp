// SPDX-License-Identifier: Apache-2.0
/// @file
/// Layouts that are known only at run time: `AnyLayout`, and its tuples (`AnyTuple`) and tilers (`AnyTiler`).
///
/// The functions have the names of those on `Layout`, and both compute with the functions of `cosmati::algebra`.
/// Everything is checked, including integer overflow; a mistake throws `cosmati::error`. Nothing is allocated. These
/// types are for tools, tests and pictures; kernels use `Layout`.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/layout/algebra/algebra.hpp>
#include <initializer_list>

namespace COSMATI_NAMESPACE {

/// An integer, or a nested tuple of integers. A coordinate may contain `_` for a mode that stays free.
///
/// `AnyTuple(4)` is an integer, `AnyTuple{4, 2}` a tuple, `AnyTuple{4, AnyTuple{2, 3}}` is `(4,(2,3))`. A tuple of one
/// tuple is `AnyTuple(std::initializer_list<AnyTuple>{t})`. `AnyTuple{t}` is such a tuple with g++, but a copy with
/// clang++.
class AnyTuple {
 public:
  using value_type = flat_tree<symbolic_integer>;

  constexpr AnyTuple(std::int64_t x) { value_.add_leaf(x); }  // NOLINT(google-explicit-constructor)
  constexpr AnyTuple(int x) { value_.add_leaf(x); }           // NOLINT(google-explicit-constructor)
  constexpr AnyTuple(std::initializer_list<AnyTuple> modes) {
    value_.add_open(static_cast<int>(modes.size()));
    for (AnyTuple const& m : modes) value_.append(m.value_);
  }
  explicit constexpr AnyTuple(value_type const& v) : value_(v) {}
  /// The `_` of a coordinate.
  static constexpr AnyTuple underscore() {
    value_type v;
    v.add_node(value_type::any);
    return AnyTuple(v);
  }

  /// The flat form that the algebra uses.
  constexpr value_type const& value() const { return value_; }
  /// Whether this is a single integer.
  constexpr bool is_integer() const { return value_.is_leaf(); }
  /// The integer. @throws if this is a tuple, or carries a basis
  constexpr std::int64_t integer() const {
    if (!is_integer() || value_.shape[0].basis != 0) not_an_integer(value_.rank());
    return value_.shape[0].value;
  }
  constexpr AnyTuple operator[](int mode_index) const { return AnyTuple(mode(value_, mode_index)); }
  friend constexpr bool operator==(AnyTuple const& a, AnyTuple const& b) { return algebra::equal(a.value_, b.value_); }

 private:
  [[noreturn]] static void not_an_integer(int rank) { throw error("a tuple of rank %d was used as an integer", rank); }
  value_type value_;
};

/// `shape:stride`, a function from coordinates to offsets. If the strides have bases, its values are coordinates.
class AnyLayout {
 public:
  using value_type = flat_tree<symbolic_integer>;

  /// `1:0`
  constexpr AnyLayout() { value_.add_leaf(1, 0); }
  /// @pre congruent(shape, stride)
  constexpr AnyLayout(AnyTuple const& shape, AnyTuple const& stride)
      : value_(algebra::make_layout(shape.value(), stride.value())) {}
  /// The compact layout. The first mode is fastest by default.
  explicit constexpr AnyLayout(AnyTuple const& shape, algebra::major fastest = algebra::major::left)
      : value_(algebra::make_layout(shape.value(), fastest)) {}
  explicit constexpr AnyLayout(value_type const& v) : value_(v) {}

  /// The flat form that the algebra uses.
  constexpr value_type const& value() const { return value_; }
  /// The functions of these names, which are CuTe's, at run time.
  constexpr AnyTuple shape() const { return AnyTuple(algebra::shape(value_)); }
  constexpr AnyTuple stride() const { return AnyTuple(algebra::stride(value_)); }
  constexpr int rank() const { return value_.rank(); }
  constexpr int depth() const { return algebra::depth(value_); }
  constexpr std::int64_t size() const { return algebra::size(value_).value; }
  constexpr std::int64_t size(int mode_index) const { return algebra::size(value_, mode_index).value; }
  constexpr std::int64_t cosize() const { return algebra::cosize(value_).value; }
  /// Mode i as a new layout.
  constexpr AnyLayout operator[](int mode_index) const { return AnyLayout(mode(value_, mode_index)); }

  /// The offset of a coordinate. @throws if the strides carry bases; use `at` then
  constexpr std::int64_t operator()(AnyTuple const& coordinate) const { return at(coordinate).integer(); }
  template <class... More>
  constexpr std::int64_t operator()(AnyTuple const& first, AnyTuple const& second, More const&... more) const {
    return (*this)(AnyTuple{first, second, AnyTuple(more)...});
  }
  /// The offset of the `index`th element, with the first mode fastest. This is the quickest way through a layout.
  constexpr std::int64_t operator()(std::int64_t index) const {
    return algebra::crd2idx(symbolic_integer(index), value_).value;
  }
  constexpr std::int64_t operator()(int index) const { return (*this)(std::int64_t{index}); }
  /// The value at a coordinate: an integer, or a coordinate if the strides carry bases.
  constexpr AnyTuple at(AnyTuple const& coordinate) const {
    return AnyTuple(algebra::crd2idx(coordinate.value(), value_));
  }

  /// @name The coordinate that a compact layout maps to `offset`: nested as the shape, one integer per mode, or one
  ///   integer
  /// @{
  constexpr AnyTuple get_hier_coord(std::int64_t offset) const {
    return AnyTuple(algebra::get_hier_coord(value_, offset));
  }
  constexpr AnyTuple get_flat_coord(std::int64_t offset) const {
    return AnyTuple(algebra::get_flat_coord(value_, offset));
  }
  constexpr std::int64_t get_1d_coord(std::int64_t offset) const { return algebra::get_1d_coord(value_, offset).value; }
  /// @}

  /// The same offsets in the same order, with another shape of the same size.
  constexpr AnyLayout with_shape(AnyTuple const& shape) const {
    return AnyLayout(algebra::with_shape(value_, shape.value()));
  }

  friend constexpr bool operator==(AnyLayout const& a, AnyLayout const& b) {
    if (!algebra::equal(a.value_, b.value_)) return false;
    for (int i = 0; i < a.value_.leaves; ++i) {
      if (!same(a.value_.stride[i], b.value_.stride[i])) return false;
    }
    return true;
  }

 private:
  value_type value_;
};

/// An operand that composes and divides mode by mode: an integer n (for n:1), a layout, `_`, or a tuple of tilers.
///
/// As in CuTe, the *integer* 1 is 1:1 in a composition and 1:0 in divides and products. The layout 1:1 stays as it is.
class AnyTiler {
 public:
  using value_type = flat_tree<symbolic_integer>;

  constexpr AnyTiler(AnyLayout const& layout) : value_(layout.value()) {}  // NOLINT(google-explicit-constructor)
  /// The tiler in which each integer n stands for n:1.
  constexpr AnyTiler(AnyTuple const& sizes) : value_(sizes.value()) {  // NOLINT(google-explicit-constructor)
    for (int i = 0; i < value_.nodes; ++i) {
      if (value_.node[i] != value_type::leaf && value_.node[i] != value_type::any) {
        value_.node[i] |= value_type::tile_flag;
      }
    }
    for (int i = 0; i < value_.leaves; ++i) value_.stride[i] = 1;
    integers_ = ~std::uint64_t{0};
  }
  constexpr AnyTiler(std::initializer_list<AnyTiler> tilers) {
    value_.add_node(value_type::tile(static_cast<int>(tilers.size())));
    for (AnyTiler const& t : tilers) {
      if (value_.leaves < 64) integers_ |= t.integers_ << value_.leaves;
      value_.append(t.value_);
      if (value_.leaves < 64) integers_ &= (std::uint64_t{1} << value_.leaves) - 1;
    }
  }
  constexpr AnyTiler(int size) : AnyTiler(AnyTuple(size)) {}  // NOLINT(google-explicit-constructor)
  /// @param integers a bit for each leaf that is an integer and not part of a layout
  explicit constexpr AnyTiler(value_type const& v, std::uint64_t integers = 0) : value_(v), integers_(integers) {}
  /// The value for compositions.
  constexpr value_type const& value() const { return value_; }
  /// The value for divides and products.
  constexpr value_type divisor() const {
    value_type r = value_;
    algebra::units_as_layouts(r, integers_);
    return r;
  }

 private:
  value_type value_;
  std::uint64_t integers_ = 0;
};

/// @name Questions
/// @{
constexpr int rank(AnyLayout const& l) { return l.rank(); }
constexpr int depth(AnyLayout const& l) { return l.depth(); }
constexpr std::int64_t size(AnyLayout const& l) { return l.size(); }
constexpr std::int64_t cosize(AnyLayout const& l) { return l.cosize(); }
constexpr AnyTuple coshape(AnyLayout const& l) { return AnyTuple(algebra::coshape(l.value())); }
constexpr bool is_injective(AnyLayout const& l) { return algebra::is_injective(l.value()); }
constexpr bool is_bijective(AnyLayout const& l) { return algebra::is_bijective(l.value()); }
constexpr int rank(AnyTuple const& t) { return algebra::rank(t.value()); }
constexpr int depth(AnyTuple const& t) { return algebra::depth(t.value()); }
constexpr std::int64_t size(AnyTuple const& t) { return algebra::size(t.value()).value; }
constexpr bool congruent(AnyTuple const& a, AnyTuple const& b) { return algebra::congruent(a.value(), b.value()); }
constexpr bool compatible(AnyTuple const& a, AnyTuple const& b) { return algebra::compatible(a.value(), b.value()); }
constexpr bool weakly_congruent(AnyTuple const& a, AnyTuple const& b) {
  return algebra::weakly_congruent(a.value(), b.value());
}
constexpr std::int64_t max_common_vector(AnyLayout const& a, AnyLayout const& b) {
  return algebra::max_common_vector(a.value(), b.value()).value;
}
/// @}

/// @name One layout from another
/// @{
constexpr AnyLayout coalesce(AnyLayout const& l) { return AnyLayout(algebra::coalesce(l.value())); }
constexpr AnyLayout coalesce(AnyLayout const& l, AnyTuple const& profile) {
  return AnyLayout(algebra::coalesce(l.value(), profile.value()));
}
constexpr AnyLayout filter(AnyLayout const& l) { return AnyLayout(algebra::filter(l.value())); }
constexpr AnyLayout filter_zeros(AnyLayout const& l) { return AnyLayout(algebra::filter_zeros(l.value())); }
constexpr AnyLayout flatten(AnyLayout const& l) { return AnyLayout(algebra::flatten(l.value())); }
constexpr AnyLayout complement(AnyLayout const& l) { return AnyLayout(algebra::complement(l.value())); }
constexpr AnyLayout complement(AnyLayout const& l, AnyTuple const& target) {
  return AnyLayout(algebra::complement(l.value(), target.value()));
}
constexpr AnyLayout right_inverse(AnyLayout const& l) { return AnyLayout(algebra::right_inverse(l.value())); }
constexpr AnyLayout left_inverse(AnyLayout const& l) { return AnyLayout(algebra::left_inverse(l.value())); }
constexpr AnyLayout nullspace(AnyLayout const& l) { return AnyLayout(algebra::nullspace(l.value())); }
constexpr AnyLayout zip(AnyLayout const& l) { return AnyLayout(algebra::zip(l.value())); }
constexpr AnyLayout zip(AnyLayout const& a, AnyLayout const& b) {
  return AnyLayout(algebra::zip(a.value(), b.value()));
}
constexpr AnyLayout upcast(AnyLayout const& l, std::int64_t n) { return AnyLayout(algebra::upcast(l.value(), n)); }
constexpr AnyLayout downcast(AnyLayout const& l, std::int64_t n) { return AnyLayout(algebra::downcast(l.value(), n)); }
constexpr AnyLayout recast_layout(AnyLayout const& l, std::int64_t old_bits, std::int64_t new_bits) {
  return AnyLayout(algebra::recast_layout(l.value(), old_bits, new_bits));
}
constexpr AnyLayout make_layout_like(AnyLayout const& l) { return AnyLayout(algebra::make_layout_like(l.value())); }
constexpr AnyLayout make_fragment_like(AnyLayout const& l) { return AnyLayout(algebra::make_fragment_like(l.value())); }
constexpr AnyLayout make_ordered_layout(AnyTuple const& shape, AnyTuple const& order) {
  return AnyLayout(algebra::make_ordered_layout(shape.value(), order.value()));
}
constexpr AnyLayout make_identity_layout(AnyTuple const& shape) {
  return AnyLayout(algebra::make_identity_layout(shape.value()));
}
/// A layout whose modes are the given layouts.
constexpr AnyLayout make_layout(AnyLayout const& a, AnyLayout const& b) {
  return AnyLayout(algebra::concatenate(a.value(), b.value()));
}
constexpr AnyLayout take(AnyLayout const& l, int begin, int end) {
  return AnyLayout(algebra::take(l.value(), begin, end));
}
constexpr AnyLayout group(AnyLayout const& l, int begin, int end) {
  return AnyLayout(algebra::group(l.value(), begin, end));
}
constexpr AnyLayout append(AnyLayout const& l, int rank) { return AnyLayout(algebra::append(l.value(), rank)); }
constexpr AnyLayout prepend(AnyLayout const& l, int rank) { return AnyLayout(algebra::prepend(l.value(), rank)); }
/// The modes where `coordinate` has `_`.
constexpr AnyLayout slice(AnyTuple const& coordinate, AnyLayout const& l) {
  return AnyLayout(algebra::slice(coordinate.value(), l.value()));
}
/// The modes where `coordinate` has integers.
constexpr AnyLayout dice(AnyTuple const& coordinate, AnyLayout const& l) {
  return AnyLayout(algebra::dice(coordinate.value(), l.value()));
}
/// @}

/// @name A layout and a tiler
/// @{
constexpr AnyLayout composition(AnyLayout const& l, AnyTiler const& t) {
  return AnyLayout(algebra::composition(l.value(), t.value()));
}
constexpr AnyLayout logical_divide(AnyLayout const& l, AnyTiler const& t) {
  return AnyLayout(algebra::logical_divide(l.value(), t.divisor()));
}
constexpr AnyLayout zipped_divide(AnyLayout const& l, AnyTiler const& t) {
  return AnyLayout(algebra::zipped_divide(l.value(), t.divisor()));
}
constexpr AnyLayout tiled_divide(AnyLayout const& l, AnyTiler const& t) {
  return AnyLayout(algebra::tiled_divide(l.value(), t.divisor()));
}
constexpr AnyLayout flat_divide(AnyLayout const& l, AnyTiler const& t) {
  return AnyLayout(algebra::flat_divide(l.value(), t.divisor()));
}
constexpr AnyLayout logical_product(AnyLayout const& l, AnyTiler const& t) {
  return AnyLayout(algebra::logical_product(l.value(), t.divisor()));
}
constexpr AnyLayout zipped_product(AnyLayout const& l, AnyTiler const& t) {
  return AnyLayout(algebra::zipped_product(l.value(), t.divisor()));
}
constexpr AnyLayout tiled_product(AnyLayout const& l, AnyTiler const& t) {
  return AnyLayout(algebra::tiled_product(l.value(), t.divisor()));
}
constexpr AnyLayout flat_product(AnyLayout const& l, AnyTiler const& t) {
  return AnyLayout(algebra::flat_product(l.value(), t.divisor()));
}
constexpr AnyLayout blocked_product(AnyLayout const& block, AnyLayout const& tiler) {
  return AnyLayout(algebra::blocked_product(block.value(), tiler.value()));
}
constexpr AnyLayout raked_product(AnyLayout const& block, AnyLayout const& tiler) {
  return AnyLayout(algebra::raked_product(block.value(), tiler.value()));
}
constexpr AnyLayout tile_to_shape(AnyLayout const& block, AnyTuple const& shape) {
  return AnyLayout(algebra::tile_to_shape(block.value(), shape.value()));
}
constexpr AnyLayout tile_to_shape(AnyLayout const& block, AnyTuple const& shape, AnyTuple const& order) {
  return AnyLayout(algebra::tile_to_shape(block.value(), shape.value(), order.value()));
}
constexpr AnyLayout max_common_layout(AnyLayout const& a, AnyLayout const& b) {
  return AnyLayout(algebra::max_common_layout(a.value(), b.value()));
}
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
