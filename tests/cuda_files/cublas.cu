// SPDX-License-Identifier: Apache-2.0
// <cublas_v2.h>: handles, copies, vectors, a matrix and vectors.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include "expectations.cuh"

#define RUN(...) EXPECT((__VA_ARGS__) == CUBLAS_STATUS_SUCCESS)

template <class T>
T* on_device(std::vector<T> const& v) {
  T* p;
  cudaMalloc(&p, v.size() * sizeof(T));
  cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}
template <class T>
bool holds(T const* p, std::vector<T> const& want) {
  std::vector<T> got(want.size());
  cudaMemcpy(got.data(), p, want.size() * sizeof(T), cudaMemcpyDeviceToHost);
  return got == want;
}

void handles() {
  cublasHandle_t handle;
  RUN(cublasCreate(&handle));
  int version = 0;
  RUN(cublasGetVersion(handle, &version));
  EXPECT(version >= 110000);
  EXPECT(cublasGetCudartVersion() >= 11000);
  cudaStream_t stream, got = nullptr;
  cudaStreamCreate(&stream);
  RUN(cublasSetStream(handle, stream));
  RUN(cublasGetStream(handle, &got));
  EXPECT(got == stream);
  cublasPointerMode_t mode;
  RUN(cublasGetPointerMode(handle, &mode));
  EXPECT(mode == CUBLAS_POINTER_MODE_HOST);
  cublasMath_t math;
  RUN(cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH));
  RUN(cublasGetMathMode(handle, &math));
  EXPECT(math == CUBLAS_TF32_TENSOR_OP_MATH);
  EXPECT(!std::strcmp(cublasGetStatusName(CUBLAS_STATUS_INVALID_VALUE), "CUBLAS_STATUS_INVALID_VALUE"));
  EXPECT(std::strlen(cublasGetStatusString(CUBLAS_STATUS_NOT_SUPPORTED)) > 0);
  EXPECT(cublasCreate(nullptr) != CUBLAS_STATUS_SUCCESS);
  RUN(cublasDestroy(handle));
  EXPECT(cublasSetStream(nullptr, stream) == CUBLAS_STATUS_NOT_INITIALIZED);
  cudaStreamDestroy(stream);
}

void transfers() {
  int const host[6] = {1, 2, 3, 4, 5, 6};
  int *device, back[6] = {};
  cudaMalloc(&device, 12 * sizeof(int));
  cudaMemset(device, 0, 12 * sizeof(int));
  RUN(cublasSetVector(3, sizeof(int), host, 2, device, 1));
  EXPECT(holds(device, {1, 3, 5, 0}));
  RUN(cublasGetVector(3, sizeof(int), device, 1, back, 2));
  EXPECT(back[0] == 1 && back[1] == 0 && back[2] == 3 && back[4] == 5);
  RUN(cublasSetMatrix(2, 3, sizeof(int), host, 2, device, 4));
  EXPECT(holds(device, {1, 2, 5, 0, 3, 4, 0, 0, 5, 6}));
  RUN(cublasGetMatrix(2, 3, sizeof(int), device, 4, back, 2));
  EXPECT(back[0] == 1 && back[3] == 4 && back[5] == 6);
  EXPECT(cublasSetMatrix(3, 2, sizeof(int), host, 2, device, 4) == CUBLAS_STATUS_INVALID_VALUE);
  RUN(cublasSetMatrixAsync(2, 3, sizeof(int), host, 2, device, 4, nullptr));
  RUN(cublasGetMatrixAsync(2, 3, sizeof(int), device, 4, back, 2, nullptr));
  cudaDeviceSynchronize();
  cudaFree(device);
}

void vectors(cublasHandle_t h) {
  float* const x = on_device<float>({1, -2, 3, -4, 5});
  float* const y = on_device<float>({1, 1, 1, 1, 1});
  float const two = 2;
  RUN(cublasSaxpy(h, 5, &two, x, 1, y, 1));
  EXPECT(holds(y, {3.f, -3.f, 7.f, -7.f, 11.f}));
  RUN(cublasSaxpy(h, 2, &two, x, -2, y, 1));  // x[2] comes first
  EXPECT(holds(y, {9.f, -1.f, 7.f, -7.f, 11.f}));
  RUN(cublasSscal(h, 3, &two, y, 2));
  EXPECT(holds(y, {18.f, -1.f, 14.f, -7.f, 22.f}));
  float result = 0;
  RUN(cublasSdot(h, 5, x, 1, x, 1, &result));
  EXPECT(result == 55);
  RUN(cublasSdot(h, 0, x, 1, x, 1, &result));
  EXPECT(result == 0);
  RUN(cublasSnrm2(h, 5, x, 1, &result));
  EXPECT(std::fabs(result - std::sqrt(55.f)) < 1e-6f);
  RUN(cublasSasum(h, 5, x, 1, &result));
  EXPECT(result == 15);
  int index = 0;
  RUN(cublasIsamax(h, 5, x, 1, &index));
  EXPECT(index == 5);
  RUN(cublasIsamin(h, 5, x, 1, &index));
  EXPECT(index == 1);
  RUN(cublasSswap(h, 5, x, 1, y, 1));
  EXPECT(holds(x, {18.f, -1.f, 14.f, -7.f, 22.f}) && holds(y, {1.f, -2.f, 3.f, -4.f, 5.f}));
  RUN(cublasScopy(h, 2, x, 1, y, 1));
  EXPECT(holds(y, {18.f, -1.f, 3.f, -4.f, 5.f}));
  EXPECT(cublasSaxpy(h, 5, nullptr, x, 1, y, 1) == CUBLAS_STATUS_INVALID_VALUE);
  cudaFree(x), cudaFree(y);

  double* const u = on_device<double>({3, 4});
  double* const v = on_device<double>({-4, 3});
  double const half = .5, c = .6, s = .8;
  double long_result = 0;
  RUN(cublasDrot(h, 2, u, 1, v, 1, &c, &s));
  RUN(cublasDnrm2(h, 2, u, 1, &long_result));
  RUN(cublasDscal(h, 2, &half, u, 1));
  RUN(cublasDaxpy(h, 2, &half, u, 1, v, 1));
  RUN(cublasDdot(h, 2, u, 1, u, 1, &long_result));
  RUN(cublasDasum(h, 2, v, 1, &long_result));
  RUN(cublasIdamax(h, 2, v, 1, &index));
  cudaFree(u), cudaFree(v);
}

// Scalars and results in the device's memory.
void device_scalars(cublasHandle_t h) {
  float* const x = on_device<float>({1, 2, 3});
  float* const scalars = on_device<float>({10, 0});
  RUN(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE));
  RUN(cublasSscal(h, 3, scalars, x, 1));
  RUN(cublasSdot(h, 3, x, 1, x, 1, scalars + 1));
  RUN(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST));
  EXPECT(holds(scalars, {10.f, 1400.f}) && holds(x, {10.f, 20.f, 30.f}));
  cudaFree(x), cudaFree(scalars);
}

void matrix_and_vectors(cublasHandle_t h) {
  float* const a = on_device<float>({1, 2, 0, 3, 4, 0, 5, 6, 0});  // 2 x 3, columns 3 apart
  float* const x = on_device<float>({1, 10, 100});
  float* y;
  cudaMalloc(&y, 3 * sizeof(float));  // beta is 0, so that y is not read
  float const one = 1, zero = 0, two = 2;
  RUN(cublasSgemv(h, CUBLAS_OP_N, 2, 3, &one, a, 3, x, 1, &zero, y, 1));
  EXPECT(holds(y, {531.f, 642.f}));
  RUN(cublasSgemv(h, CUBLAS_OP_N, 2, 3, &two, a, 3, x, 1, &one, y, 1));
  EXPECT(holds(y, {1593.f, 1926.f}));
  RUN(cublasSgemv(h, CUBLAS_OP_T, 2, 3, &one, a, 3, x, 1, &zero, y, 1));
  EXPECT(holds(y, {21.f, 43.f, 65.f}));
  RUN(cublasSger(h, 2, 3, &one, x, 1, x, 1, a, 3));
  EXPECT(holds(a, {2.f, 12.f, 0.f, 13.f, 104.f, 0.f, 105.f, 1006.f, 0.f}));
  RUN(cublasSsymv(h, CUBLAS_FILL_MODE_UPPER, 2, &one, a, 3, x, 1, &zero, y, 1));
  EXPECT(holds(y, {132.f, 1053.f}));
  EXPECT(cublasSgemv(h, CUBLAS_OP_N, 2, 3, &one, a, 1, x, 1, &zero, y, 1) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(cublasSgemv(h, CUBLAS_OP_N, 2, 3, &one, a, 3, x, 0, &zero, y, 1) == CUBLAS_STATUS_INVALID_VALUE);
  cudaFree(a), cudaFree(x), cudaFree(y);
  double* const d = on_device<double>({1, 2, 3, 4});
  double* const w = on_device<double>({1, 1, 0, 0});
  double const scale = 1;
  RUN(cublasDgemv(h, CUBLAS_OP_N, 2, 2, &scale, d, 2, w, 1, &scale, w + 2, 1));
  EXPECT(holds(w, {1., 1., 4., 6.}));
  RUN(cublasDger(h, 2, 2, &scale, w, 1, w, 1, d, 2));
  cudaFree(d), cudaFree(w);
}

// One triangle of a matrix is read or written; nothing has written the other one.
void triangles(cublasHandle_t h) {
  float* const a = on_device<float>({1, 2, 3, 4, 5, 6});  // 2 x 3
  float* c;
  cudaMalloc(&c, 4 * sizeof(float));
  float const one = 1, two = 2, zero = 0;
  RUN(cublasSsyrk(h, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, 2, 3, &one, a, 2, &zero, c, 2));
  RUN(cublasSsyrk(h, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, 2, 3, &one, a, 2, &one, c, 2));
  cudaMemset(c + 2, 0, sizeof(float));
  EXPECT(holds(c, {70.f, 88.f, 0.f, 112.f}));
  RUN(cublasSsyrk(h, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, 2, 2, &one, a, 2, &zero, c, 2));
  EXPECT(holds(c, {5.f, 88.f, 11.f, 25.f}));
  RUN(cublasSdgmm(h, CUBLAS_SIDE_LEFT, 2, 2, a, 2, a + 4, 1, c, 2));
  EXPECT(holds(c, {5.f, 12.f, 15.f, 24.f}));
  RUN(cublasSdgmm(h, CUBLAS_SIDE_RIGHT, 2, 2, a, 2, a + 4, 1, c, 2));
  EXPECT(holds(c, {5.f, 10.f, 18.f, 24.f}));
  // A is ((2, 0), (4, 8)): B = A X for each side and transposition.
  float* t;
  cudaMalloc(&t, 4 * sizeof(float));
  float const parts[] = {2, 4, 8};
  cudaMemcpy(t, parts, 2 * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(t + 3, parts + 2, sizeof(float), cudaMemcpyHostToDevice);
  auto const solve = [&](cublasSideMode_t side, cublasOperation_t trans, cublasDiagType_t diagonal,
                         std::vector<float> b, std::vector<float> const& x) {
    float* const d = on_device(b);
    RUN(cublasStrsm(h, side, CUBLAS_FILL_MODE_LOWER, trans, diagonal, 2, 2, &two, t, 2, d, 2));
    EXPECT(holds(d, x));
    cudaFree(d);
  };
  auto const L = CUBLAS_SIDE_LEFT, R = CUBLAS_SIDE_RIGHT;
  auto const N = CUBLAS_OP_N, T = CUBLAS_OP_T;
  solve(L, N, CUBLAS_DIAG_NON_UNIT, {1, 10, 2, 4}, {1, 2, 2, 0});
  solve(L, T, CUBLAS_DIAG_NON_UNIT, {5, 8, 2, 0}, {1, 2, 2, 0});
  solve(R, N, CUBLAS_DIAG_NON_UNIT, {5, 2, 8, 0}, {1, 2, 2, 0});
  solve(R, T, CUBLAS_DIAG_NON_UNIT, {1, 2, 10, 4}, {1, 2, 2, 0});
  solve(L, N, CUBLAS_DIAG_UNIT, {1, 5, 0, 1}, {2, 2, 0, 2});
  EXPECT(cublasStrsm(h, L, CUBLAS_FILL_MODE_FULL, N, CUBLAS_DIAG_UNIT, 2, 2, &two, t, 2, c, 2) ==
         CUBLAS_STATUS_INVALID_VALUE);
  cudaFree(a), cudaFree(c), cudaFree(t);
}

// The work of a captured stream is done when its graph is launched.
void graph(cublasHandle_t h) {
  float* const x = on_device<float>({1, 2});
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  RUN(cublasSetStream(h, stream));
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  float two = 2;
  RUN(cublasSscal(h, 2, &two, x, 1));
  two = 100;
  cudaGraph_t captured;
  cudaStreamEndCapture(stream, &captured);
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, captured, 0);
  EXPECT(holds(x, {1.f, 2.f}));
  for (int i = 0; i < 3; ++i) cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  EXPECT(holds(x, {8.f, 16.f}));
  RUN(cublasSetStream(h, nullptr));
  cudaGraphExecDestroy(exec), cudaGraphDestroy(captured), cudaStreamDestroy(stream), cudaFree(x);
}

__global__ void count(float* x) { x[threadIdx.x] += 1; }

int main() {
  handles();
  transfers();
  cublasHandle_t h;
  RUN(cublasCreate_v2(&h));
  vectors(h);
  device_scalars(h);
  matrix_and_vectors(h);
  triangles(h);
  graph(h);
  // A kernel of the same stream comes before the next call.
  float* const x = on_device<float>({1, 2, 3, 4});
  float const three = 3;
  count<<<1, 4>>>(x);
  RUN(cublasSscal_v2(h, 4, &three, x, 1));
  count<<<1, 4>>>(x);
  EXPECT(holds(x, {7.f, 10.f, 13.f, 16.f}));
  cudaFree(x);
  RUN(cublasDestroy_v2(h));
  return wrong != 0;
}
