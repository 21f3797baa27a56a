// SPDX-License-Identifier: Apache-2.0
// Bulk copies as atoms: where from and where to, by one thread, asynchronously; the mbarrier that they report to.
#include <gtest/gtest.h>

#include <cosmati/atom/bulk_copy.hpp>
#include <cosmati/atom/copy_atom.hpp>

using namespace cosmati;

namespace {

TEST(BulkCopy, CarriesItsBarrier) {
  std::uint64_t barrier = 0;
  auto const with = Copy_Atom<SM90_BULK_COPY_AUTO, float>{}.with(barrier);
  EXPECT_EQ(with.barrier, &barrier);
  EXPECT_EQ(Copy_Traits<SM90_BULK_COPY_G2S>{}.with(barrier).barrier, &barrier);
}

constexpr copy_instruction load = SM90_BULK_COPY_G2S::instruction, store = SM90_BULK_COPY_S2G::instruction;
static_assert(load.source == memory_space::gmem && load.destination == memory_space::smem);
static_assert(store.source == memory_space::smem && store.destination == memory_space::gmem);
static_assert(load.lanes == 1 && load.asynchronous && load.lowest_sm == 90 && store.asynchronous);
static_assert(names_an_instruction<SM90_BULK_COPY_S2G>);
static_assert(!names_an_instruction<SM90_BULK_COPY_AUTO>, "the tensors tell which of the two it is");
static_assert(detail::is_bulk_copy<SM90_BULK_COPY_AUTO> && !detail::is_bulk_copy<UniversalCopy<float>>);

TEST(BulkCopy, WithoutABarrierIsEmpty) {
  using atom = Copy_Atom<SM90_BULK_COPY_S2G, float>;
  static_assert(std::is_empty_v<atom> && atom::NumValSrc::value == 1, "how many it moves the tensors tell");
  static_assert(sizeof(Copy_Traits<SM90_BULK_COPY_G2S, std::uint64_t*>) == sizeof(void*));
  EXPECT_EQ((Copy_Traits<SM90_BULK_COPY_G2S, std::uint64_t*>{}.barrier), nullptr);
}

}  // namespace
