// SPDX-License-Identifier: Apache-2.0
/// @file
/// An empty kernel that includes the whole library.
#include <cosmati/cosmati.hpp>

__global__ void kernel() {}
