// SPDX-License-Identifier: Apache-2.0
/// @file
/// `array_subbyte<T, N>`, its iterator and its reference.
#pragma once
#include <cute/config.hpp>

#include <cosmati/tensor/pointer.hpp>
#include <cosmati/tensor/subbyte.hpp>
