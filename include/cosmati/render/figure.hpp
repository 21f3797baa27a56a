// SPDX-License-Identifier: Apache-2.0
/// @file
/// `figure`: what a picture shows, before it is SVG, HTML, Typst, LaTeX or text: grids of cells, and words.
///
/// pictures.hpp makes figures of layouts, copies and products; svg.hpp and its neighbours write them down.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/error.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace COSMATI_NAMESPACE {

/// One cell of a grid.
struct figure_cell {
  std::string text;          ///< '\n' between lines
  int color = -1;            ///< of the palette, modulo its size; -1: none
  std::int64_t thread = -1;  ///< who owns it, where somebody does: for tools that show a thread's fellows
  std::int64_t value = -1;
  std::int64_t unit =
      -1;  ///< the bank, or the sector (in 32 bytes from the tensor's begin), that a cost's cell stands for
  std::vector<int> lanes;  ///< that ask for it
};

/// A frame around cells: what one thread moves with one instruction.
struct figure_outline {
  int row = 0;
  int column = 0;
  int rows = 1;
  int columns = 1;
};

/// A table of cells with a heading for each row and column.
struct figure_grid {
  std::string title;
  int rows = 0;
  int columns = 0;
  std::vector<figure_cell> cell;          ///< row after row
  std::vector<std::string> row_label;     ///< empty: 0, 1, 2, ...
  std::vector<std::string> column_label;  ///< empty: 0, 1, 2, ...
  std::vector<figure_outline> outline;
  /// Where it stands among the figure's grids: below those of smaller `down`, right of those of smaller `right`.
  int down = 0;
  int right = 0;

  figure_grid() = default;
  figure_grid(std::string of, int row_count, int column_count)
      : title(std::move(of)),
        rows(row_count),
        columns(column_count),
        cell(static_cast<std::size_t>(row_count) * static_cast<std::size_t>(column_count)) {}

  figure_cell& at(int row, int column) {
    return cell[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(column)];
  }
  figure_cell const& at(int row, int column) const {
    return cell[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(column)];
  }
  /// What stands before a row, above a column: its label, or its number.
  std::string row_heading(int row) const {
    return row_label.empty() ? std::to_string(row) : row_label[static_cast<std::size_t>(row)];
  }
  /// As `row_heading`.
  std::string column_heading(int column) const {
    return column_label.empty() ? std::to_string(column) : column_label[static_cast<std::size_t>(column)];
  }
};

/// A picture.
struct figure {
  std::string title;
  std::vector<std::string> words;  ///< lines below the title: layouts, costs
  std::vector<figure_grid> grid;

  /// How many grids stand one below the other.
  int rows_of_grids() const {
    int n = 0;
    for (figure_grid const& g : grid) n = g.down >= n ? g.down + 1 : n;
    return n;
  }
  /// How many stand side by side.
  int columns_of_grids() const {
    int n = 0;
    for (figure_grid const& g : grid) n = g.right >= n ? g.right + 1 : n;
    return n;
  }
  /// Of all grids.
  std::int64_t cells() const {
    std::int64_t n = 0;
    for (figure_grid const& g : grid) n += std::int64_t{g.rows} * g.columns;
    return n;
  }
};

namespace detail {

/// Eight fills under black text. For eyes of every kind (also without red, green or blue cones) each pair is at least
/// 20 CIELAB units apart, and their lightness differs, for prints without colour: tests/unit/render/figure.cpp.
inline constexpr char const* palette[] = {"#ffae4f", "#27b4a0", "#ebd900", "#d1a2fa",
                                          "#a7ff95", "#46f7f4", "#8eb775", "#e5fbd1"};
inline constexpr int palette_size = 8;

constexpr int palette_index(int color) { return color % palette_size; }

/// Pictures of more cells than anybody looks at are refused before memory is.
inline constexpr std::int64_t most_cells = 1 << 20;
inline void check_cells(char const* what, std::int64_t cells) {
  if (cells <= most_cells) return;
  throw error("a picture of %s would have %lld cells, more than %lld; draw a tile of it", what,
              static_cast<long long>(cells), static_cast<long long>(most_cells));
}

/// The lines of a text, without their ends.
inline std::vector<std::string> lines_of(std::string const& text) {
  std::vector<std::string> lines(1);
  for (char const c : text) {
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back() += c;
  }
  return lines;
}

}  // namespace detail
}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
