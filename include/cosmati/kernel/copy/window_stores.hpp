// SPDX-License-Identifier: Apache-2.0
/// @file
/// How a tile of windows is stored: aligned windows of its rows, put together out of shared memory.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/copy/window_memory.hpp>

namespace COSMATI_NAMESPACE::detail {

/// A window of the target out of the elements that a table names.
template <int element_bytes>
__device__ inline register_words<16> gathered_window(unsigned char const* base, unsigned char const* places) {
  constexpr int each = window_bytes / element_bytes;
  constexpr int table = each >= 8 ? 16 : 2 * each;  // bytes of the table that one load takes
  register_words<16> window = {};
  shared_elements<element_bytes> const element(base);
  COSMATI_UNROLL
  for (int part = 0; part < 2 * each / table; ++part) {
    register_words<table> const place = load_words<table>(places + part * table);
    COSMATI_UNROLL
    for (int k = 0; k < table / 2; ++k) {
      int const e = part * (table / 2) + k;
      std::uint32_t const at = __byte_perm(place.word[k / 2], 0, k % 2 == 0 ? 0x4410 : 0x4432);
      register_words<element_bytes> const one = element[at];
      if constexpr (element_bytes < 4) {
        window.word[e * element_bytes / 4] |= one.word[0] << (e * element_bytes % 4 * 8);
      } else {
        COSMATI_UNROLL
        for (int w = 0; w < element_bytes / 4; ++w) window.word[e * element_bytes / 4 + w] = one.word[w];
      }
    }
  }
  return window;
}

/// The same word by word, beginning with that which the turn says. @tparam element_bytes 1 or 2
template <int element_bytes>
__device__ inline register_words<16> gathered_window_turned(unsigned char const* base, unsigned char const* places,
                                                            window_turn const& turn) {
  constexpr int each = 4 / element_bytes;  // elements of a word
  constexpr std::uint32_t table = 2 * each;
  shared_elements<element_bytes> const element(base);
  std::uint32_t lane = threadIdx.x % 32;
#if defined(__CUDA_ARCH__)
  asm volatile("" : "+r"(lane));  // else what follows from it is kept in registers, more than there are
#endif
  std::uint32_t const first = turn.word_of(lane);
  std::uint32_t word[4] = {};
  COSMATI_UNROLL
  for (std::uint32_t k = 0; k < 4; ++k) {
    register_words<table> const place = load_words<table>(places + (first + k) % 4 * table);
    COSMATI_UNROLL
    for (int e = 0; e < each; ++e)
      word[k] |= element[__byte_perm(place.word[e / 2], 0, e % 2 == 0 ? 0x4410 : 0x4432)].word[0]
                 << (e * element_bytes * 8);
  }
  // The first one is the window's word number `first`.
  bool const by_one = (first & 1u) != 0, by_two = (first & 2u) != 0;
  std::uint32_t const turned[4] = {by_one ? word[3] : word[0], by_one ? word[0] : word[1], by_one ? word[1] : word[2],
                                   by_one ? word[2] : word[3]};
  return {{by_two ? turned[2] : turned[0], by_two ? turned[3] : turned[1], by_two ? turned[0] : turned[2],
           by_two ? turned[1] : turned[3]}};
}

/// The whole windows of a tile's rows. @param base where the tile's corner is in shared memory
/// @tparam turned lanes begin with different words
template <int element_bytes, bool turned>
__device__ inline void store_windows(window_copy_arguments const& job, window_memory const& memory,
                                     window_tile_rows const& tile, unsigned char const* base) {
  constexpr int each = window_bytes / element_bytes;
  window_tiles const& tiles = job.tiles;
  char* const target = job.target + tile.target;
  auto const corner = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(target));
  int const thread = static_cast<int>(threadIdx.x), across = 1 << job.row_log, column = thread & (across - 1);
  auto const gathered = [&](unsigned char const* from, unsigned char const* places) {
    if constexpr (turned)
      return gathered_window_turned<element_bytes>(from, places, job.turn);
    else
      return gathered_window<element_bytes>(from, places);
  };
  COSMATI_NO_UNROLL
  for (int r = thread >> job.row_log; r < tile.rows; r += window_copy_threads >> job.row_log) {
    [[maybe_unused]] access_step const turn;
    register_words<16> const entry = load_words<16>(memory.rows + r * 16);
    std::uint32_t const address = corner + entry.word[0];
    std::uint32_t const shift = address % window_bytes / element_bytes;  // elements of the first window before the row
    int const end = static_cast<int>(static_cast<std::uint32_t>(tile.row_length) + shift) / each;
    unsigned char const* const row = base + entry.word[2];
    // Threads begin where lines of the target do.
    int w = column - static_cast<int>(address / window_bytes & static_cast<std::uint32_t>(across - 1));
    if (w < (shift > 0 ? 1 : 0)) w += across;
    char* to = target + integer_of(entry) - shift * element_bytes + w * window_bytes;
    auto e = static_cast<std::uint32_t>(w * each) - shift;
    unsigned char const* place = memory.places + (shift * (tiles.table_pitch + 1) + e) * 2;
    if (tiles.period == tiles.row_length) {
      COSMATI_NO_UNROLL
      for (; w < end; w += across) {
        [[maybe_unused]] access_step const turn;
        store_words<16>(to, gathered(row, place));
        to += across * window_bytes;
        place += across * each * 2;
      }
    } else {
      COSMATI_NO_UNROLL
      for (; w < end; w += across) {
        [[maybe_unused]] access_step const turn;
        std::uint32_t const periods = tiles.periods.quotient(e), rest = tiles.periods.remainder(e, periods);
        place = memory.places + ((0u - rest) % each * (tiles.table_pitch + 1) + rest) * 2;
        store_words<16>(to, gathered(row + periods * tiles.period_step, place));
        to += across * window_bytes;
        e += static_cast<std::uint32_t>(across * each);
      }
    }
  }
}

/// A window of which not all elements need be there.
struct window_part {
  register_words<16> words;
  std::uint32_t there;  ///< a bit for each
};
/// The same as `gathered_window` where a table has gaps. @param left elements from the window's first on
template <int element_bytes>
__device__ inline window_part gathered_part(unsigned char const* base, unsigned char const* places, int left) {
  constexpr int each = window_bytes / element_bytes, table = 8;  // bytes of the table that one load takes
  window_part part = {};
  std::uint32_t gaps = 0;
  shared_elements<element_bytes> const element(base);
  COSMATI_UNROLL
  for (int begin = 0; begin < each; begin += table / 2) {
    register_words<table> place = load_words<table>(places + begin * 2);
    COSMATI_UNROLL
    for (int pair = 0; pair < table / 4; ++pair) {
      int const e = begin + 2 * pair;
      std::uint32_t both = place.word[pair];
      // Behind the row's end there may be places that the tile has not loaded.
      if (left < each)
        both = e >= left ? window_gap | window_gap << 16 : e + 1 >= left ? both % 65536 | window_gap << 16 : both;
      gaps |= ((both >> 15 & 1u) | (both >> 30 & 2u)) << e;
      std::uint32_t const first = both & (window_gap - 1), second = both >> 16 & (window_gap - 1);
      part.words.word[e * element_bytes / 4] |= element[first].word[0] << (e * element_bytes % 4 * 8);
      part.words.word[(e + 1) * element_bytes / 4] |= element[second].word[0] << ((e + 1) * element_bytes % 4 * 8);
    }
  }
  part.there = ~gaps & ((1u << each) - 1);
  return part;
}
/// What of a window is there, by the fewest accesses to aligned powers of two of its bytes.
/// @tparam begin, bytes the part of the window that is looked at
template <int element_bytes, int begin = 0, int bytes = window_bytes>
__device__ inline void store_what_is_there(char* to, window_part const& part) {
  constexpr std::uint32_t mine = ((1u << (bytes / element_bytes)) - 1) << (begin / element_bytes);
  if ((part.there & mine) == mine) {
    [[maybe_unused]] access_step const turn;
    register_words<bytes> words;
    COSMATI_UNROLL
    for (int w = 0; w < register_words<bytes>::count; ++w)
      words.word[w] = part.words.word[begin / 4 + w] >> (begin % 4 * 8);
    store_words<bytes>(to + begin, words);
  } else if constexpr (bytes > element_bytes) {
    if ((part.there & mine) != 0) {
      store_what_is_there<element_bytes, begin, bytes / 2>(to, part);
      store_what_is_there<element_bytes, begin + bytes / 2, bytes / 2>(to, part);
    }
  }
}
/// The windows of a tile's rows, ends and gaps included. @param base where the tile's corner is in shared memory
template <int element_bytes>
__device__ inline void store_windows_with_gaps(window_copy_arguments const& job, window_memory const& memory,
                                               window_tile_rows const& tile, unsigned char const* base) {
  constexpr int each = window_bytes / element_bytes;
  window_tiles const& tiles = job.tiles;
  char* const target = job.target + tile.target;
  auto const corner = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(target));
  int const thread = static_cast<int>(threadIdx.x), across = 1 << job.row_log, column = thread & (across - 1);
  COSMATI_NO_UNROLL
  for (int r = thread >> job.row_log; r < tile.rows; r += window_copy_threads >> job.row_log) {
    [[maybe_unused]] access_step const turn;
    register_words<16> const entry = load_words<16>(memory.rows + r * 16);
    std::uint32_t const address = corner + entry.word[0];
    auto const shift = static_cast<int>(address % window_bytes) / element_bytes;
    int w = column - static_cast<int>(address / window_bytes & static_cast<std::uint32_t>(across - 1));
    if (w < 0) w += across;
    char* const to = target + integer_of(entry) - shift * element_bytes;
    unsigned char const* const places = memory.places + static_cast<std::uint32_t>(shift) * tiles.table_pitch * 2;
    COSMATI_NO_UNROLL
    for (; w * each < tile.row_length + shift; w += across) {
      [[maybe_unused]] access_step const turn;
      window_part const part = gathered_part<element_bytes>(
          base + entry.word[2], places + w * window_bytes / element_bytes * 2, tile.row_length + shift - w * each);
      store_what_is_there<element_bytes>(to + w * window_bytes, part);
    }
  }
}

/// The first and the last window of each row, as far as they are the row's. The last threads, which had least to do
/// before, take the first rows.
template <int element_bytes>
__device__ inline void store_ends(window_copy_arguments const& job, window_memory const& memory,
                                  window_tile_rows const& tile, unsigned char const* base) {
  constexpr int each = window_bytes / element_bytes;
  window_tiles const& tiles = job.tiles;
  char* const target = job.target + tile.target;
  auto const corner = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(target));
  int const thread = static_cast<int>(threadIdx.x), k = thread % each;
  COSMATI_NO_UNROLL
  for (int r = (window_copy_threads - 1 - thread) / each; r < tile.rows; r += window_copy_threads / each) {
    [[maybe_unused]] access_step const turn;
    register_words<16> const entry = load_words<16>(memory.rows + r * 16);
    auto const shift = static_cast<int>((corner + entry.word[0]) % window_bytes) / element_bytes;
    int const last = (tile.row_length + shift) / each * each - shift;  // first element of the last window
    auto const move = [&](int e) {
      std::uint32_t const periods = tiles.periods.quotient(static_cast<std::uint32_t>(e));
      std::uint32_t const rest = tiles.periods.remainder(static_cast<std::uint32_t>(e), periods);
      std::uint32_t const at = load_words<2>(memory.places + rest * 2).word[0];
      store_words<element_bytes>(
          target + integer_of(entry) + e * element_bytes,
          load_words<element_bytes>(base + entry.word[2] + periods * tiles.period_step + at * element_bytes));
    };
    if (shift > 0 && k >= shift && k - shift < tile.row_length) move(k - shift);
    if (last >= 0 && last + k < tile.row_length) move(last + k);
  }
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
