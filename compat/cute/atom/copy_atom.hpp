// SPDX-License-Identifier: Apache-2.0
/// @file
/// `Copy_Atom`, `TiledCopy`, `ThrCopy` and their makers.
#pragma once
#include <cute/config.hpp>

#include <cosmati/atom/copy_atom.hpp>
#include <cosmati/tiled/mma_copy.hpp>
#include <cosmati/tiled/print.hpp>
#include <cosmati/tiled/tiled_copy.hpp>
#include <cute/atom/copy_traits.hpp>
#include <cute/atom/mma_atom.hpp>
#include <cute/tensor.hpp>
