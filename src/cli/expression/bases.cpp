// SPDX-License-Identifier: Apache-2.0
// Functions of integers with a basis: E<0>, ScaledBasis, ...
#include "call.hpp"

namespace cosmati::cli {

namespace {

void make_basis_like(call const& c) {
  tree const& t = c.shape(0);
  c.result.what = kind::tuple;
  copy_tree(c.result.main, t);
  tree& r = c.result.main;
  // The basis of each leaf: the indices of the modes above it, the outermost lowest.
  struct frame {
    int children, next;
  } open[2 * max_leaves];
  int depth = 0;
  int leaf = 0;
  for (int n = 0; n < r.nodes; ++n) {
    if (r.node[n] == tree::leaf) {
      if (depth > 8) c.refuse("a basis has at most 8 levels");
      std::uint32_t basis = 0;
      for (int level = 0; level < depth; ++level) {
        if (open[level].next > 14) c.refuse("a basis index must be 14 or less");
        basis |= static_cast<std::uint32_t>(open[level].next + 1) << (4 * level);
      }
      r.shape[leaf++] = symbolic_integer(1, basis);
    } else if (tree::children(r.node[n]) != 0) {
      open[depth++] = {tree::children(r.node[n]), 0};
      continue;
    }
    while (depth > 0 && ++open[depth - 1].next == open[depth - 1].children) --depth;
  }
}

void basis(call const& c) {
  std::uint32_t code = 0;
  if (c.count() > 8) c.refuse("a basis has at most 8 levels");
  for (int i = 0; i < c.count(); ++i) {
    std::int64_t const index = c.integer(i);
    if (index < 0 || index > 14) c.refuse("a basis index must be 0 to 14");
    code |= static_cast<std::uint32_t>(index + 1) << (4 * i);
  }
  set_integer(c.result, symbolic_integer(1, code));
}
void scaled_basis(call const& c) {
  call const rest{c.name, c.result, c.argument.subspan(1), {}};
  symbolic_integer const scale = c.tuple(0).shape[0];
  basis(rest);
  c.result.main.shape[0] = c.result.main.shape[0] * scale;
}
void basis_value(call const& c) {
  if (!c.at(0).is_integer()) c.wrong(0, "an integer with a basis");
  set_integer(c.result, c.tuple(0).shape[0].value);
}
void is_scaled_basis(call const& c) { set_boolean(c.result, c.at(0).is_integer() && c.tuple(0).shape[0].basis != 0); }
void as_arithmetic_tuple(call const& c) {
  symbolic_integer const& x = c.tuple(0).shape[0];
  if (!c.at(0).is_integer() || x.basis == 0) return copy_value(c.result, c.at(0));
  c.result.what = kind::tuple;
  clear(c.result.main);
  for (std::uint32_t code = x.basis; code != 0; code >>= 4) {
    int const index = static_cast<int>(code & 0xf) - 1;
    c.result.main.add_open(index + 1);
    for (int i = 0; i < index; ++i) c.result.main.add_leaf(0);
  }
  c.result.main.add_leaf(x.value);
}

}  // namespace

std::span<function const> basis_functions() {
  static constexpr function table[] = {
      {"as_arithmetic_tuple", as_arithmetic_tuple, 1, 1},
      {"make_basis_like", make_basis_like, 1, 1},
      {"E", basis, 0, -1},
      {"ScaledBasis", scaled_basis, 1, -1},
      {"basis_value", basis_value, 1, 1},
      {"is_scaled_basis", is_scaled_basis, 1, 1},
  };
  return table;
}

}  // namespace cosmati::cli
