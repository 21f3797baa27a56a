// SPDX-License-Identifier: Apache-2.0
/// @file
/// `ComposedLayout`.
#pragma once
#include <cute/config.hpp>

#include <cosmati/layout/composed_common.hpp>
#include <cosmati/layout/composed_inverse.hpp>
#include <cosmati/layout/composed_layout.hpp>
#include <cosmati/layout/layout_targets.hpp>
#include <cosmati/layout/swizzled_composition.hpp>
#include <cute/layout.hpp>
