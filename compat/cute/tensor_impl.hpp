// SPDX-License-Identifier: Apache-2.0
/// @file
/// `Tensor`, its makers and views; `local_tile`, `local_partition`.
#pragma once
#include <cute/config.hpp>

#include <cosmati/tensor/engine.hpp>
#include <cosmati/tensor/local_tile.hpp>
#include <cosmati/tensor/print.hpp>
#include <cosmati/tensor/tensor.hpp>
#include <cute/layout_composed.hpp>
#include <cute/pointer.hpp>
#include <cute/pointer_swizzle.hpp>
