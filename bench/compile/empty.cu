// SPDX-License-Identifier: Apache-2.0
/// @file
/// The reference: a translation unit with an empty kernel and nothing else.

__global__ void kernel() {}
