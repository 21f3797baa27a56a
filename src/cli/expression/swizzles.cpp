// SPDX-License-Identifier: Apache-2.0
// Swizzles and composed layouts, and functions that take them or plain layouts.
#include "call.hpp"
#include "composed.hpp"

#include <bit>
#include <cosmati/layout/algebra/algebra.hpp>

namespace cosmati::cli {

void add_offset(tree& to, tree const& from) {
  static thread_local value sum;
  value a;
  value b;
  a.what = b.what = kind::tuple;
  copy_tree(a.main, to);
  copy_tree(b.main, from);
  binary(sum, "+", a, b);
  copy_tree(to, sum.main);
}

void layout_and_offset(value& result, tree const& layout, tree const& offset) {
  result.what = kind::tiler;
  result.integers = 0;
  clear(result.main);
  result.main.add_node(tree::tile(2));
  result.main.append(layout);
  int const leaf = result.main.leaves;
  if (offset.is_leaf()) {
    result.main.append(offset);
  } else {
    result.main.add_node(tree::tile(offset.rank()));
    result.main.append(offset, 1, offset.nodes, 0);
  }
  for (int i = leaf; i < result.main.leaves; ++i) {
    result.main.stride[i] = 1;
    result.integers |= std::uint64_t{1} << i;
  }
}

void with_offset(value& v, symbolic_integer const& offset) {
  v.what = kind::several;
  v.around = {};
  v.around.offset = true;
  if (!v.flag) set_leaf(v.outer, offset);
}
void simplify(value& v) {
  if (v.what == kind::composed && !v.flag && v.swizzle.is_identity() && v.offset.is_leaf() && is(v.offset.shape[0], 0))
    v.what = kind::layout;
}

void swizzle_result(value& v, AnySwizzle const& s) {
  v.what = kind::swizzle;
  v.swizzle = s;
}

namespace {
/// x -> the bits of x that a swizzle reads or changes, or the other bits if `mixed` is false.
tree part_of_bits(AnySwizzle const& s, bool mixed) {
  std::int64_t const width = std::int64_t{1} << s.bits;
  std::int64_t const first = std::int64_t{1} << s.base;
  std::int64_t const second = first << (s.shift < 0 ? -s.shift : s.shift);
  tree r;
  r.add_open(5);
  r.add_leaf(first, mixed ? 0 : 1);
  r.add_leaf(width, mixed ? first : 0);
  r.add_leaf(second / (first * width), mixed ? 0 : first * width);
  r.add_leaf(width, mixed ? second : 0);
  r.add_leaf(1, mixed ? 0 : second * width);
  return r;
}
}  // namespace

void slice_composed(value& result, tree const& coord, value const& composed, bool and_offset) {
  bool any = false;
  for (int i = 0; i < coord.nodes; ++i) any = any || coord.node[i] == tree::any;
  if (!any) throw error("slice: the coordinate has no '_', so that no layout is left; call the layout with it");
  tree const sliced = algebra::slice(coord, composed.main);
  if (coord.leaves == 0) {
    copy_value(result, composed);
    copy_tree(result.main, sliced);
    simplify(result);
    if (!and_offset) return;
    if (result.what == kind::layout) return layout_and_offset(result, sliced, algebra::make_leaf(symbolic_integer(0)));
    return with_offset(result, 0);
  }
  if (composed.flag) {
    copy_value(result, composed);
    copy_tree(result.main, sliced);
    add_offset(result.offset, algebra::crd2idx(coord, composed.main));
    if (and_offset) with_offset(result, 0);
    return;
  }
  AnySwizzle const& swizzle = composed.swizzle;
  tree const fixed = algebra::dice(coord, composed.main);
  tree const at = algebra::dice(coord, coord);
  tree const mixed = algebra::composition(part_of_bits(swizzle, true), fixed);
  for (int i = 0; i < mixed.leaves; ++i) {
    symbolic_integer const reach = mixed.shape[i] * mixed.stride[i];
    if (reach.basis == 0 && reach.value != 0 && !std::has_single_bit(static_cast<std::uint64_t>(reach.value))) {
      throw error(
          "slice: a mode of %lld offsets, %lld apart, is fixed where the swizzle mixes bits; its extent times its "
          "stride "
          "must be a power of two",
          static_cast<long long>(mixed.shape[i].value), static_cast<long long>(mixed.stride[i].value));
    }
  }
  tree const moved[2] = {algebra::crd2idx(at, algebra::composition(part_of_bits(swizzle, false), fixed)),
                         algebra::crd2idx(at, mixed)};
  if (!composed.offset.is_leaf() || composed.offset.shape[0].basis != 0 || !moved[0].is_leaf() || !moved[1].is_leaf())
    throw error("a swizzle takes an integer, not a coordinate");
  std::int64_t const outside = moved[0].shape[0].value;
  std::int64_t const inside = composed.offset.shape[0].value ^ moved[1].shape[0].value;
  std::int64_t const reached = algebra::cosize(algebra::composition(part_of_bits(swizzle, true), sliced)).value - 1;
  std::int64_t const read = reached & swizzle.source_mask();
  if ((reached & (swizzle.shift < 0 ? read << -swizzle.shift : read >> swizzle.shift) & swizzle.target_mask()) != 0) {
    // The modes that are left run through a bit that the swizzle reads and the bit that it changes by it. The swizzle
    // stays, and so do such bits of the offset; the other bits move out of it.
    copy_value(result, composed);
    copy_tree(result.main, sliced);
    set_leaf(result.offset, inside);
    if (and_offset) with_offset(result, outside);
    return;
  }
  tree const layout = algebra::composition(linear_part(swizzle, inside), sliced);
  if (and_offset) {
    layout_and_offset(result, layout, algebra::make_leaf(symbolic_integer(swizzle(inside) + outside)));
  } else {
    result.what = kind::layout;
    copy_tree(result.main, layout);
  }
}

namespace {

void swizzle(call const& c) {
  int part[3];
  for (int i = 0; i < 3; ++i) {
    if (i == 2 && c.count() == 2) {
      part[2] = part[0];
      continue;
    }
    std::int64_t const x = c.integer(i);
    if (x < -64 || x > 64) c.refuse("expected bits, base and shift, as in Swizzle<3,4,3>");
    part[i] = static_cast<int>(x);
  }
  swizzle_result(c.result, {part[0], part[1], part[2]});
}
void make_swizzle_of_masks(call const& c) { swizzle_result(c.result, make_swizzle(c.number_of(0), c.number_of(1))); }

void composed_result(value& v, AnySwizzle const& s, tree const& offset, tree const& layout) {
  v.what = kind::composed;
  v.flag = false;
  v.swizzle = s;
  copy_tree(v.offset, offset);
  copy_tree(v.main, layout);
  clear(v.outer);
}

/// A swizzle and an offset before `inner`, which is a layout or composed with a swizzle.
void swizzle_before(call const& c, AnySwizzle const& s, tree const& offset, value const& inner) {
  if (inner.what == kind::layout) return composed_result(c.result, s, offset, inner.main);
  if (inner.what != kind::composed || inner.flag || !offset.is_leaf() || offset.shape[0].basis != 0)
    c.refuse("more than two swizzles, or a swizzle before a layout before a layout, cannot stand in one result");
  if (s.is_identity() && is(offset.shape[0], 0)) return copy_value(c.result, inner);
  value& v = c.result;
  copy_value(v, inner);
  v.what = kind::stacked;
  v.above = s;
  v.above_offset = offset.shape[0].value;
}
void make_composed_layout(call const& c) {
  value& v = c.result;
  if (c.what(0) == kind::swizzle && c.is_composed(2)) return swizzle_before(c, c.at(0).swizzle, c.tuple(1), c.at(2));
  tree const& inner = c.layout(2);
  tree const& offset = c.tuple(1);
  if (c.what(0) == kind::swizzle) return composed_result(v, c.at(0).swizzle, offset, inner);
  tree const& outer = c.layout(0);
  v.what = kind::composed;
  v.flag = true;
  copy_tree(v.offset, offset);
  copy_tree(v.main, inner);
  copy_tree(v.outer, outer);
}

/// layout o swizzle: the swizzle moves to the layout's values, if its bits allow it.
AnySwizzle swizzle_behind(tree const& layout, AnySwizzle const& s) {
  if (s.is_identity()) return {0, 0, 0};
  std::int64_t const source = algebra::crd2idx(symbolic_integer(s.source_mask()), layout).value;
  std::int64_t const target = algebra::crd2idx(symbolic_integer(s.target_mask()), layout).value;
  return make_swizzle(source, target);
}
void layout_after_swizzle(value& result, tree const& layout, AnySwizzle const& s, tree const& inner) {
  AnySwizzle const moved = swizzle_behind(layout, s);
  tree const composed = algebra::composition(layout, inner);
  if (moved.is_identity()) {
    result.what = kind::layout;
    copy_tree(result.main, composed);
  } else {
    composed_result(result, moved, algebra::make_leaf(symbolic_integer(0)), composed);
  }
}
bool zero(tree const& offset) { return offset.is_leaf() && is(offset.shape[0], 0); }
}  // namespace

void product_with_swizzled(call const& c) {
  value const& tiler = c.at(1);
  tree const& block = c.layout(0);
  if (tiler.flag || !zero(tiler.offset)) c.refuse("a tiler after a swizzle must have the offset 0");
  AnySwizzle const& s = tiler.swizzle;
  tree const tiles = algebra::logical_product(block, tiler.main);
  tree const mixed = algebra::composition(part_of_bits(s, true), tiler.main);
  std::int64_t const active = algebra::crd2idx(symbolic_integer(algebra::size(mixed).value - 1), mixed).value;
  auto const moved = [&](std::int64_t bits) {
    tree coord;
    coord.add_open(2);
    coord.add_leaf(0);
    coord.add_leaf(algebra::crd2idx(symbolic_integer(bits), tiler.main));
    return algebra::crd2idx(coord, tiles).shape[0].value;
  };
  AnySwizzle const result = make_swizzle(moved(active & s.source_mask()), moved(active & s.target_mask()));
  if (!result.is_identity()) return composed_result(c.result, result, algebra::make_leaf(symbolic_integer(0)), tiles);
  c.result.what = kind::layout;
  copy_tree(c.result.main, tiles);
}

namespace {

void composition(call const& c);
/// A composed layout before a swizzle or another composed layout. The inner layouts are composed.
void compose_swizzled(call const& c) {
  value const& a = c.at(0);
  static thread_local value pair[2];
  static thread_local value inside;
  pair[0].what = kind::layout;
  copy_tree(pair[0].main, a.main);
  copy_value(pair[1], c.at(1));
  composition({c.name, inside, pair, {}});
  if (inside.what != kind::layout) {
    if (a.flag) c.refuse("a swizzle between two layouts cannot stand in one result");
    return swizzle_before(c, a.swizzle, a.offset, inside);
  }
  copy_value(c.result, a);
  copy_tree(c.result.main, inside.main);
  simplify(c.result);
}
void composition(call const& c) {
  value const& a = c.at(0);
  value const& b = c.at(1);
  value& r = c.result;
  if (c.count() == 3) {  // the call has an offset between the two
    make_composed_layout(c);
    return simplify(r);
  }
  if (a.what == kind::swizzle) {
    if (b.what == kind::swizzle) return swizzle_result(r, cosmati::composition(a.swizzle, b.swizzle));
    tree const& layout = c.layout(1);
    if (!a.swizzle.is_identity()) return composed_result(r, a.swizzle, algebra::make_leaf(symbolic_integer(0)), layout);
    r.what = kind::layout;
    return copy_tree(r.main, layout);
  }
  if (a.what == kind::composed) {
    if (b.what == kind::swizzle || b.what == kind::composed) return compose_swizzled(c);
    tree const& tiler = c.tiler(1);
    copy_value(r, a);
    emplace(r.main, [&] { return algebra::composition(a.main, tiler); });
    return simplify(r);
  }
  if (b.what == kind::swizzle) {
    tree const& layout = c.layout(0);
    AnySwizzle const moved = swizzle_behind(layout, b.swizzle);
    if (!moved.is_identity()) return composed_result(r, moved, algebra::make_leaf(symbolic_integer(0)), layout);
    r.what = kind::layout;
    return copy_tree(r.main, layout);
  }
  if (b.what == kind::composed) {
    tree const& layout = c.layout(0);
    if (!b.flag && zero(b.offset)) return layout_after_swizzle(r, layout, b.swizzle, b.main);
    if (b.flag && zero(b.offset)) {
      r.what = kind::layout;
      emplace(r.main, [&] { return algebra::composition(layout, algebra::composition(b.outer, b.main)); });
      return;
    }
    if (!b.flag) c.refuse("a layout after a swizzle with an offset cannot be written as one");
    copy_value(r, b);
    emplace(r.outer, [&] { return algebra::composition(layout, b.outer); });
    return;
  }
  tree const& tiler = c.tiler(1);
  tree const& layout = c.layout(0);
  r.what = kind::layout;
  emplace(r.main, [&] { return algebra::composition(layout, tiler); });
}

tree negated(tree offset) {
  for (int i = 0; i < offset.leaves; ++i) offset.shape[i] = offset.shape[i] * symbolic_integer(-1);
  return offset;
}
template <tree (*F)(tree const&)>
void inverse(call const& c) {
  value const& a = c.at(0);
  if (a.what == kind::swizzle) return copy_value(c.result, a);
  if (a.what == kind::inverted) {
    tree const inner = F(a.main);
    return composed_result(c.result, a.swizzle, negated(a.offset), inner);
  }
  if (a.what != kind::composed) {
    tree const& layout = c.layout(0);
    c.result.what = kind::layout;
    emplace(c.result.main, [&] { return F(layout); });
    return;
  }
  tree const b = F(a.main);
  if (!a.flag && zero(a.offset)) {
    AnySwizzle const moved = swizzle_behind(b, a.swizzle);
    if (moved.is_identity()) {
      c.result.what = kind::layout;
      return copy_tree(c.result.main, b);
    }
    return composed_result(c.result, moved, algebra::make_leaf(symbolic_integer(0)), b);
  }
  tree const offset = negated(a.offset);
  if (!a.flag) {
    c.result.what = kind::inverted;
    c.result.swizzle = a.swizzle;
    copy_tree(c.result.offset, offset);
    return copy_tree(c.result.main, b);
  }
  tree const outer = F(a.outer);
  c.result.what = kind::composed;
  c.result.flag = true;
  copy_tree(c.result.outer, b);
  copy_tree(c.result.offset, offset);
  copy_tree(c.result.main, outer);
}

/// upcast, downcast, recast_layout: n old units form a new one, or an old unit gives n new ones.
void recast(call const& c, std::int64_t n, bool up) {
  if (n <= 0) c.refuse("expected a positive factor, as in upcast<2>(L)");
  auto const layout = [&](tree const& t) { return up ? algebra::upcast(t, n) : algebra::downcast(t, n); };
  auto const swizzle = [&](AnySwizzle const& s) { return up ? upcast(s, n) : downcast(s, n); };
  value const& a = c.at(0);
  if (a.what == kind::swizzle) return swizzle_result(c.result, swizzle(a.swizzle));
  if (a.what == kind::composed) {
    copy_value(c.result, a);
    emplace(c.result.main, [&] { return layout(a.main); });
    if (a.flag) {
      emplace(c.result.outer, [&] { return layout(a.outer); });
    } else {
      c.result.swizzle = swizzle(a.swizzle);
    }
    for (int i = 0; i < a.offset.leaves; ++i) {
      symbolic_integer const x = a.offset.shape[i];
      c.result.offset.shape[i] = up ? algebra::safe_div(x, symbolic_integer(n)) : x * symbolic_integer(n);
    }
    return;
  }
  if (c.count() == 2) {  // the call is upcast<2>(shape, stride)
    value literal;
    make_literal(literal, c.at(0), c.at(1));
    c.result.what = kind::layout;
    emplace(c.result.main, [&] { return layout(literal.main); });
    return;
  }
  tree const& t = c.layout(0);
  c.result.what = kind::layout;
  emplace(c.result.main, [&] { return layout(t); });
}
void upcast_layout(call const& c) { recast(c, c.number_of(0), true); }
void downcast_layout(call const& c) { recast(c, c.number_of(0), false); }
void recast_layout(call const& c) {
  for (template_argument const& p : c.parameter) {
    if (p.is == template_argument::order || p.value <= 0)
      c.refuse("expected two types, as in recast_layout<half_t, float>(L)");
  }
  std::int64_t const from = c.parameter[0].value;
  std::int64_t const to = c.parameter[1].value;
  if (from == to) {
    if (c.is_tuple(0)) c.layout(0);
    return copy_value(c.result, c.at(0));
  }
  if (to % from == 0) return recast(c, to / from, true);
  if (from % to == 0) return recast(c, from / to, false);
  // Neither width divides the other, so both an upcast and a downcast are needed.
  std::int64_t const common = algebra::gcd(from, to);
  recast(c, from / common, false);
  copy_value(c.at(0), c.result);
  recast(c, to / common, true);
}

/// `L.compose(x, y)` is the composition with the tiler (x, y).
void method_compose(call const& c) {
  value const& by = c.gathered(1);
  (void)by;
  composition({"compose", c.result, c.argument.first(2), {}});
}
void method_tile(call const& c) {
  value const& by = c.gathered(1);
  (void)by;
  find_function("tiled_divide")->run({"tile", c.result, c.argument.first(2), {}});
}

}  // namespace

std::span<function const> swizzle_functions() {
  static constexpr function table[] = {
      {"Swizzle", swizzle, 2, 3},
      {"make_swizzle", make_swizzle_of_masks, 0, 0, 2, 2},
      {"make_composed_layout", make_composed_layout, 3, 3},
      {"composition", composition, 2, 3},
      {"right_inverse", inverse<&algebra::right_inverse<symbolic_integer>>, 1, 1},
      {"left_inverse", inverse<&algebra::left_inverse<symbolic_integer>>, 1, 1},
      {"upcast", upcast_layout, 1, 2, 1, 1},
      {"downcast", downcast_layout, 1, 2, 1, 1},
      {"recast_layout", recast_layout, 1, 1, 2, 2},
      {"method compose", method_compose, 2, -1},
      {"method tile", method_tile, 2, -1},
  };
  return table;
}

}  // namespace cosmati::cli
