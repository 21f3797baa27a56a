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

/// The offset of a cell that stands for none.
inline constexpr std::int64_t no_offset = INT64_MIN;

/// One cell of a grid.
struct figure_cell {
  std::string text;          ///< '\n' between lines
  int color = -1;            ///< of the palette, modulo its size; -1: none
  std::int64_t thread = -1;  ///< who owns it, where somebody does: for tools that show a thread's fellows
  std::int64_t value = -1;
  std::int64_t offset = no_offset;  ///< in a layout, where the cell stands for an element of one
  std::int64_t unit =
      -1;  ///< the bank, or the sector (in 32 bytes from the tensor's begin), that a cost's cell stands for
  std::vector<int> lanes;   ///< that ask for it
  std::int64_t others = 0;  ///< threads beside `thread` that hold it, too
};

/// A frame around cells: what one thread moves with one instruction, or a tile.
struct figure_outline {
  int row = 0;
  int column = 0;
  int rows = 1;
  int columns = 1;
  std::string text;  ///< what stands in it instead of its cells' texts; empty: they stay
};

/// One colour of the palette and what it stands for.
struct figure_key {
  int color = 0;
  std::string text;
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
  std::string row_axis;      ///< what the rows count: `m`, `row`; empty: they have labels that say so
  std::string column_axis;   ///< likewise
  std::int64_t holders = 1;  ///< threads that hold each element, where they are as many for all
  bool is_numbered = true;   ///< the labels are numbers in ascending order: a few of them may stand for all
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
  /// `m down, k across`; nothing where the axes have no names.
  std::string axes() const {
    std::string out = row_axis.empty() || rows <= 1 ? std::string() : row_axis + " down";
    if (!column_axis.empty() && columns > 1) out += (out.empty() ? "" : ", ") + column_axis + " across";
    return out;
  }
  /// Which outline's text stands in place of a cell's; -1: the cell's own stands. One entry a cell.
  std::vector<int> labelled_by() const {
    std::vector<int> by(cell.size(), -1);
    for (std::size_t i = 0; i < outline.size(); ++i) {
      figure_outline const& o = outline[i];
      if (o.text.empty()) continue;
      for (int r = o.row; r < o.row + o.rows; ++r) {
        for (int c = o.column; c < o.column + o.columns; ++c)
          by[static_cast<std::size_t>(r) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(c)] =
              static_cast<int>(i);
      }
    }
    return by;
  }
};

/// A picture.
struct figure {
  std::string title;
  std::vector<std::string> words;  ///< lines below the title: layouts, costs
  std::string color_is;            ///< what colours mean, in words: `warp`; empty: there are none
  std::vector<figure_key> key;     ///< the colours that occur, in their order
  std::vector<std::string> note;   ///< lines below the grids: what signs mean, what is left out
  std::vector<figure_grid> grid;
  bool is_crossed = false;  ///< grids side by side share their rows, those below each other their columns

  /// `colour = warp`; nothing where there are no colours.
  std::string caption() const { return color_is.empty() ? std::string() : "colour = " + color_is; }

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

/// Eight fills under black text, from light to dark, yellow over green and blue to red: neighbours in the sequence are
/// neighbours in hue. For eyes of every kind (also without red, green or blue cones) neighbours are at least 12 CIELAB
/// units apart and others 16, and each is darker than the one before it, for prints without colour:
/// tests/unit/render/figure.cpp.
inline constexpr char const* palette[] = {"#f7fa92", "#d5f4a2", "#b4eaae", "#74e4bd",
                                          "#8ccaff", "#b9aabd", "#da86cc", "#e57a6d"};
inline constexpr int palette_size = 8;

constexpr int palette_index(int color) { return color % palette_size; }

/// Pictures of more cells than anybody looks at are refused before memory is.
inline constexpr std::int64_t most_cells = 1 << 20;
inline void check_cells(char const* what, std::int64_t cells) {
  if (cells <= most_cells) return;
  throw error("a picture of %s would have %lld cells, more than %lld; draw a tile of it", what,
              static_cast<long long>(cells), static_cast<long long>(most_cells));
}

/// Rows as columns.
inline figure_grid transposed(figure_grid const& g) {
  figure_grid t(g.title, g.columns, g.rows);
  for (int r = 0; r < t.rows; ++r) {
    for (int c = 0; c < t.columns; ++c) t.at(r, c) = g.at(c, r);
  }
  for (figure_outline const& o : g.outline) t.outline.push_back({o.column, o.row, o.columns, o.rows, o.text});
  t.row_label = g.column_label;
  t.column_label = g.row_label;
  t.row_axis = g.column_axis;
  t.column_axis = g.row_axis;
  t.holders = g.holders;
  t.is_numbered = g.is_numbered;
  t.down = g.down;
  t.right = g.right;
  return t;
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
