// SPDX-License-Identifier: Apache-2.0
/// @file
/// Functions over tuples.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/tuple_algorithms.hpp>
