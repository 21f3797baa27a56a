// SPDX-License-Identifier: Apache-2.0
#include "figures.hpp"

#include "expression/call.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cosmati/layout/text_tree.hpp>
#include <cosmati/render/modes.hpp>
#include <cosmati/render/tiles.hpp>

namespace cosmati::cli {

figure figure_of(value const& v, int bits) {
  if (v.what == kind::composed && !v.flag && v.offset.is_leaf()) {
    return picture(AnyComposedLayout{v.swizzle, v.offset.shape[0].value, AnyLayout(v.main)}, bits);
  }
  if (v.what == kind::layout) return picture(AnyLayout(v.main));
  if (v.what == kind::tuple) {
    value copy;
    copy_value(copy, v);
    return picture(AnyLayout(call{"draw", copy, {&copy, 1}, {}}.layout(0)));
  }
  throw error("%s has no picture; give a layout or a swizzled layout", name_of(v.what));
}

namespace {

using namespace std::string_view_literals;

constexpr std::array divides = {"logical_divide"sv, "zipped_divide"sv, "tiled_divide"sv, "flat_divide"sv};
constexpr std::array products = {"logical_product"sv, "zipped_product"sv,  "tiled_product"sv,
                                 "flat_product"sv,    "blocked_product"sv, "raked_product"sv};

/// The layout that a text stands for. @returns false if the text is another value, such as a shape with `_`, or is too
/// large to look at
bool read_layout(std::string const& text, AnyLayout& out) try {
  evaluator evaluate;
  value v;
  copy_value(v, evaluate(text));
  if (v.what != kind::layout && v.what != kind::tuple) return false;
  out = AnyLayout(call{"draw", v, {&v, 1}, {}}.layout(0));
  return out.size() >= 1 && out.size() <= 1 << 17 && !cosmati::detail::has_bases(out);
} catch (error const&) {
  return false;
}
std::string called(std::string_view function, std::string const& a, std::string const& b) {
  return fmt::format("{}({}, {})", function, a, b);
}

}  // namespace

figure figure_of_step(evaluation_step const& step) {
  bool const divides_it = std::find(divides.begin(), divides.end(), step.name) != divides.end();
  bool const repeats_it = std::find(products.begin(), products.end(), step.name) != products.end();
  if ((!divides_it && !repeats_it) || step.argument.size() != 2) return {};
  AnyLayout first, result;
  if (!read_layout(step.argument[0], first) || !read_layout(step.result, result)) return {};
  std::string const title = called(step.name, step.argument[0], step.argument[1]);
  if (divides_it) {
    AnyLayout tiles, places;
    std::string const indices = to_string(first.shape());
    // A divide that rounds up has offsets outside its argument, so there is nothing to colour.
    if (!read_layout(called("zipped_divide", indices, step.argument[1]), tiles) || tiles.size() != first.size() ||
        !read_layout(called(step.name, indices, step.argument[1]), places) || places.size() != result.size())
      return {};
    return picture_divide(title, first, result, tiles, places);
  }
  AnyLayout second, copies;
  if (!read_layout(step.argument[1], second) ||
      !read_layout(called("logical_product", step.argument[0], step.argument[1]), copies))
    return {};
  return picture_product(title, first, second, result, copies);
}

figure figure_of_modes(evaluation_step const* step, value const& v) {
  std::vector<named_layout> layouts;
  AnyLayout layout;
  std::string title;
  if (step != nullptr && v.what != kind::layout) return {};
  if (step != nullptr) {
    title = fmt::format("{}({})", step->name, fmt::join(step->argument, ", "));
    for (std::size_t i = 0; i < step->argument.size(); ++i) {
      if (read_layout(step->argument[i], layout)) layouts.push_back({fmt::format("argument {}", i + 1), layout});
    }
    if (!read_layout(step->result, layout)) return {};
    layouts.push_back({"result", layout});
  } else {
    std::string text;
    append_text(text, v);
    if (!read_layout(text, layout)) return {};
    title = text;
    layouts.push_back({"layout", layout});
  }
  return picture_modes(title, layouts);
}

mode_arrows arrows_of(evaluation_step const* step, value const& v) {
  if (step != nullptr && v.what != kind::layout) return {};  // an integer is a shape, but nobody means one by 1 + 1
  AnyLayout first, second, result;
  std::string text;
  append_text(text, v);
  if (step == nullptr || !read_layout(step->result, result)) {
    if (!read_layout(text, result)) return {};
    return arrows_of_layout(text, result);
  }
  std::string const title = fmt::format("{}({})", step->name, fmt::join(step->argument, ", "));
  bool const has_first = !step->argument.empty() && read_layout(step->argument[0], first);
  bool const has_second = step->argument.size() > 1 && read_layout(step->argument[1], second);
  bool const divides_it = std::find(divides.begin(), divides.end(), step->name) != divides.end();
  if (step->name == "composition" && has_first && has_second) return arrows_of_composition(title, first, second);
  if (step->name == "complement" && has_first) return arrows_of_complement(title, first, result);
  if ((step->name == "right_inverse" || step->name == "left_inverse") && has_first)
    return arrows_of_inverse(title, first, result);
  if ((divides_it || step->name == "coalesce") && has_first) return arrows_between(title, first, result);
  return arrows_of_layout(title, result);
}

figure figure_of(copy_arguments const& copy) {
  tree const tiler = algebra::as_tiler(copy.tiler);
  auto const side = [&](tree const& atom_values) {
    tree const thr_val = algebra::thread_values(copy.layout_tv, copy.atom_values.ref, atom_values);
    return copy_side_view{AnyLayout(algebra::side_layout_tv(tiler, thr_val)), algebra::size(atom_values, 1).value};
  };
  std::vector<std::int64_t> extents;
  extents.reserve(static_cast<std::size_t>(copy.tiler.leaves));
  for (int i = 0; i < copy.tiler.leaves; ++i) extents.push_back(copy.tiler.shape[i].value);
  return picture_copy(fmt::format("{} of {}, tile {}", copy.atom.name, copy.type->name, tuple_text(copy.tiler)),
                      side(copy.atom_values.src), side(copy.atom_values.dst), extents);
}

figure figure_of_atom(copy_arguments const& copy) {
  auto const side = [](tree const& values) {
    return copy_side_view{AnyLayout(values), algebra::size(values, 1).value};
  };
  return picture_instruction(fmt::format("{} of {}", copy.atom.name, copy.type->name), side(copy.atom_values.src),
                             side(copy.atom_values.dst));
}

figure figure_of(mma_arguments const& mma) {
  mma_values const& v = mma.values;
  return picture_mma(fmt::format("{}, tile ({},{},{}) of {} threads", mma.atom.name, v.tile_extent(0), v.tile_extent(1),
                                 v.tile_extent(2), mma.threads()),
                     v);
}

figure first_tile(check_findings const& f, check_side const& side) {
  constexpr std::int64_t most = 128 * 128;
  tree const tiler = algebra::as_tiler(f.copy.tiler);
  try {
    tree const inside = algebra::composition(side.tensor.layout, tiler);
    if (algebra::size(inside).value > most) return {};
    figure drawn = side.tensor.composed
                       ? picture_banks_of(AnyComposedLayout{side.tensor.swizzle, side.tensor.offset, AnyLayout(inside)},
                                          f.copy.type->bits)
                       : picture(AnyLayout(inside));
    drawn.title =
        fmt::format("{}: offsets of the first tile, {}", side.is_source ? "source" : "destination", side.layout);
    return drawn;
  } catch (error const&) {
    return {};  // a tile reaches beyond the tensor; the verdict says so
  }
}

}  // namespace cosmati::cli
