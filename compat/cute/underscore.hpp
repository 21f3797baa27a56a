// SPDX-License-Identifier: Apache-2.0
/// @file
/// `_`, `X`, `slice`, `dice`.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/tuple/slice.hpp>
#include <cosmati/core/underscore.hpp>
