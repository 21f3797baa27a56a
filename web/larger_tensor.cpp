// SPDX-License-Identifier: Apache-2.0
#include "larger_tensor.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cosmati/layout/text_tree.hpp>

namespace cosmati::cli {

namespace {

struct side_text {
  char const* name;
  std::string& text;
  value tensor;
  std::vector<std::int64_t> extent;

  side_text(evaluator& evaluate, char const* option, char const* side_name, std::string& given)
      : name(side_name), text(given) {
    read_tensor(evaluate, option, text, tensor);
    for (int i = 0; i < tensor.main.rank(); ++i) extent.push_back(algebra::size(tensor.main, i).value);
  }
  /// The first modes alone: what lies at 0 of the others.
  std::string first_modes(std::size_t count) const {
    tree t;
    t.add_open(static_cast<int>(count));
    for (std::size_t i = 0; i < count; ++i) t.append(algebra::mode(tensor.main, static_cast<int>(i)));
    return text_as(tensor, t);
  }
};

/// Whether tiles of `small` fill `large`; it may have further modes.
bool is_tiled_by(side_text const& large, side_text const& small) {
  if (large.extent.size() < small.extent.size() || large.extent == small.extent) return false;
  for (std::size_t i = 0; i < small.extent.size(); ++i) {
    if (small.extent[i] < 1 || large.extent[i] % small.extent[i] != 0) return false;
  }
  return true;
}

}  // namespace

std::string take_a_tile(evaluator& evaluate, check_texts& texts) {
  if (texts.src.empty() || texts.dst.empty() || !texts.bounds.empty()) return {};
  side_text src(evaluate, "--src", "source", texts.src);
  side_text dst(evaluate, "--dst", "destination", texts.dst);
  bool const source_is_larger = is_tiled_by(src, dst);
  if (!source_is_larger && !is_tiled_by(dst, src)) return {};
  side_text& large = source_is_larger ? src : dst;
  std::vector<std::int64_t> const& tile = (source_is_larger ? dst : src).extent;
  std::string const shape = fmt::format("({})", fmt::join(tile, ","));
  std::size_t const further = large.extent.size() - tile.size();
  std::string const whole = further > 0 ? large.first_modes(tile.size()) : large.text;
  bool const only_further = std::equal(tile.begin(), tile.end(), large.extent.begin());
  large.text = only_further ? whole : fmt::format("composition({}, {})", whole, shape);
  return fmt::format("The {} is larger: it is taken tile by tile, as programs do; this is its first tile, {}{}.",
                     large.name, shape,
                     further > 0 ? fmt::format(", at 0 of the {} behind it", further == 1 ? "mode" : "modes") : "");
}

}  // namespace cosmati::cli
