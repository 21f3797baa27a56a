// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cuda_runtime.h>

#ifdef __CUDACC__
__global__ void scale_all(float* p, int n);
#endif
void launch_reversal(float* p, int n);
int count_wrong(float const* p, int n, float factor);
