// SPDX-License-Identifier: Apache-2.0
#include "value.hpp"

#include <cosmati/layout/text_tree.hpp>
#include <string>
#include <utility>

namespace cosmati::cli {

namespace {
void append_composed(std::string& out, value const& v, tree const& inner) {
  if (v.flag) {
    append_layout(out, v.outer);
  } else {
    append_swizzle(out, v.swizzle.bits, v.swizzle.base, v.swizzle.shift);
  }
  out += " o ";
  append_tuple(out, v.offset);
  out += " o ";
  append_layout(out, inner);
}
void append_several(std::string& out, value const& v) {
  char separator = '(';
  auto const next = [&] { out += std::exchange(separator, ','); };
  for (int i = 0; i < v.around.before; ++i) next(), append_layout(out, v.outer);
  for (int i = 0; i < v.around.copies; ++i) {
    if (!v.around.apart) next(), append_composed(out, v, v.main);
    for (int m = 0; v.around.apart && m < v.main.rank(); ++m) next(), append_composed(out, v, mode(v.main, m));
  }
  if (v.around.layout) next(), append_layout(out, v.outer);
  if (v.around.offset) next(), v.flag ? void(out += '0') : append_tuple(out, v.outer);
  out += ')';
}
}  // namespace

void append_text(std::string& out, value const& v) {
  switch (v.what) {
    case kind::boolean:
      out += v.flag ? "true" : "false";
      break;
    case kind::tuple:
      append_tuple(out, v.main);
      break;
    case kind::layout:
      append_layout(out, v.main);
      break;
    case kind::tiler:
      append_tiler(out, v.main, {0, 0, v.integers, false});
      break;
    case kind::swizzle:
      append_swizzle(out, v.swizzle.bits, v.swizzle.base, v.swizzle.shift);
      break;
    case kind::composed:
      append_composed(out, v, v.main);
      break;
    case kind::stacked:
      append_swizzle(out, v.above.bits, v.above.base, v.above.shift);
      out += " o " + std::to_string(v.above_offset) + " o ";
      append_composed(out, v, v.main);
      break;
    case kind::several:
      append_several(out, v);
      break;
    case kind::inverted:
      append_layout(out, v.main);
      out += " o ";
      append_tuple(out, v.offset);
      out += " o ";
      append_swizzle(out, v.swizzle.bits, v.swizzle.base, v.swizzle.shift);
      break;
    case kind::order:
      out += v.flag ? "LayoutRight" : "LayoutLeft";
      break;
  }
}

}  // namespace cosmati::cli
