// SPDX-License-Identifier: Apache-2.0
/// @file
/// Functions of expressions for composed layouts, beyond those of the inner layout.
#pragma once

#include "call.hpp"

namespace cosmati::cli {

/// Makes the pair (composed layout, offset). @pre v is composed
void with_offset(value& v, symbolic_integer const& offset);
/// A swizzle without bits and offset before a layout becomes the layout alone.
void simplify(value& v);
/// Makes the swizzle itself the result.
void swizzle_result(value& v, AnySwizzle const& s);
/// `to` += `from`. Both are integers or both are flat tuples. @throws if they are of different kinds
void add_offset(tree& to, tree const& from);
/// The modes of `composed` where `coord` has `_`, as a plain layout if the swizzle allows it; with the offset if
/// `with_offset`.
void slice_composed(value& result, tree const& coord, value const& composed, bool with_offset);
/// `logical_product` of a layout and a swizzled one. The swizzle of the indices of tiles becomes one of the tiles.
void product_with_swizzled(call const& c);
/// Makes the pair `(layout,offset)`.
void layout_and_offset(value& result, tree const& layout, tree const& offset);
}  // namespace cosmati::cli
