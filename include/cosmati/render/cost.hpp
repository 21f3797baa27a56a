// SPDX-License-Identifier: Apache-2.0
/// @file
/// Figures of the cost of one warp instruction: `picture_banks` has lanes by bank and wavefront, `picture_sectors`
/// lanes by line and sector, `picture_cost` a tiled copy's first instructions.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <algorithm>
#include <cosmati/analysis/call_cost.hpp>
#include <cosmati/analysis/warp_cost.hpp>
#include <cosmati/render/pictures.hpp>
#include <map>

namespace COSMATI_NAMESPACE {

namespace detail {

/// "1 sector", "2 sectors".
template <class Integer>
std::string counted(Integer number, char const* what) {
  return std::to_string(number) + ' ' + what + (number == 1 ? "" : "s");
}

/// Writes lanes in ascending order as `0-3,8`.
inline std::string ranges(std::vector<int> const& lanes) {
  std::string out;
  for (std::size_t i = 0; i < lanes.size();) {
    std::size_t last = i;
    while (last + 1 < lanes.size() && lanes[last + 1] == lanes[last] + 1) ++last;
    out += (out.empty() ? "" : ",") + std::to_string(lanes[i]);
    if (last > i) out += "-" + std::to_string(lanes[last]);
    i = last + 1;
  }
  return out;
}

/// Gives neighbouring cells of a vector with the same lanes one label.
inline void label_equal_neighbours(figure_grid& g) {
  for (int r = 0; r < g.rows; ++r) {
    for (int c = 0, end = 0; c < g.columns; c = end) {
      end = c + 1;
      while (end < g.columns && !g.at(r, c).lanes.empty() && g.at(r, end).lanes == g.at(r, c).lanes) ++end;
      if (end - c > 1) g.outline.push_back({r, c, 1, end - c, g.at(r, c).text});
    }
  }
}

/// The words that a group of lanes asks each bank for, in the order in which lanes name them, with the lanes that ask.
/// Each word of a bank is served in a pass of its own.
using words_of_banks = std::vector<std::vector<std::pair<std::int64_t, std::vector<int>>>>;

/// @param begin the group's first lane
inline words_of_banks bank_words(memory_instruction const& instruction, warp_access const& access, int begin) {
  words_of_banks word(32);
  bool const merge = instruction.operation != memory_operation::copy_async;
  for (int l = begin; l < begin + instruction.lanes_a_group() && l < instruction.lanes; ++l) {
    if (!access.takes_part(l)) continue;
    for (int i = 0; i < words_a_lane(instruction); ++i) {
      std::int64_t const w = (access.offset[l] >> 2) + i;
      auto& in_bank = word[static_cast<std::size_t>(w & 31)];
      auto const at = std::find_if(in_bank.begin(), in_bank.end(), [&](auto const& x) { return x.first == w; });
      if (at != in_bank.end() && merge)
        at->second.push_back(l);
      else
        in_bank.push_back({w, {l}});
    }
  }
  return word;
}

/// One pass of a group of lanes: a cell a bank.
inline std::vector<figure_cell> bank_cells(words_of_banks const& word, std::size_t pass) {
  std::vector<figure_cell> cells(32);
  for (std::size_t b = 0; b < 32; ++b) {
    cells[b].unit = static_cast<std::int64_t>(b);
    if (pass >= word[b].size()) continue;
    cells[b].text = ranges(word[b][pass].second);
    cells[b].color = pass < 7 ? static_cast<int>(pass) : 7;
    cells[b].thread = word[b][pass].second[0];
    cells[b].value = 0;
    cells[b].lanes = word[b][pass].second;
  }
  return cells;
}

}  // namespace detail

/// The lanes that read or write a word of each bank, one row per wavefront. A group of lanes takes as many wavefronts
/// as its busiest bank holds different words. Loads that the hardware merges across groups take fewer wavefronts than
/// the picture has rows; the words below the title give the true number.
inline figure picture_banks(memory_instruction const& instruction, warp_access const& access) {
  figure f;
  shared_cost const cost = shared_cost_of(instruction, access);
  f.title = "banks of shared memory by wavefront";
  f.words.push_back(detail::counted(cost.wavefronts, "wavefront") + ", " + std::to_string(cost.floor) +
                    " without conflicts: " + detail::counted(cost.bank_conflicts, "bank conflict"));
  if (cost.worst_bank >= 0 && cost.worst_words > 1) {
    f.words.push_back("worst: " + std::to_string(cost.worst_words) + " words of bank " +
                      std::to_string(cost.worst_bank));
  }
  std::vector<std::string> label;
  std::vector<std::vector<figure_cell>> row;
  int const group = instruction.lanes_a_group();
  for (int begin = 0; begin < instruction.lanes; begin += group) {
    detail::words_of_banks const word = detail::bank_words(instruction, access, begin);
    std::size_t passes = 0;
    for (auto const& b : word) passes = std::max(passes, b.size());
    for (std::size_t p = 0; p < passes; ++p) {
      label.push_back("lanes " + std::to_string(begin) + "-" + std::to_string(begin + group - 1) +
                      (passes > 1 ? ", pass " + std::to_string(p) : std::string()));
      row.push_back(detail::bank_cells(word, p));
    }
  }
  figure_grid g("", static_cast<int>(row.size()), 32);
  g.row_label = std::move(label);
  g.column_axis = "bank";
  for (std::size_t r = 0; r < row.size(); ++r) {
    for (int c = 0; c < 32; ++c) g.at(static_cast<int>(r), c) = row[r][static_cast<std::size_t>(c)];
  }
  f.grid.push_back(std::move(g));
  detail::label_equal_neighbours(f.grid.back());
  f.color_is = "pass";
  std::size_t most = 0;
  for (figure_cell const& c : f.grid[0].cell) most = std::max(most, static_cast<std::size_t>(c.color + 1));
  for (std::size_t p = 0; p < most; ++p)
    f.key.push_back({static_cast<int>(p), std::to_string(p) + (p == 7 ? " and more" : "")});
  f.note.push_back("a number = the lane that asks for a word of that bank; every pass after pass 0 is a bank conflict");
  return f;
}

/// The lanes that touch each 32-byte sector of each 128-byte line.
inline figure picture_sectors(memory_instruction const& instruction, warp_access const& access) {
  figure f;
  global_cost const cost = global_cost_of(instruction, access);
  f.title = "sectors of global memory by line";
  f.words.push_back(std::to_string(cost.sectors) + " sectors, " + std::to_string(cost.ideal_sectors) + " needed; " +
                    std::to_string(cost.lines) + " lines, " + std::to_string(cost.ideal_lines) + " needed");
  std::map<std::int64_t, std::vector<int>[4]> line;
  for (int l = 0; l < instruction.lanes; ++l) {
    if (!access.takes_part(l)) continue;
    std::int64_t const first = access.offset[l] >> 5, last = (access.offset[l] + instruction.bytes - 1) >> 5;
    for (std::int64_t s = first; s <= last; ++s) line[s >> 2][static_cast<std::size_t>(s & 3)].push_back(l);
  }
  figure_grid g("", static_cast<int>(line.size()), 4);
  g.column_label = {"+0", "+32", "+64", "+96"};
  g.column_axis = "byte of the line";
  g.is_numbered = false;
  int r = 0;
  for (auto const& [number, sector] : line) {
    g.row_label.push_back("byte " + std::to_string(128 * number));
    for (int c = 0; c < 4; ++c) {
      std::vector<int> const& lanes = sector[c];
      figure_cell& cell = g.at(r, c);
      cell.unit = 4 * number + c;
      if (lanes.empty()) continue;
      cell.text = detail::ranges(lanes);
      cell.color = lanes.size() >= 8 ? 2 : lanes.size() >= 2 ? 4 : 7;
      cell.thread = lanes[0];
      cell.value = 0;
      cell.lanes = lanes;
    }
    ++r;
  }
  f.grid.push_back(std::move(g));
  f.color_is = "lanes that share a sector";
  f.key = {{2, "8 and more"}, {4, "2 to 7"}, {7, "1"}};
  f.note.push_back("numbers = the lanes that ask for a sector of 32 bytes; a sector is moved whole");
  return f;
}

/// The first instruction of the first warp, for each side of a copy that is in memory, and the cost of the whole copy.
/// It is empty if the layouts do not allow the atom's vector.
template <class Num>
std::vector<figure> picture_cost(copy_values<Num> const& copy, tensor_values<Num> const& src,
                                 tensor_values<Num> const& dst) {
  std::vector<figure> all;
  copy_cost const cost = copy_cost_of(copy, src, dst);
  if (!cost.vector.possible) return all;
  for (bool const is_source : {true, false}) {
    tensor_values<Num> const& tensor = is_source ? src : dst;
    side_cost const& whole = is_source ? cost.source : cost.destination;
    if (!tensor.in_memory() || whole.instructions == 0) continue;
    vector_side<Num> const side = vector_side_of(copy, tensor, is_source);
    std::int64_t const vector = cost.vector.bits / copy.value_bits;
    side_access const access = side_access_of(side, side.partition, copy.value_bits, vector < 1 ? 1 : vector);
    int const bytes = cost.vector.bits < 8 ? 1 : static_cast<int>(cost.vector.bits / 8);
    memory_instruction const i = detail::instruction_of(copy.operation, tensor.space, is_source, bytes);
    std::int64_t const threads = access.thread_count();
    warp_access const warp =
        detail::warp_of_side(access, access.threads, 0, threads < 32 ? static_cast<int>(threads) : 32, 0);
    bool const global = tensor.space == memory_space::gmem;
    figure f = global ? picture_sectors(i, warp) : picture_banks(i, warp);
    f.title = std::string(is_source ? "source: " : "destination: ") + f.title;
    f.words.insert(f.words.begin(), "the first instruction of warp 0:");
    f.words.push_back("the whole copy: " + detail::counted(whole.instructions, "instruction") + ", " +
                      (global ? detail::counted(whole.sectors, "sector") + " where " +
                                    std::to_string(whole.ideal_sectors) + " would do"
                              : detail::counted(whole.wavefronts, "wavefront") + ", " +
                                    detail::counted(whole.bank_conflicts, "bank conflict")));
    all.push_back(std::move(f));
  }
  return all;
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
