// SPDX-License-Identifier: Apache-2.0
/// @file
/// Includes the whole algebra of tuples of integers.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/algebra/compact.hpp>
#include <cosmati/core/algebra/compare.hpp>
#include <cosmati/core/algebra/coordinate.hpp>
#include <cosmati/core/algebra/division.hpp>
#include <cosmati/core/algebra/elementwise.hpp>
#include <cosmati/core/algebra/modes.hpp>
#include <cosmati/core/algebra/profile.hpp>
#include <cosmati/core/algebra/reduce.hpp>

#include <cosmati/core/macros_end.hpp>
