// SPDX-License-Identifier: Apache-2.0
// Products of tiles by tiled MMAs, on either device: operands by ldmatrix in every order, by plain loads, and by
// cooperative_gemm, for whole and ragged tiles. Sums are exact, so results agree bit by bit.
#include <gtest/gtest.h>

#include <cosmati/cosmati.hpp>
#include <cosmati/mma.hpp>
#include <vector>

#include "gemm_problems.hpp"
#include "require_device.hpp"

using namespace cosmati;
using gemm_test::as_double;
using gemm_test::small_number;

namespace {

/// C (M, N) = A (M, K) B (N, K) + 1 by one block, through shared memory laid out as SA and SB.
template <class Mma, class CopyA, class CopyB, class SA, class SB, class T, class Sum>
__global__ void multiply_tile(Mma mma, SA layout_a, SB layout_b, T const* a, T const* b, Sum* c) {
  T* const memory = dynamic_shared<T>();
  auto sA = make_tensor(make_smem_ptr(memory), layout_a);
  auto sB = make_tensor(make_smem_ptr(memory + cosize_v<SA>), layout_b);
  constexpr int M = decltype(size<0>(SA{}))::value, N = decltype(size<0>(SB{}))::value;
  constexpr int K = decltype(size<1>(SA{}))::value;
  unsigned const threads = decltype(size(Mma{}))::value;
  for (unsigned i = threadIdx.x; i < M * K; i += threads) sA(i % M, i / M) = a[i];
  for (unsigned i = threadIdx.x; i < N * K; i += threads) sB(i % N, i / N) = b[i];
  __syncthreads();
  auto thread = mma.get_slice(threadIdx.x);
  auto rA = thread.partition_fragment_A(sA);
  auto rB = thread.partition_fragment_B(sB);
  auto copy_a = make_tiled_copy_A(Copy_Atom<CopyA, T>{}, mma);
  auto copy_b = make_tiled_copy_B(Copy_Atom<CopyB, T>{}, mma);
  auto by_a = copy_a.get_slice(threadIdx.x);
  auto by_b = copy_b.get_slice(threadIdx.x);
  copy(copy_a, by_a.partition_S(sA), by_a.retile_D(rA));
  copy(copy_b, by_b.partition_S(sB), by_b.retile_D(rB));
  auto gC = make_tensor(make_gmem_ptr(c), make_layout(make_shape(C<M>{}, C<N>{})));
  auto tC = thread.partition_C(gC);
  auto rC = thread.make_fragment_C(tC);
  for (int i = 0; i < size(rC); ++i) rC(i) = static_cast<Sum>(1);
  gemm(mma, rA, rB, rC);
  for (int i = 0; i < size(rC); ++i) tC(i) = rC(i);
}

template <class CopyA, class CopyB, class Mma, class SA, class SB>
void check(Mma mma, SA layout_a, SB layout_b) {
  using T = typename Mma::ValTypeA;
  using Sum = typename Mma::ValTypeC;
  constexpr int M = decltype(size<0>(SA{}))::value, N = decltype(size<0>(SB{}))::value;
  constexpr int K = decltype(size<1>(SA{}))::value;
  std::vector<T> a(M * K), b(N * K);
  for (unsigned i = 0; i < M * K; ++i) a[i] = small_number<T>(i + 5);
  for (unsigned i = 0; i < N * K; ++i) b[i] = small_number<T>(i + 50);
  device_buffer<T> da(a), db(b);
  device_buffer<Sum> dc(M * N);
  launch(multiply_tile<Mma, CopyA, CopyB, SA, SB, T, Sum>,
         {.grid = 1,
          .block = static_cast<unsigned>(size(mma)),
          .shared_bytes = static_cast<std::size_t>(cosize_v<SA> + cosize_v<SB>) * sizeof(T)},
         mma, layout_a, layout_b, da.data(), db.data(), dc.data());
  auto const c = dc.download();
  for (int m = 0; m < M; ++m) {
    for (int n = 0; n < N; ++n) {
      double sum = 1;
      for (int k = 0; k < K; ++k)
        sum += as_double(a[static_cast<std::size_t>(m + M * k)]) * as_double(b[static_cast<std::size_t>(n + N * k)]);
      ASSERT_EQ(as_double(c[static_cast<std::size_t>(m + M * n)]), sum) << m << ", " << n;
    }
  }
}

template <int X, int K>
using k_major = Layout<Shape<C<X>, C<K>>, Stride<C<K>, _1>>;
template <int X, int K>
using mn_major = Layout<Shape<C<X>, C<K>>, Stride<_1, C<X>>>;

TEST(Gemm, HalfThroughLdmatrix) {
  COSMATI_REQUIRE_DEVICE();
  auto const mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2, _2>>{}, Tile<_32, _32, _16>{});
  using N4 = SM75_U32x4_LDSM_N;
  using T8 = SM75_U16x8_LDSM_T;
  check<N4, N4>(mma, k_major<64, 32>{}, k_major<32, 32>{});
  check<T8, T8>(mma, mn_major<64, 32>{}, mn_major<32, 32>{});
  check<T8, N4>(mma, mn_major<64, 32>{}, k_major<32, 32>{});
  check<N4, T8>(mma, k_major<64, 32>{}, mn_major<32, 32>{});
  check<SM75_U32x2_LDSM_N, SM75_U16x4_LDSM_T>(mma, k_major<64, 32>{}, mn_major<32, 32>{});
  // swizzled, so that banks do not conflict
  auto const swizzled = composition(Swizzle<2, 3, 3>{}, Layout<Shape<_64, _32>, Stride<_32, _1>>{});
  check<N4, N4>(mma, swizzled, swizzled);
  check<UniversalCopy<half_t>, UniversalCopy<half_t>>(mma, k_major<64, 32>{}, mn_major<32, 32>{});
}

TEST(Gemm, OtherTypes) {
  COSMATI_REQUIRE_DEVICE();
  using N4 = SM75_U32x4_LDSM_N;
  using N2 = SM75_U32x2_LDSM_N;
  check<N4, N4>(make_tiled_mma(SM80_16x8x16_F32BF16BF16F32_TN{}, Layout<Shape<_2, _1>>{}, Tile<_32, _16, _16>{}),
                k_major<32, 16>{}, k_major<16, 16>{});
  check<N4, N2>(make_tiled_mma(SM80_16x8x8_F32TF32TF32F32_TN{}, Layout<Shape<_2, _2>>{}), k_major<32, 16>{},
                k_major<16, 16>{});
  check<N4, N2>(make_tiled_mma(SM80_16x8x32_S32S8S8S32_TN{}, Layout<Shape<_2, _2>>{}), k_major<32, 32>{},
                k_major<16, 32>{});
  check<UniversalCopy<double>, UniversalCopy<double>>(
      make_tiled_mma(SM80_8x8x4_F64F64F64F64_TN{}, Layout<Shape<_2, _2>>{}), k_major<16, 8>{}, mn_major<16, 8>{});
  check<UniversalCopy<float>, UniversalCopy<float>>(make_tiled_mma(UniversalFMA<float>{}, Layout<Shape<_16, _8>>{}),
                                                    mn_major<32, 8>{}, mn_major<16, 8>{});
  check<UniversalCopy<half_t>, UniversalCopy<half_t>>(
      make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT{}, Layout<Shape<_2, _2>, Stride<_2, _1>>{},
                     Tile<Layout<Shape<_4, _4, _2>, Stride<_1, _8, _4>>, _32, _4>{}),
      mn_major<32, 8>{}, mn_major<32, 8>{});
}

/// A layout (M, N) by rows, `step` elements apart.
template <int M, int N, int step>
using row_major = Layout<Shape<C<M>, C<N>>, Stride<C<step>, _1>>;

/// C = alpha f(A) B + beta C, by cooperative_gemm.
template <class Mma, class CopyOp, class SA, class SB, class SC, class T, class Sum>
__global__ void cooperate(Mma mma, SA layout_a, SB layout_b, SC layout_c, T const* a, T const* b, Sum* c, Sum alpha,
                          Sum beta) {
  constexpr int M = decltype(size<0>(SA{}))::value, N = decltype(size<0>(SB{}))::value;
  constexpr int K = decltype(size<1>(SA{}))::value;
  T* const memory = dynamic_shared<T>();
  auto sA = make_tensor(make_smem_ptr(memory), layout_a);
  auto sB = make_tensor(make_smem_ptr(memory + cosize_v<SA>), layout_b);
  auto sC = make_tensor(make_smem_ptr(reinterpret_cast<Sum*>(memory + cosize_v<SA> + cosize_v<SB>)), layout_c);
  unsigned const threads = decltype(size(Mma{}))::value;
  for (unsigned i = threadIdx.x; i < M * K; i += threads) sA(i % M, i / M) = a[i];
  for (unsigned i = threadIdx.x; i < N * K; i += threads) sB(i % N, i / N) = b[i];
  for (unsigned i = threadIdx.x; i < M * N; i += threads) sC(i) = c[i];
  __syncthreads();
  cooperative_gemm(threadIdx.x, mma, alpha, sA, sB, beta, sC, negate{}, identity{}, identity{}, identity{}, CopyOp{},
                   CopyOp{});
  __syncthreads();
  for (unsigned i = threadIdx.x; i < M * N; i += threads) c[i] = sC(i);
}
template <class CopyOp, class Mma, class SA, class SB, class SC>
void check_cooperative(Mma mma, SA layout_a, SB layout_b, SC layout_c, double beta) {
  using T = typename Mma::ValTypeA;
  using Sum = typename Mma::ValTypeC;
  constexpr int M = decltype(size<0>(SA{}))::value, N = decltype(size<0>(SB{}))::value;
  constexpr int K = decltype(size<1>(SA{}))::value;
  std::vector<T> a(M * K), b(N * K);
  std::vector<Sum> c(M * N);
  for (unsigned i = 0; i < M * K; ++i) a[i] = small_number<T>(i + 5);
  for (unsigned i = 0; i < N * K; ++i) b[i] = small_number<T>(i + 50);
  for (unsigned i = 0; i < M * N; ++i) c[i] = small_number<Sum>(i + 500);
  device_buffer<T> da(a), db(b);
  device_buffer<Sum> dc(c);
  launch(cooperate<Mma, CopyOp, SA, SB, SC, T, Sum>,
         {.grid = 1,
          .block = static_cast<unsigned>(size(mma)),
          .shared_bytes = static_cast<std::size_t>(cosize_v<SA> + cosize_v<SB>) * sizeof(T) +
                          static_cast<std::size_t>(cosize_v<SC>) * sizeof(Sum)},
         mma, layout_a, layout_b, layout_c, da.data(), db.data(), dc.data(), static_cast<Sum>(2),
         static_cast<Sum>(beta));
  auto const got = dc.download();
  for (int m = 0; m < M; ++m) {
    for (int n = 0; n < N; ++n) {
      double sum = 0;
      for (int k = 0; k < K; ++k)
        sum -= as_double(a[static_cast<std::size_t>(m + M * k)]) * as_double(b[static_cast<std::size_t>(n + N * k)]);
      std::size_t const i = static_cast<std::size_t>(m + M * n);
      ASSERT_EQ(as_double(got[i]), 2 * sum + beta * as_double(c[i])) << m << ", " << n;
    }
  }
}

template <class CopyOp, class Mma, class SA, class SB>
void check_cooperative(Mma mma, SA layout_a, SB layout_b, double beta) {
  check_cooperative<CopyOp>(mma, layout_a, layout_b, make_layout(make_shape(size<0>(SA{}), size<0>(SB{}))), beta);
}

TEST(Gemm, Cooperative) {
  COSMATI_REQUIRE_DEVICE();
  auto const half = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2, _2>>{}, Tile<_32, _32, _16>{});
  check_cooperative<SM75_U32x4_LDSM_N>(half, k_major<64, 32>{}, k_major<32, 32>{}, 3);
  check_cooperative<DefaultCopy>(half, k_major<64, 32>{}, mn_major<32, 32>{}, 0);
  check_cooperative<DefaultCopy>(half, k_major<50, 20>{}, mn_major<40, 20>{}, 3);  // ragged in M, N and K
  // C by rows, with pairs of elements for each thread: whole, padded, swizzled, ragged.
  check_cooperative<DefaultCopy>(half, k_major<64, 32>{}, k_major<32, 32>{}, row_major<64, 32, 32>{}, 3);
  check_cooperative<DefaultCopy>(half, k_major<64, 32>{}, k_major<64, 32>{}, row_major<64, 64, 72>{}, 0);
  check_cooperative<DefaultCopy>(half, k_major<64, 32>{}, k_major<32, 32>{}, row_major<64, 32, 33>{}, 2);
  check_cooperative<DefaultCopy>(half, k_major<64, 32>{}, k_major<32, 32>{},
                                 composition(Swizzle<2, 3, 3>{}, row_major<64, 32, 32>{}), -2);
  check_cooperative<DefaultCopy>(half, k_major<64, 32>{}, k_major<24, 32>{}, row_major<64, 24, 24>{}, 3);
  auto const plain = make_tiled_mma(UniversalFMA<double>{}, Layout<Shape<_8, _8>>{});
  check_cooperative<DefaultCopy>(plain, mn_major<16, 5>{}, k_major<24, 5>{}, -1);
  check_cooperative<DefaultCopy>(plain, mn_major<13, 5>{}, k_major<7, 5>{}, -1);
}

}  // namespace
