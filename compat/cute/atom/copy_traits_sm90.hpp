// SPDX-License-Identifier: Apache-2.0
/// @file
/// The traits of `stmatrix`.
#pragma once
#include <cute/config.hpp>

#include <cute/arch/copy_sm90.hpp>
#include <cute/atom/copy_traits.hpp>
#include <cute/atom/copy_traits_sm75.hpp>
