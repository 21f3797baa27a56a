// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cosmati/number/integer_subbyte.hpp>
#include <cosmati/number/uint128.hpp>
#include <cosmati/tensor/pointer.hpp>

namespace {
using namespace cosmati;

template <class P>
int known(P const&) {
  return pointer_alignment_v<P>;
}

TEST(AssumeAligned, KeepsTheTagAndTellsItsPromise) {
  alignas(32) float x[32] = {};
  auto p = assume_aligned<16>(make_gmem_ptr(x));
  static_assert(std::is_same_v<decltype(p), gmem_ptr<aligned_ptr<16, float*>>>);
  static_assert(is_gmem_v<decltype(p)> && std::is_same_v<decltype(p)::value_type, float>);
  EXPECT_EQ(known(p), 16);
  p[3] = 4;
  EXPECT_EQ(x[3], 4);
  EXPECT_EQ(*(p + 3), 4);
  EXPECT_EQ(raw_pointer_cast(p), x);
  gmem_ptr<float*> const forgets = p;
  EXPECT_TRUE(forgets == p);
  EXPECT_EQ(p + 5 - p, 5);
  EXPECT_EQ(known(assume_aligned<32>(p)), 32);
  EXPECT_EQ(known(assume_aligned<8>(p)), 16);
  static_assert(std::is_same_v<decltype(assume_aligned<4>(make_smem_ptr(x))), smem_ptr<float*>>);
  static_assert(std::is_same_v<decltype(assumed_aligned<16>(&x[0])), aligned_ptr<16, float*>>);
  static_assert(std::is_trivially_copyable_v<decltype(p)>);
}

TEST(AssumeAligned, AFalsePromiseIsAnError) {
  alignas(16) float x[8] = {};
  EXPECT_NO_THROW(assume_aligned<16>(x + 4));
  EXPECT_THROW(assume_aligned<16>(x + 2), error);
  EXPECT_THROW(assume_aligned<8>(make_smem_ptr(x) + 1), error);
  EXPECT_THROW(assume_aligned<1>(make_gmem_ptr(reinterpret_cast<uint4_t*>(x)) + 1), error);
}

TEST(AlignedPtr, AStaticStepKeepsWhatItCan) {
  alignas(16) float x[32] = {};
  auto p = assume_aligned<16>(&x[0]);
  EXPECT_EQ(known(p + C<0>{}), 16);
  EXPECT_EQ(known(p + C<4>{}), 16);
  EXPECT_EQ(known(p + C<6>{}), 8);
  EXPECT_EQ(known(p + C<3>{}), 4);
  EXPECT_EQ(known(p + C<-2>{}), 8);
  static_assert(detail::step_bits<float, INT64_C(1) << 62, 128> == 128, "no overflow");
  static_assert(std::is_same_v<decltype(p + C<3>{}), float*>);
  static_assert(std::is_same_v<decltype(p + 4), float*>, "a dynamic step loses the promise");
}

TEST(AlignedPtr, AStepByAKnownMultipleKeepsWhatItCan) {
  alignas(16) float x[32] = {};
  auto p = assume_aligned<16>(make_smem_ptr(x));
  auto q = advance_by<4>(p, 8);
  EXPECT_EQ(known(q), 16);
  EXPECT_TRUE(q == p + 8);
  EXPECT_EQ(known(advance_by<2>(p, 2)), 8);
  EXPECT_EQ(known(advance_by<1>(p, 3)), 4);
  EXPECT_EQ(known(advance_by<64>(p, 0)), 16);
  EXPECT_EQ(known(advance_by<2>(p, C<4>{})), 16);
  EXPECT_EQ(known(advance_by<4>(make_smem_ptr(x), 4)), 4);
}

TEST(AlignedPtr, OfPackedElements) {
  alignas(16) std::uint8_t memory[32] = {0x21, 0x43, 0x65, 0x87};
  auto p = assume_aligned<16>(make_gmem_ptr<uint4_t>(memory));
  EXPECT_EQ(known(p), 16);
  EXPECT_EQ(known(make_gmem_ptr<uint4_t>(memory)), 0) << "may begin inside a byte";
  EXPECT_EQ(known(p + C<32>{}), 16);
  EXPECT_EQ(known(p + C<2>{}), 1);
  EXPECT_EQ(known(p + C<1>{}), 0);
  EXPECT_EQ(known(advance_by<8>(p, 8)), 4);
  EXPECT_EQ(int((p + C<2>{})[1].get()), 4);
  p[0] = uint4_t(15);
  EXPECT_EQ(memory[0], 0x2f);
  static_assert(std::is_same_v<decltype(assume_aligned<1>(static_cast<uint4_t*>(nullptr))),
                               aligned_ptr<1, subbyte_iterator<uint4_t>>>);
}

TEST(AlignedPtr, RecastsKeepThePromise) {
  alignas(16) float x[32] = {1};
  auto p = assume_aligned<16>(make_gmem_ptr(x));
  static_assert(std::is_same_v<decltype(recast_ptr<std::uint8_t>(p)), gmem_ptr<aligned_ptr<16, std::uint8_t*>>>);
  static_assert(std::is_same_v<decltype(recast_ptr<uint128_t>(p)), gmem_ptr<uint128_t*>>);
  static_assert(std::is_same_v<decltype(recast_ptr<int4_t>(p)), gmem_ptr<aligned_ptr<16, subbyte_iterator<int4_t>>>>);
  EXPECT_EQ(recast_ptr<std::uint8_t>(p)[3], 0x3f);
}

}  // namespace
