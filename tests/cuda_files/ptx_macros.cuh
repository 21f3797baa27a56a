// SPDX-License-Identifier: Apache-2.0
// asm statements in a header of the program.
#pragma once

#define CLAMP_TO_ONE(d, x) asm volatile("min.f32 %0, %1, 0f3F800000;\n" : "=f"(d) : "f"(x))

__device__ inline int header_min(int a, int b) {
  int x;
  asm("min.s32 %0, %1, %2;" : "=r"(x) : "r"(a), "r"(b));
  return x;
}
