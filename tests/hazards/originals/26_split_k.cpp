// SPDX-License-Identifier: Apache-2.0
// A long dot product of each row, in slices: one launch leaves the slices' sums in a workspace, another adds them.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void slice_sums(float const* a, float const* b, float* workspace, int k, int slices) {
  int const row = static_cast<int>(blockIdx.x), slice = static_cast<int>(blockIdx.y);
  float sum = 0;
  for (int i = slice * k / slices + static_cast<int>(threadIdx.x); i < (slice + 1) * k / slices; i += 32) {
    sum += a[row * k + i] * b[i];
  }
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (threadIdx.x == 0) workspace[row * slices + slice] = sum;  // [partial]
}
__global__ void add_slices(float const* workspace, float* out, int rows, int slices) {
  int const row = static_cast<int>(threadIdx.x);
  if (row >= rows) return;
  float sum = 0;
  for (int s = 0; s < slices; ++s) sum += workspace[row * slices + s];  // [add]
  out[row] = sum;
}

int main() {
  int const rows = 6, k = 300, slices = 4;
  std::vector<float> a(rows * k), b(k), expected(rows, 0.f);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 5);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 3);
  for (std::size_t i = 0; i < a.size(); ++i) expected[i / k] += a[i] * b[i % k];
  device_buffer<float> left(a), right(b), workspace(64), out(rows);  // more workspace than is needed
  dim3 const grid(rows, slices);                                     // [slices]
  launch(slice_sums, {.grid = grid, .block = 32}, left.data(), right.data(), workspace.data(), k, slices);
  launch(add_slices, {.grid = 1, .block = 32}, workspace.data(), out.data(), rows, slices);
  return out.download() == expected ? 0 : 1;
}
