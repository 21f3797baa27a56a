// SPDX-License-Identifier: Apache-2.0
// Matrix instructions: every (lane, value) of every operand against PTX's formulas, written out here a second time;
// mnemonics, registers and architectures against a list that the assembler accepted.
#include <gtest/gtest.h>

#include <cosmati/atom/mma_operations.hpp>
#include <cosmati/mma.hpp>
#include <set>
#include <string>
#include <vector>

using namespace cosmati;
using namespace cosmati::mma_operations;

namespace {

struct place {
  int row, column;
  bool operator==(place const&) const = default;
};

/// PTX's tables for warp-wide instructions. @param e values a register, @param v value of the lane
place of_A(int M, int e, int lane, int v) {
  int const r = v / e, g = lane >> 2, t = lane & 3;
  if (M == 16) return {g + 8 * (r & 1), e * t + v % e + 4 * e * (r >> 1)};
  return {g, e * t + v % e + 4 * e * r};
}
place of_B(int e, int lane, int v) { return {lane >> 2, e * (lane & 3) + v % e + 4 * e * (v / e)}; }  // (n, k)
place of_C(int lane, int i) { return {(lane >> 2) + 8 * (i >> 1), 2 * (lane & 3) + (i & 1)}; }

template <class T>
constexpr int bits_of_type() {
  if constexpr (std::is_same_v<T, complex<double>> || std::is_same_v<T, gauss_complex>)
    return 64;
  else
    return sizeof_bits_v<T>;
}
template <class T>
int per_register() {
  return bits_of_type<T>() < 32 ? 32 / bits_of_type<T>() : 1;
}

/// The layout gives each element of a (rows, columns) operand to exactly one (thread, value), at the expected place.
template <class L, class Formula>
void expect_layout(char const* what, int rows, int columns, Formula const& formula) {
  constexpr int threads = static_cast<int>(decltype(size<0>(L{}))::value);
  constexpr int values = static_cast<int>(decltype(size<1>(L{}))::value);
  ASSERT_EQ(threads * values, rows * columns) << what;
  std::set<int> seen;
  for (int t = 0; t < threads; ++t) {
    for (int v = 0; v < values; ++v) {
      int const i = static_cast<int>(L{}(t, v));
      place const p = formula(t, v);
      ASSERT_EQ(i, p.row + rows * p.column) << what << ", thread " << t << ", value " << v;
      seen.insert(i);
    }
  }
  EXPECT_EQ(static_cast<int>(seen.size()), rows * columns) << what;
}

template <class Op>
void expect_warp_layouts(named<Op> const& op) {
  SCOPED_TRACE(op.name);
  using Atom = MMA_Atom<Op>;
  constexpr int M = decltype(get<0>(typename Atom::Shape_MNK{}))::value;
  constexpr int N = decltype(get<1>(typename Atom::Shape_MNK{}))::value;
  constexpr int K = decltype(get<2>(typename Atom::Shape_MNK{}))::value;
  EXPECT_EQ(static_cast<int>(size(typename Atom::ThrID{})), 32);
  for (int lane = 0; lane < 32; ++lane) EXPECT_EQ(static_cast<int>(typename Atom::ThrID{}(lane)), lane);
  int const ea = per_register<typename Atom::ValTypeA>(), eb = per_register<typename Atom::ValTypeB>();
  expect_layout<typename Atom::LayoutA_TV>("A", M, K, [&](int t, int v) { return of_A(M, ea, t, v); });
  expect_layout<typename Atom::LayoutB_TV>("B", N, K, [&](int t, int v) { return of_B(eb, t, v); });
  expect_layout<typename Atom::LayoutC_TV>("C", M, N, [&](int t, int v) { return of_C(t, v); });
  expect_layout<typename Atom::LayoutD_TV>("D", M, N, [&](int t, int v) { return of_C(t, v); });
  // as many registers as values need
  EXPECT_EQ(std::extent_v<typename Op::ARegisters> * static_cast<std::size_t>(ea * 32),
            static_cast<std::size_t>(M * K));
  EXPECT_EQ(std::extent_v<typename Op::BRegisters> * static_cast<std::size_t>(eb * 32),
            static_cast<std::size_t>(N * K));
}

TEST(MmaLayouts, EveryLaneAndValueOfEveryOperand) {
  auto const check = [](auto const& op) { expect_warp_layouts(op); };
  for_each_operation(sm75_operations, check);
  for_each_operation(float_operations, check);
  for_each_operation(double_operations, check);
  for_each_operation(byte_operations, check);
  for_each_operation(nibble_operations, check);
  for_each_operation(bit_operations, check);
  for_each_operation(float8_operations, check);
  for_each_operation(complex_operations, check);
}

/// PTX's table of m8n8k4 of half: lanes of the first quad pair, 0 to 3 and 16 to 19.
template <class Op>
void expect_quad_pair_layouts(named<Op> const& op) {
  SCOPED_TRACE(op.name);
  using Atom = MMA_Atom<Op>;
  std::string const order = std::string(op.name).substr(std::string(op.name).size() - 2);
  auto const lane_of = [](int t) { return static_cast<int>(typename Atom::ThrID{}(t)); };
  for (int t = 0; t < 8; ++t) EXPECT_EQ(lane_of(t), t < 4 ? t : 12 + t);
  auto const by_k = [&](int t, int i) {  // A by rows, B by columns
    int const lane = lane_of(t);
    return place{lane < 16 ? lane % 4 : lane % 4 + 4, i};
  };
  auto const by_mn = [&](int t, int i) {
    int const lane = lane_of(t);
    return place{lane < 16 ? i % 4 : i % 4 + 4, lane % 4};
  };
  auto const half_sum = [&](int t, int i) {
    int const lane = lane_of(t);
    return place{lane < 16 ? lane % 4 : lane % 4 + 4, i};
  };
  auto const float_sum = [&](int t, int i) {
    int const lane = lane_of(t);
    int const x = (lane & 1) + (i & 2);
    return place{lane < 16 ? x : x + 4, (i & 4) + (lane & 2) + (i & 1)};
  };
  if (order[0] == 'T')
    expect_layout<typename Atom::LayoutA_TV>("A", 8, 4, by_k);
  else
    expect_layout<typename Atom::LayoutA_TV>("A", 8, 4, by_mn);
  if (order[1] == 'N')
    expect_layout<typename Atom::LayoutB_TV>("B", 8, 4, by_k);
  else
    expect_layout<typename Atom::LayoutB_TV>("B", 8, 4, by_mn);
  if (std::is_same_v<typename Atom::ValTypeC, float>)
    expect_layout<typename Atom::LayoutC_TV>("C", 8, 8, float_sum);
  else
    expect_layout<typename Atom::LayoutC_TV>("C", 8, 8, half_sum);
  if (std::is_same_v<typename Atom::ValTypeD, float>)
    expect_layout<typename Atom::LayoutD_TV>("D", 8, 8, float_sum);
  else
    expect_layout<typename Atom::LayoutD_TV>("D", 8, 8, half_sum);
}

TEST(MmaLayouts, QuadPairs) {
  for_each_operation(volta_operations, [](auto const& op) { expect_quad_pair_layouts(op); });
}

TEST(MmaLayouts, OneThread) {
  EXPECT_EQ(static_cast<int>(size(MMA_Atom<SM61_DP4A>::ThrID{})), 1);
  auto const along = [](int, int v) { return place{0, v}; };
  expect_layout<MMA_Atom<SM61_DP4A>::LayoutA_TV>("A", 1, 4, along);
  expect_layout<MMA_Atom<SM61_DP2A>::LayoutB_TV>("B", 1, 2, along);
  expect_layout<MMA_Atom<UniversalFMA<float>>::LayoutC_TV>("C", 1, 1, along);
}

// In the forms in which others write them: profiles count too.
TEST(MmaLayouts, Types) {
  using A = MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>;
  EXPECT_TRUE((
      std::is_same_v<A::LayoutA_TV,
                     Layout<Shape<Shape<_4, _8>, Shape<_2, _2, _2>>, Stride<Stride<_32, _1>, Stride<_16, _8, _128>>>>));
  EXPECT_TRUE((std::is_same_v<A::LayoutB_TV,
                              Layout<Shape<Shape<_4, _8>, Shape<_2, _2>>, Stride<Stride<_16, _1>, Stride<_8, _64>>>>));
  EXPECT_TRUE((std::is_same_v<A::LayoutC_TV,
                              Layout<Shape<Shape<_4, _8>, Shape<_2, _2>>, Stride<Stride<_32, _1>, Stride<_16, _8>>>>));
  using T = MMA_Atom<SM80_16x8x4_F32TF32TF32F32_TN>;
  EXPECT_TRUE((std::is_same_v<T::LayoutA_TV, Layout<Shape<Shape<_4, _8>, _2>, Stride<Stride<_16, _1>, _8>>>));
  EXPECT_TRUE((std::is_same_v<T::LayoutB_TV, Layout<Shape<Shape<_4, _8>, _1>, Stride<Stride<_8, _1>, _0>>>));
  using B = MMA_Atom<SM80_16x8x256_S32B1B1S32_TN_ANDPOPC>;
  EXPECT_TRUE((std::is_same_v<B::LayoutA_TV, Layout<Shape<Shape<_4, _8>, Shape<_32, _2, _2>>,
                                                    Stride<Stride<_512, _1>, Stride<_16, _8, Int<2048>>>>>));
  using V = MMA_Atom<SM70_8x8x4_F32F16F16F32_NT>;
  EXPECT_TRUE((std::is_same_v<V::ThrID, Layout<Shape<_4, _2>, Stride<_1, _16>>>));
  EXPECT_TRUE((std::is_same_v<V::LayoutA_TV, Layout<Shape<Shape<_4, _2>, _4>, Stride<Stride<_8, _4>, _1>>>));
}

struct expected_row {
  std::string expected, registers, made, made_registers;
  int sm, lowest_sm;
};
template <class Op>
expected_row moye_row(char const* ptx, char const* registers, int sm) {
  auto const n = [](std::size_t x) { return std::to_string(x); };
  return {ptx,
          registers,
          detail::mma_mnemonic<Op>::value,
          n(std::extent_v<typename Op::ARegisters>) + "/" + n(std::extent_v<typename Op::BRegisters>) + "/" +
              n(std::extent_v<typename Op::CRegisters>) + "/" + n(std::extent_v<typename Op::DRegisters>),
          sm,
          Op::lowest_sm < 75 ? 75 : Op::lowest_sm};
}

TEST(MmaRows, MnemonicsThatTheAssemblerAccepted) {
  std::vector<expected_row> const rows = {
      moye_row<SM80_8x8x4_F64F64F64F64_TN>("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", "1/1/2/2", 80),
      moye_row<SM80_16x8x4_F32TF32TF32F32_TN>("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", "2/1/4/4", 80),
      moye_row<SM80_16x8x8_F32TF32TF32F32_TN>("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", "4/2/4/4", 80),
      moye_row<SM80_16x8x16_F32BF16BF16F32_TN>("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", "4/2/4/4", 80),
      moye_row<SM80_16x8x8_F32BF16BF16F32_TN>("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32", "2/1/4/4", 80),
      moye_row<SM70_8x8x4_F16F16F16F16_TT>("mma.sync.aligned.m8n8k4.row.row.f16.f16.f16.f16", "2/2/4/4", 75),
      moye_row<SM70_8x8x4_F16F16F16F16_NT>("mma.sync.aligned.m8n8k4.col.row.f16.f16.f16.f16", "2/2/4/4", 75),
      moye_row<SM70_8x8x4_F16F16F16F16_TN>("mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16", "2/2/4/4", 75),
      moye_row<SM70_8x8x4_F16F16F16F16_NN>("mma.sync.aligned.m8n8k4.col.col.f16.f16.f16.f16", "2/2/4/4", 75),
      moye_row<SM70_8x8x4_F32F16F16F16_TT>("mma.sync.aligned.m8n8k4.row.row.f32.f16.f16.f16", "2/2/4/8", 75),
      moye_row<SM70_8x8x4_F32F16F16F16_NT>("mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f16", "2/2/4/8", 75),
      moye_row<SM70_8x8x4_F32F16F16F16_TN>("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f16", "2/2/4/8", 75),
      moye_row<SM70_8x8x4_F32F16F16F16_NN>("mma.sync.aligned.m8n8k4.col.col.f32.f16.f16.f16", "2/2/4/8", 75),
      moye_row<SM80_16x8x8_F16F16F16F16_TN>("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16", "2/1/2/2", 75),
      moye_row<SM80_16x8x16_F16F16F16F16_TN>("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", "4/2/2/2", 80),
      moye_row<SM70_8x8x4_F32F16F16F32_TT>("mma.sync.aligned.m8n8k4.row.row.f32.f16.f16.f32", "2/2/8/8", 75),
      moye_row<SM70_8x8x4_F32F16F16F32_NT>("mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f32", "2/2/8/8", 75),
      moye_row<SM70_8x8x4_F32F16F16F32_TN>("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32", "2/2/8/8", 75),
      moye_row<SM70_8x8x4_F32F16F16F32_NN>("mma.sync.aligned.m8n8k4.col.col.f32.f16.f16.f32", "2/2/8/8", 75),
      moye_row<SM80_16x8x8_F32F16F16F32_TN>("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", "2/1/4/4", 75),
      moye_row<SM80_16x8x16_F32F16F16F32_TN>("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "4/2/4/4", 80),
      moye_row<SM80_8x8x16_S32S8S8S32_TN>("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32", "1/1/2/2", 75),
      moye_row<SM80_8x8x16_S32S8S8S32_TN_SATURATE>("mma.sync.aligned.m8n8k16.row.col.satfinite.s32.s8.s8.s32",
                                                   "1/1/2/2", 75),
      moye_row<SM80_8x8x16_S32S8U8S32_TN>("mma.sync.aligned.m8n8k16.row.col.s32.s8.u8.s32", "1/1/2/2", 75),
      moye_row<SM80_8x8x16_S32S8U8S32_TN_SATURATE>("mma.sync.aligned.m8n8k16.row.col.satfinite.s32.s8.u8.s32",
                                                   "1/1/2/2", 75),
      moye_row<SM80_16x8x16_S32S8S8S32_TN>("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32", "2/1/4/4", 80),
      moye_row<SM80_16x8x16_S32S8S8S32_TN_SATURATE>("mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.s8.s32",
                                                    "2/1/4/4", 80),
      moye_row<SM80_16x8x16_S32S8U8S32_TN>("mma.sync.aligned.m16n8k16.row.col.s32.s8.u8.s32", "2/1/4/4", 80),
      moye_row<SM80_16x8x16_S32S8U8S32_TN_SATURATE>("mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.u8.s32",
                                                    "2/1/4/4", 80),
      moye_row<SM80_16x8x32_S32S8S8S32_TN>("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", "4/2/4/4", 80),
      moye_row<SM80_16x8x32_S32S8S8S32_TN_SATURATE>("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32",
                                                    "4/2/4/4", 80),
      moye_row<SM80_16x8x32_S32S8U8S32_TN>("mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32", "4/2/4/4", 80),
      moye_row<SM80_16x8x32_S32S8U8S32_TN_SATURATE>("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32",
                                                    "4/2/4/4", 80),
      moye_row<SM80_8x8x16_S32U8S8S32_TN>("mma.sync.aligned.m8n8k16.row.col.s32.u8.s8.s32", "1/1/2/2", 75),
      moye_row<SM80_8x8x16_S32U8S8S32_TN_SATURATE>("mma.sync.aligned.m8n8k16.row.col.satfinite.s32.u8.s8.s32",
                                                   "1/1/2/2", 75),
      moye_row<SM80_8x8x16_S32U8U8S32_TN>("mma.sync.aligned.m8n8k16.row.col.s32.u8.u8.s32", "1/1/2/2", 75),
      moye_row<SM80_8x8x16_S32U8U8S32_TN_SATURATE>("mma.sync.aligned.m8n8k16.row.col.satfinite.s32.u8.u8.s32",
                                                   "1/1/2/2", 75),
      moye_row<SM80_16x8x16_S32U8S8S32_TN>("mma.sync.aligned.m16n8k16.row.col.s32.u8.s8.s32", "2/1/4/4", 80),
      moye_row<SM80_16x8x16_S32U8S8S32_TN_SATURATE>("mma.sync.aligned.m16n8k16.row.col.satfinite.s32.u8.s8.s32",
                                                    "2/1/4/4", 80),
      moye_row<SM80_16x8x16_S32U8U8S32_TN>("mma.sync.aligned.m16n8k16.row.col.s32.u8.u8.s32", "2/1/4/4", 80),
      moye_row<SM80_16x8x16_S32U8U8S32_TN_SATURATE>("mma.sync.aligned.m16n8k16.row.col.satfinite.s32.u8.u8.s32",
                                                    "2/1/4/4", 80),
      moye_row<SM80_16x8x32_S32U8S8S32_TN>("mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32", "4/2/4/4", 80),
      moye_row<SM80_16x8x32_S32U8S8S32_TN_SATURATE>("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.s8.s32",
                                                    "4/2/4/4", 80),
      moye_row<SM80_16x8x32_S32U8U8S32_TN>("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32", "4/2/4/4", 80),
      moye_row<SM80_16x8x32_S32U8U8S32_TN_SATURATE>("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.u8.s32",
                                                    "4/2/4/4", 80),
      moye_row<SM80_8x8x128_S32B1B1S32_TN_XORPOPC>("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc",
                                                   "1/1/2/2", 75),
      moye_row<SM80_8x8x128_S32B1B1S32_TN_ANDPOPC>("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc",
                                                   "1/1/2/2", 80),
      moye_row<SM80_16x8x128_S32B1B1S32_TN_XORPOPC>("mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.xor.popc",
                                                    "2/1/4/4", 80),
      moye_row<SM80_16x8x128_S32B1B1S32_TN_ANDPOPC>("mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.and.popc",
                                                    "2/1/4/4", 80),
      moye_row<SM80_16x8x256_S32B1B1S32_TN_XORPOPC>("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc",
                                                    "4/2/4/4", 80),
      moye_row<SM80_16x8x256_S32B1B1S32_TN_ANDPOPC>("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc",
                                                    "4/2/4/4", 80),
  };
  ASSERT_EQ(rows.size(), 51u);
  for (auto const& row : rows) {
    EXPECT_EQ(row.made, row.expected);
    EXPECT_EQ(row.made_registers, row.registers) << row.expected;
    EXPECT_EQ(row.lowest_sm, row.sm) << row.expected;
  }
}

TEST(MmaRows, MnemonicsOfTheOthers) {
  EXPECT_STREQ((detail::mma_mnemonic<SM80_16x8x64_S32S4U4S32_TN_SATURATE>::value),
               "mma.sync.aligned.m16n8k64.row.col.satfinite.s32.s4.u4.s32");
  EXPECT_STREQ((detail::mma_mnemonic<SM89_16x8x32_F16E4M3E5M2F16_TN>::value),
               "mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e5m2.f16");
  EXPECT_STREQ((detail::mma_mnemonic<SM90_16x8x16_F64F64F64F64_TN>::value),
               "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64");
}

TEST(MmaAtom, OneThreadsInstructionsOnTheHost) {
  auto const a = make_tensor<float>(Layout<_1>{});
  auto b = a, c = a;
  MMA_Atom<UniversalFMA<float>> const atom;
  const_cast<float&>(a(0)) = 3;
  b(0) = 5;
  c(0) = 7;
  atom.call(a, b, c);
  EXPECT_EQ(c(0), 22.f);

  auto x = make_tensor<std::int8_t>(Layout<_4>{});
  auto y = make_tensor<std::int8_t>(Layout<_4>{});
  auto sum = make_tensor<std::int32_t>(Layout<_1>{});
  int expected = 1000;
  for (int i = 0; i < 4; ++i) {
    x(i) = static_cast<std::int8_t>(-128 + 60 * i);
    y(i) = static_cast<std::int8_t>(127 - 90 * i);
    expected += x(i) * y(i);
  }
  sum(0) = 1000;
  MMA_Atom<SM61_DP4A>{}.call(x, y, sum);
  EXPECT_EQ(sum(0), expected);

  auto p = make_tensor<std::int16_t>(Layout<_2>{});
  auto q = make_tensor<std::int8_t>(Layout<_2>{});
  p(0) = -32768;
  p(1) = 12345;
  q(0) = -128;
  q(1) = -7;
  sum(0) = -5;
  MMA_Atom<SM61_DP2A>{}.call(p, q, sum);
  EXPECT_EQ(sum(0), -5 + 32768 * 128 - 7 * 12345);
}

}  // namespace
