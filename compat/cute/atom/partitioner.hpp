// SPDX-License-Identifier: Apache-2.0
/// @file
/// `TV_Tiler`, `make_tiler_impl`: which thread gets which values of a tile.
#pragma once
#include <cute/config.hpp>

#include <cosmati/tiled/tv_tiler.hpp>
#include <cute/tensor.hpp>
