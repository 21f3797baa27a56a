// SPDX-License-Identifier: Apache-2.0
// CUDA's driver interface, in terms of the runtime's functions. There is one context.
#include <cosmati/core/error.hpp>
#include <cosmati/cuda/driver.hpp>
#include <cosmati/cuda/entry_point.hpp>
#include <cosmati/cuda/memory.hpp>
#include <cosmati/runtime/tensor_map_im2col.hpp>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "cuda_state.hpp"
#include "host_hazard.hpp"
#include "memory.hpp"

using namespace cosmati_sim;

namespace {

CUcontext const the_context = reinterpret_cast<CUcontext>(16);
thread_local CUcontext current = nullptr;

CUresult of(cudaError_t error) { return static_cast<CUresult>(error); }  // the numbers are the same
void* at(CUdeviceptr p) { return reinterpret_cast<void*>(p); }

CUresult give_context(CUcontext* context, CUdevice device) {
  if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  *context = the_context;
  return CUDA_SUCCESS;
}

struct entry_point {
  std::string_view name;
  void* function;
};
entry_point const entry_points[] = {
    {"cuInit", reinterpret_cast<void*>(&cuInit)},
    {"cuDriverGetVersion", reinterpret_cast<void*>(&cuDriverGetVersion)},
    {"cuDeviceGet", reinterpret_cast<void*>(&cuDeviceGet)},
    {"cuDeviceGetCount", reinterpret_cast<void*>(&cuDeviceGetCount)},
    {"cuDeviceGetName", reinterpret_cast<void*>(&cuDeviceGetName)},
    {"cuDeviceTotalMem", reinterpret_cast<void*>(&cuDeviceTotalMem)},
    {"cuDeviceGetAttribute", reinterpret_cast<void*>(&cuDeviceGetAttribute)},
    {"cuDevicePrimaryCtxRetain", reinterpret_cast<void*>(&cuDevicePrimaryCtxRetain)},
    {"cuDevicePrimaryCtxRelease", reinterpret_cast<void*>(&cuDevicePrimaryCtxRelease)},
    {"cuCtxCreate", reinterpret_cast<void*>(static_cast<CUresult (*)(CUcontext*, unsigned, CUdevice)>(&cuCtxCreate))},
    {"cuCtxDestroy", reinterpret_cast<void*>(&cuCtxDestroy)},
    {"cuCtxGetCurrent", reinterpret_cast<void*>(&cuCtxGetCurrent)},
    {"cuCtxSetCurrent", reinterpret_cast<void*>(&cuCtxSetCurrent)},
    {"cuCtxPushCurrent", reinterpret_cast<void*>(&cuCtxPushCurrent)},
    {"cuCtxPopCurrent", reinterpret_cast<void*>(&cuCtxPopCurrent)},
    {"cuCtxGetDevice", reinterpret_cast<void*>(&cuCtxGetDevice)},
    {"cuCtxSynchronize", reinterpret_cast<void*>(&cuCtxSynchronize)},
    {"cuMemAlloc", reinterpret_cast<void*>(&cuMemAlloc)},
    {"cuMemFree", reinterpret_cast<void*>(&cuMemFree)},
    {"cuMemGetInfo", reinterpret_cast<void*>(&cuMemGetInfo)},
    {"cuMemcpyHtoD", reinterpret_cast<void*>(&cuMemcpyHtoD)},
    {"cuMemcpyDtoH", reinterpret_cast<void*>(&cuMemcpyDtoH)},
    {"cuMemcpyDtoD", reinterpret_cast<void*>(&cuMemcpyDtoD)},
    {"cuMemGetAddressRange", reinterpret_cast<void*>(&cuMemGetAddressRange)},
    {"cuPointerGetAttribute", reinterpret_cast<void*>(&cuPointerGetAttribute)},
    {"cuMemcpyHtoDAsync", reinterpret_cast<void*>(&cuMemcpyHtoDAsync)},
    {"cuMemcpyDtoHAsync", reinterpret_cast<void*>(&cuMemcpyDtoHAsync)},
    {"cuMemsetD8", reinterpret_cast<void*>(&cuMemsetD8)},
    {"cuMemsetD32", reinterpret_cast<void*>(&cuMemsetD32)},
    {"cuStreamCreate", reinterpret_cast<void*>(&cuStreamCreate)},
    {"cuStreamDestroy", reinterpret_cast<void*>(&cuStreamDestroy)},
    {"cuStreamSynchronize", reinterpret_cast<void*>(&cuStreamSynchronize)},
    {"cuEventCreate", reinterpret_cast<void*>(&cuEventCreate)},
    {"cuEventDestroy", reinterpret_cast<void*>(&cuEventDestroy)},
    {"cuEventRecord", reinterpret_cast<void*>(&cuEventRecord)},
    {"cuEventSynchronize", reinterpret_cast<void*>(&cuEventSynchronize)},
    {"cuEventElapsedTime", reinterpret_cast<void*>(&cuEventElapsedTime)},
    {"cuGetErrorString", reinterpret_cast<void*>(&cuGetErrorString)},
    {"cuGetErrorName", reinterpret_cast<void*>(&cuGetErrorName)},
    {"cuTensorMapEncodeTiled", reinterpret_cast<void*>(&cuTensorMapEncodeTiled)},
    {"cuTensorMapEncodeIm2col", reinterpret_cast<void*>(&cuTensorMapEncodeIm2col)},
};

struct named_error {
  CUresult error;
  char const* name;
};
#define COSMATI_NAMED(error) \
  { error, #error }
constexpr named_error error_names[] = {
    COSMATI_NAMED(CUDA_SUCCESS),
    COSMATI_NAMED(CUDA_ERROR_INVALID_VALUE),
    COSMATI_NAMED(CUDA_ERROR_OUT_OF_MEMORY),
    COSMATI_NAMED(CUDA_ERROR_NOT_INITIALIZED),
    COSMATI_NAMED(CUDA_ERROR_DEINITIALIZED),
    COSMATI_NAMED(CUDA_ERROR_PROFILER_DISABLED),
    COSMATI_NAMED(CUDA_ERROR_PROFILER_NOT_INITIALIZED),
    COSMATI_NAMED(CUDA_ERROR_PROFILER_ALREADY_STARTED),
    COSMATI_NAMED(CUDA_ERROR_PROFILER_ALREADY_STOPPED),
    COSMATI_NAMED(CUDA_ERROR_STUB_LIBRARY),
    COSMATI_NAMED(CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER),
    COSMATI_NAMED(CUDA_ERROR_DEVICE_UNAVAILABLE),
    COSMATI_NAMED(CUDA_ERROR_NO_DEVICE),
    COSMATI_NAMED(CUDA_ERROR_INVALID_DEVICE),
    COSMATI_NAMED(CUDA_ERROR_DEVICE_NOT_LICENSED),
    COSMATI_NAMED(CUDA_ERROR_INVALID_IMAGE),
    COSMATI_NAMED(CUDA_ERROR_INVALID_CONTEXT),
    COSMATI_NAMED(CUDA_ERROR_CONTEXT_ALREADY_CURRENT),
    COSMATI_NAMED(CUDA_ERROR_MAP_FAILED),
    COSMATI_NAMED(CUDA_ERROR_UNMAP_FAILED),
    COSMATI_NAMED(CUDA_ERROR_ARRAY_IS_MAPPED),
    COSMATI_NAMED(CUDA_ERROR_ALREADY_MAPPED),
    COSMATI_NAMED(CUDA_ERROR_NO_BINARY_FOR_GPU),
    COSMATI_NAMED(CUDA_ERROR_ALREADY_ACQUIRED),
    COSMATI_NAMED(CUDA_ERROR_NOT_MAPPED),
    COSMATI_NAMED(CUDA_ERROR_NOT_MAPPED_AS_ARRAY),
    COSMATI_NAMED(CUDA_ERROR_NOT_MAPPED_AS_POINTER),
    COSMATI_NAMED(CUDA_ERROR_ECC_UNCORRECTABLE),
    COSMATI_NAMED(CUDA_ERROR_UNSUPPORTED_LIMIT),
    COSMATI_NAMED(CUDA_ERROR_CONTEXT_ALREADY_IN_USE),
    COSMATI_NAMED(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED),
    COSMATI_NAMED(CUDA_ERROR_INVALID_PTX),
    COSMATI_NAMED(CUDA_ERROR_INVALID_GRAPHICS_CONTEXT),
    COSMATI_NAMED(CUDA_ERROR_NVLINK_UNCORRECTABLE),
    COSMATI_NAMED(CUDA_ERROR_JIT_COMPILER_NOT_FOUND),
    COSMATI_NAMED(CUDA_ERROR_UNSUPPORTED_PTX_VERSION),
    COSMATI_NAMED(CUDA_ERROR_JIT_COMPILATION_DISABLED),
    COSMATI_NAMED(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY),
    COSMATI_NAMED(CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC),
    COSMATI_NAMED(CUDA_ERROR_CONTAINED),
    COSMATI_NAMED(CUDA_ERROR_INVALID_SOURCE),
    COSMATI_NAMED(CUDA_ERROR_FILE_NOT_FOUND),
    COSMATI_NAMED(CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND),
    COSMATI_NAMED(CUDA_ERROR_SHARED_OBJECT_INIT_FAILED),
    COSMATI_NAMED(CUDA_ERROR_OPERATING_SYSTEM),
    COSMATI_NAMED(CUDA_ERROR_INVALID_HANDLE),
    COSMATI_NAMED(CUDA_ERROR_ILLEGAL_STATE),
    COSMATI_NAMED(CUDA_ERROR_LOSSY_QUERY),
    COSMATI_NAMED(CUDA_ERROR_NOT_FOUND),
    COSMATI_NAMED(CUDA_ERROR_NOT_READY),
    COSMATI_NAMED(CUDA_ERROR_ILLEGAL_ADDRESS),
    COSMATI_NAMED(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES),
    COSMATI_NAMED(CUDA_ERROR_LAUNCH_TIMEOUT),
    COSMATI_NAMED(CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING),
    COSMATI_NAMED(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED),
    COSMATI_NAMED(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED),
    COSMATI_NAMED(CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE),
    COSMATI_NAMED(CUDA_ERROR_CONTEXT_IS_DESTROYED),
    COSMATI_NAMED(CUDA_ERROR_ASSERT),
    COSMATI_NAMED(CUDA_ERROR_TOO_MANY_PEERS),
    COSMATI_NAMED(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED),
    COSMATI_NAMED(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED),
    COSMATI_NAMED(CUDA_ERROR_HARDWARE_STACK_ERROR),
    COSMATI_NAMED(CUDA_ERROR_ILLEGAL_INSTRUCTION),
    COSMATI_NAMED(CUDA_ERROR_MISALIGNED_ADDRESS),
    COSMATI_NAMED(CUDA_ERROR_INVALID_ADDRESS_SPACE),
    COSMATI_NAMED(CUDA_ERROR_INVALID_PC),
    COSMATI_NAMED(CUDA_ERROR_LAUNCH_FAILED),
    COSMATI_NAMED(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE),
    COSMATI_NAMED(CUDA_ERROR_TENSOR_MEMORY_LEAK),
    COSMATI_NAMED(CUDA_ERROR_NOT_PERMITTED),
    COSMATI_NAMED(CUDA_ERROR_NOT_SUPPORTED),
    COSMATI_NAMED(CUDA_ERROR_SYSTEM_NOT_READY),
    COSMATI_NAMED(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH),
    COSMATI_NAMED(CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE),
    COSMATI_NAMED(CUDA_ERROR_MPS_CONNECTION_FAILED),
    COSMATI_NAMED(CUDA_ERROR_MPS_RPC_FAILURE),
    COSMATI_NAMED(CUDA_ERROR_MPS_SERVER_NOT_READY),
    COSMATI_NAMED(CUDA_ERROR_MPS_MAX_CLIENTS_REACHED),
    COSMATI_NAMED(CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED),
    COSMATI_NAMED(CUDA_ERROR_MPS_CLIENT_TERMINATED),
    COSMATI_NAMED(CUDA_ERROR_CDP_NOT_SUPPORTED),
    COSMATI_NAMED(CUDA_ERROR_CDP_VERSION_MISMATCH),
    COSMATI_NAMED(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED),
    COSMATI_NAMED(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED),
    COSMATI_NAMED(CUDA_ERROR_STREAM_CAPTURE_MERGE),
    COSMATI_NAMED(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED),
    COSMATI_NAMED(CUDA_ERROR_STREAM_CAPTURE_UNJOINED),
    COSMATI_NAMED(CUDA_ERROR_STREAM_CAPTURE_ISOLATION),
    COSMATI_NAMED(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT),
    COSMATI_NAMED(CUDA_ERROR_CAPTURED_EVENT),
    COSMATI_NAMED(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD),
    COSMATI_NAMED(CUDA_ERROR_TIMEOUT),
    COSMATI_NAMED(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE),
    COSMATI_NAMED(CUDA_ERROR_EXTERNAL_DEVICE),
    COSMATI_NAMED(CUDA_ERROR_INVALID_CLUSTER_SIZE),
    COSMATI_NAMED(CUDA_ERROR_FUNCTION_NOT_LOADED),
    COSMATI_NAMED(CUDA_ERROR_INVALID_RESOURCE_TYPE),
    COSMATI_NAMED(CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION),
    COSMATI_NAMED(CUDA_ERROR_KEY_ROTATION),
    COSMATI_NAMED(CUDA_ERROR_UNKNOWN),
};
#undef COSMATI_NAMED

/// The part of a configuration that descriptors of both modes have. @param name of the function
template <class Config>
Config config_of(char const* name, CUtensorMap const* out, CUtensorMapDataType type, cuuint32_t rank, void* data,
                 cuuint64_t const* extents, cuuint64_t const* strides, cuuint32_t const* steps,
                 CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                 CUtensorMapFloatOOBfill fill) {
  if (out == nullptr || rank < 1 || rank > 5)
    throw cosmati::error("%s: rank %u; tensors of 1 to 5 modes are possible", name, rank);
  if (type < CU_TENSOR_MAP_DATA_TYPE_UINT8 || type > CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ)
    throw cosmati::error("%s: type %d is not on the simulated device", name, static_cast<int>(type));
  if (static_cast<unsigned>(swizzle) > CU_TENSOR_MAP_SWIZZLE_128B)
    throw cosmati::error("%s: swizzle %d is not on the simulated device", name, static_cast<int>(swizzle));
  Config c;
  c.data = data;
  c.type = static_cast<cosmati::tensor_map_type>(type);
  c.rank = static_cast<int>(rank);
  auto const bytes = static_cast<std::uint64_t>(cosmati::detail::bytes_of(c.type));
  for (cuuint32_t i = 0; i < rank; ++i) {
    if (i > 0 && strides[i - 1] % bytes != 0)
      throw cosmati::error("%s: mode %u has a stride of %llu bytes; elements have %llu", name, i,
                           static_cast<unsigned long long>(strides[i - 1]), static_cast<unsigned long long>(bytes));
    c.extent[i] = static_cast<std::int64_t>(extents[i]);
    c.stride[i] = i == 0 ? 1 : static_cast<std::int64_t>(strides[i - 1] / bytes);
    c.step[i] = static_cast<int>(steps[i]);
  }
  c.swizzle = static_cast<cosmati::TMA::SmemSwizzleBits>(swizzle);
  c.promotion = static_cast<cosmati::TMA::L2Promotion>(promotion);
  c.fill = static_cast<cosmati::TMA::OOBFill>(fill);
  c.interleave = static_cast<cosmati::TMA::Interleave>(interleave);
  return c;
}

}  // namespace

CUresult cuTensorMapEncodeTiled(CUtensorMap* out, CUtensorMapDataType type, cuuint32_t rank, void* data,
                                cuuint64_t const* extents, cuuint64_t const* strides, cuuint32_t const* box,
                                cuuint32_t const* steps, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
  try {
    auto c = config_of<cosmati::tensor_map_config>("cuTensorMapEncodeTiled", out, type, rank, data, extents, strides,
                                                   steps, interleave, swizzle, promotion, fill);
    for (cuuint32_t i = 0; i < rank; ++i) c.box[i] = static_cast<int>(box[i]);
    *out = cosmati::make_tma_descriptor(c);
  } catch (cosmati::error const& e) {
    report_host_hazard(hazard_kind::invalid_argument, e.what());
    return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

CUresult cuTensorMapEncodeIm2col(CUtensorMap* out, CUtensorMapDataType type, cuuint32_t rank, void* data,
                                 cuuint64_t const* extents, cuuint64_t const* strides, int const* lower,
                                 int const* upper, cuuint32_t channels, cuuint32_t pixels, cuuint32_t const* steps,
                                 CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                 CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
  try {
    auto c = config_of<cosmati::tensor_map_im2col_config>("cuTensorMapEncodeIm2col", out, type, rank, data, extents,
                                                          strides, steps, interleave, swizzle, promotion, fill);
    c.channels = static_cast<int>(channels);
    c.pixels = static_cast<int>(pixels);
    for (cuuint32_t i = 0; i + 2 < rank; ++i) {
      c.lower[i] = lower[i];
      c.upper[i] = upper[i];
    }
    *out = cosmati::make_im2col_descriptor(c);
  } catch (cosmati::error const& e) {
    report_host_hazard(hazard_kind::invalid_argument, e.what());
    return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

cudaError_t cudaGetDriverEntryPointByVersion(char const* name, void** out, unsigned, unsigned long long,
                                             cudaDriverEntryPointQueryResult* found) {
  if (name == nullptr || out == nullptr) return cuda_result(cudaErrorInvalidValue);
  *out = nullptr;
  for (entry_point const& e : entry_points) {
    if (e.name == name) *out = e.function;
  }
  if (found != nullptr) *found = *out != nullptr ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  return cuda_result(*out != nullptr || found != nullptr ? cudaSuccess : cudaErrorSymbolNotFound);
}

CUresult cuInit(unsigned flags) { return flags == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE; }
CUresult cuDriverGetVersion(int* version) { return of(cudaDriverGetVersion(version)); }
CUresult cuDeviceGet(CUdevice* device, int number) {
  if (number != 0) return CUDA_ERROR_INVALID_DEVICE;
  *device = 0;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int* count) { return of(cudaGetDeviceCount(count)); }
CUresult cuDeviceGetName(char* name, int bytes, CUdevice device) {
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  if (name == nullptr || bytes < 1) return CUDA_ERROR_INVALID_VALUE;
  std::snprintf(name, static_cast<std::size_t>(bytes), "%s", cuda_properties().name);
  return CUDA_SUCCESS;
}
CUresult cuDeviceTotalMem(std::size_t* bytes, CUdevice device) {
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  *bytes = cuda_properties().totalGlobalMem;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return of(cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device));
}
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) { return give_context(context, device); }
CUresult cuDevicePrimaryCtxRelease(CUdevice device) { return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE; }
CUresult cuCtxCreate(CUcontext* context, unsigned, CUdevice device) {
  CUresult const result = give_context(context, device);
  if (result == CUDA_SUCCESS) current = the_context;
  return result;
}
CUresult cuCtxDestroy(CUcontext context) {
  if (context != the_context) return CUDA_ERROR_INVALID_CONTEXT;
  current = nullptr;
  return CUDA_SUCCESS;
}
CUresult cuCtxGetCurrent(CUcontext* context) {
  *context = current;
  return CUDA_SUCCESS;
}
CUresult cuCtxSetCurrent(CUcontext context) {
  if (context != nullptr && context != the_context) return CUDA_ERROR_INVALID_CONTEXT;
  current = context;
  return CUDA_SUCCESS;
}
CUresult cuCtxPushCurrent(CUcontext context) { return cuCtxSetCurrent(context); }
CUresult cuCtxPopCurrent(CUcontext* context) {
  if (current == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  if (context != nullptr) *context = current;
  current = nullptr;
  return CUDA_SUCCESS;
}
CUresult cuCtxGetDevice(CUdevice* device) {
  if (current == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  *device = 0;
  return CUDA_SUCCESS;
}
CUresult cuCtxSynchronize() { return of(cudaDeviceSynchronize()); }

CUresult cuMemAlloc(CUdeviceptr* out, std::size_t bytes) {
  void* p = nullptr;
  if (out == nullptr || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  CUresult const result = of(cudaMalloc(&p, bytes));
  *out = reinterpret_cast<CUdeviceptr>(p);
  return result;
}
CUresult cuMemFree(CUdeviceptr pointer) { return of(cudaFree(at(pointer))); }
CUresult cuMemGetInfo(std::size_t* free_bytes, std::size_t* all_bytes) {
  return of(cudaMemGetInfo(free_bytes, all_bytes));
}
CUresult cuMemGetAddressRange(CUdeviceptr* first, std::size_t* bytes, CUdeviceptr pointer) {
  allocation_table const table = current_allocations();
  allocation const* const a = find_allocation(*table, pointer);
  if (a == nullptr || a->freed || pointer >= a->low + a->bytes) return CUDA_ERROR_NOT_FOUND;
  if (first != nullptr) *first = a->low;
  if (bytes != nullptr) *bytes = a->bytes;
  return CUDA_SUCCESS;
}
CUresult cuPointerGetAttribute(void* out, CUpointer_attribute attribute, CUdeviceptr pointer) {
  if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  allocation_table const table = current_allocations();
  allocation const* const a = find_allocation(*table, pointer);
  bool const is_known = a != nullptr && !a->freed;
  if (attribute == CU_POINTER_ATTRIBUTE_MAPPED) {
    *static_cast<bool*>(out) = is_known;
    return CUDA_SUCCESS;
  }
  cudaPointerAttributes found = {};
  if (!is_known || cudaPointerGetAttributes(&found, at(pointer)) != cudaSuccess) return CUDA_ERROR_INVALID_VALUE;
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      *static_cast<CUcontext*>(out) = the_context;
      break;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      *static_cast<CUmemorytype*>(out) = found.type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
      break;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      *static_cast<CUdeviceptr*>(out) = pointer;
      break;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      if (found.hostPointer == nullptr) return CUDA_ERROR_INVALID_VALUE;
      *static_cast<void**>(out) = found.hostPointer;
      break;
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
      *static_cast<unsigned long long*>(out) = a->number;
      break;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      *static_cast<bool*>(out) = found.type == cudaMemoryTypeManaged;
      break;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      *static_cast<int*>(out) = 0;
      break;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      *static_cast<CUdeviceptr*>(out) = a->low;
      break;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      *static_cast<std::size_t*>(out) = a->bytes;
      break;
    default:
      return CUDA_ERROR_NOT_SUPPORTED;
  }
  return CUDA_SUCCESS;
}
CUresult cuMemcpyHtoD(CUdeviceptr to, void const* from, std::size_t bytes) {
  return of(cudaMemcpy(at(to), from, bytes, cudaMemcpyHostToDevice));
}
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, std::size_t bytes) {
  return of(cudaMemcpy(to, at(from), bytes, cudaMemcpyDeviceToHost));
}
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  return of(cudaMemcpy(at(to), at(from), bytes, cudaMemcpyDeviceToDevice));
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, void const* from, std::size_t bytes, CUstream stream) {
  return of(cudaMemcpyAsync(at(to), from, bytes, cudaMemcpyHostToDevice, stream));
}
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return of(cudaMemcpyAsync(to, at(from), bytes, cudaMemcpyDeviceToHost, stream));
}
CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, std::size_t count) {
  return of(cudaMemset(at(to), value, count));
}
CUresult cuMemsetD32(CUdeviceptr to, unsigned value, std::size_t count) {
  return of(cuda_fill_elements({at(to), 0, value, 4, count, 1}, nullptr));
}
CUresult cuStreamCreate(CUstream* out, unsigned flags) { return of(cudaStreamCreateWithFlags(out, flags)); }
CUresult cuStreamDestroy(CUstream stream) { return of(cudaStreamDestroy(stream)); }
CUresult cuStreamSynchronize(CUstream stream) { return of(cudaStreamSynchronize(stream)); }
CUresult cuEventCreate(CUevent* out, unsigned flags) { return of(cudaEventCreateWithFlags(out, flags)); }
CUresult cuEventDestroy(CUevent event) { return of(cudaEventDestroy(event)); }
CUresult cuEventRecord(CUevent event, CUstream stream) { return of(cudaEventRecord(event, stream)); }
CUresult cuEventSynchronize(CUevent event) { return of(cudaEventSynchronize(event)); }
CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  return of(cudaEventElapsedTime(milliseconds, start, end));
}
CUresult cuGetErrorString(CUresult error, char const** text) {
  *text = cudaGetErrorString(static_cast<cudaError_t>(error));
  return CUDA_SUCCESS;
}
CUresult cuGetErrorName(CUresult error, char const** text) {
  *text = nullptr;
  for (named_error const& e : error_names) {
    if (e.error == error) *text = e.name;
  }
  return *text != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
