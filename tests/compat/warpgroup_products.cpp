// SPDX-License-Identifier: Apache-2.0
// Products of warpgroups in the style of CuTe's programs: operands in shared memory by descriptors, or A in registers,
// with sums of 16 and 32 bits, both major modes and several warpgroups.
#include <cutlass/arch/barrier.h>
#include <cute/arch/mma_sm90_desc.hpp>
#include <cute/arch/mma_sm90_gmma.hpp>
#include <cute/atom/mma_traits_sm90_gmma.hpp>
#include <cute/tensor.hpp>

#include <gtest/gtest.h>

#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/launch.hpp>
#include <vector>

using namespace cute;

namespace {

template <bool a_in_registers, class TA, class TB, class TC, class TiledMma, class LayoutA, class LayoutB>
__global__ void multiply(TA const* a, TB const* b, TC* c, TiledMma mma, LayoutA layout_a, LayoutB layout_b) {
  alignas(1024) __shared__ TA memory_a[cosize_v<LayoutA>];
  alignas(1024) __shared__ TB memory_b[cosize_v<LayoutB>];
  Tensor sA = make_tensor(make_smem_ptr(memory_a), layout_a);  // (M,K)
  Tensor sB = make_tensor(make_smem_ptr(memory_b), layout_b);  // (N,K)
  auto const M = size<0>(layout_a);
  auto const N = size<0>(layout_b);
  auto const K = size<1>(layout_a);
  Tensor gA = make_tensor(make_gmem_ptr(a), make_layout(make_shape(M, K), GenRowMajor{}));
  Tensor gB = make_tensor(make_gmem_ptr(b), make_layout(make_shape(N, K), GenRowMajor{}));
  Tensor gC = make_tensor(make_gmem_ptr(c), make_layout(make_shape(M, N), GenRowMajor{}));
  for (int i = int(threadIdx.x); i < size(sA); i += int(blockDim.x)) sA(i) = gA(i);
  for (int i = int(threadIdx.x); i < size(sB); i += int(blockDim.x)) sB(i) = gB(i);
  cutlass::arch::fence_view_async_shared();
  cutlass::arch::NamedBarrier(blockDim.x, 0).sync();

  auto const thr_mma = mma.get_thread_slice(threadIdx.x);
  Tensor tCsB = thr_mma.partition_B(sB);
  Tensor tCrB = thr_mma.make_fragment_B(tCsB);
  Tensor tCgC = thr_mma.partition_C(gC);
  Tensor tCrC = thr_mma.make_fragment_C(tCgC);
  clear(tCrC);
  warpgroup_fence_operand(tCrC);
  if constexpr (a_in_registers) {
    Tensor tCsA = thr_mma.partition_A(sA);
    Tensor tCrA = thr_mma.make_fragment_A(tCsA);
    copy(tCsA, tCrA);
    warpgroup_fence_operand(tCrA);
    warpgroup_arrive();
    for (int k = 0; k < size<2>(tCrA); ++k) gemm(mma, tCrA(_, _, k), tCrB(_, _, k), tCrC);
  } else {
    Tensor tCsA = thr_mma.partition_A(sA);
    Tensor tCrA = thr_mma.make_fragment_A(tCsA);
    warpgroup_arrive();
    mma.accumulate_ = GMMA::ScaleOut::Zero;
    for (int k = 0; k < size<2>(tCrA); ++k) {
      gemm(mma, tCrA(_, _, k), tCrB(_, _, k), tCrC);
      mma.accumulate_ = GMMA::ScaleOut::One;
    }
  }
  warpgroup_commit_batch();
  warpgroup_wait<0>();
  warpgroup_fence_operand(tCrC);
  copy(tCrC, tCgC);
}

template <bool a_in_registers, class TA, class TB, class TC, class TiledMma, class LayoutA, class LayoutB>
void check(TiledMma const& mma, LayoutA const& layout_a, LayoutB const& layout_b) {
  int const M = size<0>(layout_a), N = size<0>(layout_b), K = size<1>(layout_a);
  std::vector<TA> a(static_cast<std::size_t>(M * K));
  std::vector<TB> b(static_cast<std::size_t>(N * K));
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<TA>(static_cast<float>(int(i * 7 % 5) - 2));
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<TB>(static_cast<float>(int(i * 5 % 3) - 1));
  cosmati::device_buffer<TA> const in_a(a);
  cosmati::device_buffer<TB> const in_b(b);
  cosmati::device_buffer<TC> out(std::vector<TC>(static_cast<std::size_t>(M * N)));
  cosmati::launch(multiply<a_in_registers, TA, TB, TC, TiledMma, LayoutA, LayoutB>,
                  {.grid = 1, .block = dim3(size(mma))}, in_a.data(), in_b.data(), out.data(), mma, layout_a, layout_b);
  auto const got = out.download();
  for (int m = 0; m < M; ++m) {
    for (int n = 0; n < N; ++n) {
      float sum = 0;
      for (int k = 0; k < K; ++k)
        sum += float(a[static_cast<std::size_t>(m * K + k)]) * float(b[static_cast<std::size_t>(n * K + k)]);
      ASSERT_EQ(float(got[static_cast<std::size_t>(m * N + n)]), sum) << m << " " << n;
    }
  }
}

using GMMA::Major;
template <class T, int rows, int columns>
constexpr auto k_major() {
  return tile_to_shape(GMMA::Layout_K_SW128_Atom<T>{}, Shape<Int<rows>, Int<columns>>{});
}
template <class T, int rows, int columns>
constexpr auto mn_major() {
  return tile_to_shape(GMMA::Layout_MN_SW128_Atom<T>{}, Shape<Int<rows>, Int<columns>>{});
}

TEST(CuteWarpgroupProducts, SumsOfHalves) {
  auto const ss = make_tiled_mma(SM90_64x128x16_F16F16F16_SS<Major::K, Major::K>{});
  check<false, half_t, half_t, half_t>(ss, k_major<half_t, 64, 64>(), k_major<half_t, 128, 64>());
  auto const rs = make_tiled_mma(SM90_64x128x16_F16F16F16_RS<Major::K, Major::K>{});
  check<true, half_t, half_t, half_t>(rs, k_major<half_t, 64, 64>(), k_major<half_t, 128, 64>());
}
TEST(CuteWarpgroupProducts, BothMajorModes) {
  auto const mma = make_tiled_mma(SM90_64x64x16_F32F16F16_SS<Major::MN, Major::MN>{});
  check<false, half_t, half_t, float>(mma, mn_major<half_t, 64, 32>(), mn_major<half_t, 64, 32>());
  auto const mixed = make_tiled_mma(SM90_64x64x16_F32BF16BF16_SS<Major::K, Major::MN>{});
  check<false, bfloat16_t, bfloat16_t, float>(mixed, k_major<bfloat16_t, 64, 64>(), mn_major<bfloat16_t, 64, 64>());
}
TEST(CuteWarpgroupProducts, TwoWarpgroups) {
  auto const mma = make_tiled_mma(SM90_64x32x16_F32F16F16_SS<Major::K, Major::K>{}, Layout<Shape<_2, _1, _1>>{});
  check<false, half_t, half_t, float>(mma, k_major<half_t, 128, 64>(), k_major<half_t, 64, 64>());
}
TEST(CuteWarpgroupProducts, OtherNumbers) {
  auto const tf32 = make_tiled_mma(SM90_64x32x8_F32TF32TF32_SS_TN<>{});
  check<false, tfloat32_t, tfloat32_t, float>(tf32, k_major<tfloat32_t, 64, 32>(), k_major<tfloat32_t, 32, 32>());
  auto const fp8 = make_tiled_mma(SM90_64x64x32_F32E4M3E5M2_SS_TN<>{});
  check<false, float_e4m3_t, float_e5m2_t, float>(fp8, k_major<float_e4m3_t, 64, 128>(),
                                                  k_major<float_e5m2_t, 64, 128>());
  auto const s8 = make_tiled_mma(SM90_64x64x32_S32S8S8_RS_TN{});
  check<true, int8_t, int8_t, int32_t>(s8, k_major<int8_t, 64, 128>(), k_major<int8_t, 64, 128>());
}
TEST(CuteWarpgroupProducts, Selectors) {
  auto const mma =
      make_tiled_mma(GMMA::ss_op_selector<half_t, half_t, float, Shape<_128, _64, _32>>(), Layout<Shape<_2, _1, _1>>{});
  check<false, half_t, half_t, float>(mma, k_major<half_t, 128, 64>(), k_major<half_t, 64, 64>());
  auto const rs = make_tiled_mma(GMMA::rs_op_selector<half_t, half_t, float, Shape<_64, _64, _32>>());
  check<true, half_t, half_t, float>(rs, k_major<half_t, 64, 64>(), k_major<half_t, 64, 64>());
}

TEST(CuteWarpgroupProducts, Descriptors) {
  static_assert(sizeof(GmmaDescriptor) == 8);
  GmmaDescriptor d;
  d.desc_ = 0;
  d.bitfield.start_address_ = 0x1234;
  d.bitfield.leading_byte_offset_ = 1;
  d.bitfield.stride_byte_offset_ = 64;
  d.bitfield.layout_type_ = uint8_t(GMMA::LayoutType::B128);
  EXPECT_EQ(uint64_t(d), 0x4000004000011234u);
  static_assert(std::is_same_v<GMMA::Layout_SW128_Atom<half_t, Major::K>, GMMA::Layout_K_SW128_Atom<half_t>>);
  static_assert(std::is_same_v<GMMA::Layout_INTER_Atom<float, Major::MN>, GMMA::Layout_MN_INTER_Atom<float>>);
  testing::internal::CaptureStdout();
  print(d);
  EXPECT_NE(testing::internal::GetCapturedStdout().find("stride_off :  0x0040 (64)"), std::string::npos);
}

}  // namespace
