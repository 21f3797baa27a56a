// SPDX-License-Identifier: Apache-2.0
// Computations and questions about tuples, shapes and layouts: products, quotients, comparisons, contents.
#include "call.hpp"

#include <cosmati/core/algebra/algebra.hpp>

namespace cosmati::cli {

namespace {

void product(call const& c) { set_integer(c.result, algebra::product(c.shape(0))); }
void product_each(call const& c) {
  c.result.what = kind::tuple;
  emplace(c.result.main, [&] { return algebra::product_each(c.shape(0)); });
}
void product_like(call const& c) {
  c.result.what = kind::tuple;
  emplace(c.result.main, [&] { return algebra::product_like(c.tuple(0), c.shape(1)); });
}
void sum(call const& c) { set_integer(c.result, algebra::sum(c.tuple(0))); }
void inner_product(call const& c) { set_integer(c.result, algebra::inner_product(c.tuple(0), c.tuple(1))); }
void elem_scale(call const& c) {
  c.result.what = kind::tuple;
  emplace(c.result.main, [&] {
    return c.tuple(0).is_leaf() ? algebra::make_leaf(c.tuple(0).shape[0] * algebra::product(c.tuple(1)))
                                : algebra::elem_scale(c.tuple(0), c.tuple(1));
  });
}
template <tree (*F)(tree const&, tree const&)>
void divide(call const& c) {
  c.result.what = kind::tuple;
  emplace(c.result.main, [&] { return F(c.tuple(0), c.tuple(1)); });
}

/// Comparisons of shapes. A layout stands for its shape.
template <bool (*F)(tree const&, tree const&)>
void compare(call const& c) {
  set_boolean(c.result, F(c.shape(0), c.shape(1)));
}

bool any_of(tree const& t, bool found) {
  for (int i = 0; i < t.nodes; ++i) {
    if ((t.node[i] == tree::any) == found) return true;
  }
  return false;
}
void has_underscore(call const& c) { set_boolean(c.result, any_of(c.tuple(0), true)); }
void all_underscore(call const& c) {
  tree const& t = c.tuple(0);
  set_boolean(c.result, t.leaves == 0 && any_of(t, true));
}
template <int N>
void has_int(call const& c) {
  bool found = false;
  for (int i = 0; i < c.tuple(0).leaves; ++i) found = found || is(c.tuple(0).shape[i], N);
  set_boolean(c.result, found);
}
void is_flat(call const& c) { set_boolean(c.result, algebra::depth(c.shape(0)) <= 1); }
void is_underscore(call const& c) {
  set_boolean(c.result, c.is_tuple(0) && c.at(0).main.nodes == 1 && c.at(0).main.node[0] == tree::any);
}
void tuple_size(call const& c) {
  if (c.what(0) != kind::tiler && (!c.is_tuple(0) || c.at(0).main.is_leaf())) c.wrong(0, "a tuple");
  set_integer(c.result, c.at(0).main.rank());
}
/// The index of the first mode that equals the second argument; the number of modes if there is none.
void find(call const& c) {
  tree const& t = c.tuple(0);
  int i = 0;
  value at;
  for (; i < t.rank(); ++i) {
    at.what = kind::tuple;
    emplace(at.main, [&] { return mode(t, i); });
    value same;
    binary(same, "==", at, c.at(1));
    if (same.flag) break;
  }
  set_integer(c.result, i);
}
void conditional_return(call const& c) {
  unary(c.at(0), '!');
  copy_value(c.result, c.at(c.at(0).flag ? 2 : 1));
}
void is_composed_layout(call const& c) { set_boolean(c.result, c.is_composed(0) || c.what(0) == kind::stacked); }
void is_layout(call const& c) { set_boolean(c.result, c.what(0) == kind::layout); }
void is_tuple(call const& c) {
  set_boolean(c.result, c.what(0) == kind::tiler || (c.what(0) == kind::tuple && !c.at(0).is_integer()));
}
void is_integral(call const& c) { set_boolean(c.result, c.at(0).is_integer()); }
void same_value(call const& c) { copy_value(c.result, c.at(0)); }
void always(call const& c) { set_boolean(c.result, true); }

}  // namespace

std::span<function const> tuple_questions() {
  static constexpr function table[] = {
      {"product", product, 1, 1},
      {"product_each", product_each, 1, 1},
      {"product_like", product_like, 2, 2},
      {"sum", sum, 1, 1},
      {"inner_product", inner_product, 2, 2},
      {"elem_scale", elem_scale, 2, 2},
      {"round_up", divide<&algebra::round_up<symbolic_integer>>, 2, 2},
      {"shape_div", divide<&algebra::shape_div<symbolic_integer>>, 2, 2},
      {"evenly_divides", compare<&algebra::evenly_divides<symbolic_integer>>, 2, 2},
      {"congruent", compare<&algebra::congruent<symbolic_integer>>, 2, 2},
      {"is_congruent", compare<&algebra::congruent<symbolic_integer>>, 2, 2},
      {"weakly_congruent", compare<&algebra::weakly_congruent<symbolic_integer>>, 2, 2},
      {"is_weakly_congruent", compare<&algebra::weakly_congruent<symbolic_integer>>, 2, 2},
      {"compatible", compare<&algebra::compatible<symbolic_integer>>, 2, 2},
      {"is_compatible", compare<&algebra::compatible<symbolic_integer>>, 2, 2},
      {"elem_less", compare<&algebra::elem_less<symbolic_integer>>, 2, 2},
      {"elem_leq", compare<&algebra::elem_leq<symbolic_integer>>, 2, 2},
      {"elem_gtr", compare<&algebra::elem_gtr<symbolic_integer>>, 2, 2},
      {"elem_geq", compare<&algebra::elem_geq<symbolic_integer>>, 2, 2},
      {"lex_less", compare<&algebra::lex_less<symbolic_integer>>, 2, 2},
      {"lex_leq", compare<&algebra::lex_leq<symbolic_integer>>, 2, 2},
      {"lex_gtr", compare<&algebra::lex_gtr<symbolic_integer>>, 2, 2},
      {"lex_geq", compare<&algebra::lex_geq<symbolic_integer>>, 2, 2},
      {"colex_less", compare<&algebra::colex_less<symbolic_integer>>, 2, 2},
      {"colex_leq", compare<&algebra::colex_leq<symbolic_integer>>, 2, 2},
      {"colex_gtr", compare<&algebra::colex_gtr<symbolic_integer>>, 2, 2},
      {"colex_geq", compare<&algebra::colex_geq<symbolic_integer>>, 2, 2},
      {"has_underscore", has_underscore, 1, 1},
      {"all_underscore", all_underscore, 1, 1},
      {"has_int0", has_int<0>, 1, 1},
      {"has_int1", has_int<1>, 1, 1},
      {"is_flat", is_flat, 1, 1},
      {"is_underscore", is_underscore, 1, 1},
      {"tuple_size", tuple_size, 1, 1},
      {"tuple_size_v", tuple_size, 1, 1},
      {"find", find, 2, 2},
      {"conditional_return", conditional_return, 3, 3},
      {"static_value", same_value, 1, 1},
      {"is_layout", is_layout, 1, 1},
      {"is_composed_layout", is_composed_layout, 1, 1},
      {"is_tuple", is_tuple, 1, 1},
      {"is_integral", is_integral, 1, 1},
      {"is_static", always, 1, 1},
      {"is_constant", always, 1, 1},
  };
  return table;
}

}  // namespace cosmati::cli
