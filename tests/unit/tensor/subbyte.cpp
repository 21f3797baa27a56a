// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cosmati/number/float_subbyte.hpp>
#include <cosmati/number/integer_subbyte.hpp>
#include <cosmati/tensor/subbyte.hpp>
#include <string>
#include <vector>

namespace {
using namespace cosmati;

/// The expected memory, as a row of bits. It knows only that element i is bits [i w, i w + w), lowest first.
struct bit_row {
  std::vector<bool> bit;

  explicit bit_row(std::vector<std::uint8_t> const& memory) {
    for (auto byte : memory) {
      for (int i = 0; i < 8; ++i) bit.push_back((byte >> i & 1) != 0);
    }
  }
  unsigned get(std::size_t at, int width) const {
    unsigned value = 0;
    for (int i = 0; i < width; ++i) value |= static_cast<unsigned>(bit[at + static_cast<std::size_t>(i)]) << i;
    return value;
  }
  void set(std::size_t at, int width, unsigned value) {
    for (int i = 0; i < width; ++i) bit[at + static_cast<std::size_t>(i)] = (value >> i & 1) != 0;
  }
  bool operator==(bit_row const&) const = default;
};

std::vector<std::uint8_t> noise(std::size_t bytes, unsigned seed) {
  std::vector<std::uint8_t> memory(bytes);
  unsigned x = seed * 2654435761u + 12345;
  for (auto& byte : memory) {
    x = x * 1664525u + 1013904223u;
    byte = static_cast<std::uint8_t>(x >> 24);
  }
  return memory;
}

template <class T>
unsigned code(T const& x) {
  return x.storage;
}
template <class T>
T element(unsigned bits) {
  return T::bitcast(static_cast<std::uint8_t>(bits));
}

template <class T>
struct Subbyte : testing::Test {
  static constexpr int width = sizeof_bits_v<T>;
  static constexpr int elements = 48;  // a multiple of 8, so whole bytes for each width
  static constexpr std::size_t bytes = elements * width / 8;
};
struct names {
  template <class T>
  static std::string GetName(int i) {
    return std::to_string(i) + "_bits" + std::to_string(sizeof_bits_v<T>);
  }
};
using widths = testing::Types<uint1_t, int2_t, uint2_t, int4_t, uint4_t, int6_t, uint6_t, float_e2m1_t, float_e2m3_t,
                              integer_subbyte<3, false>, integer_subbyte<5, true>, integer_subbyte<7, false>>;
TYPED_TEST_SUITE(Subbyte, widths, names);

TYPED_TEST(Subbyte, ReadsTheBitsOfEveryPosition) {
  auto const memory = noise(this->bytes, 1);
  bit_row const row(memory);
  subbyte_iterator<TypeParam const> const p(memory.data());
  for (int i = 0; i < this->elements; ++i) {
    EXPECT_EQ(code(p[i]), row.get(static_cast<std::size_t>(i) * this->width, this->width)) << i;
    EXPECT_EQ(code(*(p + i)), code(p[i])) << i;
  }
}

TYPED_TEST(Subbyte, WritesEveryValueAtEveryPositionAndNothingElse) {
  for (int i = 0; i < this->elements; ++i) {
    for (unsigned value = 0; value < 1u << this->width; ++value) {
      auto memory = noise(this->bytes, value + 1);
      bit_row expected(memory);
      expected.set(static_cast<std::size_t>(i) * this->width, this->width, value);
      subbyte_iterator<TypeParam> const p(memory.data());
      p[i] = element<TypeParam>(value);
      ASSERT_EQ(bit_row(memory), expected) << "element " << i << ", value " << value;
      ASSERT_EQ(code(p[i].get()), value);
    }
  }
}

TYPED_TEST(Subbyte, StepsFromEveryPositionToEveryOther) {
  std::vector<std::uint8_t> memory(this->bytes + 1);
  subbyte_iterator<TypeParam> const first(memory.data());
  std::vector<subbyte_iterator<TypeParam>> by_one{first};
  for (int i = 0; i < this->elements; ++i) {
    auto next = by_one.back();
    ++next;
    by_one.push_back(next);
  }
  for (int i = 0; i <= this->elements; ++i) {
    for (int j = 0; j <= this->elements; ++j) {
      auto const a = by_one[static_cast<std::size_t>(i)];
      auto const b = by_one[static_cast<std::size_t>(j)];
      ASSERT_EQ(a + (j - i), b);
      ASSERT_EQ(a - static_cast<std::int64_t>(i - j), b);
      ASSERT_EQ((j - i) + a, b);
      ASSERT_EQ(b - a, j - i);
      ASSERT_EQ(a == b, i == j);
      ASSERT_EQ(a < b, i < j);
      ASSERT_EQ(a <= b, i <= j);
      ASSERT_EQ(a > b, i > j);
      ASSERT_EQ(a >= b, i >= j);
      auto c = a;
      c += j - i;
      ASSERT_EQ(c, b);
      c -= j - i;
      ASSERT_EQ(c, a);
    }
  }
  auto last = by_one.back();
  EXPECT_EQ(last--, by_one.back());
  EXPECT_EQ(last++, first + (this->elements - 1));
  EXPECT_EQ(--last, first + (this->elements - 1));
  EXPECT_EQ(first + C<5>{}, first + 5);
  EXPECT_EQ(first + 5u, first + 5);
  EXPECT_EQ(first + 5 - C<5>{}, first);
}

TYPED_TEST(Subbyte, AssignmentBetweenReferencesCopiesTheElement) {
  for (int i = 0; i < this->elements; ++i) {
    for (int j = 0; j < this->elements; ++j) {
      auto memory = noise(this->bytes, 7);
      bit_row expected(memory);
      expected.set(static_cast<std::size_t>(i) * this->width, this->width,
                   expected.get(static_cast<std::size_t>(j) * this->width, this->width));
      subbyte_iterator<TypeParam> const p(memory.data());
      p[i] = p[j];
      ASSERT_EQ(bit_row(memory), expected) << i << " from " << j;
    }
  }
}

TYPED_TEST(Subbyte, ArrayTakesTheBytesItNeedsAndNoMore) {
  EXPECT_EQ(sizeof(array_subbyte<TypeParam, 1>), 1u);
  EXPECT_EQ(sizeof(array_subbyte<TypeParam, 3>), static_cast<std::size_t>(3 * this->width + 7) / 8);
  EXPECT_EQ(sizeof(array_subbyte<TypeParam, 8>), static_cast<std::size_t>(this->width));
  EXPECT_EQ(sizeof(array_subbyte<TypeParam, 17>), static_cast<std::size_t>(17 * this->width + 7) / 8);
  EXPECT_EQ(sizeof(array_subbyte<TypeParam, 128>), static_cast<std::size_t>(16 * this->width));
  EXPECT_EQ(alignof(array_subbyte<TypeParam, 128>), 16u);
}

TYPED_TEST(Subbyte, ArrayFillsClearsAndCompares) {
  constexpr int n = 19;
  array_subbyte<TypeParam, n> a{}, b{};
  for (int i = 0; i < n; ++i) {
    a[i] = element<TypeParam>(static_cast<unsigned>(i) & ((1u << this->width) - 1));
    EXPECT_EQ(code(a.at(i).get()), static_cast<unsigned>(i) & ((1u << this->width) - 1));
  }
  EXPECT_FALSE(a == b);
  std::copy(a.begin(), a.end(), b.begin());
  EXPECT_TRUE(a == b);
  auto const one = element<TypeParam>(1);
  a.fill(one);
  for (int i = 0; i < n; ++i) EXPECT_EQ(code(a[i].get()), 1u);
  EXPECT_EQ(code(a.back().get()), 1u);
  a.clear();
  array_subbyte<TypeParam, n> const zeros{};
  EXPECT_TRUE(a == zeros);
  EXPECT_EQ(a.end() - a.begin(), n);
  EXPECT_EQ(zeros.size(), static_cast<std::size_t>(n));
  EXPECT_THROW(a.at(n), error);
  EXPECT_THROW(zeros.at(-1), error);
}

TEST(SubbyteIterator, LittleEndFirst) {
  std::uint8_t memory[] = {0x21, 0x43};
  subbyte_iterator<uint4_t> const p(memory);
  EXPECT_EQ(int(p[0].get()), 1);
  EXPECT_EQ(int(p[1].get()), 2);
  EXPECT_EQ(int(p[2].get()), 3);
  EXPECT_EQ(int(p[3].get()), 4);
}

TEST(SubbyteIterator, StepsBeyondTwoToThe31) {
  std::uint8_t byte = 0;
  subbyte_iterator<uint1_t> const p(&byte);
  std::int64_t const far = INT64_C(1) << 40;
  // No memory is there; the test only needs the arithmetic.
  auto const q = p + far;
  EXPECT_EQ(q - p, far);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(q.byte_) - reinterpret_cast<std::uintptr_t>(&byte),
            std::uintptr_t{1} << 37);
  EXPECT_EQ(q - far, p);
}

TEST(SubbyteIterator, ReadsSigned) {
  std::uint8_t memory[] = {0x8f};
  subbyte_iterator<int4_t const> const p(memory);
  EXPECT_EQ(int(p[0]), -1);
  EXPECT_EQ(int(p[1]), -8);
}

TEST(SubbyteIterator, BecomesOneThatOnlyReads) {
  std::uint8_t memory[] = {0x21};
  subbyte_iterator<uint4_t> const p(memory);
  subbyte_iterator<uint4_t const> const q = p + 1;
  EXPECT_EQ(int(*q), 2);
  static_assert(!std::is_convertible_v<subbyte_iterator<uint4_t const>, subbyte_iterator<uint4_t>>);
  static_assert(std::is_same_v<decltype(*q), uint4_t>);
  static_assert(std::is_trivially_copyable_v<subbyte_iterator<uint4_t>>);
}

TEST(SubbyteReference, ComputesInPlace) {
  std::uint8_t memory[] = {0x21};
  subbyte_iterator<uint4_t> const p(memory);
  p[0] += 4;
  p[1] -= 3;
  EXPECT_EQ(memory[0], 0xf5);
  p[0] *= 2;
  EXPECT_EQ(memory[0], 0xfa);
  swap(p[0], p[1]);
  EXPECT_EQ(memory[0], 0xaf);
  EXPECT_TRUE(p[0] == uint4_t(15));
  EXPECT_FALSE(p[0] == p[1]);
}

TEST(SubbyteIterator, StandardAlgorithmsWalkIt) {
  std::uint8_t memory[] = {0x21, 0x43, 0x65};
  subbyte_iterator<uint4_t> const p(memory);
  int sum = 0;
  std::for_each(p, p + 6, [&](uint4_t x) { sum += x; });
  EXPECT_EQ(sum, 21);
}

constexpr bool in_constant_evaluation() {
  array_subbyte<int4_t, 9> a{};
  for (int i = 0; i < 9; ++i) a[i] = int4_t(i - 4);
  int sum = 0;
  for (auto p = a.begin(); p != a.end(); ++p) sum += (*p).get();
  array_subbyte<uint6_t, 5> b{};
  b.fill(uint6_t(45));
  return sum == 0 && int(b.at(3).get()) == 45;
}
static_assert(in_constant_evaluation());

}  // namespace
