// SPDX-License-Identifier: Apache-2.0
// gather_rows and scatter_rows by numbers that are no integers, or too small ones.
// expect 1: gather_rows: index holds integers of 4 or 8 bytes: std::int32_t, std::uint32_t, std::int64_t or std::uint64_t
// expect 2: scatter_rows: index holds integers of 4 or 8 bytes: std::int32_t, std::uint32_t, std::int64_t or std::uint64_t
// expect 3: gather_rows: index holds integers of 4 or 8 bytes
// expect-lines < 20
// expect-bytes < 2000
#include <cosmati/kernel/gather.hpp>
using namespace cosmati;

void move(float* list, float* table, float const* reals, double const* wide, std::int16_t const* small,
          std::int32_t const* index) {
  row_moves const rows = {.row_bytes = 64, .table_rows = 16, .count = 3};
#if COSMATI_FAIL == 1
  gather_rows(table, reals, list, rows);
#elif COSMATI_FAIL == 2
  scatter_rows(list, wide, table, rows);
#elif COSMATI_FAIL == 3
  gather_rows(table, small, list, rows);
#else
  gather_rows(table, index, list, rows);
#endif
  static_cast<void>(reals), static_cast<void>(wide), static_cast<void>(small), static_cast<void>(index);
}
