// SPDX-License-Identifier: Apache-2.0
/// @file
/// `owners`: the threads that hold each element of a tile, with a label and an outline for each vector of a thread.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/render/colors.hpp>
#include <cosmati/render/slices.hpp>

namespace COSMATI_NAMESPACE {

/// The values of a thread that one instruction moves: `count` values from the first on. 0 means no instruction.
struct vector_of_values {
  std::int64_t count = 0;
};

namespace detail {

/// The grids of a tile, and the cell of each value of each thread.
class owners_drawing {
 public:
  owners_drawing(std::string const& title, AnyLayout const& layout_tv, std::vector<std::int64_t> const& tile,
                 AnyLayout const* number)
      : tv_(layout_tv),
        number_(number),
        shape_(tile),
        threads_(layout_tv.size(0)),
        values_(layout_tv.size() / threads_),
        grids(shape_.grids("a tile", title)) {
    check_cells("a (thread, value) layout", threads_ * values_);
  }

 private:
  struct place {
    std::int64_t slice, row, column;
  };
  AnyLayout const& tv_;
  AnyLayout const* number_;
  slices_of_shape shape_;
  std::int64_t threads_, values_;

 public:
  std::vector<figure_grid> grids;

  void name_owners() {
    color_scale const scale = scale_of_threads(number_ == nullptr ? threads_ : cosize(*number_));
    for (std::int64_t t = 0; t < threads_; ++t) {
      for (std::int64_t v = 0; v < values_; ++v) {
        figure_cell& cell = at(place_of(t, v));
        if (cell.thread >= 0) {
          ++cell.others;
          continue;
        }
        cell.thread = called(t);
        cell.value = v;
        cell.color = scale.color(cell.thread);
      }
    }
    for (figure_grid& g : grids) {
      count_owners(g);
      for (figure_cell& c : g.cell) {
        if (c.thread >= 0) c.text = label(c, c.value);
      }
    }
  }
  /// Draws outlines of `count` values each. They have a label if the values are one row or column of the thread's own
  /// cells. A vector in several pieces, such as ldmatrix' destination, has an outline for each piece.
  void frame_vectors(std::int64_t count) {
    for (std::int64_t t = 0; t < threads_; ++t) {
      for (std::int64_t first = 0; first + count <= values_; first += count) {
        if (!frame(t, first, count)) frame_pieces(t, first, first + count);
      }
    }
  }
  /// Draws outlines of consecutive values whose cells are adjacent.
  void frame_runs() {
    for (std::int64_t t = 0; t < threads_; ++t) frame_pieces(t, 0, values_);
  }

 private:
  /// If every element has the same number of holders, the figure says so once instead of in each cell.
  static void count_owners(figure_grid& g) {
    std::int64_t const others = g.cell.empty() ? 0 : g.cell[0].others;
    for (figure_cell const& c : g.cell) {
      if (c.others != others || c.thread < 0) return;
    }
    if (others == 0) return;
    g.holders = others + 1;
    for (figure_cell& c : g.cell) c.others = 0;
  }
  std::int64_t called(std::int64_t t) const { return number_ == nullptr ? t : (*number_)(t); }
  place place_of(std::int64_t t, std::int64_t v) const {
    std::int64_t const index = tv_(t + threads_ * v), slice = shape_.rows * shape_.columns;
    if (index < 0 || index >= slice * shape_.slices) {
      throw error("thread %lld's value %lld is element %lld of a tile of %lld elements: the tile is too small for %s",
                  static_cast<long long>(t), static_cast<long long>(v), static_cast<long long>(index),
                  static_cast<long long>(slice * shape_.slices), to_string(tv_).c_str());
    }
    return {index / slice, index % slice % shape_.rows, index % slice / shape_.rows};
  }
  figure_cell& at(place const& p) {
    return grids[static_cast<std::size_t>(p.slice)].at(static_cast<int>(p.row), static_cast<int>(p.column));
  }
  /// Gives `T3`, `V0-7`, `+1`, each as a line.
  static std::string label(figure_cell const& first, std::int64_t last) {
    std::string out = "T" + std::to_string(first.thread) + "\nV" + std::to_string(first.value);
    if (last > first.value) out += "-" + std::to_string(last);
    if (first.others > 0) out += "\n+" + std::to_string(first.others);
    return out;
  }
  /// Whether these values are neighbours in a row or in a column, in ascending order, and all belong to the thread.
  bool is_line(std::int64_t t, std::int64_t first, std::int64_t count) {
    place const from = place_of(t, first);
    figure_cell const& head = at(from);
    bool in_row = true, in_column = true;
    for (std::int64_t i = 0; i < count; ++i) {
      place const p = place_of(t, first + i);
      figure_cell const& c = at(p);
      if (p.slice != from.slice || c.thread != called(t) || c.value != first + i || c.others != head.others)
        return false;
      in_row = in_row && p.row == from.row && p.column == from.column + i;
      in_column = in_column && p.column == from.column && p.row == from.row + i;
    }
    return in_row || in_column;
  }
  void frame_pieces(std::int64_t t, std::int64_t first, std::int64_t end) {
    for (std::int64_t next = first; first < end; first = next) {
      next = first + 1;
      while (next < end && is_line(t, first, next + 1 - first)) ++next;
      if (next - first > 1) frame(t, first, next - first);
    }
  }
  /// @returns false if the values form no rectangle, because a frame would include elements of others
  bool frame(std::int64_t t, std::int64_t first, std::int64_t count) {
    place low = place_of(t, first), high = low;
    figure_cell const& head = at(low);
    if (head.thread != called(t) || head.value != first) return true;  // it is framed for another thread
    for (std::int64_t v = first; v < first + count; ++v) {
      place const p = place_of(t, v);
      if (p.slice != low.slice) return false;
      low.row = p.row < low.row ? p.row : low.row;
      low.column = p.column < low.column ? p.column : low.column;
      high.row = p.row > high.row ? p.row : high.row;
      high.column = p.column > high.column ? p.column : high.column;
    }
    std::int64_t const rows = high.row - low.row + 1, columns = high.column - low.column + 1;
    if (rows * columns != count) return false;
    grids[static_cast<std::size_t>(low.slice)].outline.push_back(
        {static_cast<int>(low.row), static_cast<int>(low.column), static_cast<int>(rows), static_cast<int>(columns),
         is_line(t, first, count) ? label(head, first + count - 1) : std::string()});
    return true;
  }
};

/// Explains colours, `T3 V0-7` and `+1`.
inline void explain_owners(figure& f, std::int64_t threads) {
  scale_of_threads(threads).explain(f, threads);
  figure_cell const* example = nullptr;
  std::int64_t last = 0, others = 0;
  for (figure_grid const& g : f.grid) {
    for (figure_cell const& c : g.cell) others = c.others > others ? c.others : others;
    for (figure_cell const& c : g.cell) {
      if (example == nullptr && c.thread >= 0) last = (example = &c)->value;
    }
    for (figure_outline const& o : g.outline) {
      if (o.text.empty() || (example != nullptr && last > example->value)) continue;
      example = &g.at(o.row, o.column);
      last = example->value + std::int64_t{o.rows} * o.columns - 1;
    }
  }
  if (example == nullptr) return;
  std::string const t = std::to_string(example->thread), v = std::to_string(example->value);
  if (last > example->value)
    f.note.push_back("T" + t + " V" + v + "-" + std::to_string(last) + " = thread " + t + "'s values " + v + " to " +
                     std::to_string(last) + ", from left to right or from top to bottom");
  else
    f.note.push_back("T" + t + " V" + v + " = thread " + t + "'s value " + v);
  for (figure_grid const& g : f.grid) {
    if (g.holders > 1)
      f.note.push_back("each element" + (g.title.empty() ? std::string() : " of " + g.title) + " is held by " +
                       std::to_string(g.holders) + " threads; the first is named");
  }
  if (others == 1) f.note.push_back("+1 = one more thread holds the same element");
  if (others > 1) f.note.push_back("+n = n more threads hold the same element");
}

}  // namespace detail

/// A grid for each slice of a tile with the owner of each element, `T3 V1`. Vectors are framed and labelled, `T3 V0-7`.
/// If several threads own an element, the first is named, and `+1` counts the others.
/// @param layout_tv (thread, value) -> index in the tile, first mode fastest
/// @param vector count 0: adjacent consecutive values of a thread form one outline
/// @param number thread -> displayed thread number; null: the same
inline std::vector<figure_grid> owners(std::string const& title, AnyLayout const& layout_tv,
                                       std::vector<std::int64_t> const& tile, vector_of_values vector = {},
                                       AnyLayout const* number = nullptr) {
  detail::owners_drawing drawing(title, layout_tv, tile, number);
  drawing.name_owners();
  if (vector.count > 1)
    drawing.frame_vectors(vector.count);
  else if (vector.count == 0)
    drawing.frame_runs();
  return std::move(drawing.grids);
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
