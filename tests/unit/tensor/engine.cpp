// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cosmati/number/half.hpp>
#include <cosmati/number/integer_subbyte.hpp>
#include <cosmati/tensor/engine.hpp>

namespace {
using namespace cosmati;

// The sizes of CuTe 4.2.
static_assert(sizeof(ArrayEngine<float, 1>) == 16 && alignof(ArrayEngine<float, 1>) == 16);
static_assert(sizeof(ArrayEngine<float, 3>) == 16);
static_assert(sizeof(ArrayEngine<float, 4>) == 16);
static_assert(sizeof(ArrayEngine<float, 5>) == 32);
static_assert(sizeof(ArrayEngine<half_t, 8>) == 16);
static_assert(sizeof(ArrayEngine<std::int8_t, 3>) == 16);
static_assert(sizeof(ArrayEngine<double, 3>) == 32);
static_assert(sizeof(ArrayEngine<int4_t, 1>) == 1);
static_assert(sizeof(ArrayEngine<int4_t, 3>) == 2);
static_assert(sizeof(ArrayEngine<int4_t, 10>) == 5);
static_assert(sizeof(ArrayEngine<int4_t, 32>) == 16);
static_assert(sizeof(ArrayEngine<int2_t, 3>) == 1);
static_assert(sizeof(ArrayEngine<int6_t, 3>) == 3);
static_assert(sizeof(ArrayEngine<int6_t, 16>) == 12);
// Unlike CuTe's, packed elements are aligned for vectors too.
static_assert(alignof(ArrayEngine<int4_t, 32>) == 16 && alignof(ArrayEngine<int4_t, 10>) == 1);

struct alignas(32) wide {
  float x[8];
};
static_assert(alignof(ArrayEngine<wide, 2>) == 32 && sizeof(ArrayEngine<wide, 2>) == 64);

template <class E>
constexpr bool is_plain = std::is_trivially_copyable_v<E>&& std::is_trivially_default_constructible_v<E>;
static_assert(is_plain<ArrayEngine<float, 3>> && is_plain<ArrayEngine<int4_t, 3>> && is_plain<ArrayEngine<float, 0>>);

TEST(ArrayEngine, OwnsItsElements) {
  ArrayEngine<float, 5> a{};
  for (int i = 0; i < 5; ++i) EXPECT_EQ(a.begin()[i], 0);
  for (int i = 0; i < 5; ++i) a.begin()[i] = static_cast<float>(i);
  auto const b = a;
  a.begin()[2] = 9;
  EXPECT_EQ(b.begin()[2], 2);
  EXPECT_EQ(b.size(), 5);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a.begin()) % 16, 0u);
  static_assert(std::is_same_v<decltype(a.begin()), float*> && std::is_same_v<decltype(b.begin()), float const*>);
  static_assert(std::is_same_v<ArrayEngine<float, 5>::reference, float&>);
  static_assert(std::is_same_v<ArrayEngine<float, 5>::value_type, float>);
}

TEST(ArrayEngine, PacksElementsNarrowerThanAByte) {
  ArrayEngine<int4_t, 7> a{};
  for (int i = 0; i < 7; ++i) a.begin()[i] = int4_t(i - 3);
  auto const b = a;
  for (int i = 0; i < 7; ++i) EXPECT_EQ(int(b.begin()[i]), i - 3);
  static_assert(std::is_same_v<decltype(a.begin()), subbyte_iterator<int4_t>>);
  static_assert(std::is_same_v<decltype(b.begin()), subbyte_iterator<int4_t const>>);
  static_assert(std::is_same_v<ArrayEngine<int4_t, 7>::reference, subbyte_reference<int4_t>>);
}

TEST(ArrayEngine, OfNothing) {
  ArrayEngine<float, 0> a;
  EXPECT_EQ(a.begin(), nullptr);
  ArrayEngine<int4_t, 0> b{};
  EXPECT_TRUE(b.begin() == b.begin() + 0);
}

TEST(ViewEngine, LooksThroughItsIterator) {
  float x[3] = {1, 2, 3};
  ViewEngine<gmem_ptr<float*>> v{make_gmem_ptr(x)};
  v.begin()[1] = 5;
  EXPECT_EQ(x[1], 5);
  auto const w = v;
  w.begin()[0] = 4;
  EXPECT_EQ(x[0], 4);
  static_assert(std::is_same_v<decltype(v)::reference, float&>);
  ConstViewEngine<float*> c{x};
  EXPECT_EQ(*c.begin(), 4);
  static_assert(std::is_same_v<decltype(c)::reference, float const&>);
  static_assert(std::is_same_v<decltype(c)::element_type, float const>);
  static_assert(std::is_same_v<ConstViewEngine<subbyte_iterator<int4_t>>::reference, int4_t>);
  static_assert(sizeof(v) == sizeof(float*));
}

TEST(Engine, SaysWhatItIs) {
  static_assert(is_owning_v<ArrayEngine<float, 3>> && is_owning<ArrayEngine<int4_t, 3> const&>::value);
  static_assert(!is_owning_v<ViewEngine<float*>> && !is_owning_v<float*>);
  static_assert(is_rmem_v<ArrayEngine<float, 3>> && is_gmem_v<ViewEngine<gmem_ptr<float*>>>);
  static_assert(pointer_alignment_v<ArrayEngine<float, 3>> == 16 && pointer_alignment_v<ViewEngine<float*>> == 4);
  static_assert(pointer_alignment_v<ViewEngine<gmem_ptr<aligned_ptr<16, float*>>>> == 16);
  struct tensor_like {
    using engine_type = ArrayEngine<float, 3>;
    using iterator = float*;
  };
  static_assert(is_owning_v<tensor_like> && pointer_alignment_v<tensor_like const&> == 16);
}

constexpr float in_constant_evaluation() {
  ArrayEngine<float, 4> a{};
  for (int i = 0; i < 4; ++i) a.begin()[i] = static_cast<float>(i);
  return a.begin()[3];
}
static_assert(in_constant_evaluation() == 3);

}  // namespace
