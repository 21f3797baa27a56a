// SPDX-License-Identifier: Apache-2.0
/// @file
/// `Copy_Traits` of the instructions that need no architecture.
#pragma once
#include <cute/config.hpp>

#include <cosmati/atom/copy_traits.hpp>
#include <cute/arch/copy.hpp>
