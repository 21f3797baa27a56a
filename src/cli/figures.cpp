// SPDX-License-Identifier: Apache-2.0
#include "figures.hpp"

#include "expression/call.hpp"

#include <fmt/format.h>
#include <cosmati/layout/text_tree.hpp>

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
    figure drawn =
        side.tensor.composed
            ? picture(AnyComposedLayout{side.tensor.swizzle, side.tensor.offset, AnyLayout(inside)}, f.copy.type->bits)
            : picture(AnyLayout(inside));
    drawn.title =
        fmt::format("{}: offsets of the first tile, {}", side.is_source ? "source" : "destination", side.layout);
    return drawn;
  } catch (error const&) {
    return {};  // a tile that reaches beyond: the verdict says so
  }
}

}  // namespace cosmati::cli
