// SPDX-License-Identifier: Apache-2.0
/// @file
/// `UniversalCopy`, the `AutoVectorizingCopy` policies, `prefetch` of an address.
#pragma once
#include <cute/config.hpp>

#include <cosmati/arch/prefetch.hpp>
#include <cosmati/atom/copy_traits.hpp>
#include <cute/arch/util.hpp>
#include <cute/numeric/numeric_types.hpp>
