// SPDX-License-Identifier: Apache-2.0
/// @file
/// The standard traits under CuTe's namespace.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/integral_constant.hpp>
#include <cosmati/core/tuple.hpp>
#include <cosmati/core/type_traits.hpp>
