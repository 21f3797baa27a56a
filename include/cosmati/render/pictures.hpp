// SPDX-License-Identifier: Apache-2.0
/// @file
/// Figures of values known at run time: layouts, (thread, value) layouts, tiled copies, products.
///
/// picture.hpp makes the same figures from types.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/render/owners.hpp>
#include <cosmati/tiled/mma_values.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {

inline bool has_bases(AnyLayout const& layout) {
  for (int i = 0; i < layout.value().leaves; ++i) {
    if (layout.value().stride[i].basis != 0) return true;
  }
  return false;
}
/// Colours a layout's pictures by offset, and explains the colours.
inline void color_by_offset(figure& f) {
  std::int64_t low = 0, high = -1;
  for (figure_grid const& g : f.grid) {
    for (figure_cell const& c : g.cell) {
      if (c.offset == no_offset) continue;
      if (high < low) low = high = c.offset;
      low = c.offset < low ? c.offset : low;
      high = c.offset > high ? c.offset : high;
    }
  }
  if (high < low) return;
  color_scale const scale = scale_of_offsets(low, high);
  for (figure_grid& g : f.grid) {
    for (figure_cell& c : g.cell) c.color = c.offset == no_offset ? -1 : scale.color(c.offset);
  }
  scale.explain(f, high + 1);
}
inline void name_modes(figure& f) {
  for (figure_grid& g : f.grid) {
    g.row_axis = "row";
    g.column_axis = "column";
  }
}
/// In grids that would be wider than a page, gives neighbours in memory one label, such as `72-79`, if all are alike.
inline void label_neighbours(figure& f) {
  for (figure_grid& g : f.grid) {
    int run = g.columns > 24 ? 16 : 1;
    for (; run > 1; run /= 2) {
      bool all = g.columns % run == 0;
      for (int r = 0; r < g.rows && all; ++r) {
        for (int c = 0; c < g.columns && all; ++c) {
          all = g.at(r, c).offset != no_offset && (c % run == 0 || (g.at(r, c).offset == g.at(r, c - 1).offset + 1 &&
                                                                    g.at(r, c).color == g.at(r, c - 1).color));
        }
      }
      if (all) break;
    }
    for (int r = 0; r < g.rows && run > 1; ++r) {
      for (int c = 0; c < g.columns; c += run)
        g.outline.push_back({r, c, 1, run, g.at(r, c).text + "-" + g.at(r, c + run - 1).text});
    }
  }
}

}  // namespace detail

/// The offset of each coordinate, coloured from the lowest offset to the highest. Mode 0 runs down and mode 1 to the
/// right; a single mode runs to the right. Each coordinate of the further modes has a grid of its own.
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
                                  cell.offset = layout(index);
                                  cell.text = std::to_string(cell.offset);
                                });
  detail::name_modes(f);
  detail::color_by_offset(f);
  detail::label_neighbours(f);
  return f;
}

/// Offsets, coloured by their sixteen bytes among the 128 bytes of all banks. Lanes that move vectors conflict if they
/// meet in one colour.
/// @param value_bits the bits of an element
inline figure picture_banks_of(AnyComposedLayout const& layout, int value_bits) {
  figure f;
  f.title = to_string(layout);
  f.grid = detail::filled_grids("a layout", "", detail::extents_of(layout.shape()),
                                [&](figure_cell& cell, std::int64_t index) {
                                  cell.offset = layout(index);
                                  cell.text = std::to_string(cell.offset);
                                  std::int64_t const at = cell.offset * value_bits / 128;
                                  cell.color = static_cast<int>((at % 8 + 8) % 8);
                                });
  detail::name_modes(f);
  f.color_is = "group of four banks, for elements of " + std::to_string(value_bits) + " bits";
  for (int i = 0; i < 8; ++i) f.key.push_back({i, std::to_string(4 * i) + "-" + std::to_string(4 * i + 3)});
  detail::label_neighbours(f);
  return f;
}

/// A swizzled layout: the offsets before and after the swizzle, with one key of banks.
inline figure picture(AnyComposedLayout const& layout, int value_bits = 16) {
  figure f = picture_banks_of(layout, value_bits);
  AnyComposedLayout before = layout;
  before.swizzle = AnySwizzle(0, layout.swizzle.base, layout.swizzle.shift);
  figure plain = picture_banks_of(before, value_bits);
  std::vector<figure_grid> after = std::move(f.grid);
  f.grid.clear();
  for (std::size_t i = 0; i < after.size(); ++i) {
    plain.grid[i].title = "before the swizzle " + plain.grid[i].title;
    after[i].title = "after it " + after[i].title;
    for (figure_grid* g : {&plain.grid[i], &after[i]}) {
      while (g->title.back() == ' ') g->title.pop_back();
      g->right = g == &after[i] ? 1 : 0;
      g->down = static_cast<int>(i);
      f.grid.push_back(std::move(*g));
    }
  }
  return f;
}

/// A (thread, value) layout over a tile.
/// @param tile the tile's extents, one for each mode
inline figure picture_tv(AnyLayout const& layout_tv, std::vector<std::int64_t> const& tile) {
  figure f;
  f.title = to_string(layout_tv);
  f.grid = owners("", layout_tv, tile);
  detail::name_modes(f);
  detail::explain_owners(f, layout_tv.size(0));
  return f;
}

/// One side of a copy.
struct copy_side_view {
  AnyLayout layout_tv;       ///< (thread, value) -> index in the tile
  std::int64_t at_once = 1;  ///< the values that an instruction moves for a thread

  /// Whether both sides move the same elements in the same vectors.
  bool is_same(copy_side_view const& other) const {
    if (at_once != other.at_once || layout_tv.size() != other.layout_tv.size() ||
        layout_tv.size(0) != other.layout_tv.size(0))
      return false;
    for (std::int64_t i = 0; i < layout_tv.size(); ++i) {
      if (layout_tv(i) != other.layout_tv(i)) return false;
    }
    return true;
  }
};

/// A tiled copy: the thread of each element, with each vector framed. The source is left and the destination right, or
/// one grid shows both if they are equal.
inline figure picture_copy(std::string title, copy_side_view const& source, copy_side_view const& destination,
                           std::vector<std::int64_t> const& tile) {
  figure f;
  f.title = std::move(title);
  bool const same = source.is_same(destination);
  f.words.push_back((same ? "source and destination: " : "source:      ") + to_string(source.layout_tv));
  if (!same) f.words.push_back("destination: " + to_string(destination.layout_tv));
  f.grid = owners(same ? "source and destination" : "source", source.layout_tv, tile, {source.at_once});
  if (!same) {
    std::vector<figure_grid> right = owners("destination", destination.layout_tv, tile, {destination.at_once});
    for (std::size_t i = 0; i < right.size(); ++i) {
      f.grid[i].down = right[i].down = static_cast<int>(i);
      f.grid[i].right = 0;
      right[i].right = 1;
    }
    for (figure_grid& g : right) f.grid.push_back(std::move(g));
  }
  detail::name_modes(f);
  detail::explain_owners(f, source.layout_tv.size(0));
  return f;
}

/// A copy instruction: the values of its threads. A row has the values of one of the source's threads.
inline figure picture_instruction(std::string title, copy_side_view const& source, copy_side_view const& destination) {
  std::int64_t const all = source.layout_tv.size();
  std::int64_t row = source.at_once;
  if (row <= 0 || all % row != 0) row = all;
  figure f;
  f.title = std::move(title);
  bool const same = source.is_same(destination);
  f.words = {(same ? "source and destination: " : "source:      ") + to_string(source.layout_tv)};
  if (!same) f.words.push_back("destination: " + to_string(destination.layout_tv));
  std::int64_t cells = row;  // lanes whose addresses do not count, as in ldmatrix with one matrix, repeat those of
                             // others
  for (copy_side_view const* side : {&source, &destination}) {
    std::int64_t const needed = cosize(side->layout_tv);
    cells = needed > cells ? needed : cells;
  }
  cells = (cells + row - 1) / row * row;
  auto const grid = [&](char const* name, copy_side_view const& side) {
    f.grid.push_back(detail::transposed(owners(name, side.layout_tv, {row, cells / row}, {side.at_once})[0]));
    f.grid.back().row_axis = "row of the source";
    f.grid.back().column_axis = "value";
  };
  grid(same ? "source and destination" : "source", source);
  if (!same) grid("destination", destination);
  f.grid.back().right = same ? 0 : 1;
  detail::explain_owners(f, source.layout_tv.size(0));
  return f;
}

/// A matrix instruction or a tiled one: A (M, K) is left, B (as K, N) above, C (M, N) where they meet.
/// @param m, n, k the tile
/// @param number thread -> displayed thread number; null: the same
inline figure picture_mma(std::string title, AnyLayout const& a_tv, AnyLayout const& b_tv, AnyLayout const& c_tv,
                          std::int64_t m, std::int64_t n, std::int64_t k, AnyLayout const* number = nullptr) {
  figure f;
  f.title = std::move(title);
  f.words = {"A: " + to_string(a_tv), "B: " + to_string(b_tv), "C: " + to_string(c_tv)};
  if (number != nullptr) f.words.push_back("threads: " + to_string(*number));
  auto const grid = [&](char const* name, AnyLayout const& tv, std::int64_t rows, std::int64_t columns,
                        char const* row_axis, char const* column_axis) {
    figure_grid g = owners(name, tv, {rows, columns}, {}, number)[0];
    g.row_axis = row_axis;
    g.column_axis = column_axis;
    return g;
  };
  figure_grid a = grid("A", a_tv, m, k, "m", "k");
  a.down = 1;
  figure_grid above = detail::transposed(grid("B", b_tv, n, k, "n", "k"));
  above.right = 1;
  figure_grid sums = grid("C", c_tv, m, n, "m", "n");
  sums.down = 1;
  sums.right = 1;
  f.grid = {std::move(above), std::move(a), std::move(sums)};
  f.is_crossed = true;
  detail::explain_owners(f, number == nullptr ? c_tv.size(0) : cosize(*number));
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
