// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cosmati/number/integer_subbyte.hpp>
#include <cosmati/number/uint128.hpp>
#include <cosmati/tensor/pointer.hpp>
#include <vector>

namespace {
using namespace cosmati;

template <template <class> class Tag>
void steps_as_a_pointer_does() {
  float memory[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  Tag<float*> p(memory);
  EXPECT_EQ(*p, 0);
  EXPECT_EQ(p[3], 3);
  EXPECT_EQ(p[C<4>{}], 4);
  EXPECT_EQ(p[INT64_C(5)], 5);
  EXPECT_EQ(*(p + 2), 2);
  EXPECT_EQ(*(p + 2u), 2);
  EXPECT_EQ(*(p + C<2>{}), 2);
  EXPECT_EQ(*(p + INT64_C(7) - 1), 6);
  EXPECT_EQ((p + 5) - p, 5);
  p += 3;
  EXPECT_EQ(*p, 3);
  ++p;
  EXPECT_EQ(*p, 4);
  --p;
  p -= C<1>{};
  EXPECT_EQ(*p, 2);
  EXPECT_EQ(p[-2], 0);
  *p = 9;
  EXPECT_EQ(memory[2], 9);
  EXPECT_EQ(p.get(), memory + 2);
  EXPECT_EQ(raw_pointer_cast(p), memory + 2);
  EXPECT_TRUE(p == Tag<float*>(memory) + 2);
  EXPECT_TRUE(p != Tag<float*>(memory));
  EXPECT_TRUE(Tag<float*>(memory) < p);
  Tag<float const*> const reads = p;
  EXPECT_EQ(*reads, 9);
  EXPECT_TRUE(reads == p);
  EXPECT_EQ(reads - p, 0);
  static_assert(!std::is_convertible_v<Tag<float const*>, Tag<float*>>);
  static_assert(!std::is_convertible_v<Tag<float*>, Tag<double*>>);
  static_assert(std::is_trivially_copyable_v<Tag<float*>> && sizeof(Tag<float*>) == sizeof(float*));
  static_assert(std::is_trivially_default_constructible_v<Tag<float*>>);
  static_assert(std::is_same_v<typename Tag<float const*>::value_type, float>);
  static_assert(std::is_same_v<typename Tag<float const*>::element_type, float const>);
  static_assert(std::is_same_v<typename Tag<float const*>::reference, float const&>);
}
TEST(Pointer, EachTagStepsAsAPointerDoes) {
  steps_as_a_pointer_does<gmem_ptr>();
  steps_as_a_pointer_does<smem_ptr>();
  steps_as_a_pointer_does<rmem_ptr>();
}

TEST(Pointer, KnowsWhereItPoints) {
  static_assert(is_gmem_v<gmem_ptr<float*>> && !is_smem_v<gmem_ptr<float*>> && !is_rmem_v<gmem_ptr<float*>>);
  static_assert(!is_gmem_v<smem_ptr<float*>> && is_smem<smem_ptr<float*> const&>::value);
  static_assert(is_rmem_v<rmem_ptr<float*>> && is_rmem_v<float*> && !is_gmem_v<float*>);
  struct tensor_like {
    using iterator = smem_ptr<subbyte_iterator<int4_t>>;
  };
  static_assert(is_smem_v<tensor_like> && is_smem_v<tensor_like const&> && !is_rmem_v<tensor_like>);
  static_assert(memory_space_v<float*> == memory_space::untagged);
}

TEST(Pointer, MakersTakeArraysVoidPointersIteratorsAndTaggedPointers) {
  float stage[4] = {1, 2, 3, 4};
  auto s = make_smem_ptr(stage);
  static_assert(std::is_same_v<decltype(s), smem_ptr<float*>>);
  EXPECT_TRUE(make_smem_ptr(s) == s);
  static_assert(std::is_same_v<decltype(make_smem_ptr(s)), smem_ptr<float*>>);

  void* untyped = stage;
  auto g = make_gmem_ptr<float>(untyped);
  static_assert(std::is_same_v<decltype(g), gmem_ptr<float*>>);
  EXPECT_EQ(g[3], 4);
  auto c = make_gmem_ptr<float>(static_cast<void const*>(untyped));
  static_assert(std::is_same_v<decltype(c), gmem_ptr<float const*>>);
  auto bits = make_gmem_ptr<std::uint32_t>(stage);
  EXPECT_EQ(bits[0], 0x3f800000u);
  static_assert(std::is_same_v<decltype(make_rmem_ptr<std::uint32_t>(make_rmem_ptr(stage))), rmem_ptr<std::uint32_t*>>);

  std::vector<int> v{5, 6, 7};
  auto i = make_gmem_ptr(v.begin());
  EXPECT_EQ(i[C<2>{}], 7);
  EXPECT_EQ(*(i + 1), 6);
}

TEST(Pointer, RawPointersToPackedElementsAreTakenAsPacked) {
  std::uint8_t memory[] = {0x21, 0x43};
  auto p = make_gmem_ptr(reinterpret_cast<uint4_t*>(memory));
  static_assert(std::is_same_v<decltype(p), gmem_ptr<subbyte_iterator<uint4_t>>>);
  EXPECT_EQ(int(p[3].get()), 4);
  *(p + 1) = uint4_t(15);
  EXPECT_EQ(memory[0], 0xf1);
  auto q = make_smem_ptr<uint2_t>(static_cast<void*>(memory));
  EXPECT_EQ(int(q[5].get()), 0);
  EXPECT_EQ(int(q[4].get()), 3);
  EXPECT_TRUE(raw_pointer_cast(p + 3) == reinterpret_cast<uint4_t*>(memory + 1));
}

TEST(RecastPtr, KeepsTagAndConst) {
  float x[4] = {1, 2, 3, 4};
  static_assert(std::is_same_v<decltype(recast_ptr<int>(x)), int*>);
  static_assert(std::is_same_v<decltype(recast_ptr<int>(static_cast<float const*>(x))), int const*>);
  static_assert(std::is_same_v<decltype(recast_ptr<int const>(x)), int const*>);
  static_assert(std::is_same_v<decltype(recast_ptr<int>(gmem_ptr<float const*>{})), gmem_ptr<int const*>>);
  static_assert(std::is_same_v<decltype(recast_ptr<uint4_t>(smem_ptr<float const*>{})),
                               smem_ptr<subbyte_iterator<uint4_t const>>>);
  static_assert(std::is_same_v<decltype(recast_ptr<float>(smem_ptr<subbyte_iterator<uint4_t>>{})), smem_ptr<float*>>);
  EXPECT_EQ(recast_ptr<float>(x), x);
  EXPECT_EQ(*recast_ptr<std::uint32_t>(make_smem_ptr(x) + 1), 0x40000000u);
}

TEST(RecastPtr, ToPackedElementsAndBack) {
  std::uint8_t memory[] = {0x21, 0x43, 0x65, 0x87};
  auto nibbles = recast_ptr<int4_t>(memory);
  static_assert(std::is_same_v<decltype(nibbles), subbyte_iterator<int4_t>>);
  EXPECT_EQ(int(nibbles[7].get()), -8);
  EXPECT_EQ(recast_ptr<std::uint8_t>(nibbles + 2), memory + 1);
  auto pairs = recast_ptr<uint2_t>(nibbles + 3);
  EXPECT_EQ(int(pairs[0].get()), 0);
  EXPECT_EQ(int(pairs[1].get()), 1);
  EXPECT_TRUE(recast_ptr<int4_t>(pairs) == nibbles + 3);
  EXPECT_TRUE(recast_ptr<int4_t>(nibbles + 1) == nibbles + 1);
}

TEST(RecastPtr, AMisalignedRecastIsAnError) {
  alignas(16) std::uint8_t memory[32] = {};
  EXPECT_EQ(static_cast<void*>(recast_ptr<uint128_t>(memory + 16)), memory + 16);
  EXPECT_THROW(recast_ptr<uint128_t>(memory + 8), error);
  EXPECT_THROW(recast_ptr<std::uint32_t>(make_gmem_ptr(memory) + 2), error);
  EXPECT_THROW(recast_ptr<float>(static_cast<void*>(memory + 1)), error);
  auto nibbles = recast_ptr<uint4_t>(memory);
  EXPECT_THROW(recast_ptr<std::uint8_t>(nibbles + 1), error);
  EXPECT_THROW(recast_ptr<std::uint16_t>(nibbles + 2), error);
  EXPECT_NO_THROW(recast_ptr<std::uint16_t>(nibbles + 4));
  EXPECT_THROW(recast_ptr<uint4_t>(recast_ptr<uint2_t>(memory) + 1), error);
  try {
    recast_ptr<uint128_t>(memory + 4);
    FAIL();
  } catch (error const& e) {
    EXPECT_NE(std::string(e.what()).find("is not a multiple of 16 bytes"), std::string::npos) << e.what();
  }
}

constexpr int in_constant_evaluation() {
  int x[4] = {1, 2, 3, 4};
  auto p = make_rmem_ptr(&x[0]);
  ++p;
  *(p + C<2>{}) = 7;
  return x[3] + static_cast<int>(p - make_rmem_ptr(&x[0]));
}

static_assert(in_constant_evaluation() == 8);

}  // namespace
