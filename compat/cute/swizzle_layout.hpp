// SPDX-License-Identifier: Apache-2.0
/// @file
/// Swizzled layouts: `composition(Swizzle, Layout)`.
#pragma once
#include <cute/config.hpp>

#include <cute/layout_composed.hpp>
#include <cute/swizzle.hpp>
