// SPDX-License-Identifier: Apache-2.0
// A header with a launch, for syntax.cu.
#pragma once
template <int N> __global__ void in_header(int* p) { p[threadIdx.x] = N; }
inline void from_header(int* p) { in_header<3><<<1, 32>>>(p); }
// A kernel of another file with the name of one of syntax.cu.
__global__ void declared_twice(int* p, int by, int times);
