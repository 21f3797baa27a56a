// SPDX-License-Identifier: Apache-2.0
// Modes of tuples and layouts: taking, grouping, appending, and questions about nesting and size.
#include "call.hpp"
#include "composed.hpp"

#include <cosmati/core/algebra/algebra.hpp>

namespace cosmati::cli {

namespace {

/// Rearranges `main` of the first argument by `make`. The result has the kind of that argument (tuple, layout, tiler,
/// composed).
template <class Make>
void rearrange(call const& c, Make&& make) {
  value const& from = c.at(0);
  value& to = c.result;
  switch (from.what) {
    case kind::tuple:
    case kind::layout:
      break;
    case kind::composed:
      to.flag = from.flag;
      to.swizzle = from.swizzle;
      copy_tree(to.offset, from.offset);
      copy_tree(to.outer, from.outer);
      break;
    default:
      c.wrong(0, "a tuple or a layout");
  }
  to.what = from.what;
  emplace(to.main, [&] { return make(from.main); });
  simplify(to);
}

/// For CuTe's functions of tuples a composed layout is a single element. `to` becomes a tuple that contains it.
void arrange(call const& c, arrangement const& a) {
  copy_value(c.result, c.at(0));
  c.result.what = kind::several;
  c.result.around = a;
}
/// Handles functions that return a single element unchanged. @return false for a tuple or layout
bool stays(call const& c) {
  if (!c.is_composed(0)) return false;
  copy_value(c.result, c.at(0));
  return true;
}
void refuse_composed(call const& c) {
  if (c.is_composed(0)) c.wrong(0, "a tuple or a layout");
}

/// Argument i as further modes of argument 0: a layout if argument 0 is one.
tree const& like_first(call const& c, int i) { return c.is_tuple(0) ? c.tuple(i) : c.layout(i); }

/// Mode `i` of anything that has modes.
void pick(call const& c, value& v, int i) {
  if (v.what == kind::several) {
    arrangement const& a = v.around;
    int const inside = a.copies * (a.apart ? v.main.rank() : 1);
    int const k = i - a.before;
    if (i < 0 || k >= inside + (a.layout || a.offset))
      algebra::mode_out_of_range(i, a.before + inside + (a.layout || a.offset));
    if (k >= 0 && k < inside) {
      v.what = kind::composed;
      return a.apart ? pick(c, v, k % v.main.rank()) : void();
    }
    v.what = a.offset ? kind::tuple : kind::layout;
    if (a.offset && v.flag) return set_leaf(v.main, 0);
    return copy_tree(v.main, v.outer);
  }
  if (v.what != kind::tuple && v.what != kind::layout && v.what != kind::tiler && v.what != kind::composed) {
    c.wrong(0, "a tuple or a layout");
  }
  span_of_mode const s = mode_span(v.main, i);
  bool const tiler = v.what == kind::tiler;
  if (tiler) {
    v.integers >>= s.leaf;
    if (v.main.node[s.node] == tree::any) {
      v.what = kind::tuple;
    } else if ((v.main.node[s.node] & tree::tile_flag) != 0) {
      bool const integers_only = s.leaf_end - s.leaf == 64
                                     ? ~v.integers == 0
                                     : ((~v.integers) & ((std::uint64_t{1} << (s.leaf_end - s.leaf)) - 1)) == 0;
      if (integers_only) {
        v.what = kind::tuple;
        for (int n = s.node; n < s.node_end; ++n) {
          if (v.main.node[n] != tree::leaf && v.main.node[n] != tree::any)
            v.main.node[n] &= static_cast<std::uint8_t>(~tree::tile_flag);
        }
      }
    } else {
      v.what = s.leaf_end - s.leaf == 1 && (v.integers & 1) != 0 ? kind::tuple : kind::layout;
    }
  }
  tree const picked = part(v.main, s);
  copy_tree(v.main, picked);
}

/// Follows the template arguments into argument 0, as in `get<1,0>(L)`.
void descend(call const& c) {
  for (int i = 0; i < static_cast<int>(c.parameter.size()); ++i) pick(c, c.at(0), c.number_of(i));
}

void get(call const& c) {
  descend(c);
  copy_value(c.result, c.at(0));
  simplify(c.result);
}
void front(call const& c) {
  if (stays(c)) return;
  pick(c, c.at(0), 0);
  copy_value(c.result, c.at(0));
}
void back(call const& c) {
  if (stays(c)) return;
  pick(c, c.at(0), c.at(0).main.rank() - 1);
  copy_value(c.result, c.at(0));
}

/// Turns a tuple of layouts into the tuple of their shapes.
void tiler_to_shape(value& v) {
  if (v.what != kind::tiler) return;
  v.what = kind::tuple;
  for (int n = 0; n < v.main.nodes; ++n) {
    if (v.main.node[n] != tree::leaf && v.main.node[n] != tree::any) {
      v.main.node[n] &= static_cast<std::uint8_t>(~tree::tile_flag);
    }
  }
}

void shape(call const& c) {
  tiler_to_shape(c.at(0));
  c.shape(0);
  descend(c);
  copy_value(c.result, c.at(0));
  c.result.what = kind::tuple;
}
void stride(call const& c) {
  if (c.what(0) != kind::layout) c.wrong(0, "a layout");
  descend(c);
  copy_value(c.result, c.at(0));
  c.result.what = kind::tuple;
  for (int i = 0; i < c.result.main.leaves; ++i) c.result.main.shape[i] = c.result.main.stride[i];
}
void layout(call const& c) {
  if (!c.is_composed(0)) c.layout(0);
  get(c);
}
void rank(call const& c) {
  descend(c);
  value const& v = c.at(0);
  if (v.what == kind::boolean || v.what == kind::order || v.what == kind::swizzle) c.wrong(0, "a tuple or a layout");
  set_integer(c.result, v.main.node[0] == tree::any ? 1 : v.main.rank());
}
void depth(call const& c) {
  descend(c);
  tiler_to_shape(c.at(0));
  set_integer(c.result, algebra::depth(c.shape(0)));
}
void size(call const& c) {
  descend(c);
  set_integer(c.result, algebra::size(c.shape(0)));
}

void take(call const& c) {
  if (c.is_tuple(0) && c.number_of(0) == c.number_of(1) && c.number_of(0) >= 0 && c.number_of(1) <= c.tuple(0).rank()) {
    c.result.what = kind::tuple;  // no modes of a tuple are (); CuTe refuses it for a layout
    clear(c.result.main);
    return c.result.main.add_open(0);
  }
  rearrange(c, [&](tree const& t) { return algebra::take(t, c.number_of(0), c.number_of(1)); });
}
void select(call const& c) {
  int modes[16];
  for (std::size_t i = 0; i < c.parameter.size(); ++i) modes[i] = c.number_of(static_cast<int>(i));
  if (c.is_composed(0)) {
    tree const selected = algebra::select(c.at(0).main, modes, static_cast<int>(c.parameter.size()));
    arrange(c, {0, 1, true, false, false});
    value only;
    copy_value(only, c.at(0));
    simplify(only);
    copy_tree(c.result.main, selected);
    if (only.what != kind::layout) return;
    c.result.what = kind::tiler;
    c.result.integers = 0;
    c.result.main.node[0] = tree::tile(selected.rank());
    return;
  }
  rearrange(c, [&](tree const& t) { return algebra::select(t, modes, static_cast<int>(c.parameter.size())); });
}
void group(call const& c) {
  if (c.parameter.size() != 2) c.refuse("expected the range of modes, as in group<0,2>(L)");
  rearrange(c, [&](tree const& t) { return algebra::group(t, c.number_of(0), c.number_of(1)); });
}
void flatten(call const& c) {
  rearrange(c, [&](tree const& t) { return algebra::flatten(t); });
}
void flatten_to_tuple(call const& c) {
  rearrange(c, [&](tree const& t) { return algebra::wrap(algebra::flatten(t)); });
}
void unflatten(call const& c) {
  tree const& profile = c.shape(1);
  rearrange(c, [&](tree const& t) { return algebra::unflatten(t, profile); });
}
void wrap(call const& c) {
  if (c.is_composed(0)) return arrange(c, {});
  rearrange(c, [&](tree const& t) { return algebra::wrap(t); });
}
void unwrap(call const& c) {
  if (stays(c)) return;
  rearrange(c, [&](tree const& t) { return algebra::unwrap(t); });
}
void reverse(call const& c) {
  if (stays(c)) return;
  rearrange(c, [&](tree const& t) { return algebra::reverse(t); });
}

/// A tuple of `rank` elements with a composed layout and a layout.
void place_beside(call const& c, bool front, int rank) {
  tree const& x = c.layout(1);
  if (c.at(0).flag) c.refuse("a layout beside a layout after a layout is not supported");
  if (rank < 2 || rank > 100) c.refuse("expected a rank from 2 to 100");
  arrange(c, {static_cast<std::uint8_t>(front ? rank - 1 : 0), 1, false, !front, false});
  copy_tree(c.result.outer, x);
}

template <bool Front>
void extend(call const& c) {
  if (c.is_composed(0)) {
    if (c.count() == 1) c.refuse("expected what to add, as in append<3>(L, 1:0)");
    if (Front || c.parameter.empty()) return place_beside(c, Front, c.parameter.empty() ? 2 : c.number_of(0));
  }
  if (c.count() == 1) {
    if (c.is_tuple(0)) c.refuse("expected what to add, as in append<3>((4,2), 1)");
    if (c.parameter.empty()) c.refuse("expected the wanted rank, as in append<3>(L)");
    return rearrange(c, [&](tree const& t) {
      return Front ? algebra::prepend(t, c.number_of(0)) : algebra::append(t, c.number_of(0));
    });
  }
  tree const& x = like_first(c, 1);
  rearrange(c, [&](tree const& t) {
    int const wanted = c.parameter.empty() ? t.rank() + 1 : c.number_of(0);
    return Front ? algebra::prepend(t, wanted, x) : algebra::append(t, wanted, x);
  });
}
/// Replaces element `i` of a composed layout, which is a single element.
bool replace_composed(call const& c, int i) {
  if (!c.is_composed(0)) return false;
  if (i != 0) c.wrong(0, "a tuple or a layout");
  copy_value(c.result, c.at(1));
  return true;
}
void replace(call const& c) {
  if (replace_composed(c, c.number_of(0))) return;
  tree const& x = like_first(c, 1);
  rearrange(c, [&](tree const& t) { return algebra::replace(t, c.number_of(0), x); });
}
void replace_front(call const& c) {
  if (replace_composed(c, 0)) return;
  tree const& x = like_first(c, 1);
  rearrange(c, [&](tree const& t) { return algebra::replace(t, 0, x); });
}
void replace_back(call const& c) {
  if (replace_composed(c, 0)) return;
  tree const& x = like_first(c, 1);
  rearrange(c, [&](tree const& t) { return algebra::replace(t, t.rank() - 1, x); });
}
void remove(call const& c) {
  refuse_composed(c);
  rearrange(c, [&](tree const& t) { return algebra::remove(t, c.number_of(0)); });
}
void insert(call const& c) {
  refuse_composed(c);
  tree const& x = like_first(c, 1);
  rearrange(c, [&](tree const& t) {
    int const at = c.number_of(0);
    if (at < 0 || at > t.rank()) algebra::mode_out_of_range(at, t.rank());
    tree r;
    r.add_open(t.rank() + 1);
    for (int i = 0; i < at; ++i) r.append(mode(t, i));
    r.append(x);
    for (int i = at; i < t.rank(); ++i) r.append(mode(t, i));
    return r;
  });
}
void tuple_cat(call const& c) {
  int modes = 0;
  for (int i = 0; i < c.count(); ++i) {
    if (c.tuple(i).is_leaf()) c.wrong(i, "a tuple");
    modes += c.tuple(i).rank();
  }
  c.result.what = kind::tuple;
  clear(c.result.main);
  if (modes > 100) c.refuse("the result has more than 100 modes");
  c.result.main.add_open(modes);
  for (int i = 0; i < c.count(); ++i) c.result.main.append(c.tuple(i), 1, c.tuple(i).nodes, 0);
}
/// A tuple of a repeated value of any kind.
void repeat_into_tuple(call const& c, int times) {
  if (times < 0 || times > 100) c.refuse("expected a count from 0 to 100");
  if (c.is_composed(0)) return arrange(c, {0, static_cast<std::uint8_t>(times), false, false, false});
  if (c.what(0) == kind::tuple) {
    c.result.what = kind::tuple;
    emplace(c.result.main, [&] { return algebra::tuple_repeat(c.tuple(0), times); });
  } else {
    c.tiler(0);
    c.result.what = kind::tiler;
    c.result.integers = 0;
    clear(c.result.main);
    c.result.main.add_node(tree::tile(times));
    for (int i = 0; i < times; ++i) c.result.main.append(c.at(0).main);
  }
}
void repeat(call const& c) {
  if (c.number_of(0) == 1) return copy_value(c.result, c.at(0));
  repeat_into_tuple(c, c.number_of(0));
}
void tuple_repeat(call const& c) { repeat_into_tuple(c, c.number_of(0)); }
void repeat_like(call const& c) {
  if (!c.at(1).is_integer()) c.wrong(1, "an integer");
  c.result.what = kind::tuple;
  emplace(c.result.main, [&] { return algebra::repeat_like(c.shape(0), c.tuple(1).shape[0]); });
}
void basis_get(call const& c) {
  if (!c.at(0).is_integer()) c.wrong(0, "an integer with a basis");
  for (std::uint32_t code = c.tuple(0).shape[0].basis; code != 0; code >>= 4)
    pick(c, c.at(1), static_cast<int>(code & 0xf) - 1);
  copy_value(c.result, c.at(1));
}
}  // namespace

std::span<function const> tuple_functions() {
  static constexpr std::int8_t many = 16;
  static constexpr function table[] = {
      {"make_tuple", make_tuple, 0, -1},
      {"make_shape", make_tuple, 0, -1},
      {"make_stride", make_tuple, 0, -1},
      {"make_coord", make_tuple, 0, -1},
      {"make_step", make_tuple, 0, -1},
      {"make_tile", make_tuple, 0, -1},
      {"make_arithmetic_tuple", make_tuple, 0, -1},
      {"make_inttuple_iter", make_tuple, 0, -1},
      {"tuple_cat", tuple_cat, 0, -1},
      {"get", get, 1, 1, 0, many},
      {"front", front, 1, 1},
      {"back", back, 1, 1},
      {"shape", shape, 1, 1, 0, many},
      {"stride", stride, 1, 1, 0, many},
      {"layout", layout, 1, 1, 0, many},
      {"rank", rank, 1, 1, 0, many},
      {"rank_v", rank, 1, 1, 0, many},
      {"depth", depth, 1, 1, 0, many},
      {"depth_v", depth, 1, 1, 0, many},
      {"size", size, 1, 1, 0, many},
      {"size_v", size, 1, 1, 0, many},
      {"take", take, 1, 1, 2, 2},
      {"select", select, 1, 1, 1, many},
      {"group", group, 1, 1, 0, 2},
      {"group_modes", group, 1, 1, 0, 2},
      {"flatten", flatten, 1, 1},
      {"flatten_to_tuple", flatten_to_tuple, 1, 1},
      {"unflatten", unflatten, 2, 2},
      {"wrap", wrap, 1, 1},
      {"unwrap", unwrap, 1, 1},
      {"reverse", reverse, 1, 1},
      {"append", extend<false>, 1, 2, 0, 1},
      {"prepend", extend<true>, 1, 2, 0, 1},
      {"replace", replace, 2, 2, 1, 1},
      {"replace_front", replace_front, 2, 2},
      {"replace_back", replace_back, 2, 2},
      {"remove", remove, 1, 1, 1, 1},
      {"insert", insert, 2, 2, 1, 1},
      {"repeat", repeat, 1, 1, 1, 1},
      {"tuple_repeat", tuple_repeat, 1, 1, 1, 1},
      {"repeat_like", repeat_like, 2, 2},
      {"basis_get", basis_get, 2, 2},
  };
  return table;
}

}  // namespace cosmati::cli
