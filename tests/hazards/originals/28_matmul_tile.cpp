// SPDX-License-Identifier: Apache-2.0
// C = A B in 16x16 tiles of shared memory; the last tile of K is ragged.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void multiply(float const* a, float const* b, float* c, int m, int n, int k) {
  __shared__ float ta[16][16], tb[16][16];
  int const x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  int const row = 16 * static_cast<int>(blockIdx.y) + y, column = 16 * static_cast<int>(blockIdx.x) + x;
  float sum = 0;
  for (int k0 = 0; k0 < k; k0 += 16) {
    ta[y][x] = row < m && k0 + x < k ? a[row * k + k0 + x] : 0.f;          // [load a]
    tb[y][x] = k0 + y < k && column < n ? b[(k0 + y) * n + column] : 0.f;  // [load b]
    __syncthreads();                                                       // [loaded]
    for (int i = 0; i < 16; ++i) sum += ta[y][i] * tb[i][x];               // [multiply]
    __syncthreads();                                                       // [used]
  }
  if (row < m && column < n) c[row * n + column] = sum;  // [store]
}

int main() {
  std::size_t const m = 32, n = 48, k = 37;
  std::vector<float> a(m * k), b(k * n), expected(m * n, 0.f);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 7);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 5);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t l = 0; l < k; ++l) expected[i * n + j] += a[i * k + l] * b[l * n + j];
    }
  }
  device_buffer<float> left(a), right(b), out(m * n);
  launch(multiply, {.grid = dim3(3, 2), .block = dim3(16, 16)}, left.data(), right.data(), out.data(), 32, 48, 37);
  return out.download() == expected ? 0 : 1;
}
