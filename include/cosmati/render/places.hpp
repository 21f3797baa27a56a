// SPDX-License-Identifier: Apache-2.0
/// @file
/// `figure_places`: the positions of a picture's parts, in pixels of 1/96 inch, and the size of its letters.
///
/// SVG, LaTeX and Typst use it. cut.hpp leaves out rows and columns if even small letters do not fit.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/render/figure.hpp>

namespace COSMATI_NAMESPACE {

/// The limits of a picture in pixels; 0 means as many as it needs.
struct picture_size {
  int width = 1200;
  int height = 1600;
};

namespace detail {

/// The letters and lines of a text.
struct text_extent {
  int letters = 0, lines = 1;

  explicit text_extent(std::string const& text, bool in_one_line = false) {
    int here = 0;
    for (char const c : text) {
      if (c == '\n' && !in_one_line) {
        ++lines;
        here = 0;
      } else if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) {
        ++here;
      }
      letters = here > letters ? here : letters;
    }
  }
};
/// Splits a text into lines of at most `letters` letters, after a blank or a comma.
inline std::vector<std::string> wrapped(std::string const& text, std::size_t letters) {
  std::vector<std::string> lines;
  std::string rest = text;
  while (letters > 8 && rest.size() > letters) {
    std::size_t at = rest.find_last_of(" ,", letters - 1);
    at = at == std::string::npos || at < letters / 2 ? letters : at + 1;
    lines.push_back(rest.substr(0, at));
    rest = "    " + rest.substr(at);
  }
  lines.push_back(rest);
  return lines;
}
/// The step 1, 2, 4, 8, ... at which equal cells have room for a heading of that many pixels.
inline int heading_step(int wanted, int cell) {
  int step = 1;
  while (step * cell < wanted) step *= 2;
  return step;
}

/// The positions of a figure's parts at one letter size.
struct figure_places {
  static constexpr int margin = 16, heading = 20, title = 22, line = 18, least_font = 9;
  int font = 12;
  bool in_one_line = true;  ///< whether labels of vectors that are wider than high are written in one line
  int width = 0, height = 0;
  int top = 0;      ///< the top of the grids
  int foot = 0;     ///< the foot of the notes
  int letters = 0;  ///< the letters of a line of words
  int key_lines = 0;
  std::vector<int> cell_width, cell_height;  ///< the size of cells in each column (row) of grids
  std::vector<int> x, y;                     ///< the cells of each column (row) of grids
  struct point {
    int x = 0, y = 0;
  };
  std::vector<point> key;  ///< the positions of the colours that the caption names; `y` counts upwards from the grids'
                           ///< top
  std::vector<std::string> titles, words, notes;  ///< the wrapped lines

  /// The pixels of that many letters, which have equal widths.
  int of(int count) const { return (count * font * 61 + 99) / 100; }
  int step() const { return font + 1; }

  figure_places(figure const& f, int font_size, bool one_line, int most_width)
      : font(font_size), in_one_line(one_line) {
    cell_width.assign(static_cast<std::size_t>(f.columns_of_grids()), 4);
    cell_height.assign(static_cast<std::size_t>(f.rows_of_grids()), 4);
    for (figure_grid const& g : f.grid) measure(g);
    place(f);
    letters = ((most_width > 0 ? most_width : width > 1200 ? width : 1200) - 2 * margin) / 8;
    for (std::string const& s : f.words) append(words, s);
    for (std::string const& s : f.note) append(notes, s);
    if (!f.title.empty()) titles = wrapped(f.title, static_cast<std::size_t>(letters < 40 ? 40 : letters) * 8 / 9);
    int widest = 0;
    for (std::string const& s : titles)
      widest = static_cast<int>(s.size()) * 9 > widest ? 9 * static_cast<int>(s.size()) : widest;
    for (auto const* lines : {&words, &notes}) {
      for (std::string const& s : *lines)
        widest = static_cast<int>(s.size()) * 8 > widest ? 8 * static_cast<int>(s.size()) : widest;
    }
    if (int const k = place_key(f, most_width); k > widest) widest = k;
    if (widest + 2 * margin > width) width = widest + 2 * margin;
    shift(f);
  }
  std::string label_of(figure_outline const& o) const {
    std::string text = o.text;
    if (!in_one_line || o.columns <= o.rows) return text;
    for (char& c : text) c = c == '\n' ? ' ' : c;
    return text;
  }
  int row_step(figure_grid const& g) const {
    return g.is_numbered ? heading_step(font + 1, cell_height[static_cast<std::size_t>(g.down)]) : 1;
  }
  int column_step(figure_grid const& g) const {
    return g.is_numbered ? heading_step(of(widest_heading(g)) + 6, cell_width[static_cast<std::size_t>(g.right)]) : 1;
  }
  /// Whether a row's (column's) heading is written. Headings are thinned by their numbers, so that those of two grids
  /// agree.
  static bool is_written(std::string const& text, int step) {
    if (step <= 1 || text.empty() || text[0] < '0' || text[0] > '9') return true;
    return std::stoll(text) % step == 0;
  }
  static int widest_heading(figure_grid const& g) {
    int most = 1;
    for (int c = 0; c < g.columns; ++c) {
      text_extent const e(g.column_heading(c));
      most = e.letters > most ? e.letters : most;
    }
    return most;
  }

 private:
  void append(std::vector<std::string>& to, std::string const& text) const {
    for (std::string& s : wrapped(text, static_cast<std::size_t>(letters < 40 ? 40 : letters)))
      to.push_back(std::move(s));
  }
  /// Places the colours after the caption, in as many lines as they need. @returns the pixels across
  int place_key(figure const& f, int most_width) {
    if (f.color_is.empty()) return 0;
    int const first = margin + 8 * static_cast<int>(f.caption().size()) + 10;
    int at = first, widest = first, lines = 0;
    for (figure_key const& k : f.key) {
      int const w = 30 + 8 * static_cast<int>(k.text.size());
      if (most_width > 0 && at > first && at + w > most_width - margin) {
        at = first;
        ++lines;
      }
      key.push_back({at, lines});
      at += w;
      widest = at > widest ? at : widest;
    }
    key_lines = lines + 1;
    for (point& p : key) p.y = (key_lines - p.y) * line - 6;
    return widest - margin;
  }
  static void grow(int& extent, int wanted) { extent = wanted > extent ? wanted : extent; }
  void measure(figure_grid const& g) {
    int& w = cell_width[static_cast<std::size_t>(g.right)];
    int& h = cell_height[static_cast<std::size_t>(g.down)];
    std::vector<int> const by = g.labelled_by();
    for (std::size_t i = 0; i < g.cell.size(); ++i) {
      if (by[i] >= 0) continue;
      text_extent const e(g.cell[i].text);
      grow(w, of(e.letters) + 4 > 18 ? of(e.letters) + 4 : 18);
      grow(h, e.lines * step() + 8);
    }
    for (figure_outline const& o : g.outline) {
      if (o.text.empty()) continue;
      text_extent const e(label_of(o));
      grow(w, (of(e.letters) + 4 + o.columns - 1) / o.columns);
      grow(h, (e.lines * step() + 6 + o.rows - 1) / o.rows);
    }
    if (!g.is_numbered) {
      grow(w, of(widest_heading(g)) + 6);
      grow(h, step() + 2);
    }
  }
  void place(figure const& f) {
    std::vector<int> widths(cell_width.size(), 0), heights(cell_height.size(), 0), label(cell_width.size(), 1);
    for (figure_grid const& g : f.grid) {
      auto const right = static_cast<std::size_t>(g.right), down = static_cast<std::size_t>(g.down);
      int const title_width = static_cast<int>(g.title.size()) * 9 + 16 + static_cast<int>(g.axes().size()) * 8;
      grow(widths[right], g.columns * cell_width[right] > title_width ? g.columns * cell_width[right] : title_width);
      grow(heights[down], g.rows * cell_height[down]);
      for (int r = 0; r < g.rows; ++r) grow(label[right], text_extent(g.row_heading(r)).letters);
    }
    int at = margin;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      int const beside = 12 + of(label[i]);
      x.push_back(at + beside);
      at += beside + widths[i] + margin;
    }
    width = at;
    at = 0;
    for (int const h : heights) {
      y.push_back(at + title + heading);
      at += title + heading + h + margin;
    }
    height = at;
  }
  /// Moves the grids below the title, the words and the key.
  void shift(figure const& f) {
    top = margin + static_cast<int>(titles.size()) * (line + 4) + static_cast<int>(words.size()) * line;
    if (!f.color_is.empty()) top += key_lines * line + 4;
    for (int& at : y) at += top;
    foot = top + height;
    height = foot + (notes.empty() ? 0 : static_cast<int>(notes.size()) * line + margin / 2);
  }
};

/// Stacks grids that are side by side, if they share no rows and columns.
inline figure stacked(figure f) {
  int next = 0;
  std::vector<figure_grid*> order;
  for (figure_grid& g : f.grid) order.push_back(&g);
  for (std::size_t i = 1; i < order.size(); ++i) {  // sorted by position; there are few
    for (std::size_t k = i; k > 0; --k) {
      figure_grid const &a = *order[k - 1], &b = *order[k];
      if (a.down < b.down || (a.down == b.down && a.right <= b.right)) break;
      std::swap(order[k - 1], order[k]);
    }
  }
  for (figure_grid* g : order) {
    g->down = next++;
    g->right = 0;
  }
  return f;
}

}  // namespace detail
}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
