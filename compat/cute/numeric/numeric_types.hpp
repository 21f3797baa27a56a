// SPDX-License-Identifier: Apache-2.0
/// @file
/// Every number type.
#pragma once
#include <cute/config.hpp>

#include <cosmati/number/number_types.hpp>
#include <cute/numeric/int.hpp>
#include <cute/numeric/real.hpp>
