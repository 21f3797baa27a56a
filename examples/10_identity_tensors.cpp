// SPDX-License-Identifier: Apache-2.0
// An identity tensor's elements are their coordinates. Cut as the data is cut, it says where each value is.
#include <cosmati/cosmati.hpp>

#include "show.hpp"
using namespace cosmati;
using example::show;

int main() {
  example::expectations expect;
  auto const identity = make_identity_tensor(make_shape(70, 101));
  show("identity", identity.layout());
  expect(get<0>(identity(3, 5)) == 3 && get<1>(identity(3, 5)) == 5, "its element at (3,5) is (3,5)");

  // Tile (2,1), and the elements of that tile that thread 37 of a tiled copy holds.
  auto const tile = local_tile(identity, Shape<_32, _64>{}, make_coord(2, 1));
  auto const tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{},
                                          Layout<Shape<_16, _16>, Stride<_16, _1>>{}, Layout<Shape<_1, _4>>{});
  auto const mine = tiled_copy.get_slice(37).partition_S(tile);
  show("partition", mine.layout());
  int inside = 0;
  for (int i = 0; i < size(mine); ++i) {
    auto const at = mine(i);
    std::printf("%s%s", i == 0 ? "" : " ", example::text(at).c_str());
    inside += elem_less(at, make_shape(70, 101)) ? 1 : 0;
  }
  std::printf("\n%d of %d values are inside (70,101)\n", inside, int(size(mine)));
  expect(get<0>(mine(0)) == 66 && get<1>(mine(0)) == 84, "thread 37 is (2,5): row 64 + 2, column 64 + 5 * 4");
  expect(inside == 4, "rows 82 are beyond 70");
  return expect.failed;
}
