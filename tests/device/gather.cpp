// SPDX-License-Identifier: Apache-2.0
// Rows gathered and scattered with every alignment and pitch; wrong row numbers are reported and skipped.
#include <cosmati/cosmati.hpp>
#include <cosmati/kernel/gather.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "../sim/message.hpp"
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

/// Compares row k of `list` with row index[k] of `table`.
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
  // Each row occurs at most once, so scattering has one result.
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
// Rows in strips: the same columns of all rows come first. Strips of every width, a shorter last strip, and row numbers
// that occur often.
template <int vector_bytes>
void gather_in_strips(std::int64_t row_bytes) {
  row_moves const rows = {row_bytes, 7, row_bytes + 16, row_bytes + 32, 300};
  std::vector<std::int32_t> index(300);
  std::mt19937 random(5);
  for (auto& k : index) k = static_cast<std::int32_t>(random() % 7);
  index[41] = 7;
  bytes const table = random_bytes(static_cast<std::size_t>(7 * rows.table_pitch), 1);
  bytes const list = random_bytes(static_cast<std::size_t>(300 * rows.list_pitch), 2);
  bytes wanted = list;
  move_on_host(wanted, table, index, rows, true);
  device_buffer<std::int32_t> numbers(index);
  device_buffer<unsigned char> from(table);
  std::int64_t const all = row_bytes / vector_bytes;
  for (std::int64_t const strip : {std::int64_t{1}, std::int64_t{3}, all - 1, all, all + 5}) {
    device_buffer<unsigned char> to(list);
    detail::row_arguments<std::int32_t> const job = {reinterpret_cast<char const*>(from.data()),
                                                     reinterpret_cast<char*>(to.data()),
                                                     numbers.data(),
                                                     nullptr,
                                                     rows,
                                                     {},
                                                     {},
                                                     0,
                                                     0};
    detail::move_rows_in_strips<true, std::int32_t, vector_bytes>(job, strip, nullptr);
    EXPECT_TRUE(to.download() == wanted) << row_bytes << " bytes by " << vector_bytes << ", a strip of " << strip;
  }
}
TEST(Gather, RowsInStrips) {
  gather_in_strips<16>(16 * 10);
  gather_in_strips<8>(8 * 11);
  gather_in_strips<4>(4 * 5);
  gather_in_strips<1>(23);
}
// Computed by hand: L2 has 40 MB. A strip takes a tenth of it, in steps of 512 bytes, and at most 16 MB.
TEST(Gather, AStripIsWhatL2Holds) {
  device_model const h200;
  auto const strip_bytes = [&](std::int64_t row_bytes, std::int64_t table_rows, std::int64_t count) {
    return 16 * detail::gather_strip_vectors({row_bytes, table_rows, 0, 0, count}, 16, h200);
  };
  EXPECT_EQ(strip_bytes(14336, 4096, 32768), 512);     // 4e6 / 4096 = 976
  EXPECT_EQ(strip_bytes(65536, 1024, 4096), 3584);     // 4e6 / 1024 = 3906
  EXPECT_EQ(strip_bytes(14336, 30000, 60000), 512);    // 15.4 MB
  EXPECT_EQ(strip_bytes(14336, 32000, 60000), 14336);  // 16.4 MB: L2 keeps nothing
  EXPECT_EQ(strip_bytes(14336, 4096, 4095), 14336);    // few rows are read twice
  EXPECT_EQ(strip_bytes(8192, 4096, 100000), 8192);    // L2 holds the table
  EXPECT_EQ(strip_bytes(16384, 20000, 20000), 512);    // each row about once, in random order
  EXPECT_EQ(strip_bytes(304, 1000000, 1000000), 304);
}
TEST(Gather, AWrongNumberIsAnError) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<float> table(std::vector<float>(40)), out(std::vector<float>(40));
  device_buffer<std::int32_t> index(std::vector<std::int32_t>{3, 4, 10, 1, -2});
  row_moves const rows = {16, 10, 16, 16, 5};
  EXPECT_MESSAGE(gather_rows(table.data(), index.data(), out.data(), rows),
                 "gather_rows: index[2] is 10, which is no row of the table: it has 10 rows");
  EXPECT_MESSAGE(scatter_rows(out.data(), index.data(), table.data(), rows), "scatter_rows: index[2] is 10, which");
  device_buffer<std::int64_t> negative(std::vector<std::int64_t>{0, -7});
  EXPECT_MESSAGE(gather_rows(table.data(), negative.data(), out.data(), {16, 10, 16, 16, 2}), "index[1] is -7, which");
  device_buffer<std::uint64_t> large(std::vector<std::uint64_t>{~0ull});
  EXPECT_MESSAGE(gather_rows(table.data(), large.data(), out.data(), {16, 10, 16, 16, 1}),
                 "index[0] is 18446744073709551615, which");
}
TEST(Gather, PitchesOfZeroAreRowsOneBehindTheOther) {
  COSMATI_REQUIRE_DEVICE();
  std::vector<float> host(16 * 16);
  std::iota(host.begin(), host.end(), 0.f);
  device_buffer<float> table(host), list(48);
  device_buffer<std::int32_t> index(std::vector<std::int32_t>{1, 15, 3});
  row_moves const rows = {.row_bytes = 64, .table_rows = 16, .count = 3};
  gather_rows(table.data(), index.data(), list.data(), rows);
  std::vector<float> const got = list.download();
  for (int k = 0; k < 48; ++k)
    EXPECT_EQ(got[static_cast<std::size_t>(k)],
              static_cast<float>(std::vector{1, 15, 3}[static_cast<std::size_t>(k / 16)] * 16 + k % 16))
        << k;
  device_buffer<float> other(std::vector<float>(256, -1.f));
  scatter_rows(list.data(), index.data(), other.data(), rows);
  std::vector<float> const back = other.download();
  for (std::size_t i = 0; i < 256; ++i)
    EXPECT_EQ(back[i], i / 16 == 1 || i / 16 == 3 || i / 16 == 15 ? host[i] : -1.f) << i;
}
TEST(Gather, RowsDoNotOverlap) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<float> table(256), list(256);
  device_buffer<std::int32_t> index(std::vector<std::int32_t>{1, 2, 3});
  for (std::int64_t const pitch : {60, 1, -64, -1000}) {
    std::string const said =
        " is " + std::to_string(pitch) + " bytes, less than rows.row_bytes, 64: rows would overlap";
    EXPECT_MESSAGE(gather_rows(table.data(), index.data(), list.data(), {64, 4, pitch, 64, 3}),
                   "gather_rows: rows.table_pitch" + said);
    EXPECT_MESSAGE(gather_rows(table.data(), index.data(), list.data(), {64, 4, 64, pitch, 3}),
                   "gather_rows: rows.list_pitch" + said);
    EXPECT_MESSAGE(scatter_rows(list.data(), index.data(), table.data(), {64, 4, pitch, 64, 3}),
                   "scatter_rows: rows.table_pitch" + said);
  }
  EXPECT_MESSAGE(gather_rows(table.data(), index.data(), list.data(), {64, 4, std::int64_t{1} << 61, 64, 3}),
                 "gather_rows: 4 rows, rows.table_pitch being 2305843009213693952 bytes, are more than 2^63 bytes");
  EXPECT_MESSAGE(gather_rows(table.data(), index.data(), list.data(), {-64, 4, 64, 64, 3}), "may be negative");
}
TEST(Gather, TheListOfNumbersIsThereAndAligned) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<float> table(256), list(256);
  EXPECT_MESSAGE(gather_rows(table.data(), static_cast<std::int32_t const*>(nullptr), list.data(), {64, 4, 64, 64, 3}),
                 "gather_rows: index is null, and rows.count is 3");
  device_buffer<char> bytes(64);
  auto const* const odd = reinterpret_cast<std::int64_t const*>(bytes.data() + 4);
  EXPECT_MESSAGE(scatter_rows(list.data(), odd, table.data(), {64, 4, 64, 64, 3}),
                 "04, holds integers of 8 bytes and is not at a multiple of 8 bytes");
}
#if defined(COSMATI_SIMULATED)
// On a GPU, the table would hold either row, or parts of both.
TEST(Gather, TheSimulatedDeviceFindsNumbersThatOccurTwice) {
  NEEDS_INSTRUMENTATION();
  for (std::size_t const numbers : {1, 16, 4096}) {
    std::vector<float> host(3 * numbers);
    for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(1 + i / numbers);
    device_buffer<float> list(host), table(std::vector<float>(16 * numbers, -1.f));
    device_buffer<std::int32_t> index(std::vector<std::int32_t>{1, 1, 1});
    row_moves const rows = {.row_bytes = static_cast<std::int64_t>(4 * numbers), .table_rows = 16, .count = 3};
    EXPECT_MESSAGE(scatter_rows(list.data(), index.data(), table.data(), rows), "race: store of");
    // If the rows are equal, the result is the same for either order.
    device_buffer<float> equal(std::vector<float>(3 * numbers, 5.f));
    scatter_rows(equal.data(), index.data(), table.data(), rows);
    EXPECT_EQ(table.download()[numbers], 5.f);
  }
}
#endif
TEST(Gather, NothingToMove) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<float> table(std::vector<float>(4, 1.f)), out(std::vector<float>(4, 2.f));
  device_buffer<std::int32_t> index(std::vector<std::int32_t>{0});
  gather_rows(table.data(), index.data(), out.data(), {16, 1, 16, 16, 0});
  EXPECT_EQ(out.download(), std::vector<float>(4, 2.f));
}

}  // namespace
