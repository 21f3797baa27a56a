// SPDX-License-Identifier: Apache-2.0
/// @file
/// What a matrix instruction alone can do: a loop of products of registers, without a load.
#pragma once

#include <cosmati/cosmati.hpp>
#include <cosmati/mma.hpp>

namespace bench {

/// Warps of 256 threads a block, each with M x N independent sums. @param out one number a thread, so that nothing is
/// left out @param repetitions of M N instructions a warp
template <class Op, int M, int N>
__global__ void __launch_bounds__(256, 1) instruction_rate(float* out, int repetitions) {
  using namespace cosmati;
  using Atom = MMA_Atom<Op>;
  auto rA = make_tensor<typename Atom::ValTypeA>(make_shape(shape<1>(typename Atom::LayoutA_TV{}), C<M>{}));
  auto rB = make_tensor<typename Atom::ValTypeB>(make_shape(shape<1>(typename Atom::LayoutB_TV{}), C<N>{}));
  auto rC = make_tensor<typename Atom::ValTypeC>(make_shape(shape<1>(typename Atom::LayoutC_TV{}), C<M>{}, C<N>{}));
  int const seed = static_cast<int>(threadIdx.x % 7);
  COSMATI_UNROLL
  for (int i = 0; i < size(rA); ++i) rA(i) = static_cast<typename Atom::ValTypeA>(static_cast<float>(seed + i % 5 - 4));
  COSMATI_UNROLL
  for (int i = 0; i < size(rB); ++i) rB(i) = static_cast<typename Atom::ValTypeB>(static_cast<float>(seed - i % 3 - 2));
  clear(rC);
  COSMATI_NO_UNROLL
  for (int r = 0; r < repetitions; ++r) {
    COSMATI_UNROLL
    for (int m = 0; m < M; ++m) {
      COSMATI_UNROLL
      for (int n = 0; n < N; ++n) {
        auto sum = rC(_, m, n);
        Atom{}.call(sum, rA(_, m), rB(_, n), sum);
      }
    }
  }
  float sum = 0;
  COSMATI_UNROLL
  for (int i = 0; i < size(rC); ++i) sum += static_cast<float>(rC(i));
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/// Operations of one launch: two a multiply-add.
template <class Op, int M, int N>
double instruction_rate_operations(int blocks, int repetitions) {
  using S = typename cosmati::MMA_Atom<Op>::Shape_MNK;
  return 2.0 * blocks * 8 * repetitions * M * N * static_cast<double>(decltype(cosmati::size(S{}))::value);
}

}  // namespace bench
