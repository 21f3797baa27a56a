// SPDX-License-Identifier: Apache-2.0
/// @file
/// Rows by their indices: `gather_rows` reads scattered rows of a table (embeddings, blocks of a paged cache),
/// `scatter_rows` writes them. The device checks the indices. A wrong index is an error or is skipped, but never a
/// fault.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/streaming.hpp>
#include <cosmati/kernel/copy_problem/problem.hpp>
#include <cosmati/kernel/current_device_model.hpp>
#include <cosmati/kernel/divider.hpp>
#include <cosmati/kernel/wrong_place.hpp>
#include <cosmati/runtime/cuda_words.hpp>
#include <cosmati/runtime/device.hpp>
#include <cosmati/runtime/device_memory.hpp>
#include <cosmati/runtime/launch.hpp>
#include <limits>
#include <string>
#include <type_traits>

#pragma push_macro("__builtin_memcpy")  // accesses that were reported; see runtime/seen_builtins.hpp
#undef __builtin_memcpy

namespace COSMATI_NAMESPACE {

/// The treatment of an index that is not in the table.
enum class wrong_index {
  is_error,   ///< the row is not moved, and the call throws `error` with the first such position; the call waits for
              ///< its stream
  is_skipped  ///< the row is not moved; the call does not wait
};

/// Rows of `row_bytes` bytes. `table_pitch` and `list_pitch` are the bytes from the begin of one row to the next. They
/// are at least `row_bytes`, or 0 if rows follow each other without a gap.
struct row_moves {
  std::int64_t row_bytes = 0;
  std::int64_t table_rows = 0;
  std::int64_t table_pitch = 0, list_pitch = 0;
  std::int64_t count = 0;  ///< the number of rows to move, which is the number of indices
};

namespace detail {

/// The argument of the kernel.
template <class Index>
struct row_arguments {
  char const* from;
  char* to;
  Index const* index;
  unsigned long long* first_wrong;  ///< the smallest position of a wrong index, or null
  row_moves rows;
  fast_divider strip, last_strip;  ///< the vectors of a row in one strip
  std::uint32_t launched_rows;
  std::int64_t first_row;
};

inline constexpr int row_threads = 256;
/// The share of L2 that a strip of the table takes, at best and at most. Written data go through L2 too.
inline constexpr double strip_l2_share = 0.1, most_strip_l2_share = 0.4;

/// The y coordinate of the grid is a *strip*: the same columns of all rows. One strip is moved before the next begins.
/// @tparam vector_bytes the size of an access
/// @tparam gathers whether rows come from the table, or go to it
/// @tparam at_once the vectors of a thread
template <class Index, int vector_bytes, bool gathers, int at_once>
__global__ void __launch_bounds__(row_threads) move_rows(__grid_constant__ row_arguments<Index> const job) {
  register_words<vector_bytes> held[std::size_t{at_once}] = {};
  char* to[std::size_t{at_once}];
  std::uint32_t const first = blockIdx.x * static_cast<std::uint32_t>(row_threads * at_once) + threadIdx.x;
  fast_divider const vectors = blockIdx.y + 1 == gridDim.y ? job.last_strip : job.strip;
  std::uint32_t const slots = job.launched_rows * vectors.divisor;
  std::int64_t const strip_begin = static_cast<std::int64_t>(blockIdx.y * job.strip.divisor) * vector_bytes;
  COSMATI_UNROLL
  for (int k = 0; k < at_once; ++k) {
    [[maybe_unused]] access_step const turn;
    std::uint32_t const slot = first + static_cast<std::uint32_t>(k * row_threads);
    to[k] = nullptr;
    if (slot >= slots) continue;
    std::uint32_t const in_launch = vectors.quotient(slot);
    std::int64_t const at = strip_begin + static_cast<std::int64_t>(vectors.remainder(slot, in_launch)) * vector_bytes;
    std::int64_t const place = job.first_row + in_launch;
    auto const words = load_read_only<static_cast<int>(sizeof(Index))>(job.index + place);
    Index number;
    __builtin_memcpy(&number, words.word, sizeof number);
    auto const row = static_cast<std::int64_t>(number);
    if (row < 0 || row >= job.rows.table_rows) {
      if (job.first_wrong != nullptr) atomicMin(job.first_wrong, static_cast<unsigned long long>(place));
      continue;
    }
    std::int64_t const in_table = row * job.rows.table_pitch + at, in_list = place * job.rows.list_pitch + at;
    held[k] = load_streaming<vector_bytes>(job.from + (gathers ? in_table : in_list));
    to[k] = job.to + (gathers ? in_list : in_table);
  }
  COSMATI_UNROLL
  // If an index occurs twice in scatter_rows' list, a race is reported here.
  for (int k = 0; k < at_once; ++k) {
    [[maybe_unused]] access_step const turn;
    if (to[k] != nullptr) store_streaming<vector_bytes>(to[k], held[k]);
  }
}

/// The bytes from one row to the next. Throws `error` if rows would overlap, or exceed any address.
/// @param who, member the function and the member that the error names
/// @param count the number of rows
inline std::int64_t row_pitch(char const* who, char const* member, std::int64_t pitch, std::int64_t row_bytes,
                              std::int64_t count) {
  if (pitch == 0) pitch = row_bytes;
  if (pitch < row_bytes)
    throw error(
        "%s: rows.%s is %lld bytes, less than rows.row_bytes, %lld: rows would overlap; make it the distance from one "
        "row to the next, or 0 where they lie one behind the other",
        who, member, static_cast<long long>(pitch), static_cast<long long>(row_bytes));
  if (pitch > 0 && count > std::numeric_limits<std::int64_t>::max() / pitch)
    throw error("%s: %lld rows, rows.%s being %lld bytes, are more than 2^63 bytes; mend the numbers", who,
                static_cast<long long>(count), member, static_cast<long long>(pitch));
  return pitch;
}

/// The vectors of a row in one strip of a gather. A strip pays if the list reads each row of the table about once or
/// more often, and L2 cannot hold the table. L2 then holds a strip, so that each byte of the table comes from memory
/// once.
/// @param vector_bytes the size of an access
constexpr std::int64_t gather_strip_vectors(row_moves const& rows, int vector_bytes, device_model const& device) {
  std::int64_t const all = rows.row_bytes / vector_bytes;
  double const table_rows = static_cast<double>(rows.table_rows);
  if (rows.count < rows.table_rows || table_rows * static_cast<double>(rows.row_bytes) <= device.l2_bytes) return all;
  constexpr std::int64_t least_bytes = 512;  // whole lines, and a warp's access
  if (table_rows * least_bytes > most_strip_l2_share * device.l2_bytes) return all;
  auto const strip_units = static_cast<std::int64_t>(strip_l2_share * device.l2_bytes / table_rows) / least_bytes;
  std::int64_t const strip = (strip_units > 1 ? strip_units : 1) * least_bytes / vector_bytes;
  return strip < all ? strip : all;
}

/// Starts the kernels. @param strip the vectors of a row in one strip, all of them or fewer
template <bool gathers, class Index, int vector_bytes>
void move_rows_in_strips(row_arguments<Index> job, std::int64_t strip, stream_handle stream) {
  constexpr int at_once = 4;
  std::int64_t const vectors = job.rows.row_bytes / vector_bytes;
  // A grid has at most 65,535 strips.
  if (strip < 1 || (vectors - 1) / strip >= 65535) strip = vectors;
  std::int64_t const strips = (vectors + strip - 1) / strip;
  job.strip = fast_divider(static_cast<std::uint32_t>(strip));
  job.last_strip = fast_divider(static_cast<std::uint32_t>(vectors - (strips - 1) * strip));
  std::int64_t const most = (std::int64_t{1} << 31) / strip - 1;  // the rows of a launch; slot numbers are below 2^31
  for (std::int64_t row = 0; row < job.rows.count; row += most) {
    std::int64_t const here = job.rows.count - row < most ? job.rows.count - row : most;
    job.first_row = row;
    job.launched_rows = static_cast<std::uint32_t>(here);
    auto const slots = static_cast<std::uint32_t>(here * strip);
    launch(move_rows<Index, vector_bytes, gathers, at_once>,
           {.grid = {(slots + row_threads * at_once - 1) / (row_threads * at_once), static_cast<unsigned>(strips)},
            .block = row_threads,
            .stream = stream},
           job);
  }
}

/// Throws `error` where the call cannot be done. Says the pitches of `rows` that are 0.
/// @param table, list where rows of the table and of the list begin, @param list_name what the call calls the list
template <class Index>
void expect_row_moves(char const* who, void const* table, char const* list_name, void const* list, Index const* index,
                      row_moves& rows) {
  if (rows.row_bytes < 0 || rows.table_rows < 0 || rows.count < 0)
    throw error("%s: %lld rows of %lld bytes, of a table of %lld: none of these may be negative", who,
                static_cast<long long>(rows.count), static_cast<long long>(rows.row_bytes),
                static_cast<long long>(rows.table_rows));
  rows.table_pitch = row_pitch(who, "table_pitch", rows.table_pitch, rows.row_bytes, rows.table_rows);
  rows.list_pitch = row_pitch(who, "list_pitch", rows.list_pitch, rows.row_bytes, rows.count);
  if (rows.count == 0 || rows.row_bytes == 0) return;
  if (index == nullptr)
    throw error("%s: index is null, and rows.count is %lld; pass that many numbers in device memory", who,
                static_cast<long long>(rows.count));
  if (auto const at = reinterpret_cast<std::uintptr_t>(index); at % sizeof(Index) != 0)
    throw error("%s: index, at 0x%llx, holds integers of %d bytes and is not at a multiple of %d bytes; move it there",
                who, static_cast<unsigned long long>(at), static_cast<int>(sizeof(Index)),
                static_cast<int>(sizeof(Index)));
  expect_device_memory(who, "index", index);
  if (rows.table_rows > 0) expect_device_memory(who, "table", table);
  expect_device_memory(who, list_name, list);
}

/// Waits for the kernels, and throws `error` where the list has a number that is no row of the table.
template <class Index>
void throw_for_wrong_row(char const* who, wrong_place& first_wrong, Index const* index, row_moves const& rows,
                         stream_handle stream) {
  unsigned long long const place = first_wrong.after(stream);
  if (place == wrong_place::none) return;
  Index number = {};
#if defined(__CUDACC__)
  check_cuda(cudaMemcpy(&number, index + place, sizeof number, cudaMemcpyDefault), "reading a wrong number of a row");
#else
  number = index[place];
#endif
  throw error(
      "%s: index[%llu] is %s, which is no row of the table: it has %lld rows; mend the list, or pass "
      "wrong_index::is_skipped",
      who, place, std::to_string(number).c_str(), static_cast<long long>(rows.table_rows));
}

template <bool gathers, class Index>
void move_rows_by(void const* from, void* to, Index const* index, row_moves rows, wrong_index wrong,
                  stream_handle stream) {
  char const* const who = gathers ? "gather_rows" : "scatter_rows";
  expect_row_moves(who, gathers ? from : to, gathers ? "out" : "in", gathers ? to : from, index, rows);
  if (rows.count == 0 || rows.row_bytes == 0) return;
  auto const joined =
      static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(from) | reinterpret_cast<std::uintptr_t>(to)) |
      rows.row_bytes | rows.table_pitch | rows.list_pitch;
  std::int64_t const width = power_of_two_in(joined, 16);
  if (rows.row_bytes / width >= (std::int64_t{1} << 30))
    throw error("%s: rows of %lld bytes at addresses that are multiples of %lld only: at most 2^30 accesses a row", who,
                static_cast<long long>(rows.row_bytes), static_cast<long long>(width));
  wrong_place first_wrong(wrong == wrong_index::is_error);
  row_arguments<Index> const job = {
      static_cast<char const*>(from), static_cast<char*>(to), index, first_wrong.address(), rows, {}, {}, 0, 0};
  auto const go = [&](auto bytes) {
    constexpr int vector_bytes = decltype(bytes)::value;
    std::int64_t const strip =
        gathers ? gather_strip_vectors(rows, vector_bytes, device_model::of_current()) : rows.row_bytes / vector_bytes;
    move_rows_in_strips<gathers, Index, vector_bytes>(job, strip, stream);
  };
  switch (width) {
    case 1:
      go(std::integral_constant<int, 1>{});
      break;
    case 2:
      go(std::integral_constant<int, 2>{});
      break;
    case 4:
      go(std::integral_constant<int, 4>{});
      break;
    case 8:
      go(std::integral_constant<int, 8>{});
      break;
    default:
      go(std::integral_constant<int, 16>{});
      break;
  }
  if (wrong == wrong_index::is_error) throw_for_wrong_row(who, first_wrong, index, rows, stream);
}

/// The types of indices.
template <class Index>
inline constexpr bool is_row_number = std::is_integral_v<Index> && (sizeof(Index) == 4 || sizeof(Index) == 8);

}  // namespace detail

/// Row k of `out` becomes row index[k] of `table`. All three are in device memory and do not overlap. Throws `error`
/// with the first wrong index and its position, unless wrong indices are skipped.
/// @param index rows.count integers of 4 or 8 bytes
template <class Index>
void gather_rows(void const* table, Index const* index, void* out, row_moves const& rows,
                 wrong_index wrong = wrong_index::is_error, stream_handle stream = nullptr) {
  static_assert(detail::is_row_number<Index>,
                "gather_rows: index holds integers of 4 or 8 bytes: std::int32_t, std::uint32_t, std::int64_t or "
                "std::uint64_t");
  if constexpr (detail::is_row_number<Index>) detail::move_rows_by<true>(table, out, index, rows, wrong, stream);
}
/// Row index[k] of `table` becomes row k of `in`. The rest is as for `gather_rows`. The indices must differ from each
/// other. If two rows go to the same place, the table may get some bytes of one row and some of the other. A GPU does
/// not check that; the simulated device reports a race, unless the rows are equal.
template <class Index>
void scatter_rows(void const* in, Index const* index, void* table, row_moves const& rows,
                  wrong_index wrong = wrong_index::is_error, stream_handle stream = nullptr) {
  static_assert(detail::is_row_number<Index>,
                "scatter_rows: index holds integers of 4 or 8 bytes: std::int32_t, std::uint32_t, std::int64_t or "
                "std::uint64_t");
  if constexpr (detail::is_row_number<Index>) detail::move_rows_by<false>(in, table, index, rows, wrong, stream);
}

}  // namespace COSMATI_NAMESPACE

#pragma pop_macro("__builtin_memcpy")

#include <cosmati/core/macros_end.hpp>
