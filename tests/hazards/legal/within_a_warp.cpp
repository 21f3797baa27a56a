// SPDX-License-Identifier: Apache-2.0
// Correct, though a simple checker may object: what the lanes of one warp do.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

/// The two halves of a warp go their own ways, with masks of their own.
__global__ void halves(int* out) {
  __shared__ int row[32];
  int const lane = static_cast<int>(threadIdx.x);
  if (lane < 16) {
    for (int k = 0; k < 3; ++k) {
      row[lane] = lane + k;
      __syncwarp(0x0000ffffu);
      int const v = row[15 - lane];
      __syncwarp(0x0000ffffu);
      out[lane] = v;
    }
  } else {
    row[lane] = 100 + lane;
    __syncwarp(0xffff0000u);
    out[lane] = row[47 - lane];
  }
  __syncwarp();
  if (lane == 0) out[32] = row[31] + row[15];
}
/// Those that are here add up with those that are here.
__global__ void some_lanes(int const* in, int* out) {
  int const lane = static_cast<int>(threadIdx.x);
  bool const odd = in[lane] % 2 != 0;
  unsigned const mask = __ballot_sync(0xffffffffu, odd);
  if (odd) {
    int const leader = __ffs(static_cast<int>(mask)) - 1;
    int const first = __shfl_sync(mask, in[lane], leader);
    out[lane] = first + static_cast<int>(__reduce_add_sync(mask, 1u));
  } else {
    out[lane] = -1;
  }
}
/// Lanes with one key elect a leader that adds for all of them.
__global__ void aggregated(int const* in, int* counts) {
  int const lane = static_cast<int>(threadIdx.x) % 32;
  unsigned const same = __match_any_sync(0xffffffffu, in[threadIdx.x] % 5);
  if (__ffs(static_cast<int>(same)) - 1 == lane) atomicAdd(&counts[in[threadIdx.x] % 5], __popc(same));
}
/// Two branches fill two arrays; both are read behind one __syncwarp.
__global__ void branches(int* out) {
  __shared__ int low[16], high[16];
  int const lane = static_cast<int>(threadIdx.x);
  if (lane % 2 == 0) {
    low[lane / 2] = lane;
  } else {
    high[lane / 2] = lane;
  }
  __syncwarp();
  out[lane] = low[lane / 2] + high[15 - lane / 2];
}
/// Fragments loaded and stored while other warps do something else.
__global__ void matrices(std::uint32_t* out) {
  __shared__ __align__(16) std::uint16_t tile[2][8 * 8];
  int const t = static_cast<int>(threadIdx.x), lane = t % 32;
  if (t >= 64) return;
  std::uint16_t* const mine = tile[t / 32];
  for (int c = lane; c < 64; c += 32) mine[c] = static_cast<std::uint16_t>(c);
  __syncwarp();
  std::uint32_t r[1];
  ldmatrix(r, mine + lane % 8 * 8);  // the addresses of lanes 8 to 31 are not used
  __syncwarp();
  stmatrix(mine + lane % 8 * 8, r);
  __syncwarp();
  out[t] = mine[2 * lane];
}

int main() {
  std::vector<int> host(96);
  for (std::size_t i = 0; i < 96; ++i) host[i] = static_cast<int>(i * 3 % 7);
  device_buffer<int> in(host), out(96);
  launch(halves, {.grid = 1, .block = 32}, out.data());
  if (out.download()[0] != 17 || out.download()[16] != 131 || out.download()[32] != 131 + 17) return 1;
  launch(some_lanes, {.grid = 1, .block = 32}, in.data(), out.data());
  if (out.download()[0] != -1 || out.download()[1] < 3) return 1;
  device_buffer<int> counts(5);
  counts.clear();
  launch(aggregated, {.grid = 1, .block = 96}, in.data(), counts.data());
  int sum = 0;
  for (int const v : counts.download()) sum += v;
  if (sum != 96) return 1;
  launch(branches, {.grid = 1, .block = 32}, out.data());
  if (out.download()[0] != 31) return 1;
  device_buffer<std::uint32_t> words(64);
  launch(matrices, {.grid = 1, .block = 96}, words.data());
  return words.download()[5] == 10 ? 0 : 1;
}
