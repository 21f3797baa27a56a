// SPDX-License-Identifier: Apache-2.0
// Operations of the program's own: called with one reference a register, where the registers stand; of a vector that is
// not whole nothing is moved.
#include <gtest/gtest.h>
#include <cosmati/algorithm/copy.hpp>
#include <cosmati/algorithm/copy/own_operation.hpp>
#include <cosmati/atom/copy_atom.hpp>

#include <vector>

using namespace cosmati;

namespace {

/// Two registers, exchanged and counted.
struct swap_words {
  using SRegisters = std::uint32_t[2];
  using DRegisters = std::uint32_t[2];
  static inline int calls = 0;
  static void copy(std::uint32_t const& a, std::uint32_t const& b, std::uint32_t& x, std::uint32_t& y) {
    x = b;
    y = a;
    ++calls;
  }
};

}  // namespace

template <>
struct cosmati::Copy_Traits<swap_words> {
  using ThrID = Layout<_1>;
  using SrcLayout = Layout<Shape<_1, _64>>;
  using DstLayout = SrcLayout;
  using RefLayout = SrcLayout;
};

namespace {

static_assert(detail::own_copy_operation<swap_words>);
static_assert(!detail::own_copy_operation<UniversalCopy<float>> && !detail::own_copy_operation<DefaultCopy>);

using words = Copy_Atom<swap_words, std::uint32_t>;
using halves = Copy_Atom<swap_words, std::uint16_t>;

TEST(OwnOperation, IsCalledOnceAVector) {
  std::uint32_t from[6] = {1, 2, 3, 4, 5, 6}, to[6] = {};
  auto const src = make_tensor(make_gmem_ptr(&from[0]), Layout<_6>{});
  auto dst = make_tensor(make_gmem_ptr(&to[0]), Layout<_6>{});
  swap_words::calls = 0;
  copy(words{}, src, dst);
  EXPECT_EQ(swap_words::calls, 3);
  EXPECT_EQ(std::vector<std::uint32_t>(to, to + 6), (std::vector<std::uint32_t>{2, 1, 4, 3, 6, 5}));
}

// A register holds two values of 16 bits: register 1 begins at value 2.
TEST(OwnOperation, RegistersOfSeveralValues) {
  alignas(4) std::uint16_t from[8] = {1, 2, 3, 4, 5, 6, 7, 8}, to[8] = {};
  auto const src = make_tensor(make_gmem_ptr(&from[0]), Layout<_8>{});
  auto dst = make_tensor(make_gmem_ptr(&to[0]), Layout<_8>{});
  copy(halves{}, src, dst);
  EXPECT_EQ(std::vector<std::uint16_t>(to, to + 8), (std::vector<std::uint16_t>{3, 4, 1, 2, 7, 8, 5, 6}));
  EXPECT_EQ((&detail::register_in_place<std::uint32_t const>(src, 4, 1)), reinterpret_cast<std::uint32_t*>(&from[6]));
}

TEST(OwnOperation, CannotBeCut) {
  std::uint32_t from[6] = {1, 2, 3, 4, 5, 6}, to[6] = {};
  auto const src = make_tensor(make_gmem_ptr(&from[0]), Layout<_6>{});
  auto dst = make_tensor(make_gmem_ptr(&to[0]), Layout<_6>{});
  detail::copy_by_own_operation_where<words>(src, dst, [](auto i) { return i < 3; });
  EXPECT_EQ(std::vector<std::uint32_t>(to, to + 6), (std::vector<std::uint32_t>{2, 1, 0, 0, 0, 0}));
}

}  // namespace
