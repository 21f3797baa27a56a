// SPDX-License-Identifier: Apache-2.0
/// @file
/// Pictures of what stands on the command line.
#pragma once

#include "check/findings.hpp"
#include "mma_arguments.hpp"

#include <cosmati/render/arrows.hpp>
#include <cosmati/render/pictures.hpp>

namespace cosmati::cli {

/// A layout or a swizzled one. @param bits of an element, for the banks @throws error when it is neither
figure figure_of(value const& v, int bits);

/// A divide or a product: arguments and result by tile. @returns an empty figure for other operations
figure figure_of_step(evaluation_step const& step);

/// Which mode goes to which digit, of the layouts of an operation, or of one layout. @returns an empty figure where
/// there are none
figure figure_of_modes(evaluation_step const* step, value const& v);

/// Arrows from each mode to where it goes: of a composition through both layouts, of a complement, an inverse, a divide
/// to the argument's; of anything else that is a layout, to its digits. @returns one without columns where there is
/// none
mode_arrows arrows_of(evaluation_step const* step, value const& v);

/// Source and destination of a tiled copy.
figure figure_of(copy_arguments const& copy);

/// Source and destination of the atom alone, which has values. @pre from `read_atom`
figure figure_of_atom(copy_arguments const& copy);

/// A (M, K) left, B (N, K) above, C (M, N) where they meet.
figure figure_of(mma_arguments const& mma);

/// The elements of a tensor that the first tile covers. @returns an empty figure where the tile is no part of it
figure first_tile(check_findings const& f, check_side const& side);

}  // namespace cosmati::cli
