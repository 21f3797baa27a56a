// SPDX-License-Identifier: Apache-2.0
/// @file
/// `tuple`.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/tuple.hpp>
