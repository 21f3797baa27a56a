// SPDX-License-Identifier: Apache-2.0
/// @file
/// Bank conflicts of the loads by which a warp puts together windows of the target, and how its lanes avoid them.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/copy/window_tiles.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
/// Wavefronts of an access to shared memory, an element a lane. Lanes are served together by 32, 16 (of 8 bytes) or 8
/// (of 16), and as often as the most distinct words that they want of a bank.
class lane_wavefronts {
 public:
  constexpr explicit lane_wavefronts(int element_bytes)
      : bytes_(element_bytes < 4 ? 4 : static_cast<std::uint32_t>(element_bytes)), together_(128 / bytes_) {}
  /// What a lane wants begins at this byte.
  constexpr void add(std::uint32_t lane, std::uint32_t byte) {
    std::uint32_t const word = byte / bytes_, group = lane / together_;
    int& last = last_[group * together_ + word % together_];
    int deep = 1;
    for (int k = last; k > 0; k = before_[k - 1], ++deep)
      if (word_[k - 1] == word) return;
    word_[words_] = word;
    before_[words_] = last;
    last = ++words_;
    if (deep > most_[group]) most_[group] = deep, ++count_;
  }
  constexpr int count() const { return count_; }

 private:
  std::uint32_t bytes_, together_;
  int words_ = 0, count_ = 0, most_[4] = {};
  std::uint32_t word_[32] = {};
  int before_[32] = {}, last_[32] = {};  // number of a word, from 1, of the same bank and group
};
/// Of a side's first `count` elements, what a part of its modes adds up to.
template <class Mode, std::size_t room>
constexpr void sums_of_elements(tile_side<Mode> const& side, std::uint32_t Mode::*part, std::uint32_t count,
                                std::uint32_t (&sum)[room]) {
  std::uint32_t inner = 1;
  for (int m = 0; m < side.in_run && inner < count; ++m) {
    std::uint32_t const step = side.mode[m].*part, all = inner * side.mode[m].extent.divisor;
    for (std::uint32_t k = inner; k < count && k < all; ++k) sum[k] = sum[k - inner] + step;
    inner = all;
  }
}

}  // namespace detail

/// With which of its four words each lane begins that puts together a window: lanes that want the same bank for the
/// same word begin with different ones. Windows of neighbouring elements lie 16 bytes apart in shared memory, so that
/// of a warp's lanes every eighth wants the same bank.
struct window_turn {
  /// Bits of the lane's number: two from `first`, and by an exclusive or two from `second`; none from 5 on.
  int first = 5, second = 5;
  int wavefronts = 1;  ///< of a warp's load of an element each

  /// Whether some lanes begin with another word than the first.
  COSMATI_HD constexpr bool turns() const { return first < 5; }
  /// The word that a lane begins with.
  COSMATI_HD constexpr std::uint32_t word_of(std::uint32_t lane) const {
    return ((lane >> first) ^ (lane >> second)) & 3u;
  }

  /// For tiles of elements of so many bytes and 2^row_log threads along a row: none where few wait for a bank, as a
  /// turn costs a tenth where shared memory is not what all wait for.
  static constexpr window_turn of(window_tiles const& t, int element_bytes, int row_log) {
    std::uint32_t const elements = (1u << (row_log < 5 ? row_log : 5)) * t.each;
    std::uint32_t place[512] = {}, run[512] = {};
    detail::sums_of_elements(t.target, &window_mode::place, elements, place);
    detail::sums_of_elements(t.target, &window_mode::run, elements, run);
    window_turn chosen;
    int const plain = chosen.count(t, element_bytes, row_log, place, run, false);
    if (element_bytes <= 2 && plain >= 4 && !t.row_has_gaps()) {
      window_turn turned;
      turned.first = row_log == 3 ? 3 : 2;  // four rows, or the lanes of one
      turned.second = row_log == 3 ? 5 : 4;
      if (2 * turned.count(t, element_bytes, row_log, place, run, false) <= plain) chosen = turned;
    }
    // Compilers count the steps of a constant.
    chosen.wavefronts = chosen.count(t, element_bytes, row_log, place, run, !__builtin_is_constant_evaluated());
    return chosen;
  }

 private:
  /// Wavefronts of the first load of a tile's first warp. @param place, run what of a row's elements they are sums of
  /// @param late whether rows may begin late in a window: neighbours that do so differently share no words
  constexpr int count(window_tiles const& t, int element_bytes, int row_log, std::uint32_t const (&place)[512],
                      std::uint32_t const (&run)[512], bool late) const {
    std::uint32_t const across = 1u << (row_log < 5 ? row_log : 5);
    // Of rows with gaps windows have fewer elements, in the mean so many.
    std::uint32_t const each = t.row_has_gaps() ? (t.each * t.row_copied + t.row_length - 1) / t.row_length : t.each;
    detail::lane_wavefronts counter(element_bytes);
    for (std::uint32_t row = 0; row < 32 / across && row < t.rows; ++row) {
      window_mode::sum const here = t.target.of_run(row);
      // Elements of the first window that are not the row's. Of rows with gaps it is not known which there are.
      std::uint32_t const before =
          late && !t.row_has_gaps() ? static_cast<std::uint32_t>(here.offset) % 16 / (16 / t.each) : 0;
      for (std::uint32_t k = 0; k < across && k * each < t.row_copied; ++k) {
        std::uint32_t const lane = row * across + k, first = k * each + (turns() ? word_of(lane) * t.each / 4 : 0);
        std::uint32_t const element = first - before;
        if (first >= before && element < t.row_copied)
          counter.add(lane, t.place_of_run(run[element] + here.run, 0) + place[element] + here.place);
      }
    }
    return counter.count();
  }
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
