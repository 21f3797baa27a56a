// SPDX-License-Identifier: Apache-2.0
/// @file
/// `ComposedLayout`.
#pragma once
#include <cute/config.hpp>

#include <cosmati/layout/composed_inverse.hpp>
#include <cosmati/layout/composed_layout.hpp>
#include <cute/layout.hpp>
