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
/// Two groups take turns with one scratch row; who passes the turn does not wait. (racecheck takes this for a race.)
__global__ void take_turns(int const* in, int* out, int rounds) {
  __shared__ int scratch[64];
  int const t = static_cast<int>(threadIdx.x) % 64, group = static_cast<int>(threadIdx.x) / 64;
  if (group == 1) NamedBarrier::arrive(128, 1);
  for (int k = 0; k < rounds; ++k) {
    int const row = 2 * k + group;
    NamedBarrier::sync(128, 1 + group);
    scratch[t] = in[64 * row + t];
    NamedBarrier::sync(64, 3 + group);
    out[64 * row + t] = scratch[63 - t];
    if (group == 0 || k + 1 < rounds) NamedBarrier::arrive(128, 2 - group);
  }
}
/// Rows pass from warp to warp; who has taken one says so and goes on.
__global__ void relay(int const* in, int* out, int rows) {
  __shared__ int slot[3][32];
  int const lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  for (int k = 0; k < rows; ++k) {
    int v;
    if (warp == 0) {
      v = in[32 * k + lane];
    } else {
      NamedBarrier::sync(64, warp);
      v = slot[warp - 1][31 - lane];
      if (k + 1 < rows) NamedBarrier::arrive(64, 7 + warp);
    }
    v = 2 * v + warp;
    if (warp == 3) {
      out[32 * k + lane] = v;
    } else {
      if (k > 0) NamedBarrier::sync(64, 8 + warp);
      slot[warp][lane] = v;
      NamedBarrier::arrive(64, 1 + warp);
    }
  }
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
  if (out.download()[0] != 189) return 1;
  std::vector<int> host(8 * 64);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<int>(i);
  device_buffer<int> in(host), rows(host.size());
  launch(take_turns, {.grid = 1, .block = 128}, in.data(), rows.data(), 4);
  if (rows.download()[65] != 126) return 1;
  launch(relay, {.grid = 1, .block = 128}, in.data(), rows.data(), 16);
  return rows.download()[33] == 16 * 62 + 11 ? 0 : 1;
}
