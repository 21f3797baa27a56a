// SPDX-License-Identifier: Apache-2.0
/// @file
/// `MMA_Atom`, `TiledMMA`, `ThrMMA` and their makers.
#pragma once
#include <cute/config.hpp>

#include <cosmati/atom/mma_atom.hpp>
#include <cosmati/tiled/mma_call.hpp>
#include <cosmati/tiled/mma_print.hpp>
#include <cosmati/tiled/tiled_mma.hpp>
#include <cute/atom/mma_traits.hpp>
#include <cute/tensor.hpp>
