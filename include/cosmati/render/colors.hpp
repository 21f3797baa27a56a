// SPDX-License-Identifier: Apache-2.0
/// @file
/// `color_scale`: the palette's colour for a thread, a tile or an offset, and the caption that explains it.
///
/// The eight colours have an order that the eye can follow: the next number has the next hue.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/render/figure.hpp>

namespace COSMATI_NAMESPACE {

/// Assigns numbers from `first` on to colours, `each` numbers to a colour.
struct color_scale {
  std::int64_t first = 0;
  std::int64_t each = 1;
  std::int64_t colors = 1;  ///< the number of colours, at most 8
  std::string meaning;      ///< `warp`, `group of 4 threads`
  std::int64_t unit = 1;    ///< the numbers that one number of the key stands for: 32 if it names warps

  /// The colour of a number, spread over the palette. The last number always gets the darkest colour.
  int color(std::int64_t number) const {
    std::int64_t const at = (number - first) / each;
    if (colors <= 1 || at <= 0) return 0;
    std::int64_t const last = colors - 1, steps = detail::palette_size - 1;
    return static_cast<int>(at >= last ? steps : (2 * at * steps + last) / (2 * last));
  }
  /// Explains the colours, and lists the numbers of each. @param end the number after the last one
  void explain(figure& f, std::int64_t end) const {
    f.color_is = meaning;
    f.key.clear();
    for (std::int64_t i = 0; i < colors; ++i) {
      std::int64_t const low = (first + i * each) / unit;
      std::int64_t const high = (first + (i + 1) * each < end ? first + (i + 1) * each : end) - 1;
      std::string text = std::to_string(low);
      if (high / unit > low) text += (high < 0 ? " to " : "-") + std::to_string(high / unit);
      f.key.push_back({color(first + i * each), std::move(text)});
    }
  }
};

namespace detail {

inline color_scale evenly(std::int64_t first, std::int64_t count) {
  color_scale s;
  s.first = first;
  s.each = (count + palette_size - 1) / palette_size;
  if (s.each < 1) s.each = 1;
  s.colors = (count + s.each - 1) / s.each;
  return s;
}
inline std::string group_of(std::int64_t count, char const* what) {
  return count == 1 ? std::string(what) : "group of " + std::to_string(count) + " " + what + "s";
}

/// The scale for that many threads: by thread within one warp, otherwise by warp.
inline color_scale scale_of_threads(std::int64_t threads) {
  bool const warps = threads > 32;
  color_scale s = evenly(0, warps ? (threads + 31) / 32 : threads);
  s.meaning = group_of(s.each, warps ? "warp" : "thread");
  if (warps) {
    s.each *= 32;
    s.unit = 32;
  }
  return s;
}
/// The scale for offsets from `low` to `high`.
inline color_scale scale_of_offsets(std::int64_t low, std::int64_t high) {
  color_scale s = evenly(low, high - low + 1);
  s.meaning = "offset";
  return s;
}

}  // namespace detail
}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
