// SPDX-License-Identifier: Apache-2.0
/// @file
/// `print_svg`.
#pragma once
#include <cute/config.hpp>

#include <cosmati/render/render.hpp>
#include <cute/tensor.hpp>
