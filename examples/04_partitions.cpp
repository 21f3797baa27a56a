// SPDX-License-Identifier: Apache-2.0
// local_tile gives the tile of a block, partitions give the elements of a thread, and a projection drops a mode.
#include <cosmati/cosmati.hpp>

#include "show.hpp"
using namespace cosmati;
using example::show;

int main() {
  example::expectations expect;
  // A matrix product: A is (M,K), B is (N,K), C is (M,N); a block computes 32 x 64 of C, in steps of 4 of K.
  int const M = 96, N = 128, K = 10;
  std::vector<int> a(M * K), b(N * K), c(M * N);
  auto const mA = make_tensor(a.data(), make_shape(M, K));
  auto const mB = make_tensor(b.data(), make_shape(N, K));
  auto const mC = make_tensor(c.data(), make_shape(M, N));
  auto const tiler = Shape<_32, _64, _4>{};
  auto const coord = make_coord(2, 1, _);  // block (2,1), every step of K

  auto const gA = local_tile(mA, tiler, coord, Step<_1, X, _1>{});
  auto const gB = local_tile(mB, tiler, coord, Step<X, _1, _1>{});
  auto const gC = local_tile(mC, tiler, coord, Step<_1, _1, X>{});
  show("gA", gA.layout());
  show("gB", gB.layout());
  show("gC", gC.layout());
  expect(size<2>(gA) == 3, "K / 4 is rounded up: the last step is ragged");
  expect(&gA(5, 1, 2) == &a[(64 + 5) + M * (8 + 1)], "gA(i,j,k) is A(2*32+i, 4*k+j)");
  expect(&gC(5, 6) == &c[(64 + 5) + M * (64 + 6)], "gC(i,j) is C(2*32+i, 64+j)");

  // A thread's part of a tile comes from a thread layout alone, or from a tiled copy.
  auto const threads = Layout<Shape<_16, _8>>{};
  auto const mine = local_partition(gC, threads, 17);  // thread 17 is (1,1) of the 16 x 8
  show("partition", mine.layout());
  expect(&mine(1, 2) == &gC(16 + 1, 2 * 8 + 1), "every 16th row and every 8th column");

  auto const tiled_copy =
      make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, int>{}, Layout<Shape<_8, _16>>{}, Layout<_4>{});
  auto const thread = tiled_copy.get_slice(17);
  auto const source = thread.partition_S(gC);
  show("tiler", decltype(tiled_copy)::Tiler_MN{});
  show("partition_S", source.layout());
  expect(&source(0, 0, 1) == &gC(4 * 1, 16 + 2), "thread 17 holds four rows from 4 in columns 2, 18, 34, 50");
  return expect.failed;
}
