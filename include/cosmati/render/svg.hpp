// SPDX-License-Identifier: Apache-2.0
/// @file
/// `to_svg(figure)`: a picture that works alone or inside a page of HTML. It follows the reader's dark mode.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/render/cut.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {

/// Escapes a text for XML.
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

/// The distance from the middle of a letter to its foot. Not all programs know `dominant-baseline`.
inline constexpr int baseline = 4;

/// @param font the pixels of the letters in cells and headings
inline std::string svg_style(int font = 12) {
  std::string const size = std::to_string(font) + "px";
  std::string css =
      "text{font-family:ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:12px;fill:#111}"
      ".c text{text-anchor:middle;font-size:" +
      size +
      "}"
      ".c rect{stroke:#555;stroke-width:.5}"
      ".h text{fill:#444;text-anchor:middle;font-size:" +
      size +
      "}.h .r{text-anchor:end}"
      ".t{font-weight:bold;font-size:14px}.a{fill:#444}.bg{fill:#fff}"
      ".o{fill:none;stroke:#222;stroke-width:1.2}.i{fill:none;stroke:#555;stroke-width:.5;stroke-opacity:.5}"
      ".k{fill:#fff}.w rect{stroke:#555;stroke-width:.5}";
  for (int i = 0; i < palette_size; ++i) css += ".k" + std::to_string(i) + "{fill:" + palette[i] + "}";
  css +=
      "@media (prefers-color-scheme:dark){.bg{fill:#16181c}text{fill:#e8e8e8}.h text,.a{fill:#b8b8b8}"
      ".c text{fill:#111}.c .e{fill:#e8e8e8}.k{fill:#2a2d33}.o{stroke:#16181c}}";
  return css;
}

/// Writes the elements of one picture.
class svg_writer {
 public:
  svg_writer(figure const& f, figure_places const& places) : f_(f), at_(places) {}

  std::string written() {
    std::string const w = n(at_.width), h = n(at_.height);
    out_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + w + "\" height=\"" + h + "\" viewBox=\"0 0 " + w +
           " " + h + "\" role=\"img\">\n<title>" + xml(f_.title) + "</title>\n<style>" + svg_style(at_.font) +
           "</style>\n<rect class=\"bg\" width=\"" + w + "\" height=\"" + h + "\"/>\n";
    words();
    for (figure_grid const& g : f_.grid) grid(g);
    int y = at_.foot + baseline;
    for (std::string const& s : at_.notes) {
      line(figure_places::margin, y, s, "a");
      y += figure_places::line;
    }
    return out_ + "</svg>\n";
  }

 private:
  static std::string n(int x) { return std::to_string(x); }
  void line(int x, int y, std::string const& text, char const* kind) {
    out_ += "<text xml:space=\"preserve\"" + (*kind == 0 ? std::string() : " class=\"" + std::string(kind) + "\"") +
            " x=\"" + n(x) + "\" y=\"" + n(y) + "\">" + xml(text) + "</text>\n";
  }
  void words() {
    constexpr int margin = figure_places::margin, height = figure_places::line;
    int y = margin + 8;
    for (std::string const& s : at_.titles) {
      line(margin, y, s, "t");
      y += height + 4;
    }
    for (std::string const& s : at_.words) {
      line(margin, y, s, "");
      y += height;
    }
    if (!f_.color_is.empty()) key();
  }
  /// Explains the colours, and lists the numbers of each.
  void key() {
    line(figure_places::margin, at_.top - at_.key_lines * figure_places::line + 6, f_.caption(), "");
    out_ += "<g class=\"w\">\n";
    for (std::size_t i = 0; i < f_.key.size(); ++i) {
      figure_key const& k = f_.key[i];
      int const x = at_.key[i].x, y = at_.top - at_.key[i].y;
      out_ += "<rect class=\"k" + n(palette_index(k.color)) + "\" x=\"" + n(x) + "\" y=\"" + n(y - 9) +
              "\" width=\"14\" height=\"11\"/><text x=\"" + n(x + 18) + "\" y=\"" + n(y) + "\">" + xml(k.text) +
              "</text>\n";
    }
    out_ += "</g>\n";
  }
  int left(figure_grid const& g) const { return at_.x[static_cast<std::size_t>(g.right)]; }
  int top(figure_grid const& g) const { return at_.y[static_cast<std::size_t>(g.down)]; }
  int wide(figure_grid const& g) const { return at_.cell_width[static_cast<std::size_t>(g.right)]; }
  int high(figure_grid const& g) const { return at_.cell_height[static_cast<std::size_t>(g.down)]; }

  void headings(figure_grid const& g) {
    int const x = left(g), y = top(g), every_column = at_.column_step(g), every_row = at_.row_step(g);
    if (!g.title.empty() || !g.axes().empty()) {
      int const above = y - figure_places::heading - 6;
      if (!g.title.empty())
        out_ += "<text class=\"t\" x=\"" + n(x) + "\" y=\"" + n(above) + "\">" + xml(g.title) + "</text>\n";
      int const axes_x = g.title.empty() ? x : x + 9 * static_cast<int>(g.title.size()) + 10;
      if (!g.axes().empty()) line(axes_x, above, g.axes(), "a");
    }
    out_ += "<g class=\"h\">";
    for (int c = 0; c < g.columns; ++c) {
      std::string const text = g.column_heading(c);
      if (text.empty() || !figure_places::is_written(text, every_column)) continue;
      out_ += "<text x=\"" + n(x + c * wide(g) + wide(g) / 2) + "\" y=\"" +
              n(y - figure_places::heading / 2 + baseline) + "\">" + xml(text) + "</text>";
    }
    for (int r = 0; r < g.rows; ++r) {
      std::string const text = g.row_heading(r);
      if (text.empty() || !figure_places::is_written(text, every_row)) continue;
      out_ += "<text class=\"r\" x=\"" + n(x - 8) + "\" y=\"" + n(y + r * high(g) + high(g) / 2 + baseline) + "\">" +
              xml(text) + "</text>";
    }
    out_ += "</g>\n";
  }
  /// A rectangle of one colour, with its text in the middle.
  void box(figure_cell const& cell, int x, int y, int width, int height, std::string const& text) {
    out_ += "<g";
    if (cell.thread >= 0)
      out_ += " data-t=\"" + std::to_string(cell.thread) + "\" data-v=\"" + std::to_string(cell.value) + "\"";
    out_ += "><rect class=\"k" + (cell.color < 0 ? std::string() : n(palette_index(cell.color))) + "\" x=\"" + n(x) +
            "\" y=\"" + n(y) + "\" width=\"" + n(width) + "\" height=\"" + n(height) + "\"/>";
    std::vector<std::string> const lines = lines_of(text);
    int line_y = y + height / 2 + baseline - at_.step() * (static_cast<int>(lines.size()) - 1) / 2;
    for (std::string const& s : lines) {
      if (!s.empty()) {
        out_ += "<text";
        if (cell.color < 0) out_ += " class=\"e\"";
        out_ += " x=\"" + n(x + width / 2) + "\" y=\"" + n(line_y) + "\">" + xml(s) + "</text>";
      }
      line_y += at_.step();
    }
    out_ += "</g>\n";
  }
  /// The lines between the cells of a vector, fainter than its outline.
  static std::string ticks(figure_outline const& o, int x, int y, int w, int h) {
    std::string path;
    for (int c = 1; c < o.columns; ++c)
      path += "M" + n(x + (o.column + c) * w) + " " + n(y + o.row * h) + "v" + n(o.rows * h);
    for (int r = 1; r < o.rows; ++r)
      path += "M" + n(x + o.column * w) + " " + n(y + (o.row + r) * h) + "h" + n(o.columns * w);
    return path;
  }
  void grid(figure_grid const& g) {
    headings(g);
    int const x = left(g), y = top(g), w = wide(g), h = high(g);
    std::vector<int> const by = g.labelled_by();
    out_ += "<g class=\"c\">\n";
    for (int r = 0; r < g.rows; ++r) {
      for (int c = 0; c < g.columns; ++c) {
        if (by[static_cast<std::size_t>(r) * static_cast<std::size_t>(g.columns) + static_cast<std::size_t>(c)] < 0)
          box(g.at(r, c), x + c * w, y + r * h, w, h, g.at(r, c).text);
      }
    }
    std::string path, frames;
    for (figure_outline const& o : g.outline) {
      bool const gap = o.text == "...";
      if (!o.text.empty()) {
        box(g.at(o.row, o.column), x + o.column * w, y + o.row * h, o.columns * w, o.rows * h, at_.label_of(o));
        if (!gap) path += ticks(o, x, y, w, h);
      }
      if (gap) continue;
      frames += "<rect class=\"o\" x=\"" + n(x + o.column * w) + "\" y=\"" + n(y + o.row * h) + "\" width=\"" +
                n(o.columns * w) + "\" height=\"" + n(o.rows * h) + "\"/>\n";
    }
    out_ += "</g>\n";
    if (!path.empty()) out_ += "<path class=\"i\" d=\"" + path + "\"/>\n";
    out_ += frames;
  }

  figure const& f_;
  figure_places const& at_;
  std::string out_;
};

}  // namespace detail

/// The picture as one `<svg>` element with its own style, no larger than `size`. If there are too many cells, "..."
/// replaces some of them. Cells that a thread owns carry `data-t` and `data-v`.
inline std::string to_svg(figure const& f, picture_size size = {}) {
  fitted_figure const drawn = fitted(f, size);
  return detail::svg_writer(drawn.what, drawn.at).written();
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
