// SPDX-License-Identifier: Apache-2.0
/// @file
/// An empty kernel that includes the copies with their planner, without a call, so that none of their kernels is
/// compiled.
#include <cosmati/kernel/copy.hpp>

__global__ void kernel() {}
