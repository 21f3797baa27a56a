// SPDX-License-Identifier: Apache-2.0
/// @file
/// `dim3` and `uint3` as tuples.
#pragma once
#include <cute/config.hpp>

#include <cosmati/runtime/cuda_tuples.hpp>
#include <cute/numeric/integral_constant.hpp>
