// SPDX-License-Identifier: Apache-2.0
/// @file
/// `Layout` and its algebra.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/tuple_extremes.hpp>
#include <cosmati/layout/layout.hpp>
#include <cosmati/layout/make_layout.hpp>
#include <cosmati/layout/modes.hpp>
#include <cosmati/layout/operations.hpp>
#include <cosmati/layout/print.hpp>
#include <cosmati/layout/stream.hpp>
#include <cosmati/layout/transform_layout.hpp>
#include <cute/numeric/arithmetic_tuple.hpp>
#include <cute/numeric/integral_ratio.hpp>
#include <cute/stride.hpp>
#include <cute/underscore.hpp>
