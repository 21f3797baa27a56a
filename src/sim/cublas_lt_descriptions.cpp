// SPDX-License-Identifier: Apache-2.0
// cuBLASLt's descriptions: they are made and destroyed, and their attributes set and got.
#include "cublas_lt_descriptions.hpp"

#include <cstddef>

#include "live_objects.hpp"

using namespace cosmati_sim;

namespace {

/// Where an attribute lies in a description.
struct place {
  int attribute;
  std::size_t offset, bytes;
};
#define COSMATI_PLACE_(type, attribute, member) \
  { attribute, offsetof(type, member), sizeof(type::member) }
constexpr place places_of_layout[] = {
    COSMATI_PLACE_(lt_layout, CUBLASLT_MATRIX_LAYOUT_TYPE, type),
    COSMATI_PLACE_(lt_layout, CUBLASLT_MATRIX_LAYOUT_ORDER, order),
    COSMATI_PLACE_(lt_layout, CUBLASLT_MATRIX_LAYOUT_ROWS, rows),
    COSMATI_PLACE_(lt_layout, CUBLASLT_MATRIX_LAYOUT_COLS, columns),
    COSMATI_PLACE_(lt_layout, CUBLASLT_MATRIX_LAYOUT_LD, leading),
    COSMATI_PLACE_(lt_layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, batches),
    COSMATI_PLACE_(lt_layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, stride),
    COSMATI_PLACE_(lt_layout, CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET, plane),
    COSMATI_PLACE_(lt_layout, CUBLASLT_MATRIX_LAYOUT_BATCH_MODE, batch_mode),
};
constexpr place places_of_matmul[] = {
    COSMATI_PLACE_(lt_matmul, CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, compute),
    COSMATI_PLACE_(lt_matmul, CUBLASLT_MATMUL_DESC_SCALE_TYPE, scale),
    COSMATI_PLACE_(lt_matmul, CUBLASLT_MATMUL_DESC_POINTER_MODE, pointer_mode),
    COSMATI_PLACE_(lt_matmul, CUBLASLT_MATMUL_DESC_TRANSA, transa),
    COSMATI_PLACE_(lt_matmul, CUBLASLT_MATMUL_DESC_TRANSB, transb),
    COSMATI_PLACE_(lt_matmul, CUBLASLT_MATMUL_DESC_TRANSC, transc),
    COSMATI_PLACE_(lt_matmul, CUBLASLT_MATMUL_DESC_FILL_MODE, fill),
    COSMATI_PLACE_(lt_matmul, CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue),
    COSMATI_PLACE_(lt_matmul, CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias),
    COSMATI_PLACE_(lt_matmul, CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, bias_stride),
    COSMATI_PLACE_(lt_matmul, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, aux),
    COSMATI_PLACE_(lt_matmul, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, aux_leading),
    COSMATI_PLACE_(lt_matmul, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, aux_stride),
    COSMATI_PLACE_(lt_matmul, CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE, alpha_stride),
    COSMATI_PLACE_(lt_matmul, CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET, multiprocessors),
    COSMATI_PLACE_(lt_matmul, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, scale_a),
    COSMATI_PLACE_(lt_matmul, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, scale_b),
    COSMATI_PLACE_(lt_matmul, CUBLASLT_MATMUL_DESC_C_SCALE_POINTER, scale_c),
    COSMATI_PLACE_(lt_matmul, CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, scale_d),
    COSMATI_PLACE_(lt_matmul, CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, largest_d),
    COSMATI_PLACE_(lt_matmul, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, aux_type),
    COSMATI_PLACE_(lt_matmul, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER, aux_scale),
    COSMATI_PLACE_(lt_matmul, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER, aux_largest),
    COSMATI_PLACE_(lt_matmul, CUBLASLT_MATMUL_DESC_FAST_ACCUM, fast_sums),
    COSMATI_PLACE_(lt_matmul, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, bias_type),
    COSMATI_PLACE_(lt_matmul, CUBLASLT_MATMUL_DESC_A_SCALE_MODE, mode_a),
    COSMATI_PLACE_(lt_matmul, CUBLASLT_MATMUL_DESC_B_SCALE_MODE, mode_b),
    COSMATI_PLACE_(lt_matmul, CUBLASLT_MATMUL_DESC_C_SCALE_MODE, mode_c),
    COSMATI_PLACE_(lt_matmul, CUBLASLT_MATMUL_DESC_D_SCALE_MODE, mode_d),
    COSMATI_PLACE_(lt_matmul, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_MODE, aux_mode),
    COSMATI_PLACE_(lt_matmul, CUBLASLT_MATMUL_DESC_D_OUT_SCALE_POINTER, out_scale),
    COSMATI_PLACE_(lt_matmul, CUBLASLT_MATMUL_DESC_D_OUT_SCALE_MODE, out_mode),
    COSMATI_PLACE_(lt_matmul, CUBLASLT_MATMUL_DESC_EMULATION_DESCRIPTOR, emulation),
};
constexpr place places_of_preference[] = {
    COSMATI_PLACE_(lt_preference, CUBLASLT_MATMUL_PREF_SEARCH_MODE, search),
    COSMATI_PLACE_(lt_preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, workspace),
    COSMATI_PLACE_(lt_preference, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, reductions),
    COSMATI_PLACE_(lt_preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, align_a),
    COSMATI_PLACE_(lt_preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, align_b),
    COSMATI_PLACE_(lt_preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, align_c),
    COSMATI_PLACE_(lt_preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, align_d),
    COSMATI_PLACE_(lt_preference, CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT, waves),
    COSMATI_PLACE_(lt_preference, CUBLASLT_MATMUL_PREF_IMPL_MASK, implementations),
};
constexpr place places_of_transform[] = {
    COSMATI_PLACE_(lt_transform, CUBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE, scale),
    COSMATI_PLACE_(lt_transform, CUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE, pointer_mode),
    COSMATI_PLACE_(lt_transform, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, transa),
    COSMATI_PLACE_(lt_transform, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB, transb),
};
constexpr place places_of_algo[] = {
    COSMATI_PLACE_(lt_algo, CUBLASLT_ALGO_CONFIG_ID, id),
    COSMATI_PLACE_(lt_algo, CUBLASLT_ALGO_CONFIG_TILE_ID, tile),
    COSMATI_PLACE_(lt_algo, CUBLASLT_ALGO_CONFIG_SPLITK_NUM, splits),
    COSMATI_PLACE_(lt_algo, CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME, reduction),
    COSMATI_PLACE_(lt_algo, CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING, swizzling),
    COSMATI_PLACE_(lt_algo, CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION, option),
    COSMATI_PLACE_(lt_algo, CUBLASLT_ALGO_CONFIG_STAGES_ID, stages),
    COSMATI_PLACE_(lt_algo, CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID, inner_shape),
    COSMATI_PLACE_(lt_algo, CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID, cluster_shape),
};
#undef COSMATI_PLACE_

template <std::size_t n>
place const* find(place const (&places)[n], int attribute) {
  for (place const& p : places) {
    if (p.attribute == attribute) return &p;
  }
  return nullptr;
}

template <class T, class Opaque, std::size_t n>
cublasStatus_t set(place const (&places)[n], Opaque* description, int attribute, void const* buffer,
                   std::size_t bytes) {
  T held;
  place const* const p = find(places, attribute);
  if (!lt_get(description, held) || p == nullptr || buffer == nullptr || bytes != p->bytes)
    return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(reinterpret_cast<char*>(description->data) + p->offset, buffer, bytes);
  return CUBLAS_STATUS_SUCCESS;
}
/// With no bytes, tells how many there are.
template <class T, class Opaque, std::size_t n>
cublasStatus_t get(place const (&places)[n], Opaque const* description, int attribute, void* buffer, std::size_t bytes,
                   std::size_t* written) {
  T held;
  place const* const p = find(places, attribute);
  if (!lt_get(description, held) || p == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (bytes == 0 ? written == nullptr : buffer == nullptr || bytes != p->bytes) return CUBLAS_STATUS_INVALID_VALUE;
  if (written != nullptr) *written = p->bytes;
  if (bytes != 0) std::memcpy(buffer, reinterpret_cast<char const*>(description->data) + p->offset, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

template <class T, class Opaque>
cublasStatus_t initialise(Opaque* description, std::size_t bytes, T value) {
  if (description == nullptr || bytes < sizeof(Opaque)) return CUBLAS_STATUS_INVALID_VALUE;
  value.is_made = T::mark;
  *description = {};
  lt_write(*description, value);
  return CUBLAS_STATUS_SUCCESS;
}
template <class T, class Opaque>
cublasStatus_t create(Opaque** description, T const& value) {
  if (description == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *description = live_objects<Opaque>::all().add(std::make_unique<Opaque>());
  return initialise(*description, sizeof(Opaque), value);
}
/// A null pointer is no error, as in CUDA.
template <class Opaque>
cublasStatus_t destroy(Opaque* description) {
  bool const is_right = description == nullptr || live_objects<Opaque>::all().take(description) != nullptr;
  return is_right ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

lt_layout layout_of(cudaDataType type, std::uint64_t rows, std::uint64_t columns, std::int64_t leading) {
  lt_layout out;
  out.type = static_cast<std::uint32_t>(type);
  out.rows = rows;
  out.columns = columns;
  out.leading = leading;
  return out;
}
lt_matmul matmul_of(cublasComputeType_t compute, cudaDataType scale) {
  lt_matmul out;
  out.compute = compute;
  out.scale = scale;
  return out;
}
lt_transform transform_of(cudaDataType scale) {
  lt_transform out;
  out.scale = scale;
  return out;
}

}  // namespace

#define COSMATI_ATTRIBUTES_(name, type, attributes, held, places)                                          \
  cublasStatus_t name##Destroy(type d) { return destroy(d); }                                              \
  cublasStatus_t name##SetAttribute(type d, attributes attribute, void const* buffer, std::size_t bytes) { \
    return set<held>(places, d, attribute, buffer, bytes);                                                 \
  }                                                                                                        \
  cublasStatus_t name##GetAttribute(type d, attributes attribute, void* buffer, std::size_t bytes,         \
                                    std::size_t* written) {                                                \
    return get<held>(places, d, attribute, buffer, bytes, written);                                        \
  }
COSMATI_ATTRIBUTES_(cublasLtMatrixLayout, cublasLtMatrixLayout_t, cublasLtMatrixLayoutAttribute_t, lt_layout,
                    places_of_layout)
COSMATI_ATTRIBUTES_(cublasLtMatmulDesc, cublasLtMatmulDesc_t, cublasLtMatmulDescAttributes_t, lt_matmul,
                    places_of_matmul)
COSMATI_ATTRIBUTES_(cublasLtMatmulPreference, cublasLtMatmulPreference_t, cublasLtMatmulPreferenceAttributes_t,
                    lt_preference, places_of_preference)
COSMATI_ATTRIBUTES_(cublasLtMatrixTransformDesc, cublasLtMatrixTransformDesc_t, cublasLtMatrixTransformDescAttributes_t,
                    lt_transform, places_of_transform)
#undef COSMATI_ATTRIBUTES_

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type, std::uint64_t rows,
                                          std::uint64_t columns, std::int64_t leading) {
  return create(layout, layout_of(type, rows, columns, leading));
}
cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t layout, std::size_t bytes, cudaDataType type,
                                                 std::uint64_t rows, std::uint64_t columns, std::int64_t leading) {
  return initialise(layout, bytes, layout_of(type, rows, columns, leading));
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* d, cublasComputeType_t compute, cudaDataType scale) {
  return create(d, matmul_of(compute, scale));
}
cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t d, std::size_t bytes, cublasComputeType_t compute,
                                               cudaDataType scale) {
  return initialise(d, bytes, matmul_of(compute, scale));
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
  return create(preference, lt_preference{});
}
cublasStatus_t cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t preference, std::size_t bytes) {
  return initialise(preference, bytes, lt_preference{});
}
cublasStatus_t cublasLtMatrixTransformDescCreate(cublasLtMatrixTransformDesc_t* d, cudaDataType scale) {
  return create(d, transform_of(scale));
}
cublasStatus_t cublasLtMatrixTransformDescInit_internal(cublasLtMatrixTransformDesc_t d, std::size_t bytes,
                                                        cudaDataType scale) {
  return initialise(d, bytes, transform_of(scale));
}
cublasStatus_t cublasLtMatmulAlgoConfigSetAttribute(cublasLtMatmulAlgo_t* algo,
                                                    cublasLtMatmulAlgoConfigAttributes_t attribute, void const* buffer,
                                                    std::size_t bytes) {
  return set<lt_algo>(places_of_algo, algo, attribute, buffer, bytes);
}
cublasStatus_t cublasLtMatmulAlgoConfigGetAttribute(cublasLtMatmulAlgo_t const* algo,
                                                    cublasLtMatmulAlgoConfigAttributes_t attribute, void* buffer,
                                                    std::size_t bytes, std::size_t* written) {
  return get<lt_algo>(places_of_algo, algo, attribute, buffer, bytes, written);
}
