// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cosmati/tensor/iterator.hpp>
#include <cosmati/tensor/pointer.hpp>
#include <vector>

namespace {
using namespace cosmati;

static_assert(std::is_same_v<iter_value_t<float const*>, float> && std::is_same_v<iter_element_t<float*>, float>);
static_assert(std::is_same_v<iter_element_t<float const*>, float const>);
static_assert(std::is_same_v<iter_reference_t<float const*>, float const&>);
static_assert(std::is_same_v<iter_reference_t<std::vector<int>::iterator>, int&>);
static_assert(std::is_same_v<iter_element_t<std::vector<int>::const_iterator>, int const>);
static_assert(has_dereference<int*>::value && !has_dereference<int>::value && dereferenceable<gmem_ptr<int*>>);

TEST(CountingIterator, Counts) {
  counting_iterator<int> i{};
  EXPECT_EQ(*i, 0);
  EXPECT_EQ(i[7], 7);
  EXPECT_EQ(*(i + C<5>{} + INT64_C(2)), 7);
  EXPECT_EQ(*++i, 1);
  EXPECT_EQ((i + 4) - i, 4);
  counting_iterator far{INT64_C(1) << 40};
  EXPECT_EQ(far[1], (INT64_C(1) << 40) + 1);
  EXPECT_TRUE(i < i + 1 && i == i + 0);
  static_assert(counting_iterator<int>{3}[4] == 7);
}

TEST(ConstantIterator, IsTheSameEverywhere) {
  auto i = make_constant_iter(2.5f);
  EXPECT_EQ(*i, 2.5f);
  EXPECT_EQ(i[1000], 2.5f);
  EXPECT_EQ(*(i + C<3>{}), 2.5f);
}

TEST(TransformIter, AppliesItsFunction) {
  int x[] = {1, 2, 3};
  auto twice = make_transform_iter([](int i) { return 2 * i; }, make_gmem_ptr(x));
  EXPECT_EQ(*twice, 2);
  EXPECT_EQ(twice[2], 6);
  EXPECT_EQ(*(twice + C<1>{}), 4);
  EXPECT_EQ((twice + 1).get() - make_gmem_ptr(x), 1);
  static_assert(std::is_same_v<iter_value_t<decltype(twice)>, int>);
}

TEST(PointerAlignment, IsThatOfTheElementByDefault) {
  static_assert(pointer_alignment_v<float*> == 4 && pointer_alignment_v<double const* const&> == 8);
  static_assert(pointer_alignment_v<void*> == 1 && pointer_alignment_v<counting_iterator<int>> == 0);
  struct pair {
    float x, y;
  };
  static_assert(pointer_alignment_v<pair*> == 4, "8 bytes wide, but known to begin at a multiple of 4 only");
}

}  // namespace
