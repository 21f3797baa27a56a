// SPDX-License-Identifier: Apache-2.0
/// @file
/// Figures of divides and products: argument and result, coloured by tile, with the boundary of each tile in both.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/render/pictures.hpp>
#include <map>

namespace COSMATI_NAMESPACE {

namespace detail {

/// The offsets of a layout, and the tile of each cell. @param tile index of the layout -> tile, or -1
template <class Tile>
std::vector<figure_grid> tiled_grids(std::string const& title, AnyLayout const& layout, color_scale const& scale,
                                     std::int64_t tiles, Tile&& tile) {
  std::vector<figure_grid> all =
      filled_grids("a layout", title, extents_of(layout.shape()), [&](figure_cell& cell, std::int64_t index) {
        cell.offset = layout(index);
        cell.text = std::to_string(cell.offset);
        cell.unit = tile(index);
        if (cell.unit >= 0)
          cell.color = tiles <= palette_size ? scale.color(cell.unit) : static_cast<int>(cell.unit % palette_size);
      });
  for (figure_grid& g : all) {
    g.row_axis = "mode 0";
    g.column_axis = g.rows == 1 ? "index" : "mode 1";
  }
  return all;
}
/// Draws the outlines of the largest rectangles of one tile, row by row.
inline void frame_tiles(figure_grid& g) {
  std::vector<bool> taken(g.cell.size(), false);
  auto const at = [&](int r, int c) {
    return static_cast<std::size_t>(r) * static_cast<std::size_t>(g.columns) + static_cast<std::size_t>(c);
  };
  for (int r = 0; r < g.rows; ++r) {
    for (int c = 0; c < g.columns; ++c) {
      std::int64_t const tile = g.at(r, c).unit;
      if (taken[at(r, c)] || tile < 0) continue;
      auto const is_free = [&](int row, int column) {
        return column < g.columns && row < g.rows && !taken[at(row, column)] && g.at(row, column).unit == tile;
      };
      int right = c + 1, below = r + 1;
      while (is_free(r, right)) ++right;
      auto const whole_row = [&](int row) {
        for (int k = c; k < right; ++k) {
          if (!is_free(row, k)) return false;
        }
        return true;
      };
      while (whole_row(below)) ++below;
      for (int y = r; y < below; ++y) {
        for (int x = c; x < right; ++x) taken[at(y, x)] = true;
      }
      g.outline.push_back({r, c, below - r, right - c, ""});
    }
  }
}
inline color_scale scale_of_tiles(figure& f, char const* what, std::int64_t tiles) {
  color_scale scale = evenly(0, tiles <= palette_size ? tiles : palette_size);
  scale.meaning = tiles <= palette_size ? what : std::string(what) + " modulo 8";
  scale.explain(f, tiles <= palette_size ? tiles : palette_size);
  return scale;
}
inline void append_below(figure& f, std::vector<figure_grid> grids, int right) {
  for (std::size_t i = 0; i < grids.size(); ++i) {
    frame_tiles(grids[i]);
    grids[i].down = static_cast<int>(i);
    grids[i].right = right;
    f.grid.push_back(std::move(grids[i]));
  }
}

}  // namespace detail

/// A divide: the layout that is divided, and the result, coloured by tile.
/// @param tiles (tile, rest) -> index in the argument: `zipped_divide` of its indices
/// @param places index in the result -> index in the argument: the same divide of the argument's indices
inline figure picture_divide(std::string title, AnyLayout const& argument, AnyLayout const& result,
                             AnyLayout const& tiles, AnyLayout const& places) {
  std::int64_t const in_tile = tiles.size(0), count = tiles.size() / in_tile;
  std::vector<std::int64_t> tile_of(static_cast<std::size_t>(cosize(tiles)), -1);
  for (std::int64_t i = 0; i < tiles.size(); ++i) tile_of[static_cast<std::size_t>(tiles(i))] = i / in_tile;
  auto const tile_at = [&](std::int64_t index) {
    return index >= 0 && index < static_cast<std::int64_t>(tile_of.size()) ? tile_of[static_cast<std::size_t>(index)]
                                                                           : -1;
  };
  figure f;
  f.title = std::move(title);
  f.words = {"argument: " + to_string(argument), "result:   " + to_string(result)};
  color_scale const scale = detail::scale_of_tiles(f, "tile", count);
  detail::append_below(f, detail::tiled_grids("argument", argument, scale, count, tile_at), 0);
  detail::append_below(
      f, detail::tiled_grids("result", result, scale, count, [&](std::int64_t i) { return tile_at(places(i)); }), 1);
  f.note.push_back("numbers = offsets; a frame = cells of one tile that lie next to each other");
  return f;
}

/// A product: the block, the arrangement of its copies, and the result, coloured by copy.
/// @param copies `logical_product` of both: (block, copy) -> offset
inline figure picture_product(std::string title, AnyLayout const& block, AnyLayout const& arrangement,
                              AnyLayout const& result, AnyLayout const& copies) {
  std::map<std::int64_t, std::int64_t> copy_of;
  std::int64_t const in_block = copies.size(0), count = copies.size() / in_block;
  for (std::int64_t i = copies.size() - 1; i >= 0; --i) copy_of[copies(i)] = i / in_block;
  figure f;
  f.title = std::move(title);
  f.words = {"block:     " + to_string(block), "copies at: " + to_string(arrangement),
             "result:    " + to_string(result)};
  color_scale const scale = detail::scale_of_tiles(f, "copy of the block", count);
  detail::append_below(f, detail::tiled_grids("block", block, scale, count, [](std::int64_t) { return 0; }), 0);
  detail::append_below(f, detail::tiled_grids("copies", arrangement, scale, count, [](std::int64_t i) { return i; }),
                       1);
  detail::append_below(f,
                       detail::tiled_grids("result", result, scale, count,
                                           [&](std::int64_t i) {
                                             auto const found = copy_of.find(result(i));
                                             return found == copy_of.end() ? std::int64_t{-1} : found->second;
                                           }),
                       2);
  f.note.push_back("numbers = offsets; a frame = cells of one copy that lie next to each other");
  return f;
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
