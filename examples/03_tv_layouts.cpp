// SPDX-License-Identifier: Apache-2.0
// A TV layout says which thread holds which values of a tile: (thread, value) -> index in the tile.
#include <cosmati/cosmati.hpp>

#include "show.hpp"
using namespace cosmati;
using example::show;

int main() {
  example::expectations expect;
  // Six threads in two rows of three; each holds two rows of three values.
  auto const thr = Layout<Shape<_2, _3>, Stride<_3, _1>>{};
  auto const val = Layout<Shape<_2, _3>, Stride<_1, _2>>{};
  auto const tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<double>, double>{}, thr, val);
  using TC = decltype(tiled_copy);
  auto const tv = TC::TiledLayout_TV{};
  show("tiler", TC::Tiler_MN{});
  show("layout TV", tv);

  // The tile is the raked product of both, and the TV layout is its inverse.
  auto const tile = raked_product(thr, val);
  show("product", tile);

  int thread_of[4 * 9], value_of[4 * 9];
  for (int t = 0; t < size<0>(tv); ++t) {
    for (int v = 0; v < size<1>(tv); ++v) {
      thread_of[tv(t, v)] = t;
      value_of[tv(t, v)] = v;
    }
  }
  std::printf("thread/value\n");
  for (int m = 0; m < 4; ++m) {
    for (int n = 0; n < 9; ++n) {
      int const at = m + 4 * n;
      std::printf(" %d/%d", thread_of[at], value_of[at]);
      expect(thread_of[at] == thr(m / 2, n / 3), "element (m,n) belongs to thread thr(m/2, n/3)");
      expect(value_of[at] == val(m % 2, n % 3), "element (m,n) is value val(m%2, n%3) of its thread");
    }
    std::printf("\n");
  }
  return expect.failed;
}
