// SPDX-License-Identifier: Apache-2.0
// cuComplex.h: a discrete Fourier transform in float, compared with one of the host in double, and each function.
#include <cuComplex.h>
#include <math_functions.h>
#include <sm_30_intrinsics.h>
#include <cmath>
#include <cstdio>

constexpr int n = 32;

__global__ void transform(cuComplex const* in, cuComplex* out, float* size) {
  int const k = threadIdx.x;
  cuComplex sum = make_cuComplex(0, 0);
  for (int i = 0; i < n; ++i) {
    float s, c;
    sincospif(-2.0f * static_cast<float>(k * i % n) / n, &s, &c);
    sum = cuCfmaf(in[i], make_cuFloatComplex(c, s), sum);
  }
  out[k] = sum;
#if defined(PLANTED)
  size[2 * k] = cuCabsf(sum);  // planted: out_of_bounds
#else
  size[k] = cuCabsf(sum);
#endif
}

bool near(cuDoubleComplex z, double real, double imag) {
  return std::fabs(cuCreal(z) - real) < 1e-12 && std::fabs(cuCimag(z) - imag) < 1e-12;
}

int main() {
  cuComplex in[n], out[n], *d_in, *d_out;
  float size[n], *d_size;
  for (int i = 0; i < n; ++i) in[i] = make_cuComplex(static_cast<float>(i % 5), static_cast<float>(i % 3) - 1);
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_out, sizeof out);
  cudaMalloc(&d_size, sizeof size);
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  transform<<<1, n>>>(d_in, d_out, d_size);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  cudaMemcpy(size, d_size, sizeof size, cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int k = 0; k < n; ++k) {
    double real = 0, imag = 0;
    for (int i = 0; i < n; ++i) {
      double const angle = -2 * 3.14159265358979323846 * (k * i) / n, c = std::cos(angle), s = std::sin(angle);
      real += cuCrealf(in[i]) * c - cuCimagf(in[i]) * s;
      imag += cuCrealf(in[i]) * s + cuCimagf(in[i]) * c;
    }
    bad += std::fabs(out[k].x - real) > 1e-3 || std::fabs(out[k].y - imag) > 1e-3;
    bad += std::fabs(size[k] - std::sqrt(real * real + imag * imag)) > 1e-3;
  }
  cuDoubleComplex const a = make_cuDoubleComplex(3, 4), b = make_cuDoubleComplex(1, -2);
  bad += !near(cuCadd(a, b), 4, 2) + !near(cuCsub(a, b), 2, 6) + !near(cuCmul(a, b), 11, -2);
  bad += !near(cuCdiv(a, b), -1, 2) + !near(cuConj(a), 3, -4) + !near(cuCfma(a, b, a), 14, 2) + (cuCabs(a) != 5);
  bad += !near(cuCdiv(make_cuDoubleComplex(1e200, 0), make_cuDoubleComplex(1e200, 1e200)), 0.5, -0.5);
  bad += !near(cuComplexFloatToDouble(cuComplexDoubleToFloat(a)), 3, 4);
  std::printf("%d wrong\n", bad);
  cudaFree(d_in);
  cudaFree(d_out);
  cudaFree(d_size);
  return bad;
}
