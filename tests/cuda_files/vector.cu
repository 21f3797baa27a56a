// SPDX-License-Identifier: Apache-2.0
// Thrust's vectors around a kernel.
#include <thrust/copy.h>
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <cstdio>

__global__ void saxpy(int n, float a, float const* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef PLANTED
  n += 1;
#endif
  if (i < n) y[i] = a * x[i] + y[i];  // planted: out_of_bounds
}

int main() {
  int const n = 100;
  thrust::host_vector<float> h(n);
  for (int i = 0; i < n; ++i) h[i] = float(i);
  thrust::device_vector<float> x = h, y(n, 1.f);
  saxpy<<<1, 128>>>(n, 2.f, thrust::raw_pointer_cast(x.data()), thrust::raw_pointer_cast(&y[0]));
  cudaDeviceSynchronize();
  thrust::host_vector<float> result = y;
  for (int i = 0; i < n; ++i)
    if (result[i] != 2.f * i + 1) return 1;
  if (y[3] != 7.f) return 2;
  y[3] = 50.f;
  y[4] += 1.f;
  if (y[3] != 50.f || y[4] != 10.f) return 3;
  thrust::device_vector<float> z(x.begin(), x.end());
  if (z.size() != 100 || !(z == x)) return 4;
  z.resize(101);
  z.push_back(4.f);
  if (z[100] != 0.f || z.back() != 4.f || z.size() != 102) return 5;
  z = h;
  if (z.size() != 100 || z.front() != 0.f) return 6;
  z.swap(y);
  if (z[3] != 50.f || y[3] != 3.f) return 7;
  thrust::device_ptr<void> bytes;
  try {
    bytes = thrust::device_malloc(16);
  } catch (thrust::system_error& e) {
    printf("%s\n", e.what());
    return 101;
  }
  thrust::device_ptr<float> const of_bytes(static_cast<float*>(bytes.get()));
  thrust::fill(of_bytes, of_bytes + 4, 2.0f);
  if (of_bytes[3] != 2.0f) return 100;
  thrust::device_free(bytes);
  thrust::device_ptr<float> raw = thrust::device_malloc<float>(4);
  thrust::copy(h.begin() + 1, h.begin() + 5, raw);
  if (raw[3] != 4.f || *(raw + 1) != 2.f) return 8;
  thrust::device_free(raw);
  // Vectors of other element types, and elements that are removed and inserted.
  thrust::device_vector<long> whole = h;
  thrust::host_vector<double> wide = x;
  thrust::device_vector<double> again(x);
  wide = whole;
  again = h;
  if (whole[99] != 99 || wide[7] != 7.0 || again[5] != 5.0 || *x.rbegin() != 99.f) return 9;
  whole.erase(whole.begin() + 1, whole.begin() + 98);
  if (whole.size() != 3 || whole[1] != 98 || *whole.erase(whole.begin()) != 98) return 10;
  whole.insert(whole.begin() + 1, 2, 5L);
  whole.insert(whole.end(), h.begin() + 3, h.begin() + 5);
  if (whole.size() != 6 || whole[0] != 98 || whole[2] != 5 || whole[3] != 99 || whole[5] != 4) return 11;
  printf("%s\n", "done");
  return 0;
}
