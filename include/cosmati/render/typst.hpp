// SPDX-License-Identifier: Apache-2.0
/// @file
/// `to_typst(figure)`: a document of Typst (0.11 or later), with one page as large as the picture.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/render/cut.hpp>

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

/// Writes a picture as tables of cells with the sizes of `figure_places`.
class typst_writer {
 public:
  // `drawn` must outlive the writer
  explicit typst_writer(fitted_figure const& drawn) : f_(drawn.what), at_(drawn.at) {}

  std::string written() {
    prologue();
    for (std::string const& s : at_.titles) out_ += "#text(size: 10pt, weight: \"bold\", " + typst_string(s) + ")\n\n";
    for (std::string const& s : at_.words) out_ += "#raw(" + typst_string(s) + ")\n\n";
    if (!f_.color_is.empty()) {
      out_ += "#text(" + typst_string(f_.caption() + "  ") + ")";
      for (figure_key const& k : f_.key)
        out_ += "#key(" + std::to_string(palette_index(k.color)) + ", " + typst_string(k.text) + ")";
      out_ += "\n\n";
    }
    out_ += "#grid(columns: " + std::to_string(f_.columns_of_grids()) + ", gutter: 12pt,\n";
    for (int down = 0; down < f_.rows_of_grids(); ++down) {
      for (int right = 0; right < f_.columns_of_grids(); ++right) {
        bool found = false;
        for (figure_grid const& g : f_.grid) {
          if (g.down != down || g.right != right) continue;
          grid(g);
          found = true;
        }
        out_ += found ? ",\n" : "[],\n";
      }
    }
    out_ += ")\n";
    for (std::string const& s : at_.notes) out_ += "\n#text(" + typst_string(s) + ")\n";
    return out_;
  }

 private:
  struct rim {
    bool top = false, bottom = false, left = false, right = false;
  };
  static std::string points(int pixels) {
    std::string out = std::to_string(pixels * 3 / 4);
    if (pixels * 3 % 4 != 0) out += pixels * 3 % 4 == 2 ? ".5" : pixels * 3 % 4 == 1 ? ".25" : ".75";
    return out + "pt";
  }
  void prologue() {
    out_ = "#set page(width: auto, height: auto, margin: 8pt)\n#set text(font: \"DejaVu Sans Mono\", size: " +
           points(at_.font) + ")\n#let fills = (";
    for (char const* c : palette) out_ += "rgb(\"" + std::string(c) + "\"), ";
    out_ +=
        "white)\n"
        "#let thin = 0.4pt + gray\n"
        "#let b = 1.4pt + black\n"
        "#let k(fill, words, top: thin, bottom: thin, left: thin, right: thin, columns: 1, rows: 1) = table.cell(\n"
        "  fill: fills.at(fill), stroke: (top: top, bottom: bottom, left: left, right: right),\n"
        "  colspan: columns, rowspan: rows, words.split(\"\\n\").join(linebreak()))\n"
        "#let h(words, columns: 1, at: center, below: 0pt) = table.cell(colspan: columns, align: at + horizon,\n"
        "  inset: (bottom: below), text(fill: rgb(\"#444444\"), words))\n"
        "#let key(fill, words) = box(fill: fills.at(fill), stroke: thin, width: 9pt, height: 7pt) + [ ] + text(words) "
        "+ [  ]\n";
  }
  /// A heading spans as many columns as it has room for.
  void headings(figure_grid const& g) {
    int const every = at_.column_step(g);
    for (int c = 0; c < g.columns;) {
      int end = c + 1;
      while (end < g.columns && !figure_places::is_written(g.column_heading(end), every)) ++end;
      bool const written = figure_places::is_written(g.column_heading(c), every);
      out_ += " h(" + typst_string(written ? g.column_heading(c) : std::string());
      out_ += ", below: 4pt";
      if (end - c > 1) out_ += ", columns: " + std::to_string(end - c) + ", at: left";
      out_ += "),";
      c = end;
    }
    out_ += "\n";
  }
  void cell(figure_grid const& g, int r, int c, rim const& edge, figure_outline const* label) {
    figure_cell const& what = g.at(r, c);
    out_ += " k(" + std::to_string(what.color < 0 ? palette_size : palette_index(what.color)) + ", " +
            typst_string(label != nullptr ? at_.label_of(*label) : what.text);
    bool const framed = label != nullptr && label->text != "...";
    if (edge.top || framed) out_ += ", top: b";
    if (edge.bottom || framed) out_ += ", bottom: b";
    if (edge.left || framed) out_ += ", left: b";
    if (edge.right || framed) out_ += ", right: b";
    if (label != nullptr && label->columns > 1) out_ += ", columns: " + std::to_string(label->columns);
    if (label != nullptr && label->rows > 1) out_ += ", rows: " + std::to_string(label->rows);
    out_ += "),";
  }
  /// Frames without a label are strokes of the cells on their rim.
  static std::vector<rim> rims(figure_grid const& g) {
    std::vector<rim> frame(g.cell.size());
    auto const at = [&](int r, int c) -> rim& {
      return frame[static_cast<std::size_t>(r) * static_cast<std::size_t>(g.columns) + static_cast<std::size_t>(c)];
    };
    for (figure_outline const& o : g.outline) {
      if (!o.text.empty()) continue;
      for (int r = 0; r < o.rows; ++r)
        at(o.row + r, o.column).left = at(o.row + r, o.column + o.columns - 1).right = true;
      for (int c = 0; c < o.columns; ++c)
        at(o.row, o.column + c).top = at(o.row + o.rows - 1, o.column + c).bottom = true;
    }
    return frame;
  }
  void grid(figure_grid const& g) {
    out_ += "stack(dir: ttb, spacing: 4pt,\n";
    std::string const axes_text = g.axes().empty() ? std::string() : (g.title.empty() ? "" : "  ") + g.axes();
    if (!g.title.empty() || !axes_text.empty())
      out_ += "  text(weight: \"bold\", " + typst_string(g.title) + ") + text(" + typst_string(axes_text) + "),\n";
    out_ += "  table(columns: (auto,) + (" + points(at_.cell_width[static_cast<std::size_t>(g.right)]) + ",) * " +
            std::to_string(g.columns) + ", rows: (auto,) + (" +
            points(at_.cell_height[static_cast<std::size_t>(g.down)]) + ",) * " + std::to_string(g.rows) +
            ", align: center + horizon, inset: 0pt, stroke: none,\n    [],";
    headings(g);
    std::vector<rim> const frame = rims(g);
    std::vector<int> const by = g.labelled_by();
    int const every = at_.row_step(g);
    for (int r = 0; r < g.rows; ++r) {
      bool const written = figure_places::is_written(g.row_heading(r), every);
      out_ += "    h(" + typst_string(written ? g.row_heading(r) + " " : std::string()) + ", at: right),";
      for (int c = 0; c < g.columns; ++c) {
        std::size_t const i =
            static_cast<std::size_t>(r) * static_cast<std::size_t>(g.columns) + static_cast<std::size_t>(c);
        figure_outline const* const label = by[i] < 0 ? nullptr : &g.outline[static_cast<std::size_t>(by[i])];
        if (label == nullptr || (label->row == r && label->column == c)) cell(g, r, c, frame[i], label);
      }
      out_ += "\n";
    }
    out_ += "  ),\n)";
  }

  figure const& f_;
  figure_places const& at_;
  std::string out_;
};

}  // namespace detail

/// A whole document.
inline std::string to_typst(figure const& f, picture_size size = {}) {
  fitted_figure const drawn = fitted(f, size);
  return detail::typst_writer(drawn).written();
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
