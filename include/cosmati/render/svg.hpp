// SPDX-License-Identifier: Apache-2.0
/// @file
/// `to_svg(figure)`: a picture that stands alone, or inside a page of HTML; it follows the reader's dark mode.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/render/figure.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {

/// For XML's text and attributes.
inline std::string xml(std::string const& text) {
  std::string out;
  for (char const c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

/// Where grids stand, in pixels.
struct svg_places {
  static constexpr int margin = 16, heading = 22, title = 22, line = 18, letter = 8;
  int cell_width = 36, cell_height = 34;
  int width = 0, height = 0, top = 0;
  std::vector<int> x, y;  ///< of the cells of each column (row) of grids

  explicit svg_places(figure const& f) {
    std::size_t letters = 0, lines = 1, label = 1;
    for (figure_grid const& g : f.grid) {
      for (figure_cell const& c : g.cell) {
        std::vector<std::string> const all = lines_of(c.text);
        lines = all.size() > lines ? all.size() : lines;
        for (std::string const& s : all) letters = s.size() > letters ? s.size() : letters;
      }
      for (int r = 0; r < g.rows; ++r) {
        std::size_t const n = g.row_heading(r).size();
        label = n > label ? n : label;
      }
    }
    if (int const wanted = static_cast<int>(letters) * letter + 8; wanted > cell_width) cell_width = wanted;
    if (lines > 2) cell_height = 10 + 12 * static_cast<int>(lines);
    if (lines == 1) cell_height = 26;
    top = margin + (f.title.empty() ? 0 : line + 4) + static_cast<int>(f.words.size()) * line;
    std::vector<int> widths(static_cast<std::size_t>(f.columns_of_grids()), 0);
    std::vector<int> heights(static_cast<std::size_t>(f.rows_of_grids()), 0);
    for (figure_grid const& g : f.grid) {
      int& w = widths[static_cast<std::size_t>(g.right)];
      int& h = heights[static_cast<std::size_t>(g.down)];
      w = g.columns * cell_width > w ? g.columns * cell_width : w;
      h = g.rows * cell_height > h ? g.rows * cell_height : h;
    }
    int const beside = heading + static_cast<int>(label) * letter;
    int at = margin;
    for (int const w : widths) {
      x.push_back(at + beside);
      at += beside + w + margin;
    }
    width = at;
    at = top;
    for (int const h : heights) {
      y.push_back(at + title + heading);
      at += title + heading + h + margin;
    }
    height = at;
    std::size_t widest = f.title.size();
    for (std::string const& s : f.words) widest = s.size() > widest ? s.size() : widest;
    if (int const w = static_cast<int>(widest) * letter + 2 * margin; w > width) width = w;
  }
};

/// From the middle of a letter to its foot: not all programs know `dominant-baseline`.
inline constexpr int baseline = 4;

inline std::string svg_style() {
  std::string css =
      "text{font-family:ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:12px;fill:#111}"
      ".c text{text-anchor:middle}"
      ".c rect{stroke:#555;stroke-width:.5}"
      ".h text{fill:#444;text-anchor:middle}.h .r{text-anchor:end}"
      ".t{font-weight:bold;font-size:14px}.bg{fill:#fff}"
      ".o{fill:none;stroke:#111;stroke-width:2}.k{fill:#fff}";
  for (int i = 0; i < palette_size; ++i) css += ".k" + std::to_string(i) + "{fill:" + palette[i] + "}";
  css +=
      "@media (prefers-color-scheme:dark){.bg{fill:#16181c}text{fill:#e8e8e8}.h text{fill:#b8b8b8}"
      ".c text{fill:#111}.c .e{fill:#e8e8e8}.k{fill:#2a2d33}.o{stroke:#fff}}";
  return css;
}

inline void svg_cell(std::string& out, figure_cell const& cell, svg_places const& at, int x, int y) {
  out += "<g";
  if (cell.thread >= 0) {
    out += " data-t=\"" + std::to_string(cell.thread) + "\" data-v=\"" + std::to_string(cell.value) + "\"";
  }
  out += "><rect class=\"k" + (cell.color < 0 ? std::string() : std::to_string(palette_index(cell.color))) + "\" x=\"" +
         std::to_string(x) + "\" y=\"" + std::to_string(y) + "\" width=\"" + std::to_string(at.cell_width) +
         "\" height=\"" + std::to_string(at.cell_height) + "\"/>";
  std::vector<std::string> const lines = lines_of(cell.text);
  constexpr int step = 13;
  int line_y = y + at.cell_height / 2 + baseline - step * (static_cast<int>(lines.size()) - 1) / 2;
  for (std::string const& s : lines) {
    if (!s.empty()) {
      out += "<text";
      if (cell.color < 0) out += " class=\"e\"";
      out += " x=\"" + std::to_string(x + at.cell_width / 2) + "\" y=\"" + std::to_string(line_y) + "\">" + xml(s) +
             "</text>";
    }
    line_y += step;
  }
  out += "</g>\n";
}

inline void svg_grid(std::string& out, figure_grid const& g, svg_places const& at) {
  int const left = at.x[static_cast<std::size_t>(g.right)], top = at.y[static_cast<std::size_t>(g.down)];
  if (!g.title.empty()) {
    out += "<text class=\"t\" x=\"" + std::to_string(left) + "\" y=\"" + std::to_string(top - svg_places::heading - 6) +
           "\">" + xml(g.title) + "</text>\n";
  }
  out += "<g class=\"h\">";
  for (int c = 0; c < g.columns; ++c) {
    out += "<text x=\"" + std::to_string(left + c * at.cell_width + at.cell_width / 2) + "\" y=\"" +
           std::to_string(top - svg_places::heading / 2 + baseline) + "\">" + xml(g.column_heading(c)) + "</text>";
  }
  for (int r = 0; r < g.rows; ++r) {
    out += "<text class=\"r\" x=\"" + std::to_string(left - 8) + "\" y=\"" +
           std::to_string(top + r * at.cell_height + at.cell_height / 2 + baseline) + "\">" + xml(g.row_heading(r)) +
           "</text>";
  }
  out += "</g>\n<g class=\"c\">\n";
  for (int r = 0; r < g.rows; ++r) {
    for (int c = 0; c < g.columns; ++c) {
      svg_cell(out, g.at(r, c), at, left + c * at.cell_width, top + r * at.cell_height);
    }
  }
  out += "</g>\n";
  for (figure_outline const& o : g.outline) {
    out += "<rect class=\"o\" x=\"" + std::to_string(left + o.column * at.cell_width + 1) + "\" y=\"" +
           std::to_string(top + o.row * at.cell_height + 1) + "\" width=\"" +
           std::to_string(o.columns * at.cell_width - 2) + "\" height=\"" +
           std::to_string(o.rows * at.cell_height - 2) + "\"/>\n";
  }
}

}  // namespace detail

/// The picture as one `<svg>` element with its own style. Cells that a thread owns carry `data-t` and `data-v`.
inline std::string to_svg(figure const& f) {
  using detail::svg_places;
  svg_places const at(f);
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + std::to_string(at.width) + "\" height=\"" +
                    std::to_string(at.height) + "\" viewBox=\"0 0 " + std::to_string(at.width) + " " +
                    std::to_string(at.height) + "\" role=\"img\">\n<title>" + detail::xml(f.title) +
                    "</title>\n<style>" + detail::svg_style() + "</style>\n<rect class=\"bg\" width=\"" +
                    std::to_string(at.width) + "\" height=\"" + std::to_string(at.height) + "\"/>\n";
  int y = svg_places::margin + 8;
  if (!f.title.empty()) {
    out += "<text class=\"t\" x=\"" + std::to_string(svg_places::margin) + "\" y=\"" + std::to_string(y) + "\">" +
           detail::xml(f.title) + "</text>\n";
    y += svg_places::line + 4;
  }
  for (std::string const& s : f.words) {
    out += "<text xml:space=\"preserve\" x=\"" + std::to_string(svg_places::margin) + "\" y=\"" + std::to_string(y) +
           "\">" + detail::xml(s) + "</text>\n";
    y += svg_places::line;
  }
  for (figure_grid const& g : f.grid) detail::svg_grid(out, g, at);
  return out + "</svg>\n";
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
