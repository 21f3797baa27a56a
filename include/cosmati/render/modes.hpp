// SPDX-License-Identifier: Apache-2.0
/// @file
/// `picture_modes`: the digit of the offset that each mode of a layout counts, for several layouts with one ruler.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <algorithm>
#include <cosmati/render/colors.hpp>
#include <cosmati/render/slices.hpp>

namespace COSMATI_NAMESPACE {

/// A layout with its role in an operation.
struct named_layout {
  std::string name;
  AnyLayout layout;
};

namespace detail {

/// The bounds of digits: the strides of all modes, and their ends.
inline std::vector<std::int64_t> digit_bounds(std::vector<named_layout> const& layouts) {
  std::vector<std::int64_t> bounds = {1};
  for (named_layout const& l : layouts) {
    for (int i = 0; i < l.layout.value().leaves; ++i) {
      std::int64_t const extent = l.layout.value().shape[i].value, stride = l.layout.value().stride[i].value;
      if (extent <= 1 || stride <= 0) continue;
      bounds.push_back(stride);
      bounds.push_back(stride * extent);
    }
  }
  std::sort(bounds.begin(), bounds.end());
  bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
  return bounds;
}

}  // namespace detail

/// A table with a row for each mode and a column for each digit of the offset. A cell is filled if the mode counts that
/// digit, with the number of steps that the digit has. A mode of stride 0 counts none.
inline figure picture_modes(std::string title, std::vector<named_layout> const& layouts) {
  figure f;
  f.title = std::move(title);
  std::vector<std::int64_t> const bounds = detail::digit_bounds(layouts);
  int const digits = bounds.size() < 2 ? 1 : static_cast<int>(bounds.size()) - 1;
  std::int64_t most = 1;
  for (named_layout const& l : layouts) most = std::max<std::int64_t>(most, l.layout.value().leaves);
  color_scale const scale = detail::evenly(0, most);
  for (named_layout const& l : layouts) {
    int const modes = l.layout.value().leaves;
    f.words.push_back(l.name + ": " + to_string(l.layout));
    figure_grid g(l.name, modes, digits);
    g.down = static_cast<int>(f.grid.size());
    g.is_numbered = false;
    g.column_axis = "stride of the offset's digit";
    g.row_axis = "mode";
    for (int d = 0; d < digits; ++d) g.column_label.push_back(std::to_string(bounds[static_cast<std::size_t>(d)]));
    for (int m = 0; m < modes; ++m) {
      std::int64_t const extent = l.layout.value().shape[m].value, stride = l.layout.value().stride[m].value;
      g.row_label.push_back(std::to_string(m) + "  " + std::to_string(extent) + ":" + std::to_string(stride));
      for (int d = 0; d < digits && stride > 0 && extent > 1; ++d) {
        std::int64_t const low = bounds[static_cast<std::size_t>(d)], high = bounds[static_cast<std::size_t>(d) + 1];
        if (low < stride || high > stride * extent) continue;
        figure_cell& cell = g.at(m, d);
        cell.color = scale.color(m);
        cell.text = high % low == 0 ? std::to_string(high / low) : std::to_string(low) + ".." + std::to_string(high);
      }
    }
    f.grid.push_back(std::move(g));
  }
  scale.explain(f, most);
  f.color_is = "mode";
  f.note.push_back(
      "a number = the steps of that digit, 8..12 = a part of one; a mode goes to the digits of its row, and an empty "
      "column is a gap");
  return f;
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
