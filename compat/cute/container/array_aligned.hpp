// SPDX-License-Identifier: Apache-2.0
/// @file
/// `array_aligned<T, N, bytes>`, also for packed elements.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/array.hpp>
#include <cosmati/tensor/subbyte.hpp>
#include <cute/container/alignment.hpp>
#include <cute/container/array.hpp>
