// SPDX-License-Identifier: Apache-2.0
/// @file
/// Values of expressions and tiled copies as C++, which is the same text for Cosmati and for CuTe.
#pragma once

#include "copy_arguments.hpp"
#include "mma_arguments.hpp"

#include <string>

namespace cosmati::cli {

/// `Layout<Shape<_8, _4>, Stride<_1, _8>>{}`; empty for what has no such text (tuples with composed layouts in them).
std::string cpp_text(value const& v);

/// `Layout<...>{}` of a layout.
std::string cpp_layout(tree const& layout);

/// One operation as a call with these arguments, each already C++.
std::string cpp_call(evaluation_step const& step, std::string_view expression,
                     std::vector<std::string> const& argument);

/// `Copy_Atom<UniversalCopy<uint128_t>, half_t>`
std::string cpp_atom(copy_arguments const& copy);

/// The call of `make_tiled_mma`.
std::string cpp_tiled_mma(mma_arguments const& mma);

/// The call of `make_tiled_copy`.
std::string cpp_tiled_copy(copy_arguments const& copy);

}  // namespace cosmati::cli
