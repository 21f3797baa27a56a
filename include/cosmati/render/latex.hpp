// SPDX-License-Identifier: Apache-2.0
/// @file
/// `to_latex(figure)`: a document of TikZ, one page as large as the picture.
///
/// No TikZ nodes: the cells of one colour in a row are one path, and their words one line, so that TeX's
/// memory holds both sides of a tiled copy of 128 x 128 and more.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/render/figure.hpp>
#include <cstdio>

namespace COSMATI_NAMESPACE {

namespace detail {

/// TeX's special letters as letters.
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
/// What has been measured of a picture, in millimetres: y runs down from 0 and is negative, as in PDF.
struct latex_writer {
  static constexpr double high = 8;
  std::string out;
  double wide = 8;    ///< of a cell
  double beside = 6;  ///< left of the first column, for headings

  static std::string mm(double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", x);
    return text;
  }
  void words(char const* command, double x, double y, std::string const& text) {
    out += std::string("\\") + command + "{" + mm(x) + "}{" + mm(y) + "}{" + text + "}\n";
  }
  /// The cells of each colour in a row are one path, of one rectangle where neighbours have it.
  void fills(figure_grid const& g, double left, double top) {
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
          out += "\\R{" + mm(left + first * wide) + "}{" + mm(top - r * high) + "}{" + mm((c + 1 - first) * wide) + "}";
          some = true;
        }
        if (some) out += "\\F{k" + std::to_string(color) + "}\n";
      }
    }
    for (int r = 0; r <= g.rows; ++r) {
      line(left, top - r * high, left + g.columns * wide, top - r * high);
    }
    for (int c = 0; c <= g.columns; ++c) line(left + c * wide, top, left + c * wide, top - g.rows * high);
    out += "\\S{gray}{0.2pt}\n";
    // A path is a macro of TeX's, which every rectangle makes anew: paths of a few dozen.
    for (std::size_t i = 0; i < g.outline.size(); ++i) {
      figure_outline const& o = g.outline[i];
      out += "\\O{" + mm(left + o.column * wide) + "}{" + mm(top - o.row * high) + "}{" + mm(o.columns * wide) + "}{" +
             mm(-o.rows * high) + "}";
      if (i % 64 == 63 || i + 1 == g.outline.size()) out += "\\S{black}{0.9pt}\n";
    }
  }
  void line(double x0, double y0, double x1, double y1) {
    out += "\\M{" + mm(x0) + "}{" + mm(y0) + "}{" + mm(x1) + "}{" + mm(y1) + "}";
  }
  /// A line of words in the middles of a row's cells. They are of one width a letter, so that two kerns place a word:
  /// boxes and glue would be four times the memory. @param text (column) -> word
  template <class Text>
  void row_of_words(int columns, char const* size, double x, double y, Text&& text) {
    std::string line;
    int empty = 0;
    for (int c = 0; c < columns; ++c) {
      std::string const inside = text(c);
      if (inside.empty()) {
        ++empty;
        continue;
      }
      if (empty > 0) line += "\\K{" + mm(empty * wide) + "}";
      empty = 0;
      line += "\\C{" + tex(inside) + "}{" + std::to_string(inside.size()) + "}";
    }
    if (!line.empty()) words("T", x, y, std::string(size) + "}{" + line);
  }
  /// The words of a row's cells: those of one line, of two, and so on, each line of theirs at its height.
  void cells(figure_grid const& g, int row, double left, double middle) {
    std::vector<std::vector<std::string>> lines;
    std::size_t most = 0;
    for (int c = 0; c < g.columns; ++c) {
      lines.push_back(lines_of(g.at(row, c).text));
      most = lines.back().size() > most ? lines.back().size() : most;
    }
    for (std::size_t n = 1; n <= most; ++n) {
      for (std::size_t i = 0; i < n; ++i) {
        double const above = 2.3 * (static_cast<double>(n - 1) / 2 - static_cast<double>(i));
        row_of_words(g.columns, "\\tiny", left, middle + above - 0.54, [&](int c) {
          std::vector<std::string> const& of_cell = lines[static_cast<std::size_t>(c)];
          return of_cell.size() == n ? of_cell[i] : std::string();
        });
      }
    }
  }
  void texts(figure_grid const& g, double left, double top) {
    if (!g.title.empty()) words("L", left, top + 7.5, "\\scriptsize\\textbf{" + tex(g.title) + "}");
    row_of_words(g.columns, "\\scriptsize", left, top + 2, [&](int c) { return g.column_heading(c); });
    for (int r = 0; r < g.rows; ++r) {
      words("P", left - beside / 2, top - (r + 0.5) * high, "\\scriptsize " + tex(g.row_heading(r)));
      cells(g, r, left, top - (r + 0.5) * high);
    }
  }
};

}  // namespace detail

/// A whole document, for pdflatex: class `standalone`, package `tikz`.
/// @throws error where the page would be wider or higher than 5.7 m, as TeX has no such lengths
inline std::string to_latex(figure const& f) {
  detail::latex_writer w;
  std::size_t letters = 1, label = 1;
  for (figure_grid const& g : f.grid) {
    for (figure_cell const& c : g.cell) {
      for (std::string const& s : detail::lines_of(c.text)) letters = s.size() > letters ? s.size() : letters;
    }
    for (int r = 0; r < g.rows; ++r) label = g.row_heading(r).size() > label ? g.row_heading(r).size() : label;
  }
  if (letters > 4) w.wide = 1.3 * static_cast<double>(letters) + 2;
  w.beside = 4 + 1.8 * static_cast<double>(label);
  std::vector<double> left, top;
  double at = 0;
  for (int i = 0; i < f.columns_of_grids(); ++i) {
    int columns = 0;
    for (figure_grid const& g : f.grid) columns = g.right == i && g.columns > columns ? g.columns : columns;
    left.push_back(at + w.beside);
    at += w.beside + columns * w.wide + 4;
  }
  double right = at;
  at = f.title.empty() ? 0 : -5;
  at -= 4 * static_cast<double>(f.words.size());
  for (int i = 0; i < f.rows_of_grids(); ++i) {
    int rows = 0;
    for (figure_grid const& g : f.grid) rows = g.down == i && g.rows > rows ? g.rows : rows;
    top.push_back(at - 11);
    at -= 11 + rows * w.high + 3;
  }
  std::size_t widest = f.title.size() + f.title.size() / 8;
  for (std::string const& s : f.words) widest = s.size() > widest ? s.size() : widest;
  if (2.0 * static_cast<double>(widest) > right) right = 2.0 * static_cast<double>(widest);
  constexpr double longest = 5700;  // of TeX's lengths
  if (right > longest || -at > longest) {
    throw error("a picture of %d by %d mm is larger than TeX's lengths, %d mm: draw a tile of it, or take another form",
                static_cast<int>(right), static_cast<int>(-at), static_cast<int>(longest));
  }
  w.out = "\\documentclass[border=2mm]{standalone}\n\\usepackage{tikz}\n";
  for (int i = 0; i < detail::palette_size; ++i) {
    std::string hex = detail::palette[i] + 1;
    for (char& c : hex) c = c >= 'a' ? static_cast<char>(c - 'a' + 'A') : c;
    w.out += "\\definecolor{k" + std::to_string(i) + "}{HTML}{" + hex + "}\n";
  }
  w.out +=
      "\\def\\O#1#2#3#4{\\pgfpathrectangle{\\pgfqpoint{#1mm}{#2mm}}{\\pgfqpoint{#3mm}{#4mm}}}\n"
      "\\def\\R#1#2#3{\\O{#1}{#2}{#3}{" +
      w.mm(-w.high) +
      "}}\n"
      "\\def\\M#1#2#3#4{\\pgfpathmoveto{\\pgfqpoint{#1mm}{#2mm}}\\pgfpathlineto{\\pgfqpoint{#3mm}{#4mm}}}\n"
      "\\def\\F#1{\\pgfsetfillcolor{#1}\\pgfusepath{fill}}\n"
      "\\def\\S#1#2{\\pgfsetstrokecolor{#1}\\pgfsetlinewidth{#2}\\pgfusepath{stroke}}\n"
      "\\def\\P#1#2#3{\\put(#1,#2){\\makebox(0,0){#3}}}\n"
      "\\def\\L#1#2#3{\\put(#1,#2){\\makebox(0,0)[l]{#3}}}\n"
      "\\newlength\\letter\n"
      "\\def\\T#1#2#3#4{\\put(#1,#2){\\hbox{#3\\settowidth\\letter{0}#4}}}\n"
      "\\def\\G#1{\\kern\\dimexpr(" +
      w.mm(w.wide) +
      "mm-#1\\letter)/2\\relax}\n"
      "\\def\\C#1#2{\\G{#2}#1\\G{#2}}\n"
      "\\def\\K#1{\\kern#1mm\\relax}\n"
      "\\begin{document}\\setlength\\unitlength{1mm}\\ttfamily\n"
      "\\begin{picture}(" +
      w.mm(right) + "," + w.mm(2 - at) + ")(0," + w.mm(at) + ")\n\\begin{tikzpicture}[overlay]\n";
  for (figure_grid const& g : f.grid) {
    w.fills(g, left[static_cast<std::size_t>(g.right)], top[static_cast<std::size_t>(g.down)]);
  }
  w.out += "\\end{tikzpicture}%\n";
  double y = 0;
  if (!f.title.empty()) {
    w.words("L", 0, y, "\\small\\textbf{" + detail::tex(f.title) + "}");
    y -= 5;
  }
  for (std::string const& s : f.words) {
    w.words("L", 0, y, "\\scriptsize " + detail::tex(s));
    y -= 4;
  }
  for (figure_grid const& g : f.grid) {
    w.texts(g, left[static_cast<std::size_t>(g.right)], top[static_cast<std::size_t>(g.down)]);
  }
  return w.out + "\\end{picture}\n\\end{document}\n";
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
