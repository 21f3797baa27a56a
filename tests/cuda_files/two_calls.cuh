// SPDX-License-Identifier: Apache-2.0
// The protocol of CUB's algorithms of the device.
#pragma once
#include <cuda_runtime.h>
#include <cstdio>

/// The first call asks for the bytes of the storage, the second works.
template <class Call>
void in_two_calls(Call call) {
  std::size_t bytes = 0;
  call(nullptr, bytes);
  void* storage = nullptr;
  cudaMalloc(&storage, bytes);
  if (call(storage, bytes) != cudaSuccess) std::printf("failed\n");
  cudaFree(storage);
}
