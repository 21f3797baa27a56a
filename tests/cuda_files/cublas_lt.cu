// SPDX-License-Identifier: Apache-2.0
// <cublasLt.h>: products with every type, order, epilogue and pointer mode against plain loops; attributes, algorithms
// and statuses.
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "expectations.cuh"

#define RUN(...) EXPECT((__VA_ARGS__) == CUBLAS_STATUS_SUCCESS)

cublasLtHandle_t lt;

template <class T>
constexpr cudaDataType type_of = CUDA_R_32F;
template <>
constexpr cudaDataType type_of<double> = CUDA_R_64F;
template <>
constexpr cudaDataType type_of<__half> = CUDA_R_16F;
template <>
constexpr cudaDataType type_of<__nv_bfloat16> = CUDA_R_16BF;
template <>
constexpr cudaDataType type_of<std::int8_t> = CUDA_R_8I;
template <>
constexpr cudaDataType type_of<std::int32_t> = CUDA_R_32I;
template <>
constexpr cudaDataType type_of<__nv_fp8_e4m3> = CUDA_R_8F_E4M3;
template <>
constexpr cudaDataType type_of<__nv_fp8_e5m2> = CUDA_R_8F_E5M2;

/// An array of the device, of small numbers or of those given.
template <class T>
struct array {
  std::vector<T> host;
  T* device = nullptr;
  array(size_t n, int seed) {
    for (size_t i = 0; i < n; ++i) host.push_back(T(float((int(i) * 7 + int(i) / 5 + seed) % 5 - 2)));
    upload();
  }
  array(std::vector<T> v) : host(v) { upload(); }
  ~array() { cudaFree(device); }
  void upload() {
    cudaMalloc(&device, host.size() * sizeof(T));
    cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  }
  void download() { cudaMemcpy(host.data(), device, host.size() * sizeof(T), cudaMemcpyDeviceToHost); }
  float operator[](size_t i) const { return float(host[i]); }
};

struct layout {
  cublasLtMatrixLayout_t of = nullptr;
  bool by_rows;
  int leading;
  layout(cudaDataType type, int rows, int columns, bool by_rows_ = false, int more = 0)
      : by_rows(by_rows_), leading((by_rows_ ? columns : rows) + more) {
    RUN(cublasLtMatrixLayoutCreate(&of, type, rows, columns, leading));
    cublasLtOrder_t const order = by_rows ? CUBLASLT_ORDER_ROW : CUBLASLT_ORDER_COL;
    RUN(cublasLtMatrixLayoutSetAttribute(of, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order));
  }
  ~layout() { RUN(cublasLtMatrixLayoutDestroy(of)); }
  void repeat(int count, std::int64_t stride) {
    RUN(cublasLtMatrixLayoutSetAttribute(of, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof count));
    RUN(cublasLtMatrixLayoutSetAttribute(of, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride, sizeof stride));
  }
  int at(int i, int j) const { return by_rows ? i * leading + j : i + j * leading; }
};
struct operation {
  cublasLtMatmulDesc_t of = nullptr;
  operation(cublasComputeType_t compute = CUBLAS_COMPUTE_32F, cudaDataType scale = CUDA_R_32F) {
    RUN(cublasLtMatmulDescCreate(&of, compute, scale));
  }
  ~operation() { RUN(cublasLtMatmulDescDestroy(of)); }
  template <class T>
  void set(cublasLtMatmulDescAttributes_t attribute, T value) {
    RUN(cublasLtMatmulDescSetAttribute(of, attribute, &value, sizeof value));
  }
  void transpose(bool a, bool b) {
    set(CUBLASLT_MATMUL_DESC_TRANSA, a ? CUBLAS_OP_T : CUBLAS_OP_N);
    set(CUBLASLT_MATMUL_DESC_TRANSB, b ? CUBLAS_OP_T : CUBLAS_OP_N);
  }
};

/// Chooses an algorithm as programs do. @return whether there is one
bool choose(operation const& op, layout const& a, layout const& b, layout const& c, layout const& d,
            cublasLtMatmulAlgo_t& algo) {
  cublasLtMatmulPreference_t preference;
  RUN(cublasLtMatmulPreferenceCreate(&preference));
  size_t const bytes = 1 << 20;
  RUN(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes, sizeof bytes));
  cublasLtMatmulHeuristicResult_t results[3] = {};
  int found = 0;
  cublasStatus_t const status =
      cublasLtMatmulAlgoGetHeuristic(lt, op.of, a.of, b.of, c.of, d.of, preference, 3, results, &found);
  RUN(cublasLtMatmulPreferenceDestroy(preference));
  algo = results[0].algo;
  return status == CUBLAS_STATUS_SUCCESS && found >= 1 && results[0].state == CUBLAS_STATUS_SUCCESS &&
         results[0].workspaceSize <= bytes;
}

/// D = 2 op(A) op(B) + C, in every combination of orders and transpositions.
template <class F, class C, class D, class S>
void product(cublasComputeType_t compute, bool tn_only, int m, int n, int k) {
  for (int t = 0; t < 16; ++t) {
    bool const ta = t & 1, tb = t & 2, ra = t & 4, rd = t & 8;
    if (tn_only && t != 1) continue;
    int const more = tn_only ? 16 : 3;
    layout const a(type_of<F>, ta ? k : m, ta ? m : k, ra, more), b(type_of<F>, tb ? n : k, tb ? k : n, false, more),
        c(type_of<C>, m, n, rd, more), d(type_of<D>, m, n, rd, 2 * more);
    array<F> const of_a(size_t(m + k + 16) * (m + k + 16), 1), of_b(size_t(n + k + 16) * (n + k + 16), 2);
    array<C> const of_c(size_t(m + 16) * (n + 16), 3);
    array<D> got(size_t(m + 32) * (n + 32), 4);
    array<D> const old = {got.host};
    operation op(compute, type_of<S>);
    op.transpose(ta, tb);
    cublasLtMatmulAlgo_t algo;
    EXPECT(choose(op, a, b, c, d, algo));
    S const alpha = S(2), beta = S(1);
    RUN(cublasLtMatmul(lt, op.of, &alpha, of_a.device, a.of, of_b.device, b.of, &beta, of_c.device, c.of, got.device,
                       d.of, &algo, nullptr, 0, nullptr));
    got.download();
    bool right = true;
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < m; ++i) {
        float want = of_c[c.at(i, j)];
        for (int p = 0; p < k; ++p) want += 2 * of_a[ta ? a.at(p, i) : a.at(i, p)] * of_b[tb ? b.at(j, p) : b.at(p, j)];
        right = right && got[d.at(i, j)] == float(D(want));
      }
    }
    EXPECT(right);
    EXPECT(got[d.at(m - 1, n - 1) + 1] == old[d.at(m - 1, n - 1) + 1]);  // between columns
  }
}
void types() {
  product<float, float, float, float>(CUBLAS_COMPUTE_32F, false, 21, 13, 30);
  product<float, float, float, float>(CUBLAS_COMPUTE_32F_FAST_TF32, false, 8, 4, 8);
  product<double, double, double, double>(CUBLAS_COMPUTE_64F, false, 5, 6, 7);
  product<__half, __half, __half, float>(CUBLAS_COMPUTE_32F, false, 16, 8, 8);
  product<__half, __half, __half, __half>(CUBLAS_COMPUTE_16F, false, 16, 8, 8);
  product<__half, float, float, float>(CUBLAS_COMPUTE_32F, false, 16, 8, 8);
  product<__nv_bfloat16, __nv_bfloat16, __nv_bfloat16, float>(CUBLAS_COMPUTE_32F, false, 16, 8, 8);
  product<std::int8_t, std::int32_t, std::int32_t, std::int32_t>(CUBLAS_COMPUTE_32I, true, 16, 12, 20);
  product<std::int8_t, std::int8_t, std::int8_t, float>(CUBLAS_COMPUTE_32I, true, 16, 12, 8);
  product<__nv_fp8_e4m3, __nv_bfloat16, __nv_bfloat16, float>(CUBLAS_COMPUTE_32F, true, 32, 12, 16);
  product<__nv_fp8_e4m3, __half, __nv_fp8_e4m3, float>(CUBLAS_COMPUTE_32F, true, 32, 12, 16);
  product<__nv_fp8_e4m3, float, float, float>(CUBLAS_COMPUTE_32F, true, 32, 12, 16);
}

double gelu(double x) { return .5 * x * (1 + std::tanh(.7978845608028654 * (x + .044715 * x * x * x))); }
double gelu_slope(double x) { return (gelu(x + 1e-5) - gelu(x - 1e-5)) / 2e-5; }

/// Products of floats with the epilogue; the values beside the product go through `bias` and `aux`.
constexpr int m = 24, n = 9, k = 16, aux_leading = 32, mask_leading = 128;
struct with_epilogue {
  array<float> a{m * k, 1}, b{k * n, 2}, d{m * n, 3}, bias{m, 4}, aux{aux_leading * n, 5};
  array<std::uint8_t> mask{std::vector<std::uint8_t>(mask_leading / 8 * n, 0x55)};
  explicit with_epilogue(cublasLtEpilogue_t epilogue) {
    layout const la(CUDA_R_32F, m, k), lb(CUDA_R_32F, k, n), ld(CUDA_R_32F, m, n);
    operation op;
    op.set(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue);
    op.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias.device);
    bool const is_relu = (epilogue & (CUBLASLT_EPILOGUE_RELU | 8)) != 0;
    op.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, is_relu ? (void*)mask.device : aux.device);
    op.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, std::int64_t(is_relu ? mask_leading : aux_leading));
    cublasLtMatmulAlgo_t algo;
    EXPECT(choose(op, la, lb, ld, ld, algo));
    float const alpha = .125f, beta = 0;
    RUN(cublasLtMatmul(lt, op.of, &alpha, a.device, la.of, b.device, lb.of, &beta, d.device, ld.of, d.device, ld.of,
                       &algo, nullptr, 0, nullptr));
    d.download(), bias.download(), aux.download(), mask.download();
  }
  double sum(int i, int j) const {
    double s = 0;
    for (int p = 0; p < k; ++p) s += a[i + p * m] * b[p + j * k];
    return .125 * s;
  }
  bool bit(int i, int j) const { return mask.host[(i + j * mask_leading) / 8] >> (i % 8) & 1; }
  template <class Want>
  bool is(Want want) const {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < m; ++i) {
        if (std::fabs(d[i + j * m] - want(i, j)) > 1e-5) return false;
      }
    }
    return true;
  }
};
void epilogues() {
  array<float> const bias(m, 4), aux(aux_leading * n, 5);
  auto const relu = [](double v) { return v > 0 ? v : 0.; };
  for (int with_bias = 0; with_bias < 2; ++with_bias) {
    auto const number = [&](int e) { return cublasLtEpilogue_t(e | (with_bias ? int(CUBLASLT_EPILOGUE_BIAS) : 0)); };
    auto const add = [&](int i) { return with_bias ? bias[i] : 0.f; };
    with_epilogue const plain(with_bias ? CUBLASLT_EPILOGUE_BIAS : CUBLASLT_EPILOGUE_DEFAULT);
    EXPECT(plain.is([&](int i, int j) { return plain.sum(i, j) + add(i); }));
    with_epilogue const r(number(CUBLASLT_EPILOGUE_RELU)), g(number(CUBLASLT_EPILOGUE_GELU)),
        ra(number(CUBLASLT_EPILOGUE_RELU_AUX)), ga(number(CUBLASLT_EPILOGUE_GELU_AUX));
    EXPECT(r.is([&](int i, int j) { return relu(r.sum(i, j) + add(i)); }));
    EXPECT(ra.is([&](int i, int j) { return relu(r.sum(i, j) + add(i)); }));
    EXPECT(g.is([&](int i, int j) { return gelu(g.sum(i, j) + add(i)); }));
    EXPECT(ga.is([&](int i, int j) { return gelu(g.sum(i, j) + add(i)); }));
    EXPECT(ga.is([&](int i, int j) { return gelu(ga.aux[i + j * aux_leading]); }));
    EXPECT(ra.is([&](int i, int j) { return ra.bit(i, j) ? ra.sum(i, j) + add(i) : 0.; }));
    EXPECT(ga.aux[m] == aux[m]);  // between columns
  }
  auto const sums = [](with_epilogue const& e) {
    for (int i = 0; i < m; ++i) {
      double sum = 0;
      for (int j = 0; j < n; ++j) sum += e.d[i + j * m];
      if (std::fabs(sum - e.bias[i]) > 1e-4) return false;
    }
    return true;
  };
  auto const drelu = [](with_epilogue const& e) {
    return e.is([&](int i, int j) { return i % 2 == 0 ? e.sum(i, j) : 0.; });
  };
  auto const dgelu = [&](with_epilogue const& e) {
    return e.is([&](int i, int j) { return e.sum(i, j) * gelu_slope(aux[i + j * aux_leading]); });
  };
  with_epilogue const dr(CUBLASLT_EPILOGUE_DRELU), drb(CUBLASLT_EPILOGUE_DRELU_BGRAD), dg(CUBLASLT_EPILOGUE_DGELU),
      dgb(CUBLASLT_EPILOGUE_DGELU_BGRAD);
  EXPECT(drelu(dr) && drelu(drb) && dgelu(dg) && dgelu(dgb));
  EXPECT(sums(drb) && sums(dgb) && dr.bias[0] == bias[0]);
  with_epilogue const ba(CUBLASLT_EPILOGUE_BGRADA), bb(CUBLASLT_EPILOGUE_BGRADB);
  float of_a = 0, of_b = 0;
  for (int p = 0; p < k; ++p) of_a += ba.a[m - 1 + p * m], of_b += bb.b[p + (n - 1) * k];
  EXPECT(ba.bias[m - 1] == of_a && bb.bias[n - 1] == of_b && bb.bias[n] == bias[n]);
}

// Scales of fp8 matrices, the largest magnitude, and vectors of scalars.
void scales() {
  int const rows = 16, columns = 4, depth = 32;
  array<__nv_fp8_e4m3> const a(depth * rows, 1);
  array<__nv_fp8_e5m2> const b(depth * columns, 2);
  array<__nv_bfloat16> const c(rows * columns, 3);
  array<float> numbers(std::vector<float>{.5f, 2.f, .25f, -1.f});
  array<__nv_fp8_e4m3> d(rows * columns, 4);
  layout const la(CUDA_R_8F_E4M3, depth, rows), lb(CUDA_R_8F_E5M2, depth, columns), lc(CUDA_R_16BF, rows, columns),
      ld(CUDA_R_8F_E4M3, rows, columns);
  operation op;
  op.transpose(true, false);
  op.set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, numbers.device);
  op.set(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, numbers.device + 1);
  op.set(CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, numbers.device + 2);
  op.set(CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, numbers.device + 3);
  op.set(CUBLASLT_MATMUL_DESC_FAST_ACCUM, std::int8_t(1));
  float const one = 1;
  RUN(cublasLtMatmul(lt, op.of, &one, a.device, la.of, b.device, lb.of, &one, c.device, lc.of, d.device, ld.of, nullptr,
                     nullptr, 0, nullptr));
  d.download(), numbers.download();
  float largest = 0;
  bool right = true;
  for (int j = 0; j < columns; ++j) {
    for (int i = 0; i < rows; ++i) {
      float sum = c[i + j * rows];
      for (int p = 0; p < depth; ++p) sum += a[p + i * depth] * b[p + j * depth];
      largest = std::fmax(largest, std::fabs(sum));
      right = right && d[i + j * rows] == float(__nv_fp8_e4m3(sum * .25f));
    }
  }
  EXPECT(right && numbers[3] == largest);

  array<float> const x(std::vector<float>{1, 2, 3, 4}), y(std::vector<float>{1, 0, 0, 1}),
      alphas(std::vector<float>{10, 100});
  array<float> z(4, 0);
  layout const square(CUDA_R_32F, 2, 2);
  operation vectors;
  vectors.set(CUBLASLT_MATMUL_DESC_POINTER_MODE, CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO);
  RUN(cublasLtMatmul(lt, vectors.of, alphas.device, x.device, square.of, y.device, square.of, nullptr, z.device,
                     square.of, z.device, square.of, nullptr, nullptr, 0, nullptr));
  z.download();
  EXPECT(z[0] == 10 && z[1] == 200 && z[2] == 30 && z[3] == 400);
  vectors.set(CUBLASLT_MATMUL_DESC_POINTER_MODE, CUBLASLT_POINTER_MODE_DEVICE);
  RUN(cublasLtMatmul(lt, vectors.of, alphas.device, x.device, square.of, y.device, square.of, x.device, z.device,
                     square.of, z.device, square.of, nullptr, nullptr, 0, nullptr));
  z.download();
  EXPECT(z[0] == 20 && z[1] == 220 && z[2] == 60 && z[3] == 440);
}

// Batches with gaps, a stream, and one matrix for all.
void batches() {
  array<float> const x(3 * 6, 1), y(4, 2);
  array<float> z(2 * 6, 3);
  layout a(CUDA_R_32F, 2, 2), b(CUDA_R_32F, 2, 2), d(CUDA_R_32F, 2, 2);
  a.repeat(2, 6), b.repeat(2, 0), d.repeat(2, 6);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  operation op;
  float const one = 1, zero = 0;
  RUN(cublasLtMatmul(lt, op.of, &one, x.device, a.of, y.device, b.of, &zero, z.device, d.of, z.device, d.of, nullptr,
                     nullptr, 0, stream));
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  float const kept = z[4];
  z.download();
  EXPECT(z[4] == kept);
  for (int i = 0; i < 2; ++i) EXPECT(z[6 * i + 1] == x[6 * i + 1] * y[0] + x[6 * i + 3] * y[1]);
}

void transform() {
  array<float> const a(6, 1);
  array<__half> c(6, 2);
  layout const from(CUDA_R_32F, 2, 3, true), to(CUDA_R_16F, 3, 2);
  cublasLtMatrixTransformDesc_t op;
  RUN(cublasLtMatrixTransformDescCreate(&op, CUDA_R_32F));
  cublasOperation_t const t = CUBLAS_OP_T;
  RUN(cublasLtMatrixTransformDescSetAttribute(op, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, &t, sizeof t));
  float const two = 2, zero = 0;
  RUN(cublasLtMatrixTransform(lt, op, &two, a.device, from.of, &zero, nullptr, nullptr, c.device, to.of, nullptr));
  RUN(cublasLtMatrixTransformDescDestroy(op));
  c.download();
  for (int i = 0; i < 6; ++i) EXPECT(c[i] == 2 * a[i]);
}

void statuses() {
  EXPECT(cublasLtGetVersion() >= 110000 && cublasLtGetCudartVersion() >= 11000);
  EXPECT(!std::strcmp(cublasLtGetStatusName(CUBLAS_STATUS_NOT_SUPPORTED), "CUBLAS_STATUS_NOT_SUPPORTED"));
  EXPECT(std::strlen(cublasLtGetStatusString(CUBLAS_STATUS_INVALID_VALUE)) > 0);
  RUN(cublasLtLoggerSetLevel(0));
  RUN(cublasLtLoggerForceDisable());
  layout const a(CUDA_R_32F, 4, 8), b(CUDA_R_32F, 8, 2), d(CUDA_R_32F, 4, 2), wrong_d(CUDA_R_32F, 4, 3),
      half(CUDA_R_16F, 4, 2), bytes_a(CUDA_R_8I, 4, 8), bytes_b(CUDA_R_8I, 8, 2), ints(CUDA_R_32I, 4, 2);
  operation op, integers(CUBLAS_COMPUTE_32I, CUDA_R_32I);
  cublasLtMatmulPreference_t preference;
  RUN(cublasLtMatmulPreferenceCreate(&preference));
  cublasLtMatmulHeuristicResult_t result;
  int found = -1;
  auto const ask = [&](operation const& o, layout const& x, layout const& y, layout const& z, int wanted) {
    return cublasLtMatmulAlgoGetHeuristic(lt, o.of, x.of, y.of, z.of, z.of, preference, wanted, &result, &found);
  };
  RUN(ask(op, a, b, d, 1));
  EXPECT(found == 1);
  EXPECT(ask(op, a, b, d, 0) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(ask(op, a, b, wrong_d, 1) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(ask(op, a, b, half, 1) == CUBLAS_STATUS_NOT_SUPPORTED && found == 0);
  EXPECT(ask(integers, bytes_a, bytes_b, ints, 1) == CUBLAS_STATUS_NOT_SUPPORTED);  // not TN
  cublasOperation_t t = CUBLAS_OP_T;
  layout const fp8(CUDA_R_8F_E4M3, 32, 32), loose(CUDA_R_8F_E4M3, 32, 32, false, 8), halves(CUDA_R_16F, 32, 32);
  operation tn;
  EXPECT(ask(tn, fp8, fp8, halves, 1) == CUBLAS_STATUS_NOT_SUPPORTED);  // not TN
  RUN(cublasLtMatmulDescSetAttribute(tn.of, CUBLASLT_MATMUL_DESC_TRANSA, &t, sizeof t));
  RUN(ask(tn, fp8, fp8, halves, 1));
  EXPECT(ask(tn, loose, fp8, halves, 1) == CUBLAS_STATUS_NOT_SUPPORTED);  // columns 40 bytes apart, not 16 n
  RUN(cublasLtMatmulPreferenceDestroy(preference));
  size_t written = 0;
  EXPECT(cublasLtMatmulDescSetAttribute(op.of, CUBLASLT_MATMUL_DESC_TRANSA, &t, 1) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(cublasLtMatmulDescSetAttribute(op.of, CUBLASLT_MATMUL_DESC_TRANSA, nullptr, 4) == CUBLAS_STATUS_INVALID_VALUE);
  RUN(cublasLtMatmulDescGetAttribute(op.of, CUBLASLT_MATMUL_DESC_TRANSA, &t, sizeof t, &written));
  EXPECT(t == CUBLAS_OP_N && written == sizeof t);
  RUN(cublasLtMatmulDescGetAttribute(op.of, CUBLASLT_MATMUL_DESC_BIAS_POINTER, nullptr, 0, &written));
  EXPECT(written == sizeof(void*));
  std::uint64_t rows = 0;
  RUN(cublasLtMatrixLayoutGetAttribute(b.of, CUBLASLT_MATRIX_LAYOUT_ROWS, &rows, sizeof rows, nullptr));
  EXPECT(rows == 8);
  cublasLtMatrixLayoutOpaque_t own;
  RUN(cublasLtMatrixLayoutInit(&own, CUDA_R_32F, 4, 2, 4));
  int tile = -1;
  RUN(cublasLtMatmulAlgoConfigGetAttribute(&result.algo, CUBLASLT_ALGO_CONFIG_TILE_ID, &tile, sizeof tile, nullptr));
  float const one = 1;
  EXPECT(cublasLtMatmul(nullptr, op.of, &one, nullptr, a.of, nullptr, b.of, &one, nullptr, d.of, nullptr, d.of, nullptr,
                        nullptr, 0, nullptr) == CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT(cublasLtMatmul(lt, op.of, nullptr, nullptr, a.of, nullptr, b.of, &one, nullptr, d.of, nullptr, d.of, nullptr,
                        nullptr, 0, nullptr) == CUBLAS_STATUS_INVALID_VALUE);
}

__global__ void add_one(float* x) { x[threadIdx.x] += 1; }

int main() {
  RUN(cublasLtCreate(&lt));
  statuses();
  types();
  epilogues();
  scales();
  batches();
  transform();
  RUN(cublasLtDestroy(lt));
  // A handle of cuBLAS is one of cuBLASLt. A kernel of the same stream comes before the product.
  cublasHandle_t blas;
  RUN(cublasCreate(&blas));
  array<float> const x(std::vector<float>{1, 2, 3, 4}), y(std::vector<float>{1, 0, 0, 1});
  array<float> z(4, 0);
  add_one<<<1, 4>>>(x.device);
  layout const square(CUDA_R_32F, 2, 2);
  operation const op;
  float const one = 1, zero = 0;
  RUN(cublasLtMatmul((cublasLtHandle_t)blas, op.of, &one, x.device, square.of, y.device, square.of, &zero, z.device,
                     square.of, z.device, square.of, nullptr, nullptr, 0, nullptr));
#ifdef PLANTED
  cudaStream_t other;
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  add_one<<<1, 4, 0, other>>>(z.device);
  cudaDeviceSynchronize();
  cudaStreamDestroy(other);
#endif
  z.download();
#ifndef PLANTED
  EXPECT(z[0] == 2 && z[3] == 5);
#endif
  RUN(cublasDestroy(blas));
  return wrong != 0;
}
