// SPDX-License-Identifier: Apache-2.0
/// @file
/// `array<T, N>`.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/array.hpp>
