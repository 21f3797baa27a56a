// SPDX-License-Identifier: Apache-2.0
/// @file
/// Pictures of the values on the command line.
#pragma once

#include "check/findings.hpp"
#include "mma_arguments.hpp"

#include <cosmati/render/arrows.hpp>
#include <cosmati/render/pictures.hpp>

namespace cosmati::cli {

/// A layout, with or without a swizzle. @param bits the bits of an element, for the banks
/// @throws error if it is neither
figure figure_of(value const& v, int bits);

/// A divide or a product: arguments and result, by tile. @returns an empty figure for other operations
figure figure_of_step(evaluation_step const& step);

/// The digit that each mode counts, for the layouts of an operation or for one layout. @returns an empty figure if
/// there is none
figure figure_of_modes(evaluation_step const* step, value const& v);

/// Arrows from each mode to where it goes. In a composition they lead through both layouts, in a complement, an inverse
/// or a divide to the argument's modes, and in any other layout to its digits. @returns no columns if there is none
mode_arrows arrows_of(evaluation_step const* step, value const& v);

/// The source and the destination of a tiled copy.
figure figure_of(copy_arguments const& copy);

/// The source and the destination of the atom alone. @pre the arguments come from `read_atom`
figure figure_of_atom(copy_arguments const& copy);

/// A (M, K) left, B (N, K) above, C (M, N) where they meet.
figure figure_of(mma_arguments const& mma);

/// The elements of a tensor that the first tile covers. @returns an empty figure if the tile is no part of it
figure first_tile(check_findings const& f, check_side const& side);

}  // namespace cosmati::cli
