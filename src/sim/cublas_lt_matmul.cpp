// SPDX-License-Identifier: Apache-2.0
// cublasLtMatmul: the accesses of a call, and its work.
#include <cstdint>
#include <utility>
#include <vector>

#include "cublas_gemm.hpp"
#include "cublas_lt_epilogue.hpp"

using namespace cosmati_sim;

namespace {

constexpr char const* function = "cublasLtMatmul";

/// Adds a vector of each batch.
void add_vector(library_task& task, char const* name, void const* at, std::size_t count, std::int64_t stride,
                std::int32_t batches, std::size_t element, bool writes) {
  lt_layout l;
  l.rows = count;
  l.columns = 1;
  l.leading = static_cast<std::int64_t>(count);
  l.stride = stride;
  l.batches = batches;
  lt_add(task, name, at, l, element, !writes, writes);
}

/// What the epilogue accesses beside the matrices.
void add_epilogue(library_task& task, lt_product const& p) {
  if (p.has(lt_bias))
    add_vector(task, "the bias", p.op.bias, p.m, p.op.bias_stride, p.d.batches, bytes_of(p.bias_kind), false);
  if (p.has(lt_bias_gradient | CUBLASLT_EPILOGUE_BGRADA | CUBLASLT_EPILOGUE_BGRADB)) {
    std::size_t const count = p.has(CUBLASLT_EPILOGUE_BGRADB) ? p.n : p.m;
    add_vector(task, "the bias gradient", p.op.bias, count, p.op.bias_stride, p.d.batches, bytes_of(p.bias_kind), true);
  }
  if (p.has(lt_aux)) {
    bool const has_bits = p.has(lt_relu | lt_relu_gradient), reads = p.has(lt_relu_gradient | lt_gelu_gradient);
    lt_layout l = p.d;
    l.order = CUBLASLT_ORDER_COL;
    l.rows = has_bits ? (p.m + 7) / 8 : p.m;
    l.leading = has_bits ? p.op.aux_leading / 8 : p.op.aux_leading;
    l.stride = has_bits ? p.op.aux_stride / 8 : p.op.aux_stride;
    lt_add(task, has_bits ? "the mask of ReLU" : "the auxiliary matrix", p.op.aux, l,
           has_bits ? 1 : bytes_of(p.aux_kind), reads, !reads);
  }
  auto const add_scale = [&](char const* name, void const* at, std::size_t count, bool writes) {
    if (at != nullptr) add_vector(task, name, at, count, 0, 1, sizeof(float), writes);
  };
  bool const a_has_many = p.op.mode_a == CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F;
  bool const b_has_many = p.op.mode_b == CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F;
  add_scale("the scale of A", p.op.scale_a, a_has_many ? p.m : 1, false);
  add_scale("the scale of B", p.op.scale_b, b_has_many ? p.n : 1, false);
  add_scale("the scale of C", p.op.scale_c, 1, false);
  add_scale("the scale of D", p.op.scale_d, 1, false);
  add_scale("the scale of the auxiliary matrix", p.op.aux_scale, 1, false);
  add_scale("the largest magnitude of D", p.op.largest_d, 1, true);
}

/// The sums of all batches, and then D.
template <class T>
void compute(lt_product const& p, lt_arguments const& args, element_kind kind, bool reads_factors) {
  std::vector<T> sums(p.m * p.n * p.batches);
  auto const factor_of = [](lt_layout const& l, element_kind of, void const* at, std::int32_t operation,
                            std::size_t batch) {
    auto const offset = static_cast<std::ptrdiff_t>(l.stride) * static_cast<std::ptrdiff_t>(batch * bytes_of(of));
    bool const by_rows = l.order == CUBLASLT_ORDER_ROW;
    return factor{static_cast<char const*>(at) + offset, of, static_cast<std::size_t>(l.leading),
                  (operation != CUBLAS_OP_N) != by_rows};
  };
  std::vector<matrix_product> products;
  for (std::size_t i = 0; reads_factors && i < p.batches; ++i) {
    products.push_back({p.m, p.n, p.k, factor_of(p.a, p.a_kind, args.a, p.op.transa, i),
                        factor_of(p.b, p.b_kind, args.b, p.op.transb, i), sums.data() + i * p.m * p.n, kind, p.m, 1,
                        0});
  }
  multiply(products, p.sums);
  lt_finish(p, args, sums.data());
}

/// Makes the work of a call whose scalars are known.
void make(library_task& task, lt_product const& p, lt_arguments const& args) {
  bool const reads_factors = p.k != 0 && (args.alpha != 0 || args.alphas != nullptr);
  bool const reads_c = args.beta != 0 || args.betas != nullptr;
  if (reads_factors || p.op.epilogue == CUBLASLT_EPILOGUE_BGRADA)
    lt_add(task, "A", args.a, p.a, bytes_of(p.a_kind), true, false);
  if (reads_factors || p.op.epilogue == CUBLASLT_EPILOGUE_BGRADB)
    lt_add(task, "B", args.b, p.b, bytes_of(p.b_kind), true, false);
  if (reads_c) lt_add(task, "C", args.c, p.c, bytes_of(p.c_kind), true, false);
  lt_add(task, "D", args.d, p.d, bytes_of(p.d_kind), false, true);
  for (auto const& [name, at] : {std::pair("alpha", args.alphas), std::pair("beta", args.betas)}) {
    if (at != nullptr) add_vector(task, name, at, p.m, p.op.alpha_stride, p.d.batches, bytes_of(p.scalar_kind), false);
  }
  add_epilogue(task, p);
  task.compute = [=] {
    if (p.sums == sum_kind::f32) return compute<float>(p, args, element_kind::f32, reads_factors);
    if (p.sums == sum_kind::f64) return compute<double>(p, args, element_kind::f64, reads_factors);
    compute<std::int32_t>(p, args, element_kind::i32, reads_factors);
  };
}

/// Whether pointers that the call needs are there, and D is C only in place.
bool pointers_are_valid(lt_product const& p, void const* alpha, void const* beta, lt_arguments const& args) {
  bool const needs_beta = p.op.pointer_mode != CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO;
  bool const needs_bias =
      p.has(lt_bias | lt_bias_gradient | CUBLASLT_EPILOGUE_BGRADA | CUBLASLT_EPILOGUE_BGRADB) && p.op.bias == nullptr;
  return alpha != nullptr && (beta != nullptr || !needs_beta) && args.d != nullptr && !needs_bias &&
         !(p.has(lt_aux) && p.op.aux == nullptr) && (args.c != args.d || p.c == p.d);
}

}  // namespace

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t description, void const* alpha,
                              void const* a, cublasLtMatrixLayout_t a_layout, void const* b,
                              cublasLtMatrixLayout_t b_layout, void const* beta, void const* c,
                              cublasLtMatrixLayout_t c_layout, void* d, cublasLtMatrixLayout_t d_layout,
                              cublasLtMatmulAlgo_t const* algo, void*, std::size_t, cudaStream_t stream) {
  if (!lt_handle_exists(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  lt_product p;
  if (cublasStatus_t const status = lt_check(description, a_layout, b_layout, c_layout, d_layout, p)) return status;
  lt_algo chosen;
  if (algo != nullptr && !lt_get(algo, chosen)) return CUBLAS_STATUS_INVALID_VALUE;
  lt_arguments args = {a, b, c, d, 1, 0, nullptr, nullptr};
  if (!pointers_are_valid(p, alpha, beta, args)) return CUBLAS_STATUS_INVALID_VALUE;
  if (p.m == 0 || p.n == 0) return CUBLAS_STATUS_SUCCESS;
  bool const of_device = p.op.pointer_mode == CUBLASLT_POINTER_MODE_DEVICE;
  if (p.op.pointer_mode >= CUBLASLT_POINTER_MODE_DEVICE_VECTOR) args.alphas = alpha;
  if (p.op.pointer_mode == CUBLASLT_POINTER_MODE_DEVICE_VECTOR) args.betas = beta;
  bool const has_beta =
      args.betas == nullptr && p.op.pointer_mode != CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO;
  constexpr char const* reason =
      "CUBLASLT_MATMUL_DESC_POINTER_MODE says that it is the host's; set the attribute, or give a variable of the host";
  scalar_reader of_alpha = [](double&) { return true; }, of_beta = of_alpha;
  if (args.alphas == nullptr) of_alpha = reader_of_scalar(function, p.scalar_kind, "alpha", alpha, of_device, reason);
  if (has_beta) of_beta = reader_of_scalar(function, p.scalar_kind, "beta", beta, of_device, reason);
  if (!of_alpha || !of_beta) return CUBLAS_STATUS_EXECUTION_FAILED;
  return cublas_status_of(library_enqueue(function, stream, [=](library_task& task) {
    lt_arguments known = args;
    if (!of_alpha(known.alpha) || !of_beta(known.beta)) return false;
    make(task, p, known);
    return true;
  }));
}
