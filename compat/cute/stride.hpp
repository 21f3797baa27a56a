// SPDX-License-Identifier: Apache-2.0
/// @file
/// Coordinates, indices, compact strides.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/coordinate_iterator.hpp>
#include <cute/int_tuple.hpp>
#include <cute/numeric/arithmetic_tuple.hpp>
