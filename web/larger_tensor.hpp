// SPDX-License-Identifier: Apache-2.0
/// @file
/// A source and a destination of which one is larger: what a program copies at a time.
#pragma once

#include "check/examine.hpp"

#include <string>

namespace cosmati::cli {

/// Programs copy such a tensor tile by tile: the first tile of the larger one, of the other's shape, takes its place in
/// `texts`. Modes beyond those of the other (stages, tiles) are at 0. @returns what was done, as a sentence; empty
/// where nothing was, because the shapes are equal or do not divide
std::string take_a_tile(evaluator& evaluate, check_texts& texts);

}  // namespace cosmati::cli
