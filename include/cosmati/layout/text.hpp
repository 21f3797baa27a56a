// SPDX-License-Identifier: Apache-2.0
/// @file
/// `to_string` for run-time layouts, tuples, tilers and swizzles. parse.hpp reads this text. This header is opt-in:
/// kernels never include it.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/layout/any_composed_layout.hpp>
#include <cosmati/layout/text_tree.hpp>

namespace COSMATI_NAMESPACE {

/// @name Texts as CuTe writes them, without blanks and underscores
/// @{
inline std::string to_string(AnyTuple const& t) { return tuple_text(t.value()); }
inline std::string to_string(AnyLayout const& l) { return layout_text(l.value()); }
/// Writes integers in the tiler as the layouts that they stand for.
inline std::string to_string(AnyTiler const& t) { return tiler_text(t.value()); }
inline std::string to_string(AnySwizzle const& s) {
  std::string out;
  append_swizzle(out, s.bits, s.base, s.shift);
  return out;
}
inline std::string to_string(AnyComposedLayout const& c) {
  return to_string(c.swizzle) + " o " + std::to_string(c.offset) + " o " + to_string(c.layout);
}
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
