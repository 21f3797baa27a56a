// SPDX-License-Identifier: Apache-2.0
// The thread and value that hold each element of a tiled MMA's operand: random atoms, atom layouts and permutations,
// compared with the formula.
#include <gtest/gtest.h>

#include <cosmati/tiled/mma_algebra.hpp>
#include <set>

#include "property/random_layouts.hpp"

using namespace algebra_test;

namespace {

/// The order of a tile of a x n x r elements: compact, with any order of strides. The a elements of an atom, and those
/// of n adjacent atoms, end at the end of a leaf or within the last one.
tree bijection(choices& c, integer a, integer n, integer r) {
  std::vector<std::vector<integer>> const forms{{a * n * r}, {a * n, r}, {a, n * r}, {a, n, r}};
  auto const& extents = forms[static_cast<std::size_t>(c.below(4))];
  tree t;
  if (extents.size() > 1) t.add_open(static_cast<int>(extents.size()));
  for (integer const e : extents) t.add_leaf(e, 0);
  lay(c, t, laid::compact);
  return t;
}
/// By mode: each a layout.
tree tiler(tree const& x, tree const& y) {
  tree t;
  t.add_node(tree::tile(2));
  t.append(x);
  t.append(y);
  return t;
}
tree extent(integer n) {
  tree t;
  t.add_leaf(n, 1);
  return t;
}
/// ((T), (V)) -> index in an atom of ax x ay elements, with the numbers of threads and values.
struct atom_layout {
  tree tv;
  integer threads, values;
  atom_layout(choices& c, integer size) {
    int const in_t = 1 + c.below(2), in_v = 1 + c.below(2);
    integer rest = size;
    tv.add_open(2);
    threads = values = 1;
    for (int mode = 0; mode < 2; ++mode) {
      int const leaves = mode == 0 ? in_t : in_v;
      if (leaves > 1) tv.add_open(leaves);
      for (int i = 0; i < leaves; ++i) {
        integer const n = mode == 1 && i + 1 == leaves ? rest : c.divisor(rest);
        tv.add_leaf(n, 0);
        (mode == 0 ? threads : values) *= n;
        rest /= n;
      }
    }
    lay(c, tv, laid::compact);
  }
};

}  // namespace

TEST(TiledMma, EveryElementIsHeldAsTheFormulaSays) {
  EXPECT_TRUE(holds("mma_fragments", [](choices& c) {
    integer const a[2] = {c.of({1, 2, 4, 8}), c.of({2, 1, 4, 8})};  // an atom's extents along X and Y
    integer const n[2] = {1 + c.below(3), 1 + c.below(2)};          // atoms next to each other
    integer p[2], size[2];                                          // extents of the permutation and of the operand
    tree permutation[2];
    for (int i = 0; i < 2; ++i) {
      integer const times = 1 + c.below(3);
      p[i] = a[i] * n[i] * times;
      permutation[i] = bijection(c, a[i], n[i], times);
      size[i] = p[i] * (1 + c.below(2));
    }
    atom_layout const atom(c, a[0] * a[1]);
    tree operand;
    operand.add_open(2);
    operand.add_leaf(size[0], 0);
    operand.add_leaf(size[1], 0);
    lay(c, operand, laid::spaced);

    tree const held =
        algebra::mma_fragments(operand, tiler(permutation[0], permutation[1]), tiler(extent(a[0]), extent(a[1])),
                               atom.tv, tiler(extent(n[0]), extent(n[1])));
    std::string const about = str(operand) + ", permuted by " + str(permutation[0]) + " and " + str(permutation[1]) +
                              ", atom " + str(atom.tv) + ": " + str(held);
    same(count(held), size[0] * size[1], [&] { return about; });

    // In the permuted order an atom has a run of a elements, the n atoms that lie next to each other follow one
    // another, and then the same threads hold the next ones.
    auto const place = [&](int mode, integer in_atom, integer of_atom, integer rest) {
      integer const u = in_atom + a[mode] * (of_atom + n[mode] * rest);
      return value(permutation[mode], u % p[mode]) + u / p[mode] * p[mode];
    };
    integer const rest[2] = {size[0] / a[0] / n[0], size[1] / a[1] / n[1]};
    std::set<integer> seen;
    integer at = 0;
    for (integer ry = 0; ry < rest[1]; ++ry) {
      for (integer rx = 0; rx < rest[0]; ++rx) {
        for (integer v = 0; v < atom.values; ++v) {
          for (integer y = 0; y < n[1]; ++y) {
            for (integer x = 0; x < n[0]; ++x) {
              for (integer t = 0; t < atom.threads; ++t) {
                // colexicographic: the thread in its atom, the atom, the value, the repetition
                integer const index =
                    t + atom.threads * (x + n[0] * (y + n[1] * (v + atom.values * (rx + rest[0] * ry))));
                integer const e = value(atom.tv, t + atom.threads * v);
                integer const i = place(0, e % a[0], x, rx), j = place(1, e / a[0], y, ry);
                integer const wanted = i * operand.stride[0] + j * operand.stride[1];
                same(value(held, index), wanted, [&] { return about + " at " + std::to_string(index); });
                seen.insert(wanted);
                ++at;
              }
            }
          }
        }
      }
    }
    same(static_cast<integer>(seen.size()), at, [&] { return about + ": an element has two owners"; });
  }));
}
