// SPDX-License-Identifier: Apache-2.0
/// @file
/// Stands for CUB's header of this name; for `cosmati sim`.
#pragma once
#include <cosmati/core/macro_letters_aside.hpp>

#include <cosmati/cuda/cub_segments.hpp>

#include <cosmati/core/macro_letters_back.hpp>
