// SPDX-License-Identifier: Apache-2.0
// Correct, though a simple checker may object: named barriers.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

/// Four pairs of warps, each with a barrier of its own, go round at their own pace.
__global__ void pairs(int* out) {
  __shared__ int row[256];
  int const t = static_cast<int>(threadIdx.x), pair = t / 64;
  for (int k = 0; k <= pair; ++k) {
    row[t] = t + k;
    NamedBarrier::sync(64, 1 + pair);
    int const v = row[t ^ 63];
    NamedBarrier::sync(64, 1 + pair);
    out[t] = v;
  }
}
/// One barrier for different crowds, one after the other.
__global__ void different_crowds(int* out) {
  __shared__ int row[128];
  int const t = static_cast<int>(threadIdx.x);
  row[t] = t;
  if (t < 64) NamedBarrier::sync(64, 5);
  int const v = t < 64 ? row[63 - t] : 0;
  __syncthreads();
  NamedBarrier::sync(128, 5);
  out[t] = v + row[127 - t];
}
/// One warp works for all the others, which only say that their orders are there, and wait later.
__global__ void one_serves(int* out) {
  __shared__ int order[96], answer[96];
  int const t = static_cast<int>(threadIdx.x);
  if (t >= 96) {
    NamedBarrier::sync(128, 1);
    for (int i = t - 96; i < 96; i += 32) answer[i] = 2 * order[i];
    NamedBarrier::arrive(128, 2);
  } else {
    order[t] = t;
    NamedBarrier::arrive(128, 1);
    NamedBarrier::sync(128, 2);
    out[t] = answer[95 - t];
  }
}
/// A warp of three leaves; the others' barriers do not count it.
__global__ void one_leaves(int* out) {
  __shared__ int row[64];
  int const t = static_cast<int>(threadIdx.x);
  if (t >= 64) return;
  row[t] = 3 * t;
  NamedBarrier const both(64, 9);
  both.arrive_and_wait();
  out[t] = row[63 - t];
}

int main() {
  device_buffer<int> out(256);
  out.clear();
  launch(pairs, {.grid = 1, .block = 256}, out.data());
  if (out.download()[255] != 192 + 3) return 1;
  launch(different_crowds, {.grid = 2, .block = 128}, out.data());  // both blocks store the same
  if (out.download()[0] != 63 + 127) return 1;
  launch(one_serves, {.grid = 1, .block = 128}, out.data());
  if (out.download()[0] != 190) return 1;
  launch(one_leaves, {.grid = 1, .block = 96}, out.data());
  return out.download()[0] == 189 ? 0 : 1;
}
