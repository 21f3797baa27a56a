// SPDX-License-Identifier: Apache-2.0
/// @file
/// `to_typst(figure)`: a document of Typst (0.11 or later), one page as large as the picture.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/render/figure.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {

/// A string literal of Typst.
inline std::string typst_string(std::string const& text) {
  std::string out = "\"";
  for (char const c : text) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

/// One grid as a table: headings, then cells; frames are strokes of the cells on their rim.
inline void typst_grid(std::string& out, figure_grid const& g) {
  out += "stack(dir: ttb, spacing: 4pt,\n";
  if (!g.title.empty()) out += "  text(weight: \"bold\", " + typst_string(g.title) + "),\n";
  out += "  table(columns: " + std::to_string(g.columns + 1) +
         ", align: center + horizon, inset: 3pt, stroke: none,\n    [],";
  for (int c = 0; c < g.columns; ++c) out += " h(" + typst_string(g.column_heading(c)) + "),";
  out += "\n";
  struct rim {
    bool top = false, bottom = false, left = false, right = false;
  };
  std::vector<rim> frame(g.cell.size());
  auto const at = [&](int r, int c) -> rim& {
    return frame[static_cast<std::size_t>(r) * static_cast<std::size_t>(g.columns) + static_cast<std::size_t>(c)];
  };
  for (figure_outline const& o : g.outline) {
    for (int r = 0; r < o.rows; ++r)
      at(o.row + r, o.column).left = at(o.row + r, o.column + o.columns - 1).right = true;
    for (int c = 0; c < o.columns; ++c)
      at(o.row, o.column + c).top = at(o.row + o.rows - 1, o.column + c).bottom = true;
  }
  for (int r = 0; r < g.rows; ++r) {
    out += "    h(" + typst_string(g.row_heading(r)) + "),";
    for (int c = 0; c < g.columns; ++c) {
      figure_cell const& cell = g.at(r, c);
      rim const& edge = at(r, c);
      out += " k(" + std::to_string(cell.color < 0 ? palette_size : palette_index(cell.color)) + ", " +
             typst_string(cell.text);
      if (edge.top) out += ", top: b";
      if (edge.bottom) out += ", bottom: b";
      if (edge.left) out += ", left: b";
      if (edge.right) out += ", right: b";
      out += "),";
    }
    out += "\n";
  }
  out += "  ),\n)";
}

}  // namespace detail

/// A whole document.
inline std::string to_typst(figure const& f) {
  std::string out =
      "#set page(width: auto, height: auto, margin: 8pt)\n#set text(font: \"DejaVu Sans Mono\", size: 8pt)\n"
      "#let fills = (";
  for (char const* c : detail::palette) out += "rgb(\"" + std::string(c) + "\"), ";
  out +=
      "white)\n"
      "#let thin = 0.4pt + gray\n"
      "#let b = 1.4pt + black\n"
      "#let k(fill, words, top: thin, bottom: thin, left: thin, right: thin) = table.cell(\n"
      "  fill: fills.at(fill), stroke: (top: top, bottom: bottom, left: left, right: right),\n"
      "  words.split(\"\\n\").join(linebreak()))\n"
      "#let h(words) = text(fill: rgb(\"#444444\"), words)\n";
  if (!f.title.empty()) out += "#text(size: 10pt, weight: \"bold\", " + detail::typst_string(f.title) + ")\n\n";
  for (std::string const& s : f.words) out += "#raw(" + detail::typst_string(s) + ")\n\n";
  out += "#grid(columns: " + std::to_string(f.columns_of_grids()) + ", gutter: 12pt,\n";
  for (int down = 0; down < f.rows_of_grids(); ++down) {
    for (int right = 0; right < f.columns_of_grids(); ++right) {
      bool found = false;
      for (figure_grid const& g : f.grid) {
        if (g.down != down || g.right != right) continue;
        detail::typst_grid(out, g);
        found = true;
      }
      out += found ? ",\n" : "[],\n";
    }
  }
  return out + ")\n";
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
