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
#define COSMATI_AT_(attribute, member) \
  { CUBLASLT_MATRIX_LAYOUT_##attribute, offsetof(lt_layout, member), sizeof(lt_layout::member) }
constexpr place places_of_layout[] = {
    COSMATI_AT_(TYPE, type),
    COSMATI_AT_(ORDER, order),
    COSMATI_AT_(ROWS, rows),
    COSMATI_AT_(COLS, columns),
    COSMATI_AT_(LD, leading),
    COSMATI_AT_(BATCH_COUNT, batches),
    COSMATI_AT_(STRIDED_BATCH_OFFSET, stride),
    COSMATI_AT_(PLANE_OFFSET, plane),
    COSMATI_AT_(BATCH_MODE, batch_mode),
};
#undef COSMATI_AT_
#define COSMATI_AT_(attribute, member) \
  { CUBLASLT_MATMUL_DESC_##attribute, offsetof(lt_matmul, member), sizeof(lt_matmul::member) }
constexpr place places_of_matmul[] = {
    COSMATI_AT_(COMPUTE_TYPE, compute),
    COSMATI_AT_(SCALE_TYPE, scale),
    COSMATI_AT_(POINTER_MODE, pointer_mode),
    COSMATI_AT_(TRANSA, transa),
    COSMATI_AT_(TRANSB, transb),
    COSMATI_AT_(TRANSC, transc),
    COSMATI_AT_(FILL_MODE, fill),
    COSMATI_AT_(EPILOGUE, epilogue),
    COSMATI_AT_(BIAS_POINTER, bias),
    COSMATI_AT_(BIAS_BATCH_STRIDE, bias_stride),
    COSMATI_AT_(EPILOGUE_AUX_POINTER, aux),
    COSMATI_AT_(EPILOGUE_AUX_LD, aux_leading),
    COSMATI_AT_(EPILOGUE_AUX_BATCH_STRIDE, aux_stride),
    COSMATI_AT_(ALPHA_VECTOR_BATCH_STRIDE, alpha_stride),
    COSMATI_AT_(SM_COUNT_TARGET, multiprocessors),
    COSMATI_AT_(A_SCALE_POINTER, scale_a),
    COSMATI_AT_(B_SCALE_POINTER, scale_b),
    COSMATI_AT_(C_SCALE_POINTER, scale_c),
    COSMATI_AT_(D_SCALE_POINTER, scale_d),
    COSMATI_AT_(AMAX_D_POINTER, largest_d),
    COSMATI_AT_(EPILOGUE_AUX_DATA_TYPE, aux_type),
    COSMATI_AT_(EPILOGUE_AUX_SCALE_POINTER, aux_scale),
    COSMATI_AT_(EPILOGUE_AUX_AMAX_POINTER, aux_largest),
    COSMATI_AT_(FAST_ACCUM, fast_sums),
    COSMATI_AT_(BIAS_DATA_TYPE, bias_type),
    COSMATI_AT_(A_SCALE_MODE, mode_a),
    COSMATI_AT_(B_SCALE_MODE, mode_b),
    COSMATI_AT_(C_SCALE_MODE, mode_c),
    COSMATI_AT_(D_SCALE_MODE, mode_d),
    COSMATI_AT_(EPILOGUE_AUX_SCALE_MODE, aux_mode),
    COSMATI_AT_(D_OUT_SCALE_POINTER, out_scale),
    COSMATI_AT_(D_OUT_SCALE_MODE, out_mode),
    COSMATI_AT_(EMULATION_DESCRIPTOR, emulation),
};
#undef COSMATI_AT_
#define COSMATI_AT_(attribute, member) \
  { CUBLASLT_MATMUL_PREF_##attribute, offsetof(lt_preference, member), sizeof(lt_preference::member) }
constexpr place places_of_preference[] = {
    COSMATI_AT_(SEARCH_MODE, search),
    COSMATI_AT_(MAX_WORKSPACE_BYTES, workspace),
    COSMATI_AT_(REDUCTION_SCHEME_MASK, reductions),
    COSMATI_AT_(MIN_ALIGNMENT_A_BYTES, align_a),
    COSMATI_AT_(MIN_ALIGNMENT_B_BYTES, align_b),
    COSMATI_AT_(MIN_ALIGNMENT_C_BYTES, align_c),
    COSMATI_AT_(MIN_ALIGNMENT_D_BYTES, align_d),
    COSMATI_AT_(MAX_WAVES_COUNT, waves),
    COSMATI_AT_(IMPL_MASK, implementations),
};
#undef COSMATI_AT_
#define COSMATI_AT_(attribute, member) \
  { CUBLASLT_MATRIX_TRANSFORM_DESC_##attribute, offsetof(lt_transform, member), sizeof(lt_transform::member) }
constexpr place places_of_transform[] = {
    COSMATI_AT_(SCALE_TYPE, scale),
    COSMATI_AT_(POINTER_MODE, pointer_mode),
    COSMATI_AT_(TRANSA, transa),
    COSMATI_AT_(TRANSB, transb),
};
#undef COSMATI_AT_
#define COSMATI_AT_(attribute, member) \
  { CUBLASLT_ALGO_CONFIG_##attribute, offsetof(lt_algo, member), sizeof(lt_algo::member) }
constexpr place places_of_algo[] = {
    COSMATI_AT_(ID, id),
    COSMATI_AT_(TILE_ID, tile),
    COSMATI_AT_(SPLITK_NUM, splits),
    COSMATI_AT_(REDUCTION_SCHEME, reduction),
    COSMATI_AT_(CTA_SWIZZLING, swizzling),
    COSMATI_AT_(CUSTOM_OPTION, option),
    COSMATI_AT_(STAGES_ID, stages),
    COSMATI_AT_(INNER_SHAPE_ID, inner_shape),
    COSMATI_AT_(CLUSTER_SHAPE_ID, cluster_shape),
};
#undef COSMATI_AT_

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
