// SPDX-License-Identifier: Apache-2.0
// cuBLASLt's handles, and its choice of an algorithm: there is one.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>

#include "cublas_handle.hpp"
#include "cublas_lt_product.hpp"
#include "cuda_state.hpp"
#include "live_objects.hpp"

struct cublasLtContext {};

namespace cosmati_sim {

bool lt_handle_exists(cublasLtHandle_t handle) {
  return live_objects<cublasLtContext>::all().has(handle) ||
         cublas_handle_exists(reinterpret_cast<cublasHandle_t>(handle));
}

}  // namespace cosmati_sim

using namespace cosmati_sim;

namespace {

cublasLtMatmulHeuristicResult_t result_of_search(cublasStatus_t status) {
  cublasLtMatmulHeuristicResult_t out = {};
  lt_algo algo;
  algo.is_made = lt_algo::mark;
  lt_write(out.algo, algo);
  out.state = status;
  out.wavesCount = 1;
  return out;
}

struct capability {
  cublasLtMatmulAlgoCapAttributes_t attribute;
  std::size_t bytes;
  std::uint64_t value;  // its first bytes are the attribute
};
constexpr capability capabilities[] = {
    {CUBLASLT_ALGO_CAP_SPLITK_SUPPORT, 4, 0},
    {CUBLASLT_ALGO_CAP_REDUCTION_SCHEME_MASK, 4, CUBLASLT_REDUCTION_SCHEME_MASK},
    {CUBLASLT_ALGO_CAP_CTA_SWIZZLING_SUPPORT, 4, 0},
    {CUBLASLT_ALGO_CAP_STRIDED_BATCH_SUPPORT, 4, 1},
    {CUBLASLT_ALGO_CAP_OUT_OF_PLACE_RESULT_SUPPORT, 4, 1},
    {CUBLASLT_ALGO_CAP_UPLO_SUPPORT, 4, 0},
    {CUBLASLT_ALGO_CAP_TILE_IDS, 4, CUBLASLT_MATMUL_TILE_UNDEFINED},
    {CUBLASLT_ALGO_CAP_CUSTOM_OPTION_MAX, 4, 0},
    {CUBLASLT_ALGO_CAP_CUSTOM_MEMORY_ORDER, 4, 0},
    {CUBLASLT_ALGO_CAP_POINTER_MODE_MASK, 4, 31},
    {CUBLASLT_ALGO_CAP_EPILOGUE_MASK, 4, 1023},
    {CUBLASLT_ALGO_CAP_STAGES_IDS, 4, CUBLASLT_MATMUL_STAGES_UNDEFINED},
    {CUBLASLT_ALGO_CAP_LD_NEGATIVE, 4, 0},
    {CUBLASLT_ALGO_CAP_NUMERICAL_IMPL_FLAGS, 8, 1},
    {CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_A_BYTES, 4, 1},
    {CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_B_BYTES, 4, 1},
    {CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_C_BYTES, 4, 1},
    {CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_D_BYTES, 4, 1},
    {CUBLASLT_ALGO_CAP_POINTER_ARRAY_BATCH_SUPPORT, 4, 0},
    {CUBLASLT_ALGO_CAP_FLOATING_POINT_EMULATION_SUPPORT, 4, 0},
};

}  // namespace

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (cuda_lasting_error() != cudaSuccess) return CUBLAS_STATUS_NOT_INITIALIZED;
  *handle = live_objects<cublasLtContext>::all().add(std::make_unique<cublasLtContext>());
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  return live_objects<cublasLtContext>::all().take(handle) != nullptr ? CUBLAS_STATUS_SUCCESS
                                                                      : CUBLAS_STATUS_NOT_INITIALIZED;
}
char const* cublasLtGetStatusName(cublasStatus_t status) { return cublasGetStatusName(status); }
char const* cublasLtGetStatusString(cublasStatus_t status) { return cublasGetStatusString(status); }
std::size_t cublasLtGetVersion(void) { return CUBLAS_VERSION; }
std::size_t cublasLtGetCudartVersion(void) { return cublasGetCudartVersion(); }
cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int* value) { return cublasGetProperty(type, value); }
cublasStatus_t cublasLtHeuristicsCacheGetCapacity(std::size_t* capacity) {
  if (capacity == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *capacity = 0;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtHeuristicsCacheSetCapacity(std::size_t) { return CUBLAS_STATUS_SUCCESS; }
unsigned cublasLtDisableCpuInstructionsSetMask(unsigned) { return 0; }

cublasStatus_t cublasLtLoggerSetCallback(cublasLtLoggerCallback_t) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtLoggerSetFile(std::FILE*) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtLoggerOpenFile(char const*) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtLoggerSetLevel(int level) {
  return level >= 0 && level <= 5 ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}
cublasStatus_t cublasLtLoggerSetMask(int) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtLoggerForceDisable(void) { return CUBLAS_STATUS_SUCCESS; }

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t description,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int wanted,
                                              cublasLtMatmulHeuristicResult_t results[], int* found) {
  if (!lt_handle_exists(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  lt_preference limits;
  if (found == nullptr || results == nullptr || wanted <= 0 || !lt_get(preference, limits))
    return CUBLAS_STATUS_INVALID_VALUE;
  *found = 0;
  lt_product p;
  if (cublasStatus_t const status = lt_check(description, a, b, c, d, p)) return status;
  results[0] = result_of_search(CUBLAS_STATUS_SUCCESS);
  *found = 1;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulAlgoGetIds(cublasLtHandle_t handle, cublasComputeType_t, cudaDataType, cudaDataType,
                                        cudaDataType, cudaDataType, cudaDataType, int wanted, int ids[], int* found) {
  if (!lt_handle_exists(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (wanted <= 0 || ids == nullptr || found == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  ids[0] = 0;
  *found = 1;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulAlgoInit(cublasLtHandle_t handle, cublasComputeType_t, cudaDataType, cudaDataType,
                                      cudaDataType, cudaDataType, cudaDataType, int id, cublasLtMatmulAlgo_t* algo) {
  if (!lt_handle_exists(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (algo == nullptr || id != 0) return CUBLAS_STATUS_INVALID_VALUE;
  *algo = result_of_search(CUBLAS_STATUS_SUCCESS).algo;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, cublasLtMatmulDesc_t description,
                                       cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c,
                                       cublasLtMatrixLayout_t d, cublasLtMatmulAlgo_t const* algo,
                                       cublasLtMatmulHeuristicResult_t* result) {
  if (!lt_handle_exists(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  lt_algo chosen;
  if (result == nullptr || !lt_get(algo, chosen)) return CUBLAS_STATUS_INVALID_VALUE;
  lt_product p;
  cublasStatus_t const status = lt_check(description, a, b, c, d, p);
  cublasLtMatmulAlgo_t const same = *algo;  // it may lie in the result
  *result = result_of_search(status);
  result->algo = same;
  return status;
}
cublasStatus_t cublasLtMatmulAlgoCapGetAttribute(cublasLtMatmulAlgo_t const* algo,
                                                 cublasLtMatmulAlgoCapAttributes_t attribute, void* buffer,
                                                 std::size_t bytes, std::size_t* written) {
  lt_algo chosen;
  auto const* const c = std::find_if(std::begin(capabilities), std::end(capabilities),
                                     [&](capability const& x) { return x.attribute == attribute; });
  if (!lt_get(algo, chosen) || c == std::end(capabilities)) return CUBLAS_STATUS_INVALID_VALUE;
  if (bytes == 0 ? written == nullptr : buffer == nullptr || bytes < c->bytes) return CUBLAS_STATUS_INVALID_VALUE;
  if (written != nullptr) *written = c->bytes;
  if (bytes != 0) std::memcpy(buffer, &c->value, c->bytes);
  return CUBLAS_STATUS_SUCCESS;
}
