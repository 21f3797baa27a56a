// SPDX-License-Identifier: Apache-2.0
/// @file
/// Sequences of static integers.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/integer_sequence.hpp>
