// SPDX-License-Identifier: Apache-2.0
#include "cublas_handle.hpp"

#include <memory>
#include <utility>

#include "cuda_capture.hpp"
#include "cuda_state.hpp"
#include "live_objects.hpp"

namespace cosmati_sim {

bool cublas_handle_exists(cublasHandle_t handle) { return live_objects<cublasContext>::all().has(handle); }

cublasStatus_t cublas_enqueue(char const* function, cublasHandle_t handle, std::function<bool(library_task&)> make) {
  return cublas_status_of(library_enqueue(function, handle->stream, std::move(make)));
}

cublasStatus_t cublas_enqueue_result(char const* function, cublasHandle_t handle, void* result, std::size_t bytes,
                                     std::function<bool(library_task&)> make) {
  if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE) {
    return cublas_enqueue(function, handle, [=, make = std::move(make)](library_task& task) {
      if (!make(task)) return false;
      task.operands.push_back({"the result", result, bytes, 1, 1, 1, false, true});
      return true;
    });
  }
  if (!host_may_access(function, "the result", result, host_pointer_mode)) return CUBLAS_STATUS_EXECUTION_FAILED;
  if (cuda_may_wait(handle->stream) != cudaSuccess) return CUBLAS_STATUS_EXECUTION_FAILED;
  cublasStatus_t const status = cublas_enqueue(function, handle, std::move(make));
  cuda_wait(handle->stream);
  return status;
}

}  // namespace cosmati_sim

using namespace cosmati_sim;

namespace {

/// Sets or gets a member of a live handle.
template <class T>
cublasStatus_t get(cublasHandle_t handle, T cublasContext::*member, T* out) {
  if (!cublas_handle_exists(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (out == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *out = handle->*member;
  return CUBLAS_STATUS_SUCCESS;
}
template <class T>
cublasStatus_t set(cublasHandle_t handle, T cublasContext::*member, T value, bool is_valid) {
  if (!cublas_handle_exists(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!is_valid) return CUBLAS_STATUS_INVALID_VALUE;
  handle->*member = value;
  return CUBLAS_STATUS_SUCCESS;
}

struct status_text {
  cublasStatus_t status;
  char const *name, *text;
};
constexpr status_text texts[] = {
    {CUBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS", "the operation completed"},
    {CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED",
     "the handle was never made, or has been destroyed"},
    {CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED", "there is too little memory"},
    {CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE", "an argument has a value that the function refuses"},
    {CUBLAS_STATUS_ARCH_MISMATCH, "CUBLAS_STATUS_ARCH_MISMATCH", "the device lacks what the function needs"},
    {CUBLAS_STATUS_MAPPING_ERROR, "CUBLAS_STATUS_MAPPING_ERROR", "memory of the device could not be accessed"},
    {CUBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED", "the work failed on the device"},
    {CUBLAS_STATUS_INTERNAL_ERROR, "CUBLAS_STATUS_INTERNAL_ERROR", "an operation of the library failed"},
    {CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED", "the library has no such function or types"},
    {CUBLAS_STATUS_LICENSE_ERROR, "CUBLAS_STATUS_LICENSE_ERROR", "a licence is missing"},
};
status_text const* text_of(cublasStatus_t status) {
  for (status_text const& t : texts) {
    if (t.status == status) return &t;
  }
  return nullptr;
}

}  // namespace

cublasStatus_t cublasCreate(cublasHandle_t* handle) {
  if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (cuda_lasting_error() != cudaSuccess) return CUBLAS_STATUS_NOT_INITIALIZED;
  *handle = live_objects<cublasContext>::all().add(std::make_unique<cublasContext>());
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  return live_objects<cublasContext>::all().take(handle) != nullptr ? CUBLAS_STATUS_SUCCESS
                                                                    : CUBLAS_STATUS_NOT_INITIALIZED;
}
cublasStatus_t cublasGetVersion(cublasHandle_t, int* version) {
  if (version == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value) {
  if (value == nullptr || type < MAJOR_VERSION || type > PATCH_LEVEL) return CUBLAS_STATUS_INVALID_VALUE;
  constexpr int parts[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
  *value = parts[type];
  return CUBLAS_STATUS_SUCCESS;
}
std::size_t cublasGetCudartVersion(void) {
  int version = 0;
  cudaRuntimeGetVersion(&version);
  return static_cast<std::size_t>(version);
}
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  return set(handle, &cublasContext::stream, stream, true);
}
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream) {
  return get(handle, &cublasContext::stream, stream);
}
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void*, std::size_t) {
  return cublas_handle_exists(handle) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode) {
  return set(handle, &cublasContext::pointer_mode, mode,
             mode == CUBLAS_POINTER_MODE_HOST || mode == CUBLAS_POINTER_MODE_DEVICE);
}
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode) {
  return get(handle, &cublasContext::pointer_mode, mode);
}
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  return set(handle, &cublasContext::math_mode, mode, (static_cast<unsigned>(mode) & ~31u) == 0);
}
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode) {
  return get(handle, &cublasContext::math_mode, mode);
}
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode) {
  return set(handle, &cublasContext::atomics_mode, mode,
             mode == CUBLAS_ATOMICS_NOT_ALLOWED || mode == CUBLAS_ATOMICS_ALLOWED);
}
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode) {
  return get(handle, &cublasContext::atomics_mode, mode);
}
cublasStatus_t cublasSetSmCountTarget(cublasHandle_t handle, int count) {
  return set(handle, &cublasContext::multiprocessors, count, count >= 0);
}
cublasStatus_t cublasGetSmCountTarget(cublasHandle_t handle, int* count) {
  return get(handle, &cublasContext::multiprocessors, count);
}
char const* cublasGetStatusName(cublasStatus_t status) {
  status_text const* const t = text_of(status);
  return t != nullptr ? t->name : "unknown status";
}
char const* cublasGetStatusString(cublasStatus_t status) {
  status_text const* const t = text_of(status);
  return t != nullptr ? t->text : "unknown status";
}
