// SPDX-License-Identifier: Apache-2.0
// Correct, though a simple checker may object: what threads of one block do with shared memory.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

/// Many threads store the same value.
__global__ void any_negative(int const* in, int* out) {
  __shared__ int found;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  if (in[threadIdx.x] < 0) found = 1;
  __syncthreads();
  if (threadIdx.x == 0) *out = found;
}
/// Neighbours store single bytes and halves of one word.
__global__ void bytes(unsigned char* out, std::uint16_t* halves) {
  __shared__ unsigned char row[128];
  __shared__ std::uint16_t wide[128];
  unsigned const t = threadIdx.x;
  row[t] = static_cast<unsigned char>(t);
  wide[t] = static_cast<std::uint16_t>(3 * t);
  __syncthreads();
  out[t] = row[127 - t];
  halves[t] = wide[t ^ 1];
}
/// Slots of one's own need no barrier, whatever the others do.
__global__ void own_slots(int* out) {
  __shared__ int slot[64][5];
  int const t = static_cast<int>(threadIdx.x);
  for (int j = 0; j < 5; ++j) slot[t][j] = t * j;
  int sum = 0;
  for (int j = 0; j < 5; ++j) sum += slot[t][4 - j];
  out[t] = sum;
}
/// One piece of memory, first floats, then integers; the barrier reduces besides.
__global__ void two_lives(int* out) {
  float* const first = dynamic_shared<float>();
  int* const second = dynamic_shared<int>();
  int const t = static_cast<int>(threadIdx.x);
  first[t] = static_cast<float>(t);
  __syncthreads();
  float const v = first[63 - t];
  int const many = __syncthreads_count(v > 31.f);
  second[t] = many + t;
  int const all = __syncthreads_and(many == 32);
  out[t] = all != 0 ? second[63 - t] : -1;
}
/// Stored as vectors, loaded as words, and the other way round.
__global__ void vectors_and_words(float* out) {
  __shared__ __align__(16) float row[128];
  unsigned const t = threadIdx.x;
  if (t < 32) {
    reinterpret_cast<float4*>(row)[t] = make_float4(1.f, 2.f, 3.f, 4.f);
  }
  __syncthreads();
  float const v = row[t];
  __syncthreads();
  row[t ^ 3] = v;
  __syncthreads();
  if (t < 32) reinterpret_cast<float4*>(out)[t] = reinterpret_cast<float4 const*>(row)[t];
}
/// A flag passed from warp to warp: atomics and fences, no barrier.
__global__ void flag(int* out) {
  __shared__ int data, ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x == 32) {
    data = 42;
    __threadfence_block();
    atomicExch(&ready, 1);
  } else if (threadIdx.x == 0) {
    while (atomicAdd(&ready, 0) == 0) {
    }
    __threadfence_block();
    *out = data;
  }
}
/// An atomic after plain stores, and plain loads after atomics, each behind a barrier.
__global__ void mixed(int* out) {
  __shared__ int count[4];
  int const t = static_cast<int>(threadIdx.x);
  if (t < 4) count[t] = 10 * t;
  __syncthreads();
  int const before = atomicAdd(&count[t % 4], 1);
  __syncthreads();
  out[t] = before < count[t % 4] ? count[t % 4] : -1;
}

int main() {
  std::vector<int> in(64, 1);
  in[5] = in[40] = in[41] = -1;
  device_buffer<int> numbers(in), out(128);
  out.clear();
  launch(any_negative, {.grid = 1, .block = 64}, numbers.data(), out.data());
  if (out.download()[0] != 1) return 1;
  device_buffer<unsigned char> small(128);
  device_buffer<std::uint16_t> halves(128);
  launch(bytes, {.grid = 1, .block = 128}, small.data(), halves.data());
  if (small.download()[1] != 126 || halves.download()[1] != 0) return 1;
  launch(own_slots, {.grid = 2, .block = 64}, out.data());  // two blocks store the same
  if (out.download()[2] != 20) return 1;
  launch(two_lives, {.grid = 1, .block = 64, .shared_bytes = 256}, out.data());
  if (out.download()[0] != 32 + 63) return 1;
  device_buffer<float> floats(128);
  launch(vectors_and_words, {.grid = 1, .block = 128}, floats.data());
  if (floats.download()[0] != 4.f) return 1;
  launch(flag, {.grid = 1, .block = 64}, out.data());
  if (out.download()[0] != 42) return 1;
  launch(mixed, {.grid = 1, .block = 64}, out.data());
  return out.download()[1] == 26 ? 0 : 1;
}
