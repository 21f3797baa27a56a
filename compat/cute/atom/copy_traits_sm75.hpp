// SPDX-License-Identifier: Apache-2.0
/// @file
/// The traits of `ldmatrix` and `movmatrix`.
#pragma once
#include <cute/config.hpp>

#include <cute/arch/copy_sm75.hpp>
#include <cute/atom/copy_traits.hpp>
