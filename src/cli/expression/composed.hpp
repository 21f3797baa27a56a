// SPDX-License-Identifier: Apache-2.0
/// @file
/// What expressions need of composed layouts beyond their inner layout.
#pragma once

#include "call.hpp"

namespace cosmati::cli {

/// The pair (composed layout, offset). @pre v is composed
void with_offset(value& v, symbolic_integer const& offset);
/// A swizzle of no bits, without an offset, before a layout is the layout alone.
void simplify(value& v);
/// The swizzle itself as the result.
void swizzle_result(value& v, AnySwizzle const& s);
/// `to` += `from`, both an integer or a flat tuple. @throws when they are of different kinds
void add_offset(tree& to, tree const& from);
/// The modes of `composed` where `coord` has `_`, as a layout where the swizzle allows it; with the offset beside it.
void slice_composed(value& result, tree const& coord, value const& composed, bool with_offset);
/// `logical_product` of a layout and a swizzled one: a swizzle that does to the tiles what it does to their numbers.
void product_with_swizzled(call const& c);
/// The pair `(layout,offset)`.
void layout_and_offset(value& result, tree const& layout, tree const& offset);
}  // namespace cosmati::cli
