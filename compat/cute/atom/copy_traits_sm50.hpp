// SPDX-License-Identifier: Apache-2.0
/// @file
/// The traits of the shuffle transposes.
#pragma once
#include <cute/config.hpp>

#include <cute/arch/copy_sm50.hpp>
#include <cute/atom/copy_traits.hpp>
