// SPDX-License-Identifier: Apache-2.0
/// @file
/// Figures of what is known at run time: layouts, (thread, value) layouts, tiled copies, products.
///
/// picture.hpp makes the same of types.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/layout/text.hpp>
#include <cosmati/render/figure.hpp>
#include <cosmati/tiled/mma_values.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {

/// The extents of a shape's modes; those behind the second count slices.
struct slices_of_shape {
  std::vector<std::int64_t> extent;
  std::int64_t rows = 1;
  std::int64_t columns = 1;
  std::int64_t slices = 1;

  /// Two modes: rows and columns. One mode is a row.
  explicit slices_of_shape(std::vector<std::int64_t> extents) : extent(std::move(extents)) {
    for (std::int64_t const e : extent) {
      if (e < 0) throw error("no picture has an extent of %lld: it must be 0 or more", static_cast<long long>(e));
    }
    if (extent.size() == 1) columns = extent[0];
    if (extent.size() >= 2) {
      rows = extent[0];
      columns = extent[1];
    }
    for (std::size_t i = 2; i < extent.size(); ++i) slices *= extent[i];
  }
  /// The index, first mode fastest, of a cell.
  std::int64_t index(std::int64_t row, std::int64_t column, std::int64_t slice) const {
    return row + rows * (column + columns * slice);
  }
  /// `[:,:,1,0]`; nothing where there is one slice only.
  std::string name(std::int64_t slice) const {
    if (extent.size() <= 2) return "";
    std::string out = "[:,:";
    for (std::size_t i = 2; i < extent.size(); ++i) {
      out += "," + std::to_string(slice % extent[i]);
      slice /= extent[i];
    }
    return out + "]";
  }
  /// An empty grid for each slice, four side by side.
  std::vector<figure_grid> grids(char const* what, std::string const& title) const {
    check_cells(what, rows * columns * slices);
    std::vector<figure_grid> all;
    for (std::int64_t s = 0; s < slices; ++s) {
      std::string const which = name(s);
      std::string of_slice = title;
      if (!title.empty() && !which.empty()) of_slice += ' ';
      of_slice += which;
      all.emplace_back(of_slice, static_cast<int>(rows), static_cast<int>(columns));
      all.back().down = static_cast<int>(s / 4);
      all.back().right = static_cast<int>(s % 4);
    }
    return all;
  }
};

inline std::vector<std::int64_t> extents_of(AnyTuple const& shape) {
  if (shape.is_integer()) return {shape.integer()};
  std::vector<std::int64_t> extent;
  extent.reserve(static_cast<std::size_t>(rank(shape)));
  for (int i = 0; i < rank(shape); ++i) extent.push_back(size(shape[i]));
  return extent;
}

/// A grid for each slice of a function of the index; `fill(cell, index)`.
template <class Fill>
std::vector<figure_grid> filled_grids(char const* what, std::string const& title, std::vector<std::int64_t> extents,
                                      Fill&& fill) {
  slices_of_shape const shape(std::move(extents));
  std::vector<figure_grid> all = shape.grids(what, title);
  for (std::int64_t s = 0; s < shape.slices; ++s) {
    for (std::int64_t r = 0; r < shape.rows; ++r) {
      for (std::int64_t c = 0; c < shape.columns; ++c) {
        fill(all[static_cast<std::size_t>(s)].at(static_cast<int>(r), static_cast<int>(c)), shape.index(r, c, s));
      }
    }
  }
  return all;
}

inline bool has_bases(AnyLayout const& layout) {
  for (int i = 0; i < layout.value().leaves; ++i) {
    if (layout.value().stride[i].basis != 0) return true;
  }
  return false;
}
inline figure_grid transposed(figure_grid const& g) {
  figure_grid t(g.title, g.columns, g.rows);
  for (int r = 0; r < t.rows; ++r) {
    for (int c = 0; c < t.columns; ++c) t.at(r, c) = g.at(c, r);
  }
  for (figure_outline const& o : g.outline) t.outline.push_back({o.column, o.row, o.columns, o.rows});
  return t;
}
/// Which of eight, for an offset that may be negative.
inline int color_of(std::int64_t x) { return static_cast<int>((x % palette_size + palette_size) % palette_size); }

}  // namespace detail

/// The offset of each coordinate, coloured by the offset modulo 8. Mode 0 runs down, mode 1 to the right (one mode
/// alone to the right); each coordinate of the modes behind them is a grid of its own.
inline figure picture(AnyLayout const& layout) {
  figure f;
  f.title = to_string(layout);
  bool const bases = detail::has_bases(layout);
  f.grid = detail::filled_grids("a layout", "", detail::extents_of(layout.shape()),
                                [&](figure_cell& cell, std::int64_t index) {
                                  if (bases) {
                                    cell.text = to_string(layout.at(AnyTuple(index)));
                                    return;
                                  }
                                  std::int64_t const offset = layout(index);
                                  cell.text = std::to_string(offset);
                                  cell.color = detail::color_of(offset);
                                });
  return f;
}

/// A swizzled layout: offsets, coloured by the sixteen bytes of the 128 of all banks that they fall into: lanes that
/// move vectors and meet in one colour conflict.
/// @param value_bits of an element
inline figure picture(AnyComposedLayout const& layout, int value_bits = 16) {
  figure f;
  f.title = to_string(layout);
  f.words.push_back("colour: which 16 of the banks' 128 bytes, for elements of " + std::to_string(value_bits) +
                    " bits");
  f.grid = detail::filled_grids("a layout", "", detail::extents_of(layout.shape()),
                                [&](figure_cell& cell, std::int64_t index) {
                                  std::int64_t const offset = layout(index);
                                  cell.text = std::to_string(offset);
                                  cell.color = detail::color_of(offset * value_bits / 128);
                                });
  return f;
}

/// What a thread moves with one instruction: `count` of its values, from the first on.
struct vector_of_values {
  std::int64_t count = 1;
};

/// A grid for each slice of a tile: who owns each element, `T3 V1`, neighbouring threads and every eighth in different
/// colours; vectors framed. Where several threads own an element the first is named, and `+1` counts the others.
/// @param layout_tv (thread, value) -> index in the tile, first mode fastest
/// @param number thread -> the number that it is called by; null: the same
inline std::vector<figure_grid> owners(std::string const& title, AnyLayout const& layout_tv,
                                       std::vector<std::int64_t> const& tile, vector_of_values vector = {},
                                       AnyLayout const* number = nullptr) {
  detail::slices_of_shape const shape(tile);
  std::vector<figure_grid> all = shape.grids("a tile", title);
  std::int64_t const threads = layout_tv.size(0);
  std::int64_t const values = layout_tv.size() / threads;
  detail::check_cells("a (thread, value) layout", threads * values);
  std::vector<std::int64_t> others(static_cast<std::size_t>(shape.rows * shape.columns * shape.slices), -1);
  auto const cell_at = [&](std::int64_t at) -> figure_cell& {
    std::int64_t const in_slice = at % (shape.rows * shape.columns);
    return all[static_cast<std::size_t>(at / (shape.rows * shape.columns))].at(static_cast<int>(in_slice % shape.rows),
                                                                               static_cast<int>(in_slice / shape.rows));
  };
  for (std::int64_t t = 0; t < threads; ++t) {
    for (std::int64_t v = 0; v < values; ++v) {
      std::int64_t const at = layout_tv(t + threads * v);
      if (at < 0 || at >= static_cast<std::int64_t>(others.size())) {
        throw error("thread %lld's value %lld is element %lld of a tile of %lld elements: the tile is too small for %s",
                    static_cast<long long>(t), static_cast<long long>(v), static_cast<long long>(at),
                    static_cast<long long>(others.size()), to_string(layout_tv).c_str());
      }
      if (++others[static_cast<std::size_t>(at)] > 0) continue;
      figure_cell& cell = cell_at(at);
      std::int64_t const thread = number == nullptr ? t : (*number)(t);
      cell.thread = thread;
      cell.value = v;
      cell.color = detail::color_of(thread + thread / detail::palette_size);
      cell.text = "T" + std::to_string(thread) + "\nV" + std::to_string(v);
    }
  }
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (others[i] > 0) cell_at(static_cast<std::int64_t>(i)).text += "\n+" + std::to_string(others[i]);
  }
  if (vector.count <= 1) return all;
  for (std::int64_t t = 0; t < threads; ++t) {
    for (std::int64_t first = 0; first + vector.count <= values; first += vector.count) {
      std::int64_t low_r = shape.rows, low_c = shape.columns, high_r = -1, high_c = -1, slice = -1;
      bool one_slice = true;
      for (std::int64_t v = first; v < first + vector.count; ++v) {
        std::int64_t const at = layout_tv(t + threads * v);
        std::int64_t const in_slice = at % (shape.rows * shape.columns);
        std::int64_t const r = in_slice % shape.rows, c = in_slice / shape.rows;
        std::int64_t const s = at / (shape.rows * shape.columns);
        one_slice = one_slice && (slice < 0 || s == slice);
        slice = s;
        low_r = r < low_r ? r : low_r;
        low_c = c < low_c ? c : low_c;
        high_r = r > high_r ? r : high_r;
        high_c = c > high_c ? c : high_c;
      }
      // Values that are no rectangle have no frame: it would hold elements of others.
      if (!one_slice || (high_r - low_r + 1) * (high_c - low_c + 1) != vector.count) continue;
      all[static_cast<std::size_t>(slice)].outline.push_back({static_cast<int>(low_r), static_cast<int>(low_c),
                                                              static_cast<int>(high_r - low_r + 1),
                                                              static_cast<int>(high_c - low_c + 1)});
    }
  }
  return all;
}

/// A (thread, value) layout over a tile.
/// @param tile the tile's extents, one a mode
inline figure picture_tv(AnyLayout const& layout_tv, std::vector<std::int64_t> const& tile) {
  figure f;
  f.title = to_string(layout_tv);
  f.grid = owners("", layout_tv, tile);
  return f;
}

/// One side of a copy.
struct copy_side_view {
  AnyLayout layout_tv;       ///< (thread, value) -> index in the tile
  std::int64_t at_once = 1;  ///< values that an instruction moves for a thread
};

/// A tiled copy: source left, destination right, each vector framed.
inline figure picture_copy(std::string title, copy_side_view const& source, copy_side_view const& destination,
                           std::vector<std::int64_t> const& tile) {
  figure f;
  f.title = std::move(title);
  f.words.push_back("source:      " + to_string(source.layout_tv));
  f.words.push_back("destination: " + to_string(destination.layout_tv));
  std::vector<figure_grid> left = owners("source", source.layout_tv, tile, {source.at_once});
  std::vector<figure_grid> right = owners("destination", destination.layout_tv, tile, {destination.at_once});
  for (std::size_t i = 0; i < left.size(); ++i) {
    left[i].down = right[i].down = static_cast<int>(i);
    left[i].right = 0;
    right[i].right = 1;
    f.grid.push_back(std::move(left[i]));
    f.grid.push_back(std::move(right[i]));
  }
  return f;
}

/// A copy instruction: the values of its threads, as rows of what one of the source's threads has.
inline figure picture_instruction(std::string title, copy_side_view const& source, copy_side_view const& destination) {
  std::int64_t const all = source.layout_tv.size();
  std::int64_t row = source.at_once;
  if (row <= 0 || all % row != 0) row = all;
  figure f;
  f.title = std::move(title);
  f.words = {"source:      " + to_string(source.layout_tv), "destination: " + to_string(destination.layout_tv)};
  std::int64_t cells = row;  // lanes whose addresses do not count, of ldmatrix with one matrix, repeat others
  for (copy_side_view const* side : {&source, &destination}) {
    std::int64_t const needed = cosize(side->layout_tv);
    cells = needed > cells ? needed : cells;
  }
  cells = (cells + row - 1) / row * row;
  f.grid.push_back(detail::transposed(owners("source", source.layout_tv, {row, cells / row}, {source.at_once})[0]));
  f.grid.push_back(
      detail::transposed(owners("destination", destination.layout_tv, {row, cells / row}, {destination.at_once})[0]));
  f.grid[1].right = 1;
  return f;
}

/// A matrix instruction or a tiled one: A (M, K) left, B (as K, N) above, C (M, N) where they meet.
/// @param m, n, k the tile, @param number thread -> the number that it is called by; null: the same
inline figure picture_mma(std::string title, AnyLayout const& a_tv, AnyLayout const& b_tv, AnyLayout const& c_tv,
                          std::int64_t m, std::int64_t n, std::int64_t k, AnyLayout const* number = nullptr) {
  figure f;
  f.title = std::move(title);
  f.words = {"A: " + to_string(a_tv), "B: " + to_string(b_tv), "C: " + to_string(c_tv)};
  if (number != nullptr) f.words.push_back("threads: " + to_string(*number));
  figure_grid a = owners("A", a_tv, {m, k}, {}, number)[0];
  a.down = 1;
  figure_grid above = detail::transposed(owners("B", b_tv, {n, k}, {}, number)[0]);
  above.right = 1;
  figure_grid sums = owners("C", c_tv, {m, n}, {}, number)[0];
  sums.down = 1;
  sums.right = 1;
  f.grid = {std::move(above), std::move(a), std::move(sums)};
  return f;
}
/// A matrix instruction.
inline figure picture_atom(std::string title, mma_values const& mma) {
  AnyLayout const number(mma.atom_threads);
  bool const renumbered = cosize(number) != number.size();  // the quad pairs of sm_70
  return picture_mma(std::move(title), AnyLayout(mma.a), AnyLayout(mma.b), AnyLayout(mma.c), mma.atom_extent[0],
                     mma.atom_extent[1], mma.atom_extent[2], renumbered ? &number : nullptr);
}
/// A tiled MMA.
inline figure picture_mma(std::string title, mma_values const& mma) {
  using enum mma_operand;
  AnyLayout const number(mma.threads());
  bool const renumbered = cosize(number) != number.size();
  auto const layout = [&](mma_operand which) {
    return AnyLayout(renumbered ? mma.layout_by_atom(which) : mma.layout_tv(which));
  };
  return picture_mma(std::move(title), layout(A), layout(B), layout(C), mma.tile_extent(0), mma.tile_extent(1),
                     mma.tile_extent(2), renumbered ? &number : nullptr);
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
