// SPDX-License-Identifier: Apache-2.0
/// @file
/// The traits of `cp.async`.
#pragma once
#include <cute/config.hpp>

#include <cute/arch/copy_sm80.hpp>
#include <cute/atom/copy_traits.hpp>
