// SPDX-License-Identifier: Apache-2.0
// Streaming loads and stores as atoms: 4, 8 and 16 bytes, one thread's bits in order, and PTX's suffix of each width.
#include <gtest/gtest.h>
#include <cosmati/atom/copy_atom.hpp>
#include <cosmati/atom/streaming.hpp>

#include "unit/atom/bits.hpp"

#include <string>

using namespace cosmati;

namespace {

template <class S>
void expect_atoms(std::string const& suffix) {
  constexpr int bits = 8 * static_cast<int>(sizeof(S));
  EXPECT_EQ(StreamingLoad<S>::instruction.name, "ld.global.nc.L1::no_allocate" + suffix);
  EXPECT_EQ(StreamingStore<S>::instruction.name, "st.global.cs" + suffix);
  using Traits = Copy_Traits<StreamingLoad<S>>;
  static_assert(size<1>(typename Traits::SrcLayout{}) == bits && size(typename Traits::ThrID{}) == 1);
  for (int b = 0; b < bits; ++b) EXPECT_EQ(bit(typename Traits::DstLayout{}, 0, b), b);
  static_assert(std::is_same_v<typename Copy_Traits<StreamingStore<S>>::SrcLayout, typename Traits::SrcLayout>);
}
TEST(StreamingAtom, EveryWidth) {
  expect_atoms<float>(".b32");
  expect_atoms<std::uint64_t>(".v2.b32");
  expect_atoms<uint128_t>(".v4.b32");
}

// A load goes from global memory to registers, a store back; each by one thread, at once.
static_assert(StreamingLoad<float>::instruction.source == memory_space::gmem &&
              StreamingLoad<float>::instruction.destination == memory_space::rmem);
static_assert(StreamingStore<float>::instruction.source == memory_space::rmem &&
              StreamingStore<float>::instruction.destination == memory_space::gmem);
static_assert(!StreamingStore<float>::instruction.asynchronous && StreamingLoad<float>::instruction.lanes == 1);
static_assert(Copy_Atom<StreamingLoad<uint128_t>, half_t>::NumValDst::value == 8);
static_assert(detail::streaming_atom<StreamingLoad<float>> && !detail::streaming_atom<UniversalCopy<float>>);

}  // namespace
