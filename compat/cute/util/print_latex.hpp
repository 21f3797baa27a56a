// SPDX-License-Identifier: Apache-2.0
/// @file
/// `print_latex`, `print_latex_tv`.
#pragma once
#include <cute/config.hpp>

#include <cosmati/render/render.hpp>
#include <cosmati/tiled/tiled_copy.hpp>
#include <cute/tensor.hpp>
