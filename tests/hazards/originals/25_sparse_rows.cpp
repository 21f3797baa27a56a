// SPDX-License-Identifier: Apache-2.0
// A sparse matrix times a vector: a warp a row, its lanes gather, a shuffle adds.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void multiply(int const* begin, int const* column, float const* value, float const* x, float* y, int rows) {
  int const row = static_cast<int>(blockIdx.x * blockDim.y + threadIdx.y), lane = static_cast<int>(threadIdx.x);
  if (row >= rows) return;  // [rows]
  float sum = 0;
  int const end = begin[row + 1];                                                    // [end]
  for (int k = begin[row] + lane; k < end; k += 32) sum += value[k] * x[column[k]];  // [gather]
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (lane == 0) y[row] = sum;  // [result]
}

int main() {
  std::vector<int> begin(1, 0), column;
  std::vector<float> value, x(50), y(10, 0.f);
  for (std::size_t j = 0; j < 50; ++j) x[j] = static_cast<float>(j % 9);
  for (std::size_t i = 0; i < 10; ++i) {
    for (std::size_t j = i % 3; j < 50; j += i + 1) {
      column.push_back(static_cast<int>(j));
      value.push_back(static_cast<float>(i + j));
      y[i] += value.back() * x[j];
    }
    begin.push_back(static_cast<int>(column.size()));
  }
  device_buffer<int> begins(begin), columns(column);
  device_buffer<float> values(value), vector(x), out(10);
  launch(multiply, {.grid = 3, .block = dim3(32, 4)}, begins.data(), columns.data(), values.data(), vector.data(),
         out.data(), 10);
  return out.download() == y ? 0 : 1;
}
