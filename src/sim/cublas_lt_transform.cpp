// SPDX-License-Identifier: Apache-2.0
// cublasLtMatrixTransform: the sum of two matrices, whose types and orders may differ.
#include <cstdint>
#include <optional>

#include "cublas_gemm.hpp"
#include "cublas_lt_product.hpp"
#include "matrix_elements.hpp"

using namespace cosmati_sim;

namespace {

constexpr char const* function = "cublasLtMatrixTransform";

/// A matrix of the call. A summand is transposed, or not.
struct summand {
  char const* name;
  void const* at;
  lt_layout layout;
  element_kind kind;
  bool is_transposed;
  double by = 0;

  std::size_t place(std::size_t batch, std::size_t i, std::size_t j) const {
    return batch * static_cast<std::size_t>(layout.stride) +
           (is_transposed ? lt_offset(layout, j, i) : lt_offset(layout, i, j));
  }
  void add_to(library_task& task, bool writes) const {
    lt_add(task, name, at, layout, bytes_of(kind), !writes, writes);
  }
};

/// The status of a matrix whose layout the program gives.
cublasStatus_t find(summand& out, cublasLtMatrixLayout_t layout) {
  if (!lt_get(layout, out.layout)) return CUBLAS_STATUS_INVALID_VALUE;
  std::optional<element_kind> const kind = element_kind_of(static_cast<cudaDataType>(out.layout.type));
  bool const has_order = out.layout.order == CUBLASLT_ORDER_COL || out.layout.order == CUBLASLT_ORDER_ROW;
  if (!kind || !has_order) return CUBLAS_STATUS_NOT_SUPPORTED;
  out.kind = *kind;
  return lt_layout_is_valid(out.layout) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}
bool fits(summand const& s, lt_layout const& c) {
  return (s.is_transposed ? s.layout.columns : s.layout.rows) == c.rows &&
         (s.is_transposed ? s.layout.rows : s.layout.columns) == c.columns && s.layout.batches == c.batches;
}

void compute(summand const& a, summand const& b, summand const& c) {
  for (std::size_t batch = 0; batch < static_cast<std::size_t>(c.layout.batches); ++batch) {
    for (std::size_t j = 0; j < c.layout.columns; ++j) {
      for (std::size_t i = 0; i < c.layout.rows; ++i) {
        double sum = 0;
        if (a.by != 0) sum = a.by * load_element(a.kind, a.at, a.place(batch, i, j));
        if (b.by != 0) sum += b.by * load_element(b.kind, b.at, b.place(batch, i, j));
        store_element(c.kind, const_cast<void*>(c.at), c.place(batch, i, j), sum);
      }
    }
  }
}

}  // namespace

cublasStatus_t cublasLtMatrixTransform(cublasLtHandle_t handle, cublasLtMatrixTransformDesc_t description,
                                       void const* alpha, void const* a, cublasLtMatrixLayout_t a_layout,
                                       void const* beta, void const* b, cublasLtMatrixLayout_t b_layout, void* c,
                                       cublasLtMatrixLayout_t c_layout, cudaStream_t stream) {
  if (!lt_handle_exists(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  lt_transform op;
  if (!lt_get(description, op) || alpha == nullptr || c == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  summand of_a = {"A", a, {}, {}, op.transa != CUBLAS_OP_N}, of_b = {"B", b, {}, {}, op.transb != CUBLAS_OP_N},
          of_c = {"C", c, {}, {}, false};
  bool const has_b = b != nullptr && b_layout != nullptr && beta != nullptr;
  if (cublasStatus_t const status = find(of_a, a_layout)) return status;
  if (cublasStatus_t const status = has_b ? find(of_b, b_layout) : CUBLAS_STATUS_SUCCESS) return status;
  if (cublasStatus_t const status = find(of_c, c_layout)) return status;
  if (!fits(of_a, of_c.layout) || (has_b && !fits(of_b, of_c.layout))) return CUBLAS_STATUS_INVALID_VALUE;
  std::optional<element_kind> const scale = element_kind_of(static_cast<cudaDataType>(op.scale));
  if (!scale || op.pointer_mode > CUBLASLT_POINTER_MODE_DEVICE) return CUBLAS_STATUS_NOT_SUPPORTED;
  bool const of_device = op.pointer_mode == CUBLASLT_POINTER_MODE_DEVICE;
  constexpr char const* reason =
      "CUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE says that it is the host's; set the attribute, or give a variable "
      "of the host";
  scalar_reader const first = reader_of_scalar(function, *scale, "alpha", alpha, of_device, reason);
  scalar_reader second = [](double&) { return true; };
  if (has_b) second = reader_of_scalar(function, *scale, "beta", beta, of_device, reason);
  if (!first || !second) return CUBLAS_STATUS_EXECUTION_FAILED;
  return cublas_status_of(library_enqueue(function, stream, [=](library_task& task) {
    summand one = of_a, other = of_b;
    if (!first(one.by) || !second(other.by)) return false;
    if (one.by != 0) one.add_to(task, false);
    if (other.by != 0) other.add_to(task, false);
    of_c.add_to(task, true);
    task.compute = [=] { compute(one, other, of_c); };
    return true;
  }));
}
