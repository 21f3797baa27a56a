// SPDX-License-Identifier: Apache-2.0
/// @file
/// `to_latex(figure)`: a document of TikZ, one page as large as the picture.
///
/// No TikZ nodes: the cells of one colour in a row are one path, and words are boxes of LaTeX's `picture`, so that
/// TeX's memory holds tiles of 128 x 128 and more.
#pragma once

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
inline std::string tex_lines(std::string const& text) {
  std::vector<std::string> const lines = lines_of(text);
  if (lines.size() == 1) return tex(lines[0]);
  std::string out = "\\shortstack{";
  for (std::size_t i = 0; i < lines.size(); ++i) out += (i == 0 ? "" : "\\\\") + tex(lines[i]);
  return out + "}";
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
  /// The cells of each colour in a row are one path, and so are the lines between cells.
  void fills(figure_grid const& g, double left, double top) {
    for (int r = 0; r < g.rows; ++r) {
      for (int color = 0; color < palette_size; ++color) {
        bool some = false;
        for (int c = 0; c < g.columns; ++c) {
          figure_cell const& cell = g.at(r, c);
          if (cell.color < 0 || palette_index(cell.color) != color) continue;
          out += "\\R{" + mm(left + c * wide) + "}{" + mm(top - r * high) + "}";
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
    for (figure_outline const& o : g.outline) {
      double const x = left + o.column * wide, y = top - o.row * high;
      out += "\\pgfpathrectangle{\\pgfqpoint{" + mm(x) + "mm}{" + mm(y) + "mm}}{\\pgfqpoint{" + mm(o.columns * wide) +
             "mm}{" + mm(-o.rows * high) + "mm}}\\S{black}{0.9pt}\n";
    }
  }
  void line(double x0, double y0, double x1, double y1) {
    out += "\\M{" + mm(x0) + "}{" + mm(y0) + "}{" + mm(x1) + "}{" + mm(y1) + "}";
  }
  void texts(figure_grid const& g, double left, double top) {
    if (!g.title.empty()) words("L", left, top + 7.5, "\\scriptsize\\textbf{" + tex(g.title) + "}");
    for (int c = 0; c < g.columns; ++c) {
      words("P", left + (c + 0.5) * wide, top + 2.8, "\\scriptsize " + tex(g.column_heading(c)));
    }
    for (int r = 0; r < g.rows; ++r) {
      words("P", left - beside / 2, top - (r + 0.5) * high, "\\scriptsize " + tex(g.row_heading(r)));
      for (int c = 0; c < g.columns; ++c) {
        if (g.at(r, c).text.empty()) continue;
        words("P", left + (c + 0.5) * wide, top - (r + 0.5) * high, "\\tiny " + tex_lines(g.at(r, c).text));
      }
    }
  }
};

}  // namespace detail

/// A whole document, for pdflatex: class `standalone`, package `tikz`.
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
  w.out =
      "\\documentclass[tikz,border=2mm]{standalone}\n\\renewcommand\\familydefault{\\ttdefault}\n"
      "\\begin{document}\n\\begin{tikzpicture}\n";
  for (int i = 0; i < detail::palette_size; ++i) {
    std::string hex = detail::palette[i] + 1;
    for (char& c : hex) c = c >= 'a' ? static_cast<char>(c - 'a' + 'A') : c;
    w.out += "\\definecolor{k" + std::to_string(i) + "}{HTML}{" + hex + "}\n";
  }
  w.out += "\\def\\R#1#2{\\pgfpathrectangle{\\pgfqpoint{#1mm}{#2mm}}{\\pgfqpoint{" + w.mm(w.wide) + "mm}{" +
           w.mm(-w.high) +
           "mm}}}\n"
           "\\def\\M#1#2#3#4{\\pgfpathmoveto{\\pgfqpoint{#1mm}{#2mm}}\\pgfpathlineto{\\pgfqpoint{#3mm}{#4mm}}}\n"
           "\\def\\F#1{\\pgfsetfillcolor{#1}\\pgfusepath{fill}}\n"
           "\\def\\S#1#2{\\pgfsetstrokecolor{#1}\\pgfsetlinewidth{#2}\\pgfusepath{stroke}}\n"
           "\\def\\P#1#2#3{\\put(#1,#2){\\makebox(0,0){#3}}}\n"
           "\\def\\L#1#2#3{\\put(#1,#2){\\makebox(0,0)[l]{#3}}}\n";
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
  w.out += "\\useasboundingbox(0,2mm)rectangle(" + w.mm(right) + "mm," + w.mm(at) + "mm);\n";
  for (figure_grid const& g : f.grid) {
    w.fills(g, left[static_cast<std::size_t>(g.right)], top[static_cast<std::size_t>(g.down)]);
  }
  w.out += "\\pgftext[left,bottom]{\\setlength\\unitlength{1mm}\\ttfamily\n\\begin{picture}(0,0)\n";
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
  return w.out + "\\end{picture}}\n\\end{tikzpicture}\n\\end{document}\n";
}

}  // namespace COSMATI_NAMESPACE
