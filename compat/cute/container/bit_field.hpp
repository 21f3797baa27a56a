// SPDX-License-Identifier: Apache-2.0
/// @file
/// `bit_field<start, bits>`.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/bit_field.hpp>
