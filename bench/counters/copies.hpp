// SPDX-License-Identifier: Apache-2.0
/// @file
/// Whole copies whose counters are compared: every kernel that `launch_plan`, `copy_tensor`, `gather_rows` and
/// `scatter_rows` start, of small problems. A name is KERNEL/WHAT, and a case launches that kernel once.
///
/// Where launches depend on the device's multiprocessors, the cases say how many there are: both devices then do the
/// same.
#pragma once

#include <cosmati/kernel/copy.hpp>
#include <cosmati/kernel/gather.hpp>
#include <cstring>
#include <initializer_list>
#include <vector>

#include "cases.hpp"

namespace counters {

/// A problem whose modes are in the order of the target's strides, none of which can be merged.
inline copy_problem problem(int element_bytes, std::initializer_list<copy_mode> modes, std::int64_t source_offset = 0,
                            std::int64_t target_offset = 0) {
  copy_problem given;
  given.element_bytes = element_bytes;
  given.source_offset = source_offset;
  given.target_offset = target_offset;
  for (copy_mode const& m : modes) given.push(m.extent, m.source, m.target);
  copy_problem const p = simplified(given, false);
  for (int m = 0; m < p.rank; ++m)
    if (p.rank != given.rank || p.mode[m].target != given.mode[m].target)
      throw error("counters: no simplified problem");
  return p;
}
/// Modes in the target's order; `source` says in which order they lie in the source. `gap` elements lie behind each.
inline copy_problem reordered(int element_bytes, std::vector<std::int64_t> const& extents,
                              std::vector<std::size_t> const& source, std::int64_t source_offset = 0,
                              std::int64_t target_offset = 0, std::int64_t gap = 0) {
  copy_problem p;
  p.element_bytes = element_bytes;
  p.source_offset = source_offset;
  p.target_offset = target_offset;
  std::vector<std::int64_t> stride(extents.size());
  std::int64_t next = 1;
  for (std::size_t const m : source) stride[m] = next, next = next * extents[m] + gap;
  next = 1;
  for (std::size_t m = 0; m < extents.size(); ++m) p.push(extents[m], stride[m], next), next = next * extents[m] + gap;
  return p;
}

/// On the simulated device, whose memory the host reads: all elements are where they belong.
inline void expect_copied([[maybe_unused]] copy_problem const& p, [[maybe_unused]] void const* in,
                          [[maybe_unused]] void const* out) {
#if defined(COSMATI_SIMULATED)
  auto const bytes_of = static_cast<std::size_t>(p.element_bytes);
  for (std::int64_t n = 0; n < p.size(); ++n) {
    std::int64_t rest = n, source = p.source_offset, target = p.target_offset;
    for (int m = 0; m < p.rank; ++m) {
      source += rest % p.mode[m].extent * p.mode[m].source;
      target += rest % p.mode[m].extent * p.mode[m].target;
      rest /= p.mode[m].extent;
    }
    if (source < 0 || target < 0 || static_cast<std::size_t>(source + 1) * bytes_of > bytes ||
        static_cast<std::size_t>(target + 1) * bytes_of > bytes)
      throw error("counters: element %lld lies outside the memory", static_cast<long long>(n));
    if (std::memcmp(static_cast<char const*>(in) + source * p.element_bytes,
                    static_cast<char const*>(out) + target * p.element_bytes, bytes_of) != 0)
      throw error("counters: element %lld was not copied", static_cast<long long>(n));
  }
#endif
}
inline void copy_by(copy_plan const& plan, copy_problem const& p, void const* in, void* out) {
  launch_plan(p, plan, in, out);
  expect_copied(p, in, out);
}

inline constexpr direct_launch plain = {}, streaming = {.stream_loads = true, .stream_stores = true};

inline copy_plan direct_plan(int vector, bool together, direct_launch const& how) {
  copy_plan plan;
  plan.vector = vector;
  plan.together = together;
  plan.launch = how;
  return plan;
}
inline void copy_directly(int vector, bool together, direct_launch const& how, copy_problem const& p, void const* in,
                          void* out) {
  if (is_contiguous(p)) throw error("counters: a contiguous copy is copy_contiguous's");
  copy_by(direct_plan(vector, together, how), p, in, out);
}
/// As `launch_plan` does it on a device of so many multiprocessors.
template <int element_bytes>
void copy_once_on(int processors, bool stream_stores, copy_problem const& p, void const* in, void* out) {
  direct_launch const how = {.threads = 128, .stream_stores = stream_stores, .once = true};
  detail::starts_at_once sink(nullptr);
  detail::launch_once<element_bytes>(sink, p, how, in, out, processors);
  expect_copied(p, in, out);
}
template <class From, class To, class Layout>
void convert(Layout const& source, Layout const& target, void const* in, void* out) {
  copy_tensor(make_tensor(make_gmem_ptr(static_cast<From const*>(in)), source),
              make_tensor(make_gmem_ptr(static_cast<To*>(out)), target));
}
/// Mode 1 lies side by side in the source, mode 0 in the target.
inline void transpose_by(int vector, copy_problem const& p, void const* in, void* out) {
  copy_plan plan;
  plan.route = copy_route::transpose;
  plan.vector = vector;
  plan.column_mode = 1;
  plan.row_mode = 0;
  copy_by(plan, p, in, out);
}
inline void copy_by_sectors(sector_tile const& tile, copy_problem const& p, void const* in, void* out) {
  copy_plan plan;
  plan.route = copy_route::sectors;
  plan.sectors = tile;
  copy_by(plan, p, in, out);
}
/// So many elements of each mode are a tile.
inline run_tile tile_of(int source_modes, int target_modes, std::initializer_list<std::int64_t> part) {
  run_tile tile;
  tile.source_modes = source_modes;
  tile.target_modes = target_modes;
  int m = 0;
  for (std::int64_t const n : part) tile.extent[m++] = n;
  return tile;
}
/// By four blocks, which take the tiles in turn.
template <int element_bytes>
void copy_by_windows(bool bulk, run_tile const& tile, copy_problem const& p, void const* in, void* out) {
  window_copy_arguments const job = detail::window_job(p, tile, in, out);
  if (!job.tiles.fit()) throw error("counters: a tile of windows does not fit");
  std::uint32_t const blocks = job.order.grid.count < 4 ? job.order.grid.count : 4;
  detail::starts_at_once sink(nullptr);
  detail::launch_windows<element_bytes>(sink, job, blocks, bulk);
  expect_copied(p, in, out);
}
/// Numbers of rows without order. @param wrong every so many of them is none of the table's, or 0
template <class Index>
device_buffer<Index> numbers_of_rows(std::int64_t count, std::int64_t table_rows, std::int64_t wrong = 0) {
  std::vector<Index> list(static_cast<std::size_t>(count));
  for (std::int64_t k = 0; k < count; ++k)
    list[static_cast<std::size_t>(k)] =
        static_cast<Index>(wrong > 0 && k % wrong == 0 ? table_rows + k : (k * 7919 + 13) % table_rows);
  return device_buffer<Index>(list);
}
template <class Index>
void gather(row_moves const& rows, std::int64_t wrong, void const* in, void* out) {
  device_buffer<Index> const index = numbers_of_rows<Index>(rows.count, rows.table_rows, wrong);
  gather_rows(in, index.data(), out, rows, wrong > 0 ? wrong_index::is_skipped : wrong_index::is_error);
}
template <class Index>
void scatter(row_moves const& rows, void const* in, void* out) {
  device_buffer<Index> const index = numbers_of_rows<Index>(rows.count, rows.table_rows);
  scatter_rows(in, index.data(), out, rows);
}

#define COUNTED_COPY(name, ...)                          \
  listed {                                               \
    name, [](void const* in, void* out) { __VA_ARGS__; } \
  }

/// The cases, kernel by kernel.
inline std::vector<listed> copies() {
  return {
      COUNTED_COPY("copy_contiguous/16_bytes",
                   copy_by(direct_plan(1, true, plain), problem(16, {{3001, 1, 1}}), in, out)),
      // The bytes before the first and behind the last vector.
      COUNTED_COPY("copy_contiguous/odd_ends",
                   copy_by(direct_plan(16, true, {.stream_loads = true, .stream_stores = true}),
                           problem(1, {{20011, 1, 1}}, 3, 3), in, out)),
      COUNTED_COPY("copy_contiguous/4_bytes_apart",
                   copy_by(direct_plan(4, true, {.threads = 128}), problem(4, {{5003, 1, 1}}, 1, 2), in, out)),
      COUNTED_COPY("copy_direct/1_byte",
                   copy_directly(1, true, plain, problem(1, {{301, 1, 1}, {13, 305, 303}}), in, out)),
      COUNTED_COPY("copy_direct/4_bytes",
                   copy_directly(1, true, streaming, problem(4, {{100, 1, 1}, {37, 104, 101}}), in, out)),
      COUNTED_COPY("copy_direct/8_bytes",
                   copy_directly(2, true, {.stream_stores = true}, problem(8, {{64, 1, 1}, {21, 66, 68}}), in, out)),
      COUNTED_COPY("copy_direct/16_bytes",
                   copy_directly(1, true, streaming, problem(16, {{33, 1, 1}, {17, 40, 35}}), in, out)),
      // Rows that begin within vectors of the target.
      COUNTED_COPY("copy_direct/4_bytes_of_odd_rows",
                   copy_directly(4, false, streaming, problem(4, {{67, 1, 1}, {5, 70, 69}, {3, 1000, 401}}), in, out)),
      COUNTED_COPY("copy_direct/one_element_repeated",
                   copy_directly(4, false, {.stream_stores = true}, problem(4, {{99, 0, 1}, {25, 1, 103}}), in, out)),
      COUNTED_COPY("copy_direct/strided", copy_directly(4, false, {.stream_stores = true},
                                                        problem(4, {{128, 3, 1}, {11, 400, 128}}), in, out)),
      COUNTED_COPY("copy_direct/half_to_double",
                   convert<half_t, double>(make_layout(make_shape(72, 19), make_stride(1, 80)),
                                           make_layout(make_shape(72, 19), make_stride(1, 74)), in, out)),
      COUNTED_COPY("copy_direct/signed_char_to_float",
                   convert<signed char, float>(make_layout(make_shape(72, 33), make_stride(1, 80)),
                                               make_layout(make_shape(72, 33), make_stride(1, 76)), in, out)),
      COUNTED_COPY("copy_once/16_bytes_in_vectors",
                   copy_once_on<4>(132, false, problem(4, {{64, 1, 1}, {7, 68, 64}, {5, 0, 448}}), in, out)),
      COUNTED_COPY("copy_once/2_bytes_of_odd_rows",
                   copy_once_on<2>(2, true, problem(2, {{61, 1, 1}, {19, 0, 72}, {5, 63, 1379}}), in, out)),
      COUNTED_COPY(
          "copy_once/many_places_a_thread",
          copy_once_on<4>(1, true, problem(4, {{12, 1, 1}, {7, 0, 12}, {19, 0, 88}, {40, 12, 1680}}), in, out)),
      COUNTED_COPY("copy_once/1_byte_turned",
                   copy_once_on<1>(2, false, problem(1, {{333, 1, 1}, {9, 0, 337}, {5, 341, 3100}}), in, out)),
      COUNTED_COPY("copy_once/2_bytes_turned_and_gathered",
                   copy_once_on<2>(1, true, problem(2, {{61, 3, 1}, {19, 0, 67}, {5, 190, 1379}}), in, out)),
      COUNTED_COPY("copy_once/16_bytes",
                   copy_once_on<16>(132, true, problem(16, {{31, 1, 1}, {13, 0, 33}, {3, 31, 500}}), in, out)),
      COUNTED_COPY("transpose_tiles/1_byte", transpose_by(16, reordered(1, {304, 272}, {1, 0}), in, out)),
      COUNTED_COPY("transpose_tiles/2_bytes", transpose_by(8, reordered(2, {136, 152}, {1, 0}), in, out)),
      COUNTED_COPY("transpose_tiles/4_bytes", transpose_by(4, reordered(4, {64, 128}, {1, 0}), in, out)),
      COUNTED_COPY("transpose_tiles/8_bytes", transpose_by(2, reordered(8, {66, 34}, {1, 0}), in, out)),
      COUNTED_COPY("transpose_tiles/16_bytes", transpose_by(1, reordered(16, {37, 45}, {1, 0}), in, out)),
      COUNTED_COPY("copy_sectors/1_byte", copy_by_sectors({1, 1, 128, 256}, reordered(1, {525, 141}, {1, 0}), in, out)),
      COUNTED_COPY("copy_sectors/2_bytes", copy_by_sectors({1, 1, 64, 128}, reordered(2, {263, 141}, {1, 0}), in, out)),
      COUNTED_COPY("copy_sectors/4_bytes",
                   copy_by_sectors({1, 1, 32, 64}, reordered(4, {132, 75, 2}, {1, 0, 2}), in, out)),
      COUNTED_COPY("copy_sectors/8_bytes_of_whole_runs",
                   copy_by_sectors({1, 1, 19, 32}, reordered(8, {67, 19, 2}, {1, 0, 2}), in, out)),
      // Rows and runs of two modes, one mode between.
      COUNTED_COPY("copy_sectors/4_bytes_of_two_modes",
                   copy_by_sectors({2, 2, 11, 32}, reordered(4, {7, 15, 3, 5, 9}, {3, 4, 2, 1, 0}, 1, 2), in, out)),
      COUNTED_COPY("copy_sectors_by_lines/1_byte",
                   copy_by_sectors({1, 1, 128, 256, true}, reordered(1, {525, 141}, {1, 0}), in, out)),
      COUNTED_COPY("copy_sectors_by_lines/2_bytes",
                   copy_by_sectors({1, 1, 64, 128, true}, reordered(2, {263, 141}, {1, 0}), in, out)),
      COUNTED_COPY("copy_sectors_by_lines/4_bytes",
                   copy_by_sectors({1, 1, 32, 64, true}, reordered(4, {132, 75, 2}, {1, 0, 2}), in, out)),
      COUNTED_COPY("copy_sectors_by_lines/8_bytes_of_whole_runs",
                   copy_by_sectors({1, 1, 19, 32, true}, reordered(8, {67, 19, 2}, {1, 0, 2}), in, out)),
      COUNTED_COPY("copy_sectors_by_lines/4_bytes_between_gaps",
                   copy_by_sectors({1, 1, 23, 64, true}, reordered(4, {41, 23, 2}, {1, 0, 2}, 1, 0, 3), in, out)),
      // Runs of more lines than are loaded at once.
      COUNTED_COPY("copy_sectors_by_lines/2_bytes_of_long_runs",
                   copy_by_sectors({1, 1, 512, 64, true}, reordered(2, {74, 700}, {1, 0}, 1, 1), in, out)),
      COUNTED_COPY("copy_windows/1_byte_bulk", copy_by_windows<1>(true, tile_of(1, 1, {128, 1, 96}),
                                                                  reordered(1, {256, 2, 288}, {2, 1, 0}), in, out)),
      COUNTED_COPY("copy_windows/2_bytes_bulk", copy_by_windows<2>(true, tile_of(1, 1, {64, 1, 64}),
                                                                   reordered(2, {131, 3, 150}, {2, 1, 0}), in, out)),
      COUNTED_COPY("copy_windows/4_bytes_bulk", copy_by_windows<4>(true, tile_of(2, 2, {32, 15, 8}),
                                                                   reordered(4, {32, 61, 17}, {0, 2, 1}), in, out)),
      COUNTED_COPY("copy_windows/8_bytes_bulk",
                   copy_by_windows<8>(true, tile_of(2, 1, {11, 3, 13, 1}),
                                      reordered(8, {22, 3, 13, 5}, {2, 1, 0, 3}, 3, 1), in, out)),
      COUNTED_COPY("copy_windows/16_bytes_bulk", copy_by_windows<16>(true, tile_of(1, 1, {16, 1, 16}),
                                                                     reordered(16, {33, 5, 21}, {2, 1, 0}), in, out)),
      COUNTED_COPY(
          "copy_windows/1_byte_cp_async",
          copy_by_windows<1>(false, tile_of(1, 1, {64, 1, 48}), reordered(1, {129, 2, 97}, {2, 1, 0}, 3, 1), in, out)),
      COUNTED_COPY("copy_windows/2_bytes_cp_async",
                   copy_by_windows<2>(false, tile_of(2, 1, {31, 5, 9, 1, 1}),
                                      reordered(2, {31, 5, 9, 2, 4}, {2, 1, 0, 4, 3}), in, out)),
      COUNTED_COPY("copy_windows/4_bytes_cp_async", copy_by_windows<4>(false, tile_of(2, 2, {32, 15, 8}),
                                                                       reordered(4, {32, 61, 17}, {0, 2, 1}), in, out)),
      COUNTED_COPY("copy_windows/8_bytes_cp_async",
                   copy_by_windows<8>(false, tile_of(1, 2, {6, 10, 1, 24}), reordered(8, {6, 20, 3, 41}, {3, 2, 0, 1}),
                                      in, out)),
      COUNTED_COPY(
          "copy_windows/16_bytes_cp_async",
          copy_by_windows<16>(false, tile_of(1, 1, {16, 1, 16}), reordered(16, {33, 5, 21}, {2, 1, 0}), in, out)),
      // What lies between runs may not be read, and between rows not written.
      COUNTED_COPY(
          "copy_windows/4_bytes_between_gaps",
          copy_by_windows<4>(false, tile_of(1, 1, {19, 1, 8}), reordered(4, {19, 7, 30}, {2, 0, 1}, 1, 0, 3), in, out)),
      // Runs that are read across gaps; rows that leave gaps out.
      COUNTED_COPY("copy_windows/2_bytes_across_gaps",
                   copy_by_windows<2>(true, tile_of(2, 1, {61, 3, 17}),
                                      problem(2, {{121, 260, 1}, {3, 1, 121}, {51, 5, 363}}, 1, 3), in, out)),
      COUNTED_COPY("copy_windows/1_byte_across_gaps",
                   copy_by_windows<1>(false, tile_of(2, 1, {61, 3, 17}),
                                      problem(1, {{121, 260, 1}, {3, 1, 121}, {51, 5, 363}}, 1, 3), in, out)),
      // Lanes that begin with different words: windows side by side, and four rows.
      COUNTED_COPY("copy_windows/turned_1_byte",
                   copy_by_windows<1>(true, tile_of(2, 1, {704, 1, 2}),
                                      problem(1, {{704, 1, 1}, {9, 3520, 706}, {5, 704, 6400}}, 0, 3), in, out)),
      COUNTED_COPY("copy_windows/turned_2_bytes",
                   copy_by_windows<2>(false, tile_of(1, 1, {352, 1, 1}),
                                      problem(2, {{352, 1, 1}, {9, 1760, 354}, {5, 352, 3200}}, 0, 3), in, out)),
      COUNTED_COPY("copy_windows/turned_1_byte_of_short_rows",
                   copy_by_windows<1>(true, tile_of(2, 1, {128, 1, 64}),
                                      problem(1, {{128, 1, 1}, {2, 12288, 129}, {96, 128, 260}}, 1, 2), in, out)),
      // Rows so long that their places repeat.
      COUNTED_COPY("copy_windows/1_byte_of_long_rows",
                   copy_by_windows<1>(true, tile_of(1, 2, {13, 90}), reordered(1, {13, 180}, {1, 0}, 1, 3), in, out)),
      // A tile's elements are stored to several places: within rows, and of rows.
      COUNTED_COPY("copy_windows/2_bytes_repeated_in_rows",
                   copy_by_windows<2>(true, tile_of(1, 2, {27, 9, 32}),
                                      problem(2, {{27, 77, 1}, {23, 0, 27}, {77, 1, 621}}), in, out)),
      COUNTED_COPY("copy_windows/4_bytes_of_repeated_rows",
                   copy_by_windows<4>(false, tile_of(1, 1, {61, 5, 1}),
                                      problem(4, {{61, 1, 1}, {20, 0, 64}, {7, 61, 1300}}, 1, 2), in, out)),
      COUNTED_COPY(
          "move_rows/gather_16_bytes_at_once",
          gather<int>({.row_bytes = 320, .table_rows = 500, .table_pitch = 336, .list_pitch = 320, .count = 97}, 0, in,
                      out)),
      COUNTED_COPY(
          "move_rows/gather_2_bytes_at_once",
          gather<long long>({.row_bytes = 70, .table_rows = 999, .table_pitch = 74, .list_pitch = 70, .count = 61}, 0,
                            in, out)),
      COUNTED_COPY("move_rows/scatter_4_bytes_at_once",
                   scatter<int>({.row_bytes = 52, .table_rows = 701, .table_pitch = 60, .list_pitch = 52, .count = 333},
                                in, out)),
      COUNTED_COPY("move_rows/gather_but_wrong_numbers",
                   gather<int>({.row_bytes = 24, .table_rows = 701, .table_pitch = 24, .list_pitch = 40, .count = 500},
                               7, in, out)),
  };
}
#undef COUNTED_COPY

}  // namespace counters
