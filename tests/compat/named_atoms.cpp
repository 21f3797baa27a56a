// SPDX-License-Identifier: Apache-2.0
// Matrix instructions by CuTe's names against sums in plain loops, and smaller words of CuTe's programs.
#include <cute/tensor.hpp>

#include <gtest/gtest.h>

#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/launch.hpp>
#include <random>
#include <vector>

using namespace cute;

namespace {

template <class Op, class A, class B, class Sum>
__global__ static void one_instruction(A const* a, B const* b, Sum* c) {
  TiledMMA mma = make_tiled_mma(MMA_Atom<Op>{});
  auto const mnk = tile_shape(mma);
  Tensor gA = make_tensor(make_gmem_ptr(a), select<0, 2>(mnk), LayoutRight{});
  Tensor gB = make_tensor(make_gmem_ptr(b), select<1, 2>(mnk), GenRowMajor{});
  Tensor gC = make_tensor(make_gmem_ptr(c), select<0, 1>(mnk), GenColMajor{});
  ThrMMA thr = mma.get_thread_slice(threadIdx.x);
  Tensor rA = thr.partition_fragment_A(gA);
  Tensor rB = thr.partition_fragment_B(gB);
  Tensor rC = thr.partition_fragment_C(gC);
  copy(thr.partition_A(gA), rA);
  copy(thr.partition_B(gB), rB);
  clear(rC);
  gemm(mma, rA, rB, rC);
  copy(rC, thr.partition_C(gC));
}

/// Small integers: every product and sum is exact in every type.
template <class T>
std::vector<T> small_numbers(int n, unsigned seed) {
  std::mt19937 random(seed);
  auto const next = [&] { return static_cast<float>(static_cast<int>(random() % 5) - 2); };
  std::vector<T> v;
  for (int i = 0; i < n; ++i) {
    if constexpr (is_complex<T>::value)
      v.push_back(T(next(), next()));
    else
      v.push_back(T(next()));
  }
  return v;
}

template <class Op, class A, class B, class Sum>
void check() {
  using Shape_MNK = typename MMA_Traits<Op>::Shape_MNK;
  constexpr int M = size<0>(Shape_MNK{}), N = size<1>(Shape_MNK{}), K = size<2>(Shape_MNK{});
  auto const a = small_numbers<A>(M * K, 1);
  auto const b = small_numbers<B>(N * K, 2);
  cosmati::device_buffer<A> dA(a);
  cosmati::device_buffer<B> dB(b);
  cosmati::device_buffer<Sum> dC(static_cast<std::size_t>(M * N));
  cosmati::launch(one_instruction<Op, A, B, Sum>, {.grid = 1, .block = 32}, dA.data(), dB.data(), dC.data());
  auto const c = dC.download();
  using Wide = std::conditional_t<is_complex<Sum>::value, complex<double>, double>;
  for (int m = 0; m < M; ++m) {
    for (int n = 0; n < N; ++n) {
      Wide sum(0);
      for (int k = 0; k < K; ++k)
        sum = sum + Wide(a[static_cast<std::size_t>(m * K + k)]) * Wide(b[static_cast<std::size_t>(n * K + k)]);
      ASSERT_TRUE(Wide(c[static_cast<std::size_t>(m + M * n)]) == sum) << m << ',' << n;
    }
  }
}

TEST(CuteNamedAtoms, HalfOfTuring) {
  check<SM75_16x8x8_F32F16F16F32_TN, half_t, half_t, float>();
  check<SM75_16x8x8_F16F16F16F16_TN, half_t, half_t, half_t>();
}

TEST(CuteNamedAtoms, ComplexOfAmpere) {
  check<SM80_8x8x4_F64F64F64F64_TN, double, double, double>();
  check<SM80_8x8x4_C64C64C64C64_TN, complex<double>, complex<double>, complex<double>>();
}

TEST(CuteNamedAtoms, EightBitsOfAda) {
  check<SM89_16x8x32_F32E4M3E4M3F32_TN, float_e4m3_t, float_e4m3_t, float>();
  check<SM89_16x8x32_F32E4M3E5M2F32_TN, float_e4m3_t, float_e5m2_t, float>();
  check<SM89_16x8x32_F32E5M2E4M3F32_TN, float_e5m2_t, float_e4m3_t, float>();
  check<SM89_16x8x32_F32E5M2E5M2F32_TN, float_e5m2_t, float_e5m2_t, float>();
  check<SM89_16x8x32_F16E4M3E4M3F16_TN, float_e4m3_t, float_e4m3_t, half_t>();
  check<SM89_16x8x32_F16E4M3E5M2F16_TN, float_e4m3_t, float_e5m2_t, half_t>();
  check<SM89_16x8x32_F16E5M2E4M3F16_TN, float_e5m2_t, float_e4m3_t, half_t>();
  check<SM89_16x8x32_F16E5M2E5M2F16_TN, float_e5m2_t, float_e5m2_t, half_t>();
}

static_assert(_160::value == 160 && _192::value == 192 && _262144::value == 262144);
static_assert(is_constant_v<3, Int<3>> && !is_constant_v<3, Int<4>> && is_constant<0, _0>::value);
static_assert(is_layout<Layout<_4>>::value && !is_layout<Shape<_4>>::value);
static_assert(rank_v<Shape<_2, Shape<_3, _4>>> == 2 && rank_v<Layout<Shape<_2, _3>>> == 2);
static_assert(std::is_same_v<make_int_sequence<3>, int_sequence<0, 1, 2>> && tuple_size<Shape<_1, _2>>::value == 2);
static_assert(std::is_same_v<decltype(make_layout(Shape<_2, _3>{}, LayoutLeft{})), Layout<Shape<_2, _3>>>);

TEST(CuteNamedAtoms, ChoiceOfAType) {
  EXPECT_EQ(conditional_return<true>(3, _4{}), 3);
  static_assert(std::is_same_v<decltype(conditional_return<false>(3, _4{})), _4>);
}

__global__ static void aligned(float const* in, float* out, int ld) {
  auto const layout = make_layout(make_shape(_8{}, _4{}), make_stride(_1{}, ld));
  copy_aligned(make_tensor(make_gmem_ptr(in), layout), make_tensor(make_gmem_ptr(out), layout));
}

TEST(CuteNamedAtoms, CopyAligned) {
  auto const host = small_numbers<float>(32, 7);
  cosmati::device_buffer<float> in(host), out(host.size());
  cosmati::launch(aligned, {.grid = 1, .block = 1}, in.data(), out.data(), 8);
  EXPECT_EQ(out.download(), host);
}

}  // namespace
