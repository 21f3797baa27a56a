// SPDX-License-Identifier: Apache-2.0
/// @file
/// Thrust's header of this name, for `cosmati sim`.
#pragma once
#include <cosmati/core/macro_letters_aside.hpp>

#include <cosmati/cuda/thrust/policies.hpp>

#include <cosmati/core/macro_letters_back.hpp>
