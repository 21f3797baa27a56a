// SPDX-License-Identifier: Apache-2.0
/// @file
/// An empty kernel that includes the copies with their planner, and calls none: no kernel of theirs is compiled.
#include <cosmati/kernel/copy.hpp>

__global__ void kernel() {}
