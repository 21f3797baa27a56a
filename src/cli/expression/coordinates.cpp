// SPDX-License-Identifier: Apache-2.0
// Functions of coordinates, offsets, slices, and compact strides.
#include "call.hpp"
#include "composed.hpp"

#include <cosmati/layout/algebra/algebra.hpp>

namespace cosmati::cli {

namespace {

template <class Make>
void tuple_result(call const& c, Make&& make) {
  c.result.what = kind::tuple;
  emplace(c.result.main, make);
}

bool contains_any(tree const& t) {
  for (int i = 0; i < t.nodes; ++i) {
    if (t.node[i] == tree::any) return true;
  }
  return false;
}

/// A coordinate of a layout. `(1)` counts as 1 if the layout is not a tuple.
tree const& coordinate(call const& c, int i, tree const& layout) {
  value& v = c.at(i);
  c.tuple(i);
  if (layout.is_leaf() && v.main.nodes == 2 && v.main.leaves == 1) {
    symbolic_integer const x = v.main.shape[0];
    set_integer(v, x);
  }
  return v.main;
}

void offset_of(value& result, tree const& coord, tree const& layout) {
  if (layout.leaves == 1 && coord.leaves == 1) return set_integer(result, coord.shape[0] * layout.stride[0]);
  result.what = kind::tuple;
  emplace(result.main, [&] { return algebra::crd2idx(coord, layout); });
}

void crd2idx(call const& c) {
  if (c.count() == 3) return tuple_result(c, [&] { return algebra::crd2idx(c.tuple(0), c.tuple(1), c.tuple(2)); });
  if (c.what(1) == kind::layout) return offset_of(c.result, coordinate(c, 0, c.at(1).main), c.at(1).main);
  if (c.is_composed(1)) {
    call const turned{c.name, c.result, c.argument, {}};
    std::swap(c.at(0), c.at(1));
    return evaluate(turned);
  }
  tree const& shape = c.tuple(1);
  if (c.at(0).is_integer()) return copy_value(c.result, c.at(0));
  set_integer(c.result, algebra::crd2idx_in_shape(c.tuple(0), shape));
}
void idx2crd(call const& c) {
  if (c.count() == 3) return tuple_result(c, [&] { return algebra::idx2crd(c.tuple(0), c.tuple(1), c.tuple(2)); });
  if (c.what(1) == kind::layout) {
    return tuple_result(
        c, [&] { return algebra::idx2crd(c.tuple(0), algebra::shape(c.at(1).main), algebra::stride(c.at(1).main)); });
  }
  tuple_result(c, [&] { return algebra::idx2crd(c.tuple(0), c.tuple(1)); });
}
void crd2crd(call const& c) {
  if (!c.tuple(0).is_leaf() && !c.tuple(1).is_leaf() && !c.tuple(2).is_leaf()) {
    return tuple_result(c, [&] { return algebra::crd2crd(c.tuple(0), c.tuple(1), c.tuple(2)); });
  }
  symbolic_integer const index =
      c.tuple(0).is_leaf() ? c.tuple(0).shape[0] : algebra::crd2idx_in_shape(c.tuple(0), c.tuple(1));
  tuple_result(c, [&] { return algebra::idx2crd(algebra::make_leaf(index), c.tuple(2)); });
}

void get_hier_coord(call const& c) {
  tuple_result(c, [&] { return algebra::get_hier_coord(c.layout(0), symbolic_integer(c.integer(1))); });
}
void get_flat_coord(call const& c) {
  tuple_result(c, [&] { return algebra::get_flat_coord(c.layout(0), symbolic_integer(c.integer(1))); });
}
void get_1d_coord(call const& c) {
  set_integer(c.result, algebra::get_1d_coord(c.layout(0), symbolic_integer(c.integer(1))));
}

template <algebra::major Major>
void compact(call const& c) {
  tree const& shape = c.shape(0);
  tuple_result(c, [&] {
    return c.count() == 2 ? algebra::compact_major(shape, Major, c.tuple(1)) : algebra::compact_major(shape, Major);
  });
}
void compact_major(call const& c) {
  if (c.parameter[0].is != template_argument::order) c.refuse("expected compact_major<LayoutLeft> or <LayoutRight>");
  c.parameter[0].value != 0 ? compact<algebra::major::right>(c) : compact<algebra::major::left>(c);
}
void compact_order(call const& c) {
  if (c.what(1) == kind::order) {
    call const one{c.name, c.result, c.argument.first(1), {}};
    return c.at(1).flag ? compact<algebra::major::right>(one) : compact<algebra::major::left>(one);
  }
  tuple_result(c, [&] { return algebra::compact_order(c.tuple(0), c.tuple(1)); });
}

void slice(call const& c) {
  if (c.is_composed(1)) {
    slice_composed(c.result, c.tuple(0), c.at(1), false);
    return;
  }
  tree const& coord = c.tuple(0);
  if (!c.is_tuple(1)) c.layout(1);
  c.result.what = c.what(1);
  emplace(c.result.main, [&] { return algebra::slice(coord, c.at(1).main); });
}
void dice(call const& c) {
  tree const& coord = c.tuple(0);
  c.shape(1);
  // CuTe keeps everything for an integer coordinate, which has no '_'
  value& from = c.at(1);
  if (from.what == kind::composed) {
    if (!coord.is_leaf() && coord.node[0] != tree::any) c.refuse("a composed layout has no modes to keep apart");
    if (coord.is_leaf()) return copy_value(c.result, from);
    c.result.what = kind::tuple;
    clear(c.result.main);
    return c.result.main.add_open(0);
  }
  copy_value(c.result, from);
  emplace(c.result.main, [&] { return coord.is_leaf() ? from.main : algebra::dice(coord, from.main); });
}
void slice_and_offset(call const& c) {
  if (c.is_composed(1)) {
    slice_composed(c.result, c.tuple(0), c.at(1), true);
    return;
  }
  tree const& coord = c.tuple(0);
  tree const& layout = c.layout(1);
  tree const sliced = algebra::slice(coord, layout);
  tree const offset = algebra::crd2idx(coord, layout);
  layout_and_offset(c.result, sliced, offset);
}
void domain_offset(call const& c) {
  if (c.is_composed(1)) {
    value& from = c.at(1);
    if (contains_any(c.tuple(0))) c.refuse("the coordinate must not have '_'");
    tree const moved = algebra::crd2idx(c.tuple(0), from.main);
    copy_value(c.result, from);
    add_offset(c.result.offset, moved);
    return with_offset(c.result, 0);
  }
  tree const& layout = c.layout(1);
  tree const offset = algebra::crd2idx(c.tuple(0), layout);
  layout_and_offset(c.result, layout, offset);
}

void filter_zeros(call const& c) {
  value const& from = c.at(0);
  if (from.what == kind::tuple) {
    if (c.count() == 2) return tuple_result(c, [&] { return algebra::filter_zeros(c.tuple(0), c.tuple(1)); });
    return tuple_result(c, [&] { return algebra::filter_zeros(c.tuple(0), c.tuple(0)); });
  }
  if (c.is_composed(0)) return copy_value(c.result, from);
  tree const& layout = c.layout(0);
  c.result.what = kind::layout;
  emplace(c.result.main,
          [&] { return c.count() == 2 ? algebra::filter_zeros(c.tuple(1), layout) : algebra::filter_zeros(layout); });
}

}  // namespace

void evaluate(call const& c) {
  value& f = c.at(0);
  if (c.count() < 2) throw error("a call needs a coordinate");
  value const& argument = c.gathered(1);
  if (argument.what != kind::tuple)
    throw error("a coordinate is an integer or a tuple, not %s", name_of(argument.what));
  switch (f.what) {
    case kind::swizzle:
      return set_integer(c.result, f.swizzle(c.integer(1)));
    case kind::layout: {
      tree const& coord = coordinate(c, 1, f.main);
      if (!contains_any(coord)) return offset_of(c.result, coord, f.main);
      c.result.what = kind::layout;
      emplace(c.result.main, [&] { return algebra::slice(coord, f.main); });
      return;
    }
    case kind::composed: {
      tree const& coord = coordinate(c, 1, f.main);
      if (contains_any(coord)) return slice_composed(c.result, coord, f, false);
      tree at = algebra::crd2idx(coord, f.main);
      add_offset(at, f.offset);
      if (f.flag) return offset_of(c.result, at, f.outer);
      if (!at.is_leaf() || at.shape[0].basis != 0) throw error("a swizzle takes an integer, not a coordinate");
      return set_integer(c.result, f.swizzle(at.shape[0].value));
    }
    case kind::stacked: {
      tree const& coord = coordinate(c, 1, f.main);
      if (contains_any(coord)) throw error("%s is evaluated at coordinates without '_'", name_of(f.what));
      tree at = algebra::crd2idx(coord, f.main);
      add_offset(at, f.offset);
      if (!at.is_leaf() || at.shape[0].basis != 0) throw error("a swizzle takes an integer, not a coordinate");
      return set_integer(c.result, f.above(f.above_offset + f.swizzle(at.shape[0].value)));
    }
    case kind::inverted: {
      tree at = algebra::make_leaf(symbolic_integer(f.swizzle(c.integer(1))));
      add_offset(at, f.offset);
      return offset_of(c.result, at, f.main);
    }
    default:
      throw error("%s cannot be called", name_of(f.what));
  }
}

std::span<function const> coordinate_functions() {
  static constexpr function table[] = {
      {"crd2idx", crd2idx, 2, 3},
      {"idx2crd", idx2crd, 2, 3},
      {"crd2crd", crd2crd, 3, 3},
      {"get_hier_coord", get_hier_coord, 2, 2},
      {"get_flat_coord", get_flat_coord, 2, 2},
      {"get_1d_coord", get_1d_coord, 2, 2},
      {"method apply", evaluate, 2, 2},
      {"compact_col_major", compact<algebra::major::left>, 1, 2},
      {"compact_row_major", compact<algebra::major::right>, 1, 2},
      {"compact_major", compact_major, 1, 2, 1, 1},
      {"compact_order", compact_order, 2, 2},
      {"slice", slice, 2, 2},
      {"dice", dice, 2, 2},
      {"slice_and_offset", slice_and_offset, 2, 2},
      {"domain_offset", domain_offset, 2, 2},
      {"filter_zeros", filter_zeros, 1, 2},
  };
  return table;
}

}  // namespace cosmati::cli
