// SPDX-License-Identifier: Apache-2.0
/// @file
/// CUDA's header of this name, for `cosmati sim`.
#pragma once
#include <cosmati/core/macro_letters_aside.hpp>

#include <cosmati/cuda/runtime.hpp>

#include <cosmati/core/macro_letters_back.hpp>
