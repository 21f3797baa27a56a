// SPDX-License-Identifier: Apache-2.0
/// @file
/// Swizzled tensors of shared memory.
#pragma once
#include <cute/config.hpp>

#include <cute/pointer_swizzle.hpp>
