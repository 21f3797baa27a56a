// SPDX-License-Identifier: Apache-2.0
// Costs of tiled copies, as constants. The expected numbers are counted by hand from the rules of
// bench/results/counters; tests/sim/copy_cost.cpp compares many more with the simulated device.
#include <cosmati/analysis/copy_cost.hpp>

#include <cosmati/algorithm/copy.hpp>

#include <gtest/gtest.h>

using namespace cosmati;

namespace {

template <class Op, class T, class Thr, class Val>
constexpr auto tiled(Thr thr, Val val) {
  return make_tiled_copy(Copy_Atom<Op, T>{}, thr, val);
}

// The example of memory coalescing in "TiledCopy with cp.async": 16-bit values, shape (4096,4096).
using row_major = Layout<Shape<Int<4096>, Int<4096>>, Stride<Int<4096>, _1>>;
using column_major = Layout<Shape<Int<4096>, Int<4096>>>;
constexpr Layout<Shape<_16, _8>, Stride<_8, _1>> thr_16_8{};
constexpr Layout<Shape<_8, _16>, Stride<_16, _1>> thr_8_16_rows{};
constexpr Layout<Shape<_8, _16>> thr_8_16_columns{};
constexpr Layout<Shape<_32, _4>, Stride<_4, _1>> thr_32_4{};
constexpr Layout<Shape<_1, _4>> val_1_4{};
constexpr Layout<Shape<_4, _1>> val_4_1{};
constexpr Layout<Shape<_1, _8>> val_1_8{};
constexpr Layout<Shape<_8, _1>> val_8_1{};
using two_bytes = UniversalCopy<std::uint16_t>;
using eight_bytes = UniversalCopy<std::uint64_t>;
using async = SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>;

template <class Op, class L, class Thr, class Val>
constexpr side_cost global(Thr thr, Val val) {
  return global_cost_of(tiled<Op, half_t>(thr, val), L{});
}
static_assert(global<two_bytes, row_major>(thr_16_8, val_1_4).sector_ratio() == 4);
static_assert(global<eight_bytes, row_major>(thr_16_8, val_1_4).sector_ratio() == 1);
static_assert(global<two_bytes, column_major>(thr_16_8, val_1_4).sector_ratio() == 4);
static_assert(global<two_bytes, column_major>(thr_8_16_rows, val_4_1).sector_ratio() == 8);
static_assert(global<eight_bytes, column_major>(thr_8_16_rows, val_4_1).sector_ratio() == 2);
static_assert(global<two_bytes, column_major>(thr_8_16_columns, val_4_1).sector_ratio() == 4);
static_assert(global<eight_bytes, column_major>(thr_8_16_columns, val_4_1).sector_ratio() == 1);
template <class L, class Thr, class Val>
constexpr side_cost asynchronous(Thr thr, Val val) {
  return global<async, L>(thr, val);
}
static_assert(asynchronous<row_major>(thr_16_8, val_1_8).sector_ratio() == 1);
static_assert(asynchronous<row_major>(thr_16_8, val_1_8).line_ratio() == 1);
static_assert(asynchronous<column_major>(thr_8_16_rows, val_8_1).sector_ratio() == 1);
static_assert(asynchronous<column_major>(thr_8_16_rows, val_8_1).line_ratio() == 4);
static_assert(asynchronous<row_major>(thr_32_4, val_1_8).sector_ratio() == 1);
static_assert(asynchronous<row_major>(thr_32_4, val_1_8).line_ratio() == 2);

TEST(CopyCost, SumsOverTheWholeCall) {
  constexpr side_cost c = global<two_bytes, row_major>(thr_16_8, val_1_4);
  constexpr std::int64_t elements = std::int64_t{4096} * 4096;
  EXPECT_EQ(c.instructions, elements / 32);
  EXPECT_EQ(c.requests, c.instructions);
  EXPECT_EQ(c.sectors, 8 * c.instructions);
  EXPECT_EQ(c.ideal_sectors, 2 * c.instructions);
  EXPECT_EQ(c.lines, 4 * c.instructions);
  EXPECT_EQ(c.bytes_used, 2 * elements);
  EXPECT_EQ(c.efficiency(), 0.25);
  EXPECT_EQ(c.wavefronts, 0);
}

TEST(CopyCost, VectorsThatAreNotToBeHad) {
  constexpr vector_width w =
      copy_cost_of(tiled<eight_bytes, half_t>(thr_16_8, val_1_4), in_global(column_major{}), in_registers).vector;
  static_assert(!w.possible && w.at_source && w.limit == width_limit::stride);
  EXPECT_EQ(w.number, 1);
  EXPECT_EQ(w.found, 4096);
  // Rows of 4098 values are aligned to 4 bytes only.
  constexpr Layout<Shape<_64, _64>, Stride<Int<4098>, _1>> pitch{};
  constexpr vector_width a =
      copy_cost_of(tiled<eight_bytes, half_t>(thr_16_8, val_1_4), in_global(pitch), in_registers).vector;
  static_assert(!a.possible && a.limit == width_limit::alignment);
  EXPECT_EQ(a.number, 4);
  EXPECT_EQ(a.found, 2);
  // A swizzle that keeps 2 values together.
  constexpr auto torn = composition(Swizzle<2, 1, 3>{}, Layout<Shape<_64, _64>, Stride<_64, _1>>{});
  constexpr vector_width t =
      copy_cost_of(tiled<eight_bytes, half_t>(thr_16_8, val_1_4), in_shared(torn), in_registers).vector;
  static_assert(!t.possible && t.limit == width_limit::swizzle);
  EXPECT_EQ(t.number, 2);
}

TEST(CopyCost, WhyNotWider) {
  constexpr auto gmem = in_global(row_major{});
  constexpr auto automatic = tiled<AutoVectorizingCopy, half_t>(thr_16_8, val_1_4);
  constexpr vector_width w = copy_cost_of(automatic, gmem, in_registers).vector;
  EXPECT_EQ(w.bits, 64);
  EXPECT_EQ(w.limit, width_limit::values);
  EXPECT_EQ(w.number, 4);
  EXPECT_EQ(copy_cost_of(tiled<AutoVectorizingCopy, half_t>(thr_16_8, val_1_8), gmem, in_registers).vector.limit,
            width_limit::hardware);
  EXPECT_EQ(
      copy_cost_of(tiled<AutoVectorizingCopyWithAssumedAlignment<64>, half_t>(thr_16_8, val_1_8), gmem, in_registers)
          .vector.limit,
      width_limit::operation);
  // Two values of 6 bytes are 96 bits, which no instruction moves.
  struct six_bytes {
    unsigned char byte[6];
  };
  constexpr vector_width one =
      copy_cost_of(tiled<AutoVectorizingCopy, six_bytes>(thr_16_8, val_1_4), gmem, in_registers).vector;
  EXPECT_EQ(one.values, 1);
  EXPECT_EQ(one.bits, 48);
  EXPECT_EQ(one.limit, width_limit::value_pieces);
  constexpr vector_width scalar = copy_cost_of(tiled<two_bytes, half_t>(thr_16_8, val_1_4), gmem, in_registers).vector;
  EXPECT_EQ(scalar.limit, width_limit::operation);
  EXPECT_EQ(scalar.number, 4);  // values that one 8-byte instruction would move
  // The destination alone may limit the width.
  constexpr auto columns = in_shared(Layout<Shape<_16, _32>>{});
  constexpr vector_width d =
      copy_cost_of(automatic, in_global(Layout<Shape<_16, _32>, Stride<_32, _1>>{}), columns).vector;
  EXPECT_EQ(d.values, 1);
  EXPECT_FALSE(d.at_source);
  EXPECT_EQ(d.limit, width_limit::stride);
  EXPECT_EQ(d.found, 16);
  // A pointer that proves an alignment of 4 bytes.
  using floats = Tensor<ViewEngine<gmem_ptr<float*>>, Layout<Shape<_32, _32>, Stride<_32, _1>>>;
  constexpr auto trusting_nothing = make_tiled_copy(Copy_Atom<AutoVectorizingCopyWithAssumedAlignment<128>, float>{},
                                                    Layout<Shape<_32, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _4>>{});
  EXPECT_EQ((detail::static_copy_cost<decltype(trusting_nothing), floats, in_registers_t>::value.vector.bits), 128);
}

TEST(CopyCost, BankConflicts) {
  constexpr auto columns =
      make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Layout<Shape<_32, _8>>{}, Layout<_1>{});
  constexpr Layout<Shape<_32, _32>, Stride<_32, _1>> square{};
  constexpr Layout<Shape<_32, _32>, Stride<Int<33>, _1>> padded{};
  static_assert(bank_conflicts(columns, square) == 32 * 31);
  static_assert(bank_conflicts(columns, padded) == 0);
  static_assert(bank_conflicts(columns, composition(Swizzle<5, 0, 5>{}, square)) == 0);
  constexpr side_cost c = shared_cost_of(columns, square);
  EXPECT_EQ(c.wavefronts, 32 * 32);
  EXPECT_EQ(c.wavefronts_floor, 32);
  EXPECT_EQ(c.worst_words, 32);
  EXPECT_EQ(c.worst_lanes, 0xffffffffu);
  EXPECT_EQ(c.sectors, 0);
}

TEST(CopyCost, ThreadsThatAreNoWholeWarps) {
  constexpr auto copy48 = make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{},
                                          Layout<Shape<_3, _16>, Stride<_16, _1>>{}, Layout<_1>{});
  constexpr side_cost c = global_cost_of(copy48, Layout<Shape<_3, _16>, Stride<_16, _1>>{});
  EXPECT_EQ(c.instructions, 2);
  EXPECT_EQ(c.sectors, 4 + 2);
  EXPECT_EQ(c.bytes_used, 192);
}

TEST(CopyCost, AtRunTime) {
  auto const run_time = make_layout(make_shape(4096, 4096), make_stride(4096, _1{}));
  copy_cost const c = copy_cost_of(tiled<two_bytes, half_t>(thr_16_8, val_1_4), in_global(run_time), in_registers);
  EXPECT_EQ(c.source.sector_ratio(), 4);
  EXPECT_EQ(c.source.instructions, std::int64_t{4096} * 4096 / 32);
}

}  // namespace
