// SPDX-License-Identifier: Apache-2.0
/// @file
/// Nested tuples of integers.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/array.hpp>
#include <cosmati/core/int_tuple.hpp>
#include <cosmati/layout/print.hpp>
#include <cute/algorithm/tuple_algorithms.hpp>
#include <cute/numeric/integral_constant.hpp>
