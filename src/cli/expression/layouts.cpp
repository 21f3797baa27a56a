// SPDX-License-Identifier: Apache-2.0
// Makers of layouts, and functions of a single layout.
#include "call.hpp"
#include "composed.hpp"

#include <cosmati/layout/algebra/algebra.hpp>

namespace cosmati::cli {

namespace {

template <class Make>
void layout_result(call const& c, Make&& make) {
  c.result.what = kind::layout;
  emplace(c.result.main, make);
}
/// Applies a function to a layout, or to the inner layout of a composed one, which stays composed.
template <class Make>
void inner(call const& c, Make&& make) {
  if (!c.is_composed(0)) {
    tree const& layout = c.layout(0);
    return layout_result(c, [&] { return make(layout); });
  }
  value const& from = c.at(0);
  copy_value(c.result, from);
  emplace(c.result.main, [&] { return make(from.main); });
  simplify(c.result);
}
/// The inner layout of a composed one, or the layout itself.
tree const& plain(call const& c, int i) { return c.is_composed(i) ? c.at(i).main : c.layout(i); }

void make_layout(call const& c) {
  if (c.count() == 1) {
    if (c.what(0) == kind::swizzle) {  // the layout is as long as in CuTe: base + bits + shift
      AnySwizzle const s = c.at(0).swizzle;
      value& v = c.result;
      v.what = kind::composed;
      v.flag = false;
      v.swizzle = s;
      set_leaf(v.offset, 0);
      clear(v.outer);
      emplace(v.main, [&] {
        return algebra::make_leaf(symbolic_integer(s.base + s.bits + (s.shift < 0 ? -s.shift : s.shift)),
                                  symbolic_integer(1));
      });
      return simplify(v);
    }
    if (c.what(0) == kind::layout) {
      return layout_result(c, [&] { return algebra::concatenate(&c.at(0).main, 1); });
    }
    c.layout(0);
    return copy_value(c.result, c.at(0));
  }
  if (c.count() == 2 && c.what(1) == kind::order) {
    return layout_result(c, [&] {
      return algebra::make_layout(c.tuple(0), c.at(1).flag ? algebra::major::right : algebra::major::left);
    });
  }
  if (c.count() == 2 && c.is_tuple(0) && c.is_tuple(1)) return make_literal(c.result, c.at(0), c.at(1));
  layout_result(c, [&] {
    tree r;
    r.add_open(c.count());
    for (int i = 0; i < c.count(); ++i) {
      if (c.is_tuple(i)) c.wrong(i, "a layout, like the others");
      r.append(c.layout(i));
    }
    return r;
  });
}
void make_ordered_layout(call const& c) {
  if (c.what(1) == kind::order) return make_layout(c);
  layout_result(c, [&] { return algebra::make_ordered_layout(c.tuple(0), c.tuple(1)); });
}
void make_layout_like(call const& c) {
  layout_result(c, [&] { return algebra::make_layout_like(c.layout(0)); });
}
void make_fragment_like(call const& c) {
  if (c.is_tuple(0)) {
    c.layout(0);
    return copy_value(c.result, c.at(0));
  }
  layout_result(c, [&] { return algebra::make_fragment_like(plain(c, 0)); });
}
void make_identity_layout(call const& c) {
  layout_result(c, [&] { return algebra::make_identity_layout(c.tuple(0)); });
}

void cosize(call const& c) {
  if (c.is_tuple(0)) c.wrong(0, "a layout");
  tree t = plain(c, 0);
  for (int i = 0; i < static_cast<int>(c.parameter.size()); ++i) t = mode(t, c.number_of(i));
  set_integer(c.result, algebra::cosize(t));
}
void coshape(call const& c) {
  c.result.what = kind::tuple;
  emplace(c.result.main, [&] {
    tree t = c.layout(0);
    for (int i = 0; i < static_cast<int>(c.parameter.size()); ++i) t = mode(t, c.number_of(i));
    return algebra::coshape(t);
  });
}
void coprofile(call const& c) {
  c.result.what = kind::tuple;
  emplace(c.result.main, [&] { return algebra::coprofile(c.layout(0)); });
}

void coalesce(call const& c) {
  if (c.is_tuple(0) && c.count() == 1) {
    c.result.what = kind::tuple;
    emplace(c.result.main, [&] { return algebra::coalesce_shape(c.tuple(0)); });
    return;
  }
  inner(c, [&](tree const& t) { return c.count() == 2 ? algebra::coalesce(t, c.shape(1)) : algebra::coalesce(t); });
}
void filter(call const& c) {
  if (c.count() == 2 && c.is_composed(0))
    return inner(c, [&](tree const& t) { return algebra::filter(t, c.shape(1)); });
  layout_result(
      c, [&] { return c.count() == 2 ? algebra::filter(c.layout(0), c.shape(1)) : algebra::filter(c.layout(0)); });
}
void complement(call const& c) {
  layout_result(c, [&] {
    return c.count() == 2 ? algebra::complement(plain(c, 0), c.shape(1)) : algebra::complement(plain(c, 0));
  });
}
void nullspace(call const& c) {
  layout_result(c, [&] {  // CuTe does not look into composed layouts
    return c.is_composed(0) ? algebra::make_leaf(symbolic_integer(1), symbolic_integer(0))
                            : algebra::nullspace(plain(c, 0));
  });
}
void zip(call const& c) {
  if (c.count() > 2) {  // several tuples count as the tuple of them
    static thread_local value all;
    make_tuple({c.name, all, c.argument, {}});
    if (all.what != kind::tuple) c.refuse("expected tuples");
    c.result.what = kind::tuple;
    return emplace(c.result.main, [&] { return algebra::zip(all.main); });
  }
  if (c.count() == 2) {
    if (c.is_tuple(0) != c.is_tuple(1)) c.refuse("expected two tuples or two layouts");
    c.result.what = c.is_tuple(0) ? kind::tuple : kind::layout;
    emplace(c.result.main, [&] {
      return algebra::zip(c.is_tuple(0) ? c.tuple(0) : c.layout(0), c.is_tuple(1) ? c.tuple(1) : c.layout(1));
    });
    return;
  }
  if (c.is_tuple(0)) {
    c.result.what = kind::tuple;
    emplace(c.result.main, [&] { return algebra::zip(c.tuple(0)); });
    return;
  }
  inner(c, [&](tree const& t) { return algebra::zip(t); });
}
/// The modes of `t` in the nesting of a guide: first the first parts of the split modes, then the second parts and the
/// rest.
void tile_unzip(call const& c) {
  tree const& guide = c.tiler(1);
  if (c.is_tuple(0)) {
    c.result.what = kind::tuple;
    emplace(c.result.main, [&] { return algebra::tile_unzip(c.tuple(0), guide); });
    return;
  }
  inner(c, [&](tree const& t) { return algebra::tile_unzip(t, guide); });
}
void with_shape(call const& c) {
  value const& shape = c.gathered(1);
  if (shape.what != kind::tuple) c.wrong(1, "a shape");
  inner(c, [&](tree const& t) { return algebra::with_shape(t, shape.main); });
}
void domain_distribute(call const& c) {
  if (!c.at(1).is_integer()) c.wrong(1, "an integer");
  layout_result(c, [&] { return algebra::domain_distribute(c.tuple(0), symbolic_integer(c.integer(1))); });
}

}  // namespace

std::span<function const> layout_functions() {
  static constexpr function table[] = {
      {"make_layout", make_layout, 1, -1},
      {"make_ordered_layout", make_ordered_layout, 2, 2},
      {"make_layout_like", make_layout_like, 1, 1},
      {"make_fragment_like", make_fragment_like, 1, 1},
      {"make_identity_layout", make_identity_layout, 1, 1},
      {"cosize", cosize, 1, 1, 0, 16},
      {"cosize_v", cosize, 1, 1, 0, 16},
      {"coshape", coshape, 1, 1, 0, 16},
      {"coprofile", coprofile, 1, 1},
      {"coalesce", coalesce, 1, 2},
      {"filter", filter, 1, 2},
      {"complement", complement, 1, 2},
      {"nullspace", nullspace, 1, 1},
      {"zip", zip, 1, -1},
      {"zip2_by", tile_unzip, 2, 2},
      {"tile_unzip", tile_unzip, 2, 2},
      {"with_shape", with_shape, 2, -1},
      {"domain_distribute", domain_distribute, 2, 2},
  };
  return table;
}

}  // namespace cosmati::cli
