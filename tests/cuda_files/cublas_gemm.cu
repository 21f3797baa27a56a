// SPDX-License-Identifier: Apache-2.0
// <cublas_v2.h>: products of matrices in all types, layouts and batches, against three loops; statuses of wrong
// arguments.
#include <cublas_api.h>
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <library_types.h>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "expectations.cuh"

#define RUN(...) EXPECT((__VA_ARGS__) == CUBLAS_STATUS_SUCCESS)

float number(int i) { return float((i * 7 + i / 5) % 5 - 2); }
template <class T>
T of(float v) {
  if constexpr (sizeof(T) == 1)
    return T(int(v));
  else
    return T(v);
}

/// A matrix of small whole numbers, so that every order of the sums is exact.
template <class T>
struct matrix {
  int rows, columns, leading;
  std::vector<T> host;
  T* device = nullptr;
  matrix(int r, int c, int l, int seed, int matrices = 1)
      : rows(r), columns(c), leading(l), host(size_t(l) * c * matrices) {
    for (size_t i = 0; i < host.size(); ++i) host[i] = of<T>(number(int(i) + seed));
    cudaMalloc(&device, host.size() * sizeof(T));
    cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~matrix() { cudaFree(device); }
  float at(int i, int j, int of = 0) const {
    return float(host[size_t(of) * leading * columns + i + size_t(j) * leading]);
  }
};

/// Whether C = alpha op(A) op(B) + beta C, where `old` is C before.
template <class F, class R>
bool is_product(matrix<F> const& a, bool ta, matrix<F> const& b, bool tb, matrix<R> const& old, int k, float alpha,
                float beta, int batches = 1) {
  std::vector<R> got(old.host.size());
  cudaMemcpy(got.data(), old.device, got.size() * sizeof(R), cudaMemcpyDeviceToHost);
  for (int batch = 0; batch < batches; ++batch) {
    for (int j = 0; j < old.columns; ++j) {
      for (int i = 0; i < old.leading; ++i) {
        float want = old.at(i, j, batch);
        if (i < old.rows) {
          float sum = 0;
          for (int p = 0; p < k; ++p)
            sum += (ta ? a.at(p, i, batch) : a.at(i, p, batch)) * (tb ? b.at(j, p, batch) : b.at(p, j, batch));
          want = alpha * sum + beta * want;
        }
        if (float(got[size_t(batch) * old.leading * old.columns + i + size_t(j) * old.leading]) != float(R(want)))
          return false;
      }
    }
  }
  return true;
}

void layouts(cublasHandle_t h) {
  for (int t = 0; t < 4; ++t) {
    bool const ta = t & 1, tb = t >> 1;
    cublasOperation_t const oa = ta ? CUBLAS_OP_T : CUBLAS_OP_N, ob = tb ? CUBLAS_OP_C : CUBLAS_OP_N;
    for (int m : {1, 17, 201}) {
      int const n = 2 * m + 3, k = m + 300;
      matrix<float> a(ta ? k : m, ta ? m : k, (ta ? k : m) + 3, 1), b(tb ? n : k, tb ? k : n, (tb ? n : k) + 1, 2),
          c(m, n, m + 2, 3);
      float const alpha = 2, beta = -1;
      RUN(cublasSgemm(h, oa, ob, m, n, k, &alpha, a.device, a.leading, b.device, b.leading, &beta, c.device,
                      c.leading));
      EXPECT(is_product(a, ta, b, tb, c, k, alpha, beta));
    }
    matrix<double> a(ta ? 5 : 33, ta ? 33 : 5, 40, 1), b(tb ? 9 : 5, tb ? 5 : 9, 9, 2), c(33, 9, 33, 3);
    double const alpha = 1, beta = 2;
    RUN(cublasDgemm(h, oa, ob, 33, 9, 5, &alpha, a.device, 40, b.device, 9, &beta, c.device, 33));
    EXPECT(is_product(a, ta, b, tb, c, 5, 1, 2));
  }
}

template <class F, class R, class S, class Compute>
void types(cublasHandle_t h, cudaDataType f, cudaDataType r, Compute compute) {
  int const m = 20, n = 12, k = 24;
  matrix<F> a(m, k, m, 1), b(k, n, k, 2);
  matrix<R> c(m, n, m, 3);
  S const alpha = S(2), beta = S(1);
  RUN(cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, a.device, f, m, b.device, f, k, &beta, c.device, r, m,
                   compute, CUBLAS_GEMM_DEFAULT));
  EXPECT(is_product(a, false, b, false, c, k, 2, 1));
}
void all_types(cublasHandle_t h) {
  types<__half, __half, __half>(h, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F);
  types<__half, __half, float>(h, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F);
  types<__half, float, float>(h, CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F);
  types<__nv_bfloat16, __nv_bfloat16, float>(h, CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F);
  types<__nv_bfloat16, float, float>(h, CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F_PEDANTIC);
  types<std::int8_t, std::int32_t, std::int32_t>(h, CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I);
  types<std::int8_t, float, float>(h, CUDA_R_8I, CUDA_R_32F, CUBLAS_COMPUTE_32F);
  types<float, float, float>(h, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32);
  types<double, double, double>(h, CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F);
  types<__half, float, float>(h, CUDA_R_16F, CUDA_R_32F, CUDA_R_32F);  // as programs for CUDA 10 write it
}

void batches(cublasHandle_t h) {
  int const m = 6, n = 5, k = 4, count = 3;
  float const alpha = 1, beta = 1;
  {
    matrix<float> a(m, k, m, 1, count), b(k, n, k, 2, count), c(m, n, m, 3, count);
    RUN(cublasSgemmStridedBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, a.device, m, m * k, b.device, k, k * n,
                                  &beta, c.device, m, m * n, count));
    EXPECT(is_product(a, false, b, false, c, k, 1, 1, count));
  }
  {
    matrix<__half> a(m, k, m, 1, count), b(k, n, k, 2, count), c(m, n, m, 3, count);
    RUN(cublasGemmStridedBatchedEx(h, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, a.device, CUDA_R_16F, m, m * k,
                                   b.device, CUDA_R_16F, k, k * n, &beta, c.device, CUDA_R_16F, m, m * n, count,
                                   CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT_TENSOR_OP));
    EXPECT(is_product(a, false, b, false, c, k, 1, 1, count));
  }
  matrix<float> a(m, k, m, 1, count), b(k, n, k, 2, count), c(m, n, m, 3, count);
  float* pointers[9];
  for (int i = 0; i < count; ++i)
    pointers[i] = a.device + i * m * k, pointers[3 + i] = b.device + i * k * n, pointers[6 + i] = c.device + i * m * n;
  float** device;
  cudaMalloc(&device, sizeof pointers);
  cudaMemcpy(device, pointers, sizeof pointers, cudaMemcpyHostToDevice);
  RUN(cublasSgemmBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, device, m, device + 3, k, &beta, device + 6, m,
                         count));
  EXPECT(is_product(a, false, b, false, c, k, 1, 1, count));
  // The same again, as C is read: op(A) op(B) twice.
  RUN(cublasGemmBatchedEx(h, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, (void**)device, CUDA_R_32F, m,
                          (void**)(device + 3), CUDA_R_32F, k, &beta, (void**)(device + 6), CUDA_R_32F, m, count,
                          CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
  EXPECT(is_product(a, false, b, false, c, k, 2, 1, count));
  cudaFree(device);
  matrix<double> x(m, k, m, 1, count), y(k, n, k, 2, count), z(m, n, m, 3, count);
  double const one = 1;
  RUN(cublasDgemmStridedBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, x.device, m, m * k, y.device, k, k * n,
                                &one, z.device, m, m * n, count));
  EXPECT(is_product(x, false, y, false, z, k, 1, 1, count));
  matrix<__half> u(m, k, m, 1, count), v(k, n, k, 2, count), w(m, n, m, 3, count);
  __half const half_one = __float2half(1.f);
  RUN(cublasHgemmStridedBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &half_one, u.device, m, m * k, v.device, k, k * n,
                                &half_one, w.device, m, m * n, count));
  EXPECT(is_product(u, false, v, false, w, k, 1, 1, count));
}

void half_precision_and_sums(cublasHandle_t h) {
  matrix<__half> a(8, 8, 8, 1), b(8, 8, 8, 2), c(8, 8, 8, 3);
  __half const one = __float2half(1.f), zero = __float2half(0.f);
  RUN(cublasHgemm(h, CUBLAS_OP_N, CUBLAS_OP_T, 8, 8, 8, &one, a.device, 8, b.device, 8, &zero, c.device, 8));
  EXPECT(is_product(a, false, b, true, c, 8, 1, 0));
  matrix<float> x(2, 3, 2, 1), y(3, 2, 3, 2);
  float const two = 2, minus = -1;
  float* sum;
  cudaMalloc(&sum, 6 * sizeof(float));
  RUN(cublasSgeam(h, CUBLAS_OP_N, CUBLAS_OP_T, 2, 3, &two, x.device, 2, &minus, y.device, 3, sum, 2));
  float got[6];
  cudaMemcpy(got, sum, sizeof got, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) EXPECT(got[i + 2 * j] == 2 * x.at(i, j) - y.at(j, i));
  }
  EXPECT(cublasSgeam(h, CUBLAS_OP_T, CUBLAS_OP_N, 2, 2, &two, x.device, 2, &minus, y.device, 3, x.device, 2) ==
         CUBLAS_STATUS_INVALID_VALUE);
  cudaFree(sum);
}

void statuses(cublasHandle_t h) {
  matrix<float> a(4, 4, 4, 1), b(4, 4, 4, 2), c(4, 4, 4, 3);
  float const one = 1;
  auto const gemm = [&](cublasHandle_t handle, int m, int k, int lda, int ldb, int ldc, float const* alpha,
                        cublasOperation_t op = CUBLAS_OP_N) {
    return cublasSgemm(handle, op, CUBLAS_OP_N, m, 4, k, alpha, a.device, lda, b.device, ldb, &one, c.device, ldc);
  };
  EXPECT(gemm(nullptr, 4, 4, 4, 4, 4, &one) == CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT(gemm(h, -1, 4, 4, 4, 4, &one) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(gemm(h, 4, 4, 3, 4, 4, &one) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(gemm(h, 4, 4, 4, 3, 4, &one) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(gemm(h, 4, 4, 4, 4, 3, &one) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(gemm(h, 4, 2, 2, 2, 4, &one, CUBLAS_OP_T) ==
         CUBLAS_STATUS_SUCCESS);  // lda counts for the 2 x 4 that is stored
  EXPECT(gemm(h, 4, 4, 4, 4, 4, nullptr) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(gemm(h, 0, 4, 4, 4, 4, &one) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a.device, CUDA_R_32F, 4, b.device, CUDA_R_16F, 4,
                      &one, c.device, CUDA_R_32F, 4, CUBLAS_COMPUTE_32F,
                      CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_NOT_SUPPORTED);
}

// What cuBLAS does not read may be unwritten: C with beta = 0, A and B with alpha = 0.
void unread(cublasHandle_t h) {
  matrix<float> a(4, 4, 4, 1);
  float *c, *nothing;
  cudaMalloc(&c, 64), cudaMalloc(&nothing, 64);
  float const one = 1, zero = 0;
  RUN(cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a.device, 4, a.device, 4, &zero, c, 4));
  RUN(cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &zero, nothing, 4, nothing, 4, &one, c, 4));
  cudaDeviceSynchronize();
  cudaFree(c), cudaFree(nothing);
}

__global__ void doubled(float* c) { c[threadIdx.x] *= 2; }

// Two streams with an event between them.
void streams(cublasHandle_t h) {
  matrix<float> a(8, 8, 8, 1), b(8, 8, 8, 2), c(8, 8, 8, 3);
  cudaStream_t first, second;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEvent_t done;
  cudaEventCreate(&done);
  cudaDeviceSynchronize();
  float const one = 1, zero = 0;
  cublasSetStream(h, first);
  RUN(cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 8, 8, 8, &one, a.device, 8, b.device, 8, &zero, c.device, 8));
#ifndef PLANTED
  cudaEventRecord(done, first);
  cudaStreamWaitEvent(second, done);
#endif
  doubled<<<1, 64, 0, second>>>(c.device);
  cudaDeviceSynchronize();
  EXPECT(is_product(a, false, b, false, c, 8, 2, 0));
  cublasSetStream(h, nullptr);
  cudaEventDestroy(done), cudaStreamDestroy(first), cudaStreamDestroy(second);
}

int main() {
  cublasHandle_t h;
  RUN(cublasCreate(&h));
  layouts(h);
  all_types(h);
  batches(h);
  half_precision_and_sums(h);
  statuses(h);
  unread(h);
  streams(h);
  RUN(cublasDestroy(h));
  return wrong != 0;
}
