// SPDX-License-Identifier: Apache-2.0
// What is advised against conflicts leaves none: the padding and the swizzle that the sentence names are applied here
// by hand.
#include <gtest/gtest.h>

#include <cosmati/layout/any_swizzle.hpp>
#include <cstdio>

#include "remedy.hpp"

using namespace cosmati_sim;

namespace {

using cosmati::memory_instruction;
using cosmati::warp_access;

std::int64_t conflicts(memory_instruction const& i, warp_access const& at) {
  return cosmati::warp_cost_of(i, at).shared.bank_conflicts;
}
/// Lane l at row l % rows, `pitch` bytes from row to row, and further columns behind them.
warp_access rows_of(int rows, std::int64_t pitch, std::int64_t column) {
  warp_access at;
  for (int l = 0; l < 32; ++l) at.offset[l] = l % rows * pitch + l / rows * column;
  return at;
}

TEST(Remedy, PaddingAndSwizzleLeaveNoConflicts) {
  struct {
    memory_instruction instruction;
    warp_access at;
  } const cases[] = {{cosmati::load_shared(4), rows_of(32, 128, 0)},   {cosmati::load_shared(4), rows_of(32, 256, 0)},
                     {cosmati::store_shared(4), rows_of(8, 128, 4)},   {cosmati::load_shared(8), rows_of(32, 128, 0)},
                     {cosmati::load_shared(16), rows_of(32, 128, 0)},  {cosmati::load_matrix(4), rows_of(8, 128, 16)},
                     {cosmati::load_matrix(4), rows_of(16, 128, 16)},  {cosmati::load_matrix(2), rows_of(8, 256, 16)},
                     {cosmati::store_matrix(4), rows_of(8, 1024, 16)}, {cosmati::load_shared(2), rows_of(32, 128, 0)}};
  for (auto const& c : cases) {
    ASSERT_GT(conflicts(c.instruction, c.at), 0);
    std::string const said = remedy_of_conflicts(c.instruction, c.at);
    long long pad = 0, row = 0;
    int bits = 0, base = 0, shift = 0, bytes = 0;
    std::size_t const swizzle = said.find("Swizzle<");
    ASSERT_NE(swizzle, std::string::npos) << said;
    if (std::sscanf(said.c_str(), "put %lld bytes of padding behind every %lld", &pad, &row) == 2) {
      warp_access padded = c.at;
      for (std::int64_t& x : padded.offset) x += x / row * pad;
      EXPECT_EQ(conflicts(c.instruction, padded), 0) << said;
      EXPECT_EQ(pad % c.instruction.bytes, 0) << said;  // each lane's bytes stay aligned
    }
    ASSERT_EQ(std::sscanf(said.c_str() + swizzle, "Swizzle<%d,%d,%d> for elements of %d", &bits, &base, &shift, &bytes),
              4);
    cosmati::AnySwizzle const s(bits, base, shift);
    warp_access swizzled = c.at;
    for (std::int64_t& x : swizzled.offset) x = s(x / bytes) * bytes;
    EXPECT_EQ(conflicts(c.instruction, swizzled), 0) << said;
  }
}

TEST(Remedy, NothingWhereNothingIsPaid) {
  EXPECT_EQ(remedy_of_conflicts(cosmati::load_shared(4), rows_of(32, 4, 0)), "");
  EXPECT_EQ(remedy_of_conflicts(cosmati::load_shared(4), rows_of(1, 0, 0)), "");  // one word for all
  EXPECT_EQ(remedy_of_sectors(cosmati::load_global(4), rows_of(32, 4, 0)), "");
}

TEST(Remedy, Sectors) {
  EXPECT_NE(remedy_of_sectors(cosmati::load_global(4), rows_of(32, 4096, 0)).find("4096 bytes apart and move 4"),
            std::string::npos);
  warp_access shifted = rows_of(32, 4, 0);
  for (std::int64_t& x : shifted.offset) x += 4;  // a row that begins 4 bytes behind a sector
  EXPECT_NE(remedy_of_sectors(cosmati::load_global(4), shifted).find("multiples of 32 bytes"), std::string::npos);
}

}  // namespace
