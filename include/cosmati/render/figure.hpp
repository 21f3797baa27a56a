// SPDX-License-Identifier: Apache-2.0
/// @file
/// `figure`: the content of a picture before it is SVG, HTML, Typst, LaTeX or text: grids of cells, and words.
///
/// pictures.hpp makes figures of layouts, copies and products. svg.hpp and similar headers write them.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/error.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace COSMATI_NAMESPACE {

/// Marks a cell that stands for no offset.
inline constexpr std::int64_t no_offset = INT64_MIN;

/// One cell of a grid.
struct figure_cell {
  std::string text;          ///< lines are separated by '\n'
  int color = -1;            ///< index into the palette, modulo its size; -1 for none
  std::int64_t thread = -1;  ///< the thread that owns the cell, if any; tools show that thread's other cells
  std::int64_t value = -1;
  std::int64_t offset = no_offset;  ///< the offset of the element in its layout, if the cell stands for one
  std::int64_t unit = -1;           ///< the bank of a cost's cell, or its sector (of 32 bytes, from the tensor's begin)
  std::vector<int> lanes;           ///< the lanes that access it
  std::int64_t others = 0;          ///< the number of further threads that hold it
};

/// A frame around cells: the values of a thread that one instruction moves, or a tile.
struct figure_outline {
  int row = 0;
  int column = 0;
  int rows = 1;
  int columns = 1;
  std::string text;  ///< the text that replaces the texts of its cells; empty: they stay
};

/// A colour of the palette with its meaning.
struct figure_key {
  int color = 0;
  std::string text;
};

/// A table of cells with a heading for each row and column.
struct figure_grid {
  std::string title;
  int rows = 0;
  int columns = 0;
  std::vector<figure_cell> cell;          ///< the cells, row after row
  std::vector<std::string> row_label;     ///< empty: 0, 1, 2, ...
  std::vector<std::string> column_label;  ///< empty: 0, 1, 2, ...
  std::vector<figure_outline> outline;
  std::string row_axis;      ///< what the rows count, such as `m` or `row`; empty if their labels say so
  std::string column_axis;   ///< what the columns count
  std::int64_t holders = 1;  ///< the number of threads that hold each element, if it is the same for all
  bool is_numbered = true;   ///< whether the labels are ascending numbers, so that a few may stand for all
  /// The position among the figure's grids: below those of smaller `down`, right of those of smaller `right`.
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
  /// The heading of a row: its label, or its number.
  std::string row_heading(int row) const {
    return row_label.empty() ? std::to_string(row) : row_label[static_cast<std::size_t>(row)];
  }
  /// The heading of a column.
  std::string column_heading(int column) const {
    return column_label.empty() ? std::to_string(column) : column_label[static_cast<std::size_t>(column)];
  }
  /// Gives `m down, k across`, or nothing if the axes have no names.
  std::string axes() const {
    std::string out = row_axis.empty() || rows <= 1 ? std::string() : row_axis + " down";
    if (!column_axis.empty() && columns > 1) out += (out.empty() ? "" : ", ") + column_axis + " across";
    return out;
  }
  /// The outline whose text replaces a cell's text, for each cell; -1 if the cell keeps its own.
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

/// A picture: its title, words, grids, colours and notes.
struct figure {
  std::string title;
  std::vector<std::string> words;  ///< lines below the title: layouts, costs
  std::string color_is;            ///< the meaning of colours, such as `warp`; empty if there are none
  std::vector<figure_key> key;     ///< the colours that occur, in order
  std::vector<std::string> note;   ///< lines below the grids: the meaning of signs, and what is left out
  std::vector<figure_grid> grid;
  bool is_crossed = false;  ///< whether grids side by side share their rows, and grids below each other their columns

  /// Gives `colour = warp`, or nothing if there are no colours.
  std::string caption() const { return color_is.empty() ? std::string() : "colour = " + color_is; }

  /// The number of grids below each other.
  int rows_of_grids() const {
    int n = 0;
    for (figure_grid const& g : grid) n = g.down >= n ? g.down + 1 : n;
    return n;
  }
  /// The number of grids side by side.
  int columns_of_grids() const {
    int n = 0;
    for (figure_grid const& g : grid) n = g.right >= n ? g.right + 1 : n;
    return n;
  }
  /// The number of cells of all grids.
  std::int64_t cells() const {
    std::int64_t n = 0;
    for (figure_grid const& g : grid) n += std::int64_t{g.rows} * g.columns;
    return n;
  }
};

namespace detail {

/// Eight fills for black text, from light to dark: yellow, green, blue, red. Neighbours in the sequence are neighbours
/// in hue. For every kind of eyes (also without red, green or blue cones) neighbours are at least 12 CIELAB units
/// apart, and others 16. Each fill is darker than the previous one, for prints without colour.
/// tests/unit/render/figure.cpp checks this.
inline constexpr char const* palette[] = {"#f7fa92", "#d5f4a2", "#b4eaae", "#74e4bd",
                                          "#8ccaff", "#b9aabd", "#da86cc", "#e57a6d"};
inline constexpr int palette_size = 8;

constexpr int palette_index(int color) { return color % palette_size; }

/// The limit of a picture's cells. A larger picture is refused before memory is allocated.
inline constexpr std::int64_t most_cells = 1 << 20;
inline void check_cells(char const* what, std::int64_t cells) {
  if (cells <= most_cells) return;
  throw error("a picture of %s would have %lld cells, more than %lld; draw a tile of it", what,
              static_cast<long long>(cells), static_cast<long long>(most_cells));
}

/// Exchanges rows and columns.
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

/// The lines of a text, without the line ends.
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
