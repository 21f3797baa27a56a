// SPDX-License-Identifier: Apache-2.0
/// @file
/// `fitted(figure, size)`: fits a picture into a size. It puts grids below each other and uses smaller letters. If that
/// is not enough, it replaces rows and columns by "...".
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <algorithm>
#include <cosmati/render/places.hpp>

namespace COSMATI_NAMESPACE {

/// A picture as it is drawn, with its positions.
struct fitted_figure {
  figure what;
  detail::figure_places at;
};

namespace detail {

/// The first and the last columns that stay, and the number of columns that "..." takes.
struct kept_columns {
  int head = 0, tail = 0, gap = 1;
};

/// The columns of the widest label. Columns are left out in such units.
inline int unit_of_columns(figure_grid const& g) {
  int unit = 1;
  for (figure_outline const& o : g.outline) {
    if (!o.text.empty() && o.text != "..." && o.columns > unit) unit = o.columns;
  }
  return unit;
}
/// Whether each column differs from the one `period` before it by the same steps everywhere.
inline bool repeats(figure_grid const& g, int period) {
  struct step {
    std::int64_t thread, value, offset;
    bool operator==(step const&) const = default;
  };
  bool first = true;
  step all{};
  for (int c = period; c < g.columns; ++c) {
    for (int r = 0; r < g.rows; ++r) {
      figure_cell const &a = g.at(r, c - period), &b = g.at(r, c);
      if ((a.thread < 0) != (b.thread < 0) || a.others != b.others ||
          (a.offset == no_offset) != (b.offset == no_offset))
        return false;
      if (a.thread < 0 && a.offset == no_offset) continue;  // both cells are empty
      step const here{b.thread - a.thread, b.value - a.value, b.offset == no_offset ? 0 : b.offset - a.offset};
      if (!first && !(here == all)) return false;
      first = false;
      all = here;
    }
  }
  return true;
}
inline bool goes_on(figure_grid const& g, int head) {
  if (g.cell.empty() || (g.cell[0].thread < 0 && g.cell[0].offset == no_offset)) return false;
  for (int period = 1; period <= head; ++period) {
    if (repeats(g, period)) return true;
  }
  return false;
}
/// Cuts an outline to the part that stays. @returns false if nothing stays
inline bool cut_outline(figure_outline& o, int columns, kept_columns const& keep) {
  int const end = o.column + o.columns, behind = columns - keep.tail;
  auto const place = [&](int c) {
    if (c <= keep.head) return c;
    return c >= behind ? keep.head + keep.gap + c - behind : -1;
  };
  if (o.column >= keep.head && end <= behind) return false;
  int const from = o.column < keep.head || o.column >= behind ? place(o.column) : keep.head + keep.gap;
  int const to = end <= keep.head || end > behind ? place(end) : keep.head;
  o.column = from;
  o.columns = to - from;
  return o.columns > 0;
}
inline figure_grid without_columns(figure_grid const& g, kept_columns const& keep) {
  figure_grid out = g;
  out.columns = keep.head + keep.gap + keep.tail;
  out.cell.assign(static_cast<std::size_t>(out.rows) * static_cast<std::size_t>(out.columns), {});
  out.column_label.clear();
  out.outline.clear();
  for (int c = 0; c < out.columns; ++c) {
    bool const gap = c >= keep.head && c < keep.head + keep.gap;
    int const from = c < keep.head ? c : c - out.columns + g.columns;
    out.column_label.push_back(gap ? "" : g.column_heading(from));
    for (int r = 0; r < g.rows && !gap; ++r) out.at(r, c) = g.at(r, from);
  }
  for (figure_outline o : g.outline) {
    if (cut_outline(o, g.columns, keep)) out.outline.push_back(std::move(o));
  }
  out.outline.push_back({0, keep.head, g.rows, keep.gap, "..."});
  return out;
}
/// The note about what is left out. @param across columns, otherwise rows
inline std::string left_out(figure_grid const& g, kept_columns const& keep, bool across) {
  std::string axis = g.column_axis.empty() ? std::string(across ? "column" : "row") : g.column_axis;
  if (axis.size() > 1) axis += "s";
  std::string first = g.column_heading(keep.head), last = g.column_heading(g.columns - keep.tail - 1);
  if (first[0] < '0' || first[0] > '9') {  // names instead of numbers
    first = "\"" + first + "\"";
    last = "\"" + last + "\"";
  }
  std::string out = "... stands for " + axis + " " + first + " to " + last;
  if (goes_on(g, keep.head)) return out + ", which go on like those before them.";
  return out + (across ? ", which a wider picture shows." : ", which a higher picture shows.");
}
inline kept_columns kept_of(int columns, int unit, int pixels, int cell, int gap_pixels) {
  if (3 * unit * cell > pixels) unit = 1;  // the label is as long as the picture
  kept_columns k;
  k.gap = (gap_pixels + cell - 1) / cell;
  k.tail = unit > 1 ? unit : 2;
  k.head = (pixels / cell - k.gap - k.tail) / unit * unit;
  if (k.head < unit) k.head = unit;
  if (k.head + k.tail >= columns) k.head = columns;
  return k;
}
inline void note_once(figure& f, std::string text) {
  for (std::string const& s : f.note) {
    if (s == text) return;
  }
  f.note.push_back(std::move(text));
}
/// Cuts the grids in one column of grids (across), or in one row of them.
inline void cut_group(figure& f, int group, bool across, int pixels, int cell, int gap_pixels) {
  int unit = 1;
  auto const in_group = [&](figure_grid const& g) { return (across ? g.right : g.down) == group; };
  for (figure_grid const& g : f.grid) {
    if (in_group(g)) unit = std::max(unit, unit_of_columns(across ? g : transposed(g)));
  }
  for (figure_grid& g : f.grid) {
    if (!in_group(g)) continue;
    figure_grid turned = across ? std::move(g) : transposed(g);
    kept_columns const keep = kept_of(turned.columns, unit, pixels, cell, gap_pixels);
    if (keep.head < turned.columns) {
      note_once(f, left_out(turned, keep, across));
      turned = without_columns(turned, keep);
    }
    g = across ? std::move(turned) : transposed(turned);
  }
}
/// Cuts the widest column (or highest row) of grids until the picture fits.
inline void cut(figure& f, figure_places const& at, bool across, int most) {
  std::vector<int> const& cell = across ? at.cell_width : at.cell_height;
  std::vector<int> pixels(cell.size(), 0);
  for (figure_grid const& g : f.grid) {
    auto const i = static_cast<std::size_t>(across ? g.right : g.down);
    pixels[i] = std::max(pixels[i], (across ? g.columns : g.rows) * cell[i]);
  }
  int over = (across ? at.width : at.height) - most;
  int const gap = across ? at.of(3) + 8 : at.step() + 4;
  while (over > 0) {
    std::size_t const widest =
        static_cast<std::size_t>(std::max_element(pixels.begin(), pixels.end()) - pixels.begin());
    std::size_t second = widest == 0 ? 1 : 0;
    for (std::size_t i = 0; i < pixels.size(); ++i) {
      if (i != widest && pixels[i] > pixels[second]) second = i;
    }
    int const other = second < pixels.size() ? pixels[second] : 0;
    int wanted = std::max(pixels[widest] - over, std::min(other, pixels[widest] - 1));
    if (pixels[widest] <= 200) break;  // many small grids stay
    wanted = std::max(wanted, 200);
    over -= pixels[widest] - wanted;
    pixels[widest] = wanted;
  }
  std::vector<int> const wanted = pixels;
  for (std::size_t i = 0; i < wanted.size(); ++i) cut_group(f, static_cast<int>(i), across, wanted[i], cell[i], gap);
}

}  // namespace detail

/// Fits a picture into a size. Letters are never smaller than 9 pixels.
inline fitted_figure fitted(figure const& f, picture_size size = {}) {
  using detail::figure_places;
  auto const wide = [&](figure_places const& at) { return size.width > 0 && at.width > size.width; };
  auto const high = [&](figure_places const& at) { return size.height > 0 && at.height > size.height; };
  bool const can_stack = !f.is_crossed && f.columns_of_grids() > 1;
  figure const below = can_stack ? detail::stacked(f) : figure();
  std::vector<fitted_figure> narrow;
  for (int font = 12; font >= figure_places::least_font; --font) {
    for (figure const* candidate : {&f, &below}) {
      if (candidate == &below && !can_stack) continue;
      for (bool const in_one_line : {true, false}) {
        figure_places at(*candidate, font, in_one_line, size.width);
        if (wide(at)) continue;
        if (!high(at)) return {*candidate, std::move(at)};
        if (narrow.empty()) narrow.push_back({*candidate, std::move(at)});
      }
    }
  }
  fitted_figure out = !narrow.empty() ? std::move(narrow[0])
                                      : fitted_figure{can_stack ? below : f,
                                                      figure_places(can_stack ? below : f, 10, false, size.width)};
  // Notes may wrap and headings may grow, so a cut picture may still be a little too large.
  figure const whole = out.what;
  figure_places const all = out.at;
  for (int less = 0; less < 240 && (wide(out.at) || high(out.at)); less += 40) {
    out.what = whole;
    if (wide(all)) detail::cut(out.what, all, true, size.width - less);
    if (high(all)) detail::cut(out.what, all, false, size.height - less);
    out.at = figure_places(out.what, all.font, all.in_one_line, size.width);
  }
  return out;
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
