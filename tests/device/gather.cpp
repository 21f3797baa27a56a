// SPDX-License-Identifier: Apache-2.0
// Gathered and scattered rows of every alignment, with pitches, wrong numbers reported and skipped.
#include <cosmati/cosmati.hpp>
#include <cosmati/kernel/gather.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "require_device.hpp"

using namespace cosmati;

namespace {

using bytes = std::vector<unsigned char>;

bytes random_bytes(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  bytes v(n);
  for (auto& byte : v) byte = static_cast<unsigned char>(random());
  return v;
}

/// Row k of `list` against row index[k] of `table`.
template <class Index>
void move_on_host(bytes& to, bytes const& from, std::vector<Index> const& index, row_moves const& rows, bool gathers) {
  for (std::size_t k = 0; k < index.size(); ++k) {
    auto const row = static_cast<std::int64_t>(index[k]);
    if (row < 0 || row >= rows.table_rows) continue;
    auto const in_table = static_cast<std::size_t>(row * rows.table_pitch);
    auto const in_list = k * static_cast<std::size_t>(rows.list_pitch);
    for (std::size_t b = 0; b < static_cast<std::size_t>(rows.row_bytes); ++b)
      to[(gathers ? in_list : in_table) + b] = from[(gathers ? in_table : in_list) + b];
  }
}

template <class Index>
void run(std::int64_t row_bytes, std::int64_t table_gap, std::int64_t list_gap, bool with_wrong) {
  row_moves rows;
  rows.row_bytes = row_bytes;
  rows.table_rows = 37;
  rows.table_pitch = row_bytes + table_gap;
  rows.list_pitch = row_bytes + list_gap;
  rows.count = 23;
  // Each row at most once, so that scattering has one result.
  std::vector<Index> index(37);
  std::iota(index.begin(), index.end(), Index{0});
  std::shuffle(index.begin(), index.end(), std::mt19937(static_cast<unsigned>(row_bytes)));
  index.resize(23);
  if (with_wrong) {
    index[7] = 37;
    index[11] = static_cast<Index>(-1);
  }
  wrong_index const wrong = with_wrong ? wrong_index::is_skipped : wrong_index::is_error;
  bytes const table = random_bytes(static_cast<std::size_t>(37 * rows.table_pitch), 1);
  bytes const list = random_bytes(static_cast<std::size_t>(23 * rows.list_pitch), 2);
  device_buffer<Index> numbers(index);
  {
    device_buffer<unsigned char> from(table), to(list);
    bytes wanted = list;
    move_on_host(wanted, table, index, rows, true);
    gather_rows(from.data(), numbers.data(), to.data(), rows, wrong);
    EXPECT_TRUE(to.download() == wanted) << "gather " << row_bytes;
  }
  {
    device_buffer<unsigned char> from(list), to(table);
    bytes wanted = table;
    move_on_host(wanted, list, index, rows, false);
    scatter_rows(from.data(), numbers.data(), to.data(), rows, wrong);
    EXPECT_TRUE(to.download() == wanted) << "scatter " << row_bytes;
  }
}

TEST(Gather, RowsOfEveryAlignment) {
  COSMATI_REQUIRE_DEVICE();
  for (std::int64_t const row_bytes : {1, 2, 4, 8, 12, 32, 50, 512, 16384}) {
    run<std::int32_t>(row_bytes, 0, 0, false);
    run<std::int64_t>(row_bytes, 0, 16, true);
  }
  run<std::uint32_t>(512, 6, 0, true);
}
TEST(Gather, AWrongNumberIsAnError) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<float> table(std::vector<float>(40)), out(std::vector<float>(40));
  std::vector<std::int32_t> const list = {3, 4, 10, 1, -2};
  device_buffer<std::int32_t> index(list);
  row_moves const rows = {16, 10, 16, 16, 5};
  auto const message = [&](auto const& move) -> std::string {
    try {
      move();
    } catch (error const& e) {
      return e.what();
    }
    return "no error";
  };
  EXPECT_NE(message([&] {
              gather_rows(table.data(), index.data(), out.data(), rows);
            }).find("gather_rows: number 2 of the list is no row of the table, which has 10"),
            std::string::npos);
  EXPECT_NE(message([&] {
              scatter_rows(out.data(), index.data(), table.data(), rows);
            }).find("scatter_rows: number 2 of the list"),
            std::string::npos);
}
TEST(Gather, NothingToMove) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<float> table(std::vector<float>(4, 1.f)), out(std::vector<float>(4, 2.f));
  device_buffer<std::int32_t> index(std::vector<std::int32_t>{0});
  gather_rows(table.data(), index.data(), out.data(), {16, 1, 16, 16, 0});
  EXPECT_EQ(out.download(), std::vector<float>(4, 2.f));
}

}  // namespace
