// SPDX-License-Identifier: Apache-2.0
// Layouts are functions from coordinates to offsets, and the algebra makes new ones of them.
#include <cosmati/cosmati.hpp>

#include "show.hpp"
using namespace cosmati;
using example::show;

int main() {
  example::expectations expect;

  // A layout is a shape and a stride, static, run-time or mixed.
  auto const rows = make_layout(make_shape(_4{}, _8{}), make_stride(_8{}, _1{}));
  auto const mixed = make_layout(make_shape(int(expect.failed + 4), _8{}));
  show("rows", rows);
  show("mixed", mixed);
  static_assert(rows(2, 3) == 19 && rows(make_coord(2, 3)) == 19);
  expect(mixed(2, 3) == 2 + 4 * 3, "compact layouts run down the first mode");

  // Composition: first b, then a.
  auto const a = Layout<Int<20>, _2>{};
  auto const b = Layout<Shape<_4, _5>, Stride<_5, _1>>{};
  auto const ab = composition(a, b);
  show("a o b", ab);
  for (int i = 0; i < size(b); ++i) expect(ab(i) == a(b(i)), "(a o b)(i) is a(b(i))");

  // A complement holds the missing offsets: layout and complement together reach every offset below 24 once.
  auto const quarter = Layout<_4, _2>{};
  auto const rest = complement(quarter, _24{});
  show("complement", rest);
  int hits[24] = {};
  for (int i = 0; i < size(quarter); ++i) {
    for (int j = 0; j < size(rest); ++j) ++hits[quarter(i) + rest(j)];
  }
  for (int const n : hits) expect(n == 1, "layout and complement reach each offset once");

  // A divide cuts a layout into tiles, and a product repeats a tile.
  auto const tiles = zipped_divide(rows, Shape<_2, _4>{});
  show("divide", tiles);
  expect(tiles(make_coord(make_coord(1, 2), make_coord(1, 0))) == rows(3, 2), "tile (1,0), element (1,2) is (3,2)");
  auto const tile = Layout<Shape<_2, _2>>{};
  auto const grid = Layout<Shape<_3, _4>, Stride<_4, _1>>{};
  show("blocked", blocked_product(tile, grid));
  show("raked", raked_product(tile, grid));

  // Inverses turn offsets back into indices.
  auto const inverse = right_inverse(rows);
  show("inverse", inverse);
  for (int i = 0; i < size(rows); ++i) expect(rows(inverse(i)) == i, "rows(inverse(i)) is i");

  // Layouts with the same offsets in the same order coalesce to the same layout.
  show("coalesce", coalesce(Layout<Shape<_2, Shape<_1, _6>>, Stride<_1, Stride<_6, _2>>>{}));
  return expect.failed;
}
