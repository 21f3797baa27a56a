// SPDX-License-Identifier: Apache-2.0
/// @file
/// `to_terminal(figure, color)`: a picture as text. `terminal_has_color(file)`: whether the terminal shows colours.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <unistd.h>
#include <cosmati/render/figure.hpp>
#include <cstdio>
#include <cstdlib>

namespace COSMATI_NAMESPACE {

/// Whether `file` is a terminal that shows colours: TERM is set and is not "dumb", and NO_COLOR is not set.
inline bool terminal_has_color(std::FILE* file = stdout) {
  char const* const term = std::getenv("TERM");
  char const* const none = std::getenv("NO_COLOR");
  return ::isatty(::fileno(file)) == 1 && term != nullptr && std::string(term) != "dumb" &&
         (none == nullptr || *none == '\0');
}

namespace detail {

inline int hex_byte(char const* two) {
  auto const digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  return 16 * digit(two[0]) + digit(two[1]);
}
/// Black text on a colour of the palette, in 24 bits.
inline std::string on_color(std::string const& text, int color) {
  if (color < 0) return text;
  char const* const hex = palette[palette_index(color)] + 1;
  return "\x1b[38;2;0;0;0;48;2;" + std::to_string(hex_byte(hex)) + ";" + std::to_string(hex_byte(hex + 2)) + ";" +
         std::to_string(hex_byte(hex + 4)) + "m" + text + "\x1b[0m";
}
/// Gives `colour = warp`, and each colour with its numbers.
inline std::string caption_in_color(figure const& f) {
  std::string out = f.caption();
  for (figure_key const& k : f.key) out += "  " + on_color(" " + k.text + " ", k.color);
  return out + "\n";
}
inline std::string padded(std::string const& text, std::size_t width) {
  return (text.size() < width ? std::string(width - text.size(), ' ') : std::string()) + text;
}

/// For a grid whose labels have equal sizes: a cell for each label, `T3 V0-7`, below `0-7`.
inline figure_grid by_labels(figure_grid const& g) {
  if (g.outline.empty()) return g;
  int const rows = g.outline[0].rows, columns = g.outline[0].columns;
  if (g.rows % rows != 0 || g.columns % columns != 0 ||
      g.outline.size() * static_cast<std::size_t>(rows * columns) != g.cell.size())
    return g;
  figure_grid out(g.title, g.rows / rows, g.columns / columns);
  for (figure_outline const& o : g.outline) {
    if (o.text.empty() || o.rows != rows || o.columns != columns || o.row % rows != 0 || o.column % columns != 0)
      return g;
    figure_cell& cell = out.at(o.row / rows, o.column / columns);
    if (!cell.text.empty()) return g;
    cell = g.at(o.row, o.column);
    cell.text = o.text;
  }
  auto const heading = [](std::string const& first, std::string const& last) {
    return first == last ? first : first + "-" + last;
  };
  for (int r = 0; r < out.rows; ++r)
    out.row_label.push_back(heading(g.row_heading(rows * r), g.row_heading(rows * (r + 1) - 1)));
  for (int c = 0; c < out.columns; ++c)
    out.column_label.push_back(heading(g.column_heading(columns * c), g.column_heading(columns * (c + 1) - 1)));
  out.row_axis = g.row_axis;
  out.column_axis = g.column_axis;
  return out;
}

/// One grid as lines of equal displayed width.
struct text_block {
  std::vector<std::string> line;
  std::size_t width = 0;
};
inline text_block block_of(figure_grid const& of, bool color) {
  figure_grid const g = by_labels(of);
  std::string title = g.title;
  if (!g.axes().empty()) title += (title.empty() ? "" : ": ") + g.axes();
  std::size_t wide = 1, beside = 0;
  // The lines of a cell are joined here: `T3 V1`.
  auto const one_line = [](figure_cell const& c) {
    std::string s = c.text;
    for (char& x : s) {
      if (x == '\n') x = ' ';
    }
    return s;
  };
  for (int r = 0; r < g.rows; ++r) {
    std::size_t const n = g.row_heading(r).size();
    beside = n > beside ? n : beside;
    for (int c = 0; c < g.columns; ++c) {
      std::size_t const m = one_line(g.at(r, c)).size();
      wide = m > wide ? m : wide;
    }
  }
  for (int c = 0; c < g.columns; ++c) {
    std::size_t const n = g.column_heading(c).size();
    wide = n > wide ? n : wide;
  }
  text_block b;
  b.width = beside + static_cast<std::size_t>(g.columns) * (wide + 1);
  std::string line(beside, ' ');
  for (int c = 0; c < g.columns; ++c) line += " " + padded(g.column_heading(c), wide);
  b.line.push_back(std::move(line));
  for (int r = 0; r < g.rows; ++r) {
    line = padded(g.row_heading(r), beside);
    for (int c = 0; c < g.columns; ++c) {
      std::string const cell = padded(one_line(g.at(r, c)), wide);
      line += " " + (color ? on_color(cell, g.at(r, c).color) : cell);
    }
    b.line.push_back(std::move(line));
  }
  if (title.size() > b.width) {
    for (std::string& table_line : b.line) table_line += std::string(title.size() - b.width, ' ');
    b.width = title.size();
  }
  if (!title.empty()) b.line.insert(b.line.begin(), title + std::string(b.width - title.size(), ' '));
  return b;
}

}  // namespace detail

/// The picture as text. Grids side by side stay so if they fit in `columns` letters; otherwise they are below one
/// another.
inline std::string to_terminal(figure const& f, bool color = false, std::size_t columns = 160) {
  std::string out;
  if (!f.title.empty()) out += f.title + "\n";
  for (std::string const& s : f.words) out += s + "\n";
  if (color && !f.color_is.empty()) out += detail::caption_in_color(f);
  for (int down = 0; down < f.rows_of_grids(); ++down) {
    std::vector<detail::text_block> blocks;
    std::vector<int> place;
    for (int right = 0; right < f.columns_of_grids(); ++right) {
      for (figure_grid const& g : f.grid) {
        if (g.down != down || g.right != right) continue;
        blocks.push_back(detail::block_of(g, color));
        place.push_back(right);
      }
    }
    std::size_t first = 0;
    while (first < blocks.size()) {
      std::size_t last = first, width = 0, height = 0;
      while (last < blocks.size() && (last == first || width + 3 + blocks[last].width <= columns)) {
        width += (last == first ? 0 : 3) + blocks[last].width;
        height = blocks[last].line.size() > height ? blocks[last].line.size() : height;
        ++last;
      }
      out += "\n";
      for (std::size_t i = 0; i < height; ++i) {
        for (std::size_t b = first; b < last; ++b) {
          if (b != first) out += "   ";
          bool const here = i < blocks[b].line.size();
          if (here) out += blocks[b].line[i];
          if (!here && b + 1 < last) out += std::string(blocks[b].width, ' ');
        }
        while (!out.empty() && out.back() == ' ') out.pop_back();
        out += "\n";
      }
      first = last;
    }
  }
  if (!f.note.empty()) out += "\n";
  for (std::string const& s : f.note) out += s + "\n";
  return out;
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
