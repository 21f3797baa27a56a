// SPDX-License-Identifier: Apache-2.0
// Composition, divides, products, and functions that tile shapes.
#include "call.hpp"
#include "composed.hpp"

#include <cosmati/layout/algebra/algebra.hpp>

namespace cosmati::cli {

namespace {

/// Applies F to a layout and a tiler (or layout). The result is a layout; a composed layout stays composed.
template <tree (*F)(tree const&, tree const&)>
void with_tiler(call const& c) {
  tree const& tiler = c.divisor(1);
  if (c.is_composed(0)) {
    copy_value(c.result, c.at(0));
    emplace(c.result.main, [&] { return F(c.at(0).main, tiler); });
    return simplify(c.result);
  }
  tree const& layout = c.layout(0);
  c.result.what = kind::layout;
  emplace(c.result.main, [&] { return F(layout, tiler); });
}
void logical_product(call const& c) {
  if (c.is_composed(1)) return product_with_swizzled(c);
  with_tiler<&algebra::logical_product<symbolic_integer>>(c);
}
/// Applies F to two layouts. `(1,4)` stands for `(1,4):(0,1)`.
template <tree (*F)(tree const&, tree const&)>
void with_layout(call const& c) {
  c.layout(1);
  with_tiler<F>(c);
}

/// Appends the tiles that cover each mode of `target`. `integers` tells which leaves of the tiler are integers.
void append_tile_counts(tree& r, tree const& target, tree const& tiler, std::uint64_t integers) {
  if (!tiler.is_tiler()) {
    bool const integer = tiler.is_leaf() && (integers & 1) != 0;
    r.append(tiler.node[0] == tree::any ? algebra::make_leaf(symbolic_integer(1))
             : integer                  ? algebra::ceil_div(target, tiler)
                                        : algebra::ceil_div_by_layout(target, tiler));
    return;
  }
  r.add_open(target.rank());
  int leaf = 0;
  for (int i = 0; i < target.rank(); ++i) {
    if (i >= tiler.rank()) {
      r.append(mode(target, i));
      continue;
    }
    append_tile_counts(r, mode(target, i), mode(tiler, i), integers >> leaf);
    leaf += mode(tiler, i).leaves;
  }
}

/// The number of tiles, rounded up. A tiler may consist of integers, layouts, or both.
void ceil_div(call const& c) {
  c.result.what = kind::tuple;
  if (c.is_tuple(1)) {
    emplace(c.result.main, [&] { return algebra::ceil_div(c.tuple(0), c.tuple(1)); });
    return;
  }
  bool const by_layout = c.what(1) == kind::layout;
  tree const& tiler = c.tiler(1);
  tree const& target = by_layout ? c.shape(0) : c.tuple(0);
  if (tiler.is_tiler() && tiler.rank() > target.rank()) c.refuse("the tiler has more modes than the target");
  emplace(c.result.main, [&] {
    tree r;
    append_tile_counts(r, target, tiler, c.at(1).integers);
    return r;
  });
}

void tile_to_shape(call const& c) {
  tree const& block = c.is_composed(0) ? c.at(0).main : c.layout(0);
  tree const& shape = c.tuple(1);
  bool const by_order = c.count() == 3 && c.what(2) != kind::order;
  algebra::major const fastest =
      c.count() == 3 && !by_order && c.at(2).flag ? algebra::major::right : algebra::major::left;
  copy_value(c.result, c.at(0));
  if (!c.is_composed(0)) c.result.what = kind::layout;
  emplace(c.result.main, [&] {
    return by_order ? algebra::tile_to_shape(block, shape, c.tuple(2)) : algebra::tile_to_shape(block, shape, fastest);
  });
  simplify(c.result);
}

}  // namespace

std::span<function const> divide_functions() {
  static constexpr function table[] = {
      {"logical_divide", with_tiler<&algebra::logical_divide<symbolic_integer>>, 2, 2},
      {"zipped_divide", with_tiler<&algebra::zipped_divide<symbolic_integer>>, 2, 2},
      {"tiled_divide", with_tiler<&algebra::tiled_divide<symbolic_integer>>, 2, 2},
      {"flat_divide", with_tiler<&algebra::flat_divide<symbolic_integer>>, 2, 2},
      {"logical_product", logical_product, 2, 2},
      {"zipped_product", with_tiler<&algebra::zipped_product<symbolic_integer>>, 2, 2},
      {"tiled_product", with_tiler<&algebra::tiled_product<symbolic_integer>>, 2, 2},
      {"flat_product", with_tiler<&algebra::flat_product<symbolic_integer>>, 2, 2},
      {"blocked_product", with_layout<&algebra::blocked_product<symbolic_integer>>, 2, 2},
      {"raked_product", with_layout<&algebra::raked_product<symbolic_integer>>, 2, 2},
      {"ceil_div", ceil_div, 2, 2},
      {"tile_to_shape", tile_to_shape, 2, 3},
  };
  return table;
}

}  // namespace cosmati::cli
