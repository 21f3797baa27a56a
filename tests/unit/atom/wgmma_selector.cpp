// SPDX-License-Identifier: Apache-2.0
// The selectors of warpgroup matrix instructions, and the table of the PTX ISA (sections 9.7.15.5 and 9.7.15.6 of
// version 9): every combination of types and N is there, and no other.
#include <cosmati/atom/wgmma_selector.hpp>

#include <gtest/gtest.h>

#include <cosmati/atom/wgmma_sparse_instruction.hpp>
#include <set>
#include <string>

using namespace cosmati;
using detail::wgmma_source;
using GMMA::Major;
using GMMA::ScaleIn;

namespace {

template <class Op>
std::string text() {
  return std::string(detail::wgmma_mnemonic<Op>::value) + detail::wgmma_immediates<Op>::value;
}

TEST(WgmmaSelector, TakesTheLargestNThatDividesTheTile) {
  using Tile = Shape<C<128>, C<192>, C<64>>;
  EXPECT_EQ((text<decltype(GMMA::ss_op_selector<half_t, half_t, float, Tile>())>()),
            "wgmma.mma_async.sync.aligned.m64n192k16.f32.f16.f16, 1, 1, 0, 0");
  EXPECT_EQ((decltype(GMMA::ss_op_selector<half_t, half_t, half_t, Shape<C<64>, C<512>, C<16>>>())::N), 256);
  EXPECT_EQ((decltype(GMMA::ss_op_selector<half_t, half_t, float, Shape<C<64>, C<320>, C<16>>>())::N), 160);
  EXPECT_EQ((decltype(GMMA::ss_op_selector<half_t, half_t, float, Shape<C<64>, C<272>, C<16>>>())::N), 136);
  // With integers N is 8, 16, 24 or a multiple of 16: of 40 columns 8 remain.
  EXPECT_EQ((decltype(GMMA::ss_op_selector<std::int8_t, std::int8_t, std::int32_t, Shape<C<64>, C<40>, C<32>>>())::N),
            8);
  EXPECT_EQ((decltype(GMMA::ss_op_selector<std::int8_t, std::int8_t, std::int32_t, Shape<C<64>, C<24>, C<32>>>())::N),
            24);
}
TEST(WgmmaSelector, MajorsSourcesAndScales) {
  using Tile = Shape<C<64>, C<64>, C<64>>;
  EXPECT_EQ(
      (text<
          decltype(GMMA::ss_op_selector<bfloat16_t, bfloat16_t, float, Tile, Major::MN, Major::K, ScaleIn::Neg>())>()),
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16, -1, 1, 1, 0");
  EXPECT_EQ((text<decltype(GMMA::rs_op_selector<half_t, half_t, half_t, Tile, Major::K, Major::MN>())>()),
            "wgmma.mma_async.sync.aligned.m64n64k16.f16.f16.f16, 1, 1, 1");
  EXPECT_EQ((text<decltype(GMMA::rs_op_selector<float_e4m3_t, float_e5m2_t, float, Tile>())>()),
            "wgmma.mma_async.sync.aligned.m64n64k32.f32.e4m3.e5m2, 1, 1");
}

TEST(WgmmaSelector, SparseProducts) {
  using Tile = Shape<C<64>, C<64>, C<64>>;
  EXPECT_EQ((text<decltype(GMMA::ss_op_selector_sparse<half_t, half_t, float, Tile, Major::MN, Major::K, ScaleIn::One,
                                                       ScaleIn::Neg, GMMA::SparseSel::One>())>()),
            "wgmma.mma_async.sp.sync.aligned.m64n64k32.f32.f16.f16, 1, p, 1, -1, 1, 0");
  EXPECT_EQ((text<decltype(GMMA::rs_op_selector_sparse<std::int8_t, std::uint8_t, std::int32_t, Tile>())>()),
            "wgmma.mma_async.sp.sync.aligned.m64n64k64.s32.s8.u8, 0, p");
}

/// What PTX writes for the operands of one dense instruction: .dtype.atype.btype.
std::set<std::string> const isa = {"f16.f16.f16",   "f32.f16.f16",   "f32.bf16.bf16", "f32.tf32.tf32",
                                   "f16.e4m3.e4m3", "f16.e4m3.e5m2", "f16.e5m2.e4m3", "f16.e5m2.e5m2",
                                   "f32.e4m3.e4m3", "f32.e4m3.e5m2", "f32.e5m2.e4m3", "f32.e5m2.e5m2",
                                   "s32.s8.s8",     "s32.s8.u8",     "s32.u8.s8",     "s32.u8.u8"};
/// PTX's list of N for integers.
std::set<int> const integer_columns = {8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256};

template <class D, class A, class B>
void collect(std::set<std::string>& found) {
  if constexpr (detail::wgmma_has_types<D, A, B>) {
    using Dense = detail::wgmma_async<8, D, A, B, wgmma_source::shared>;
    using Sparse = detail::wgmma_sparse_async<8, D, A, B, wgmma_source::registers>;
    int const bits = static_cast<int>(sizeof_bits_v<A>);
    std::string const dense = detail::wgmma_mnemonic<Dense>::value, sparse = detail::wgmma_mnemonic<Sparse>::value;
    std::string const before = "wgmma.mma_async.sync.aligned.m64n8k" + std::to_string(256 / bits) + ".";
    std::string const sparse_before = "wgmma.mma_async.sp.sync.aligned.m64n8k" + std::to_string(512 / bits) + ".";
    ASSERT_EQ(dense.substr(0, before.size()), before);
    ASSERT_EQ(sparse.substr(0, sparse_before.size()), sparse_before);
    EXPECT_EQ(dense.substr(before.size()), sparse.substr(sparse_before.size()));  // the tables have the same types
    found.insert(dense.substr(before.size()));
    constexpr bool integers = std::is_same_v<D, std::int32_t>;
    for (int n = 0; n <= 272; ++n) {
      bool const listed = integers ? integer_columns.count(n) == 1 : n % 8 == 0 && n >= 8 && n <= 256;
      EXPECT_EQ(detail::wgmma_has_columns<D>(n), listed) << n;
    }
  }
}
template <class D, class A, class... B>
void collect_b(std::set<std::string>& found) {
  (collect<D, A, B>(found), ...);
}
template <class D, class... A>
void collect_a(std::set<std::string>& found) {
  (collect_b<D, A, half_t, bfloat16_t, tfloat32_t, float, double, float_e4m3_t, float_e5m2_t, std::int8_t, std::uint8_t,
             std::int32_t>(found),
   ...);
}
template <class... D>
void collect_d(std::set<std::string>& found) {
  (collect_a<D, half_t, bfloat16_t, tfloat32_t, float, double, float_e4m3_t, float_e5m2_t, std::int8_t, std::uint8_t,
             std::int32_t>(found),
   ...);
}
TEST(WgmmaSelector, TheTableIsThatOfTheIsa) {
  std::set<std::string> found;
  collect_d<half_t, bfloat16_t, tfloat32_t, float, double, float_e4m3_t, std::int8_t, std::int32_t>(found);
  EXPECT_EQ(found, isa);
}

}  // namespace
