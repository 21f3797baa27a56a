// SPDX-License-Identifier: Apache-2.0
/// @file
/// `ArithmeticTuple`, `E<...>`.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/arithmetic_tuple.hpp>
#include <cosmati/core/basis.hpp>
#include <cute/algorithm/tuple_algorithms.hpp>
