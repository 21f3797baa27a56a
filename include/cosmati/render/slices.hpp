// SPDX-License-Identifier: Apache-2.0
/// @file
/// `slices_of_shape`: a shape of any rank as grids of rows and columns.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/layout/text.hpp>
#include <cosmati/render/figure.hpp>

namespace COSMATI_NAMESPACE::detail {

/// The extents of a shape's modes. Those after the second count slices.
struct slices_of_shape {
  std::vector<std::int64_t> extent;
  std::int64_t rows = 1;
  std::int64_t columns = 1;
  std::int64_t slices = 1;

  /// Two modes are rows and columns. A single mode is a row.
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
  /// The index of a cell, with the first mode fastest.
  std::int64_t index(std::int64_t row, std::int64_t column, std::int64_t slice) const {
    return row + rows * (column + columns * slice);
  }
  /// Gives `[:,:,1,0]`, or nothing if there is only one slice.
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

/// A grid for each slice, filled by a function of the index: `fill(cell, index)`.
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

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
