// SPDX-License-Identifier: Apache-2.0
#include "cublas_lt_product.hpp"

#include <algorithm>
#include <optional>

#include "cublas_gemm.hpp"
#include "cuda_state.hpp"

namespace cosmati_sim {
namespace {

cudaDataType type_of(lt_layout const& l) { return static_cast<cudaDataType>(l.type); }
bool is_transposed(std::int32_t operation) { return operation != CUBLAS_OP_N; }
bool is_col_or_row(lt_layout const& l) { return l.order == CUBLASLT_ORDER_COL || l.order == CUBLASLT_ORDER_ROW; }

/// Sets the sizes. @return whether those of the four matrices go together
bool find_sizes(lt_product& p) {
  p.m = p.d.rows;
  p.n = p.d.columns;
  bool const ta = is_transposed(p.op.transa), tb = is_transposed(p.op.transb);
  p.k = ta ? p.a.rows : p.a.columns;
  p.batches = static_cast<std::size_t>(p.d.batches);
  return (ta ? p.a.columns : p.a.rows) == p.m && (tb ? p.b.columns : p.b.rows) == p.k &&
         (tb ? p.b.rows : p.b.columns) == p.n && p.c.rows == p.m && p.c.columns == p.n && p.a.batches == p.d.batches &&
         p.b.batches == p.d.batches && p.c.batches == p.d.batches;
}

/// The types of fp8 products in the documentation of cublasLtMatmul.
bool has_fp8_types(lt_product const& p) {
  bool const has_e5m2 = p.a_kind == element_kind::e5m2 || p.b_kind == element_kind::e5m2;
  bool const is_wide = p.d_kind == p.c_kind;
  bool const is_narrow =
      p.c_kind != element_kind::f32 && (p.d_kind == element_kind::e4m3 || (has_e5m2 && p.d_kind == element_kind::e5m2));
  return p.op.compute == CUBLAS_COMPUTE_32F && p.op.scale == CUDA_R_32F && is_fp8(p.b_kind) &&
         !(p.a_kind == element_kind::e5m2 && p.b_kind == element_kind::e5m2) &&
         (p.c_kind == element_kind::f16 || p.c_kind == element_kind::bf16 || p.c_kind == element_kind::f32) &&
         (is_wide || is_narrow);
}

/// Sets the types. @return whether cuBLASLt has the combination
bool find_types(lt_product& p) {
  std::optional<element_kind> const kinds[] = {element_kind_of(type_of(p.a)), element_kind_of(type_of(p.b)),
                                               element_kind_of(type_of(p.c)), element_kind_of(type_of(p.d)),
                                               element_kind_of(static_cast<cudaDataType>(p.op.scale))};
  for (auto const& kind : kinds) {
    if (!kind) return false;
  }
  p.a_kind = *kinds[0], p.b_kind = *kinds[1], p.c_kind = *kinds[2], p.d_kind = *kinds[3], p.scalar_kind = *kinds[4];
  p.sums = sum_kind::f32;
  if (is_fp8(p.a_kind)) return has_fp8_types(p);
  auto const compute = without_pedantic(static_cast<cublasComputeType_t>(p.op.compute));
  bool const is_bytes = p.a_kind == element_kind::i8 && p.b_kind == element_kind::i8 && p.c_kind == element_kind::i8 &&
                        compute == CUBLAS_COMPUTE_32I;
  if (is_bytes) {
    p.sums = sum_kind::i32;
    return p.d_kind == element_kind::i8 && p.scalar_kind == element_kind::f32;
  }
  std::optional<gemm_types> const types = gemm_types_of(type_of(p.a), type_of(p.b), type_of(p.c), compute);
  if (!types || p.d_kind != p.c_kind || types->scalars != p.scalar_kind) return false;
  p.sums = types->sums;
  return true;
}

/// Products of bytes are TN on tensor cores, and their matrices are aligned.
bool has_layouts_of_bytes(lt_product const& p) {
  bool const fp8 = is_fp8(p.a_kind), ints = p.sums == sum_kind::i32;
  if (!fp8 && !ints) return true;
  bool const is_tn = is_transposed(p.op.transa) && !is_transposed(p.op.transb) && p.a.order == CUBLASLT_ORDER_COL &&
                     p.b.order == CUBLASLT_ORDER_COL;
  std::size_t const unit = fp8 ? 16 : 4;
  auto const fits = [&](std::size_t size) { return size % unit == 0; };
  bool const any_order = fp8 && cuda_properties().major >= 10;
  return (is_tn || any_order) && fits(p.k) && fits(p.m * bytes_of(p.d_kind)) &&
         fits(static_cast<std::size_t>(p.a.leading)) && fits(static_cast<std::size_t>(p.b.leading)) &&
         fits(static_cast<std::size_t>(p.c.leading) * bytes_of(p.c_kind)) &&
         fits(static_cast<std::size_t>(p.d.leading) * bytes_of(p.d_kind));
}

bool is_known(std::uint32_t epilogue) {
  constexpr int known[] = {CUBLASLT_EPILOGUE_DEFAULT,  CUBLASLT_EPILOGUE_RELU,        CUBLASLT_EPILOGUE_RELU_AUX,
                           CUBLASLT_EPILOGUE_BIAS,     CUBLASLT_EPILOGUE_RELU_BIAS,   CUBLASLT_EPILOGUE_RELU_AUX_BIAS,
                           CUBLASLT_EPILOGUE_DRELU,    CUBLASLT_EPILOGUE_DRELU_BGRAD, CUBLASLT_EPILOGUE_GELU,
                           CUBLASLT_EPILOGUE_GELU_AUX, CUBLASLT_EPILOGUE_GELU_BIAS,   CUBLASLT_EPILOGUE_GELU_AUX_BIAS,
                           CUBLASLT_EPILOGUE_DGELU,    CUBLASLT_EPILOGUE_DGELU_BGRAD, CUBLASLT_EPILOGUE_BGRADA,
                           CUBLASLT_EPILOGUE_BGRADB};
  return std::find(std::begin(known), std::end(known), static_cast<int>(epilogue)) != std::end(known);
}

/// The type of a vector or matrix beside the product. @param type of the attribute, -1 if it was not set
bool find_kind(std::int32_t type, element_kind standard, lt_product const& p, element_kind& out) {
  out = standard;
  if (type == -1) return true;
  std::optional<element_kind> const kind = element_kind_of(static_cast<cudaDataType>(type));
  if (!kind) return false;
  out = *kind;
  return out == standard || out == p.d_kind || out == p.scalar_kind || (is_fp8(p.a_kind) && bytes_of(out) == 2);
}
bool find_epilogue_types(lt_product& p) {
  element_kind bias = p.d_kind;
  if (p.sums == sum_kind::i32) bias = p.scalar_kind;
  if (is_fp8(p.a_kind) && bytes_of(p.d_kind) != 2) bias = p.c_kind == element_kind::f16 ? p.c_kind : element_kind::bf16;
  bool const is_plain = p.op.epilogue == CUBLASLT_EPILOGUE_DEFAULT || p.op.epilogue == CUBLASLT_EPILOGUE_RELU;
  return find_kind(p.op.bias_type, bias, p, p.bias_kind) && find_kind(p.op.aux_type, p.d_kind, p, p.aux_kind) &&
         (p.scalar_kind != element_kind::i32 || is_plain);
}

/// Whether the auxiliary matrix has a leading dimension that the epilogue can have.
bool aux_is_valid(lt_product const& p) {
  if (!p.has(lt_aux)) return true;
  int const unit = p.has(lt_relu | lt_relu_gradient) ? 128 : 8;
  return p.op.aux_leading >= static_cast<std::int64_t>(p.m) && p.op.aux_leading % unit == 0 &&
         p.op.aux_stride % unit == 0;
}
/// Whether only fp8 matrices have scales.
bool scales_are_valid(lt_product const& p) {
  return (p.op.scale_a == nullptr || is_fp8(p.a_kind)) && (p.op.scale_b == nullptr || is_fp8(p.b_kind)) &&
         (p.op.scale_c == nullptr || is_fp8(p.c_kind)) && (p.op.scale_d == nullptr || is_fp8(p.d_kind)) &&
         (p.op.largest_d == nullptr || is_fp8(p.a_kind)) &&
         (p.op.aux_scale == nullptr || (p.has(lt_aux) && is_fp8(p.aux_kind)));
}
bool has_modes(lt_product const& p) {
  auto const is_simple = [](std::int32_t mode) {
    return mode == CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F || mode == CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F;
  };
  return is_simple(p.op.mode_a) && is_simple(p.op.mode_b) && p.op.mode_c == 0 && p.op.mode_d == 0 &&
         p.op.aux_mode == 0 && (p.op.aux_scale == nullptr || !p.has(lt_gelu_gradient)) && p.op.out_scale == nullptr &&
         p.op.aux_largest == nullptr && p.op.transc == CUBLAS_OP_N && p.op.fill == CUBLAS_FILL_MODE_FULL &&
         p.c.order == p.d.order;
}

}  // namespace

bool lt_layout_is_valid(lt_layout const& l) {
  std::uint64_t const line = l.order == CUBLASLT_ORDER_ROW ? l.columns : l.rows;
  return l.batches >= 1 && l.leading >= static_cast<std::int64_t>(std::max<std::uint64_t>(1, line));
}

// Those that follow one another are one matrix with more columns.
void lt_add(library_task& task, char const* name, void const* at, lt_layout const& l, std::size_t element, bool reads,
            bool writes) {
  bool const by_rows = l.order == CUBLASLT_ORDER_ROW;
  std::size_t const rows = by_rows ? l.columns : l.rows, columns = by_rows ? l.rows : l.columns;
  auto const leading = static_cast<std::size_t>(l.leading), batches = static_cast<std::size_t>(l.batches);
  bool const is_dense = l.stride == static_cast<std::int64_t>(leading * columns);
  std::size_t const pieces = l.stride == 0 || is_dense ? 1 : batches;
  for (std::size_t i = 0; i < pieces; ++i) {
    auto const offset = static_cast<std::ptrdiff_t>(l.stride) * static_cast<std::ptrdiff_t>(i * element);
    task.operands.push_back({name, static_cast<char const*>(at) + offset, element, rows,
                             is_dense ? columns * batches : columns, leading, reads, writes});
  }
}

cublasStatus_t lt_check(cublasLtMatmulDesc_t description, cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                        cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d, lt_product& out) {
  lt_product p;
  if (!lt_get(description, p.op) || !lt_get(a, p.a) || !lt_get(b, p.b) || !lt_get(c, p.c) || !lt_get(d, p.d))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (!is_operation(static_cast<cublasOperation_t>(p.op.transa)) ||
      !is_operation(static_cast<cublasOperation_t>(p.op.transb)) || !is_known(p.op.epilogue) ||
      p.op.pointer_mode < CUBLASLT_POINTER_MODE_HOST ||
      p.op.pointer_mode > CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST)
    return CUBLAS_STATUS_INVALID_VALUE;
  for (lt_layout const* const l : {&p.a, &p.b, &p.c, &p.d}) {
    if (!is_col_or_row(*l) || l->batch_mode != CUBLASLT_BATCH_MODE_STRIDED) return CUBLAS_STATUS_NOT_SUPPORTED;
    if (!lt_layout_is_valid(*l)) return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (!find_sizes(p)) return CUBLAS_STATUS_INVALID_VALUE;
  if (!find_types(p) || !find_epilogue_types(p) || !has_modes(p)) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (!aux_is_valid(p) || !scales_are_valid(p)) return CUBLAS_STATUS_INVALID_VALUE;
  if (!has_layouts_of_bytes(p)) return CUBLAS_STATUS_NOT_SUPPORTED;
  out = p;
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace cosmati_sim
