// SPDX-License-Identifier: Apache-2.0
// <cuComplex.h>: arithmetic of complex numbers, on the device and on the host.
#include <cuComplex.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

__host__ __device__ bool near(double a, double b) { return fabs(a - b) <= 1e-6 * fabs(b); }

__host__ __device__ int failures() {
  cuFloatComplex const a = make_cuFloatComplex(3, -4), b = make_cuComplex(1, 2);
  int n = 0;
  n += cuCrealf(a) != 3 || cuCimagf(a) != -4 || cuCabsf(a) != 5 || cuCimagf(cuConjf(a)) != 4;
  n += cuCaddf(a, b).y != -2 || cuCsubf(a, b).x != 2;
  n += cuCmulf(a, b).x != 11 || cuCmulf(a, b).y != 2;  // (3 - 4i)(1 + 2i) = 11 + 2i
  n += !near(cuCdivf(a, b).x, -1) || !near(cuCdivf(a, b).y, -2);
  n += cuCfmaf(a, b, a).x != 14 || cuCfmaf(a, b, a).y != -2;
  cuDoubleComplex const c = make_cuDoubleComplex(3e200, -4e200), d = cuComplexFloatToDouble(b);
  n += !near(cuCabs(c), 5e200) || !near(cuCdiv(c, c).x, 1) || fabs(cuCdiv(c, c).y) > 1e-12;
  n += cuCadd(d, d).y != 4 || cuCsub(d, d).x != 0 || cuCmul(d, d).x != -3 || cuConj(d).y != -2 || cuCreal(d) != 1;
  n += cuCimag(d) != 2 || cuCfma(d, d, d).y != 6 || cuComplexDoubleToFloat(d).y != 2;
  return n;
}

// A Julia set: 64 points of a line stay bounded or not, as on the host.
__host__ __device__ int steps(float x) {
  cuFloatComplex z = make_cuFloatComplex(x, 0.1f);
  for (int i = 0; i < 50; ++i) {
    z = cuCaddf(cuCmulf(z, z), make_cuFloatComplex(-0.8f, 0.156f));
    if (cuCabsf(z) > 4) return i;
  }
  return 50;
}
__global__ void julia(int* out, int* failed) {
  out[threadIdx.x] = steps(threadIdx.x / 16.f - 2);
  if (threadIdx.x == 0) *failed = failures();
}

int main() {
  int *out, host[65], different = 0;
  cudaMalloc(&out, sizeof host);
  julia<<<1, 64>>>(out, out + 64);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
  for (int i = 0; i < 64; ++i) different += host[i] != steps(i / 16.f - 2);
  printf("%d failures on the device, %d on the host, %d points differ\n", host[64], failures(), different);
  return host[64] != 0 || failures() != 0 || different > 2;  // a GPU fuses products and sums
}
