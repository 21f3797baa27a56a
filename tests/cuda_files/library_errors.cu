// SPDX-License-Identifier: Apache-2.0
// Wrong operands of cuBLAS and cuRAND. The argument chooses the mistake, whose line says so.
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <curand.h>
#include <cstdio>
#include <cstring>
#include <vector>

__global__ void fill(float* a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

int main(int argc, char** argv) {
  char const* const what = argc > 1 ? argv[1] : "";
  auto const is = [what](char const* name) { return std::strcmp(what, name) == 0; };
  int const n = 32;
  size_t const bytes = n * n * sizeof(float);
  std::vector<float> host(n * n, 1.f);
  float *a, *b, *c, *small, *shared;
  cudaMalloc(&a, bytes), cudaMalloc(&b, bytes), cudaMalloc(&c, bytes), cudaMalloc(&small, bytes / 2);
  cudaMallocManaged(&shared, bytes);
  fill<<<n, n>>>(a);
  cudaMemcpy(b, host.data(), bytes, cudaMemcpyHostToDevice);
  float const one = 1, zero = 0;
  cublasHandle_t h;
  cublasCreate(&h);
  auto const N = CUBLAS_OP_N;
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  if (is("")) status = cublasSgemm(h, N, N, n, n, n, &one, a, n, b, n, &zero, c, n);
  if (is("small")) status = cublasSgemm(h, N, N, n, n, n, &one, a, n, b, n, &zero, small, n);    // line of small
  if (is("leading")) status = cublasSgemm(h, N, N, n, n, n, &one, a, n + 1, b, n, &zero, c, n);  // line of leading
  if (is("unwritten")) status = cublasSgemm(h, N, N, n, n, n, &one, c, n, b, n, &zero, a, n);    // line of unwritten
  if (is("sum")) status = cublasSgemm(h, N, N, n, n, n, &one, a, n, b, n, &one, c, n);           // line of sum
  if (is("host_matrix"))
    status = cublasSgemm(h, N, N, n, n, n, &one, a, n, host.data(), n, &zero, c, n);            // line of host_matrix
  if (is("alpha")) status = cublasSgemm(h, N, N, n, n, n, a, a, n, b, n, &zero, c, n);          // line of alpha
  if (is("null")) status = cublasSgemm(h, N, N, n, n, n, &one, a, n, nullptr, n, &zero, c, n);  // line of null
  if (is("result")) status = cublasSdot(h, n, a, 1, b, 1, c);                                   // line of result
  if (is("stride")) status = cublasSscal(h, n, &one, a, n + 2);                                 // line of stride
  if (is("transfer")) status = cublasSetMatrix(n, n, 4, host.data(), n, small, n);              // line of transfer
  if (is("freed")) {
    cudaFree(b);
    status = cublasSgemm(h, N, N, n, n, n, &one, a, n, b, n, &zero, c, n);  // line of freed
    b = nullptr;
  }
  if (is("wait")) {
    status = cublasSgemm(h, N, N, n, n, n, &one, a, n, b, n, &zero, shared, n);
    std::printf("%f\n", shared[0]);  // line of wait
  }
  if (is("streams")) {
    cudaStream_t other;
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cublasSaxpy(h, n, &one, a, 1, b, 1);
    cublasSetStream(h, other);
    status = cublasSaxpy(h, n, &one, b, 1, a, 1);  // line of streams
    cudaDeviceSynchronize();
    cudaStreamDestroy(other);
  }
  cublasLtMatrixLayout_t l;
  cublasLtMatrixLayoutCreate(&l, CUDA_R_32F, n, n, n);
  cublasLtMatmulDesc_t op;
  cublasLtMatmulDescCreate(&op, CUBLAS_COMPUTE_32F, CUDA_R_32F);
  auto const lt = (cublasLtHandle_t)h;
  if (is("lt_unwritten"))
    status =
        cublasLtMatmul(lt, op, &one, a, l, c, l, &zero, c, l, c, l, nullptr, nullptr, 0, 0);  // line of lt_unwritten
  if (is("lt_small"))
    status =
        cublasLtMatmul(lt, op, &one, a, l, b, l, &zero, c, l, small, l, nullptr, nullptr, 0, 0);  // line of lt_small
  if (is("lt_alpha"))
    status = cublasLtMatmul(lt, op, a, a, l, b, l, &zero, c, l, c, l, nullptr, nullptr, 0, 0);  // line of lt_alpha
  float* const end = a + n * n - n / 2;                                                         // holds half of a bias
  auto const epilogue = is("lt_aux") ? CUBLASLT_EPILOGUE_GELU_AUX : CUBLASLT_EPILOGUE_BIAS;
  cublasLtMatmulDescSetAttribute(op, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue);
  cublasLtMatmulDescSetAttribute(op, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &end, sizeof end);
  if (is("lt_bias"))
    status = cublasLtMatmul(lt, op, &one, a, l, b, l, &zero, c, l, c, l, nullptr, nullptr, 0, 0);  // line of lt_bias
  float* const aux = host.data();
  long long const aux_leading = n;
  cublasLtMatmulDescSetAttribute(op, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, &aux, sizeof aux);
  cublasLtMatmulDescSetAttribute(op, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, &aux_leading, sizeof aux_leading);
  if (is("lt_aux"))
    status = cublasLtMatmul(lt, op, &one, a, l, b, l, &zero, c, l, c, l, nullptr, nullptr, 0, 0);  // line of lt_aux
  cublasLtMatmulDescDestroy(op), cublasLtMatrixLayoutDestroy(l);
  curandGenerator_t g;
  curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT);
  if (is("numbers")) curandGenerateUniform(g, small, n * n);         // line of numbers
  if (is("host_numbers")) curandGenerateUniform(g, host.data(), n);  // line of host_numbers
  curandDestroyGenerator(g);
  if (is("") != (status == CUBLAS_STATUS_SUCCESS)) std::printf("%s\n", cublasGetStatusName(status));
  cublasDestroy(h);
  cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(small), cudaFree(shared);
  return 0;
}
