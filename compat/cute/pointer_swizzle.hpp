// SPDX-License-Identifier: Apache-2.0
/// @file
/// `swizzle_ptr`.
#pragma once
#include <cute/config.hpp>

#include <cosmati/tensor/swizzle_pointer.hpp>
#include <cute/pointer.hpp>
#include <cute/swizzle_layout.hpp>
