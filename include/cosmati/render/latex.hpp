// SPDX-License-Identifier: Apache-2.0
/// @file
/// `to_latex(figure)`: a document of TikZ, with one page as large as the picture.
///
/// It uses no TikZ nodes. The cells of one colour in a row are one path, and their words are one line, so that TeX's
/// memory suffices for pictures of 128 x 128 cells and more.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/render/cut.hpp>
#include <cstdio>

namespace COSMATI_NAMESPACE {

namespace detail {

/// Escapes TeX's special characters.
inline std::string tex(std::string const& text) {
  std::string out;
  for (char const c : text) {
    switch (c) {
      case '\\':
        out += "\\textbackslash{}";
        break;
      case '{':
      case '}':
      case '#':
      case '$':
      case '%':
      case '&':
      case '_':
        out += '\\';
        out += c;
        break;
      case '~':
        out += "\\textasciitilde{}";
        break;
      case '^':
        out += "\\textasciicircum{}";
        break;
      case '<':
        out += "\\textless{}";
        break;
      case '>':
        out += "\\textgreater{}";
        break;
      default:
        out += c;
    }
  }
  return out;
}
/// Draws at the positions of `figure_places` in millimetres. y runs down from 0 and is negative, as in PDF.
class latex_writer {
 public:
  // `drawn` must outlive the writer
  explicit latex_writer(fitted_figure const& drawn) : f_(drawn.what), at_(drawn.at) {}

  std::string written() {
    constexpr double longest = 5700;  // the limit of TeX's lengths
    double const right = mm_of(at_.width), bottom = mm_of(at_.height);
    if (right > longest || bottom > longest) {
      throw error(
          "a picture of %d by %d mm is larger than TeX's lengths, %d mm: draw a tile of it, or take another form",
          static_cast<int>(right), static_cast<int>(bottom), static_cast<int>(longest));
    }
    prologue();
    out_ += "\\begin{picture}(" + mm(right) + "," + mm(bottom) + ")(0," + mm(-bottom) +
            ")\n\\begin{tikzpicture}[overlay]\n";
    for (figure_grid const& g : f_.grid) fills(g);
    key_boxes();
    out_ += "\\end{tikzpicture}%\n";
    words();
    for (figure_grid const& g : f_.grid) texts(g);
    return out_ + "\\end{picture}\n\\end{document}\n";
  }

 private:
  static double mm_of(int pixels) { return 25.4 / 96 * pixels; }
  static std::string mm(double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%.5g", x);
    return text;
  }
  double left(figure_grid const& g) const { return mm_of(at_.x[static_cast<std::size_t>(g.right)]); }
  double top(figure_grid const& g) const { return -mm_of(at_.y[static_cast<std::size_t>(g.down)]); }
  double wide(figure_grid const& g) const { return mm_of(at_.cell_width[static_cast<std::size_t>(g.right)]); }
  double high(figure_grid const& g) const { return mm_of(at_.cell_height[static_cast<std::size_t>(g.down)]); }
  double step() const { return mm_of(at_.step()); }

  void prologue() {
    out_ = "\\documentclass[border=2mm]{standalone}\n\\usepackage{tikz}\n";
    for (int i = 0; i < palette_size; ++i) {
      std::string hex = palette[i] + 1;
      for (char& c : hex) c = c >= 'a' ? static_cast<char>(c - 'a' + 'A') : c;
      out_ += "\\definecolor{k" + std::to_string(i) + "}{HTML}{" + hex + "}\n";
    }
    // Letters have 0.75 points per pixel. Those of cells have equal widths, so that two kerns place a word. Boxes and
    // glue would take four times the memory.
    std::string const points = mm(0.75 * at_.font);
    out_ +=
        "\\def\\O#1#2#3#4{\\pgfpathrectangle{\\pgfqpoint{#1mm}{#2mm}}{\\pgfqpoint{#3mm}{#4mm}}}\n"
        "\\def\\M#1#2#3#4{\\pgfpathmoveto{\\pgfqpoint{#1mm}{#2mm}}\\pgfpathlineto{\\pgfqpoint{#3mm}{#4mm}}}\n"
        "\\def\\F#1{\\pgfsetfillcolor{#1}\\pgfusepath{fill}}\n"
        "\\def\\S#1#2{\\pgfsetstrokecolor{#1}\\pgfsetlinewidth{#2}\\pgfusepath{stroke}}\n"
        "\\def\\P#1#2#3{\\put(#1,#2){\\makebox(0,0){#3}}}\n"
        "\\def\\L#1#2#3{\\put(#1,#2){\\makebox(0,0)[l]{#3}}}\n"
        "\\def\\cells{\\fontsize{" +
        points + "}{" + points +
        "}\\selectfont}\n"
        "\\def\\small{\\fontsize{9}{9}\\selectfont}\n"
        "\\newlength\\letter\\newlength\\cell\n"
        "\\def\\T#1#2#3#4{\\put(#1,#2){\\hbox{\\cells\\settowidth\\letter{0}\\setlength\\cell{#3mm}#4}}}\n"
        "\\def\\G#1{\\kern\\dimexpr(\\cell-#1\\letter)/2\\relax}\n"
        "\\def\\C#1#2{\\G{#2}#1\\G{#2}}\n"
        "\\def\\K#1{\\kern#1\\cell\\relax}\n"
        "\\begin{document}\\setlength\\unitlength{1mm}\\ttfamily\n";
  }
  void put(char const* command, double x, double y, std::string const& text) {
    out_ += std::string("\\") + command + "{" + mm(x) + "}{" + mm(y) + "}{" + text + "}\n";
  }
  void rectangle(double x, double y, double width, double height) {
    out_ += "\\O{" + mm(x) + "}{" + mm(y) + "}{" + mm(width) + "}{" + mm(-height) + "}";
  }
  void line(double x0, double y0, double x1, double y1) {
    out_ += "\\M{" + mm(x0) + "}{" + mm(y0) + "}{" + mm(x1) + "}{" + mm(y1) + "}";
  }
  /// Fills the cells of each colour in a row as one path. Neighbours of the same colour are one rectangle.
  void fills(figure_grid const& g) {
    double const x = left(g), y = top(g), w = wide(g), h = high(g);
    for (int r = 0; r < g.rows; ++r) {
      for (int color = 0; color < palette_size; ++color) {
        auto const has_it = [&](int c) {
          return c < g.columns && g.at(r, c).color >= 0 && palette_index(g.at(r, c).color) == color;
        };
        bool some = false;
        for (int c = 0; c < g.columns; ++c) {
          if (!has_it(c)) continue;
          int const first = c;
          while (has_it(c + 1)) ++c;
          rectangle(x + first * w, y - r * h, (c + 1 - first) * w, h);
          some = true;
        }
        if (some) out_ += "\\F{k" + std::to_string(color) + "}\n";
      }
    }
    for (int r = 0; r <= g.rows; ++r) line(x, y - r * h, x + g.columns * w, y - r * h);
    for (int c = 0; c <= g.columns; ++c) line(x + c * w, y, x + c * w, y - g.rows * h);
    out_ += "\\S{gray}{0.2pt}\n";
    outlines(g);
  }
  void outlines(figure_grid const& g) {
    double const x = left(g), y = top(g), w = wide(g), h = high(g);
    // A label has its colour as background, without the lines between its cells.
    for (figure_outline const& o : g.outline) {
      if (o.text.empty()) continue;
      int const color = g.at(o.row, o.column).color;
      rectangle(x + o.column * w, y - o.row * h, o.columns * w, o.rows * h);
      out_ += color < 0 ? std::string("\\F{white}\n") : "\\F{k" + std::to_string(palette_index(color)) + "}\n";
    }
    // TeX rebuilds a path, which is a macro, for every rectangle. Paths therefore have only a few dozen rectangles.
    std::size_t drawn = 0;
    for (figure_outline const& o : g.outline) {
      if (o.text == "...") continue;
      rectangle(x + o.column * w, y - o.row * h, o.columns * w, o.rows * h);
      if (++drawn % 64 == 0) out_ += "\\S{black}{0.7pt}\n";
    }
    if (drawn % 64 != 0) out_ += "\\S{black}{0.7pt}\n";
  }
  void key_boxes() {
    if (f_.key.empty()) return;
    each_key([&](figure_key const& k, double x, double y) {
      rectangle(x, y + 1.3, 3.5, 2.8);
      out_ += "\\F{k" + std::to_string(palette_index(k.color)) + "}\n";
    });
  }
  template <class Visit>
  void each_key(Visit&& visit) const {
    for (std::size_t i = 0; i < f_.key.size(); ++i)
      visit(f_.key[i], mm_of(at_.key[i].x), -mm_of(at_.top - at_.key[i].y - 4));
  }
  void words() {
    double const margin = mm_of(figure_places::margin);
    int y = figure_places::margin + 4;
    for (std::string const& s : at_.titles) {
      put("L", margin, -mm_of(y), "\\normalsize\\textbf{" + tex(s) + "}");
      y += figure_places::line + 4;
    }
    for (std::string const& s : at_.words) {
      put("L", margin, -mm_of(y), "\\small " + tex(s));
      y += figure_places::line;
    }
    if (!f_.color_is.empty()) {
      put("L", margin, -mm_of(at_.top - at_.key_lines * figure_places::line + 2), "\\small " + tex(f_.caption()));
      each_key(
          [&](figure_key const& k, double x, double at) { put("L", x + mm_of(18), at, "\\small " + tex(k.text)); });
    }
    y = at_.foot;
    for (std::string const& s : at_.notes) {
      put("L", margin, -mm_of(y), "\\small " + tex(s));
      y += figure_places::line;
    }
  }
  /// Writes a line of words centred in a row's cells. @param text (column) -> word
  template <class Text>
  void row_of_words(figure_grid const& g, double y, Text&& text) {
    std::string row;
    int empty = 0;
    for (int c = 0; c < g.columns; ++c) {
      std::string const inside = text(c);
      if (inside.empty()) {
        ++empty;
        continue;
      }
      if (empty > 0) row += "\\K{" + std::to_string(empty) + "}";
      empty = 0;
      row += "\\C{" + tex(inside) + "}{" + std::to_string(inside.size()) + "}";
    }
    if (!row.empty()) put("T", left(g), y, mm(wide(g)) + "}{" + row);
  }
  /// Writes the words of a row's cells: those with one line, with two, and so on, each line at its height.
  void cells(figure_grid const& g, std::vector<int> const& by, int row, double middle) {
    std::vector<std::vector<std::string>> lines;
    std::size_t most = 0;
    for (int c = 0; c < g.columns; ++c) {
      std::size_t const i =
          static_cast<std::size_t>(row) * static_cast<std::size_t>(g.columns) + static_cast<std::size_t>(c);
      lines.push_back(lines_of(by[i] < 0 ? g.cell[i].text : std::string()));
      most = lines.back().size() > most ? lines.back().size() : most;
    }
    for (std::size_t n = 1; n <= most; ++n) {
      for (std::size_t i = 0; i < n; ++i) {
        row_of_words(g, middle + above(i, n), [&](int c) {
          std::vector<std::string> const& of_cell = lines[static_cast<std::size_t>(c)];
          return of_cell.size() == n ? of_cell[i] : std::string();
        });
      }
    }
  }
  /// The distance from the middle of `n` lines to the foot of line `i`.
  double above(std::size_t i, std::size_t n) const {
    return step() * (static_cast<double>(n - 1) / 2 - static_cast<double>(i)) - mm_of(at_.font) * 0.3;
  }
  void texts(figure_grid const& g) {
    double const x = left(g), y = top(g), w = wide(g), h = high(g);
    double const above_heading = y + mm_of(figure_places::heading + 10);
    if (!g.title.empty()) put("L", x, above_heading, "\\small\\textbf{" + tex(g.title) + "}");
    if (!g.axes().empty())
      put("L", x + (g.title.empty() ? 0 : mm_of(9 * static_cast<int>(g.title.size()) + 10)), above_heading,
          "\\small " + tex(g.axes()));
    int const every_column = at_.column_step(g), every_row = at_.row_step(g);
    for (int c = 0; c < g.columns; ++c) {
      std::string const text = g.column_heading(c);
      if (!text.empty() && figure_places::is_written(text, every_column))
        put("P", x + (c + 0.5) * w, y + mm_of(figure_places::heading / 2), "\\cells " + tex(text));
    }
    std::vector<int> const by = g.labelled_by();
    for (int r = 0; r < g.rows; ++r) {
      std::string const text = g.row_heading(r);
      double const middle = y - (r + 0.5) * h;
      if (!text.empty() && figure_places::is_written(text, every_row))
        out_ += "\\put(" + mm(x - 2) + "," + mm(middle) + "){\\makebox(0,0)[r]{\\cells " + tex(text) + "}}\n";
      cells(g, by, r, middle);
    }
    for (figure_outline const& o : g.outline) {
      if (o.text.empty()) continue;
      std::vector<std::string> const lines = lines_of(at_.label_of(o));
      for (std::size_t i = 0; i < lines.size(); ++i) {
        double const middle = y - (o.row + o.rows / 2.0) * h;
        put("P", x + (o.column + o.columns / 2.0) * w, middle + above(i, lines.size()) + mm_of(at_.font) * 0.3,
            "\\cells " + tex(lines[i]));
      }
    }
  }

  figure const& f_;
  figure_places const& at_;
  std::string out_;
};

}  // namespace detail

/// A whole document for pdflatex with the class `standalone` and the package `tikz`.
/// @throws error if the page would be wider or higher than 5.7 m, which exceeds TeX's lengths
inline std::string to_latex(figure const& f, picture_size size = {}) {
  fitted_figure const drawn = fitted(f, size);
  return detail::latex_writer(drawn).written();
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
