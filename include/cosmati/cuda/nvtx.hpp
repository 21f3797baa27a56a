// SPDX-License-Identifier: Apache-2.0
/// @file
/// Marks and ranges for CUDA's profilers. Nothing happens.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cstddef>
#include <cstdint>
#include <cwchar>

struct nvtxDomainRegistration_st;
struct nvtxStringRegistration_st;
using nvtxDomainHandle_t = nvtxDomainRegistration_st*;
using nvtxStringHandle_t = nvtxStringRegistration_st*;
using nvtxRangeId_t = std::uint64_t;

enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 };
enum nvtxMessageType_t {
  NVTX_MESSAGE_UNKNOWN = 0,
  NVTX_MESSAGE_TYPE_ASCII = 1,
  NVTX_MESSAGE_TYPE_UNICODE = 2,
  NVTX_MESSAGE_TYPE_REGISTERED = 3
};
enum nvtxPayloadType_t {
  NVTX_PAYLOAD_UNKNOWN = 0,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
  NVTX_PAYLOAD_TYPE_INT64 = 2,
  NVTX_PAYLOAD_TYPE_DOUBLE = 3
};
union nvtxMessageValue_t {
  char const* ascii;
  wchar_t const* unicode;
  nvtxStringHandle_t registered;
};
struct nvtxEventAttributes_t {
  std::uint16_t version, size;
  std::uint32_t category;
  std::int32_t colorType;
  std::uint32_t color;
  std::int32_t payloadType, reserved0;
  union {
    std::uint64_t ullValue;
    std::int64_t llValue;
    double dValue;
  } payload;
  std::int32_t messageType;
  nvtxMessageValue_t message;
};

#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE (static_cast<std::uint16_t>(sizeof(nvtxEventAttributes_t)))

inline void nvtxInitialize(void const*) {}
inline void nvtxMarkA(char const*) {}
inline void nvtxMarkW(wchar_t const*) {}
inline void nvtxMarkEx(nvtxEventAttributes_t const*) {}
inline void nvtxMark(char const*) {}
inline int nvtxRangePushA(char const*) { return 0; }
inline int nvtxRangePushW(wchar_t const*) { return 0; }
inline int nvtxRangePushEx(nvtxEventAttributes_t const*) { return 0; }
inline int nvtxRangePush(char const*) { return 0; }
inline int nvtxRangePop() { return 0; }
inline nvtxRangeId_t nvtxRangeStartA(char const*) { return 0; }
inline nvtxRangeId_t nvtxRangeStartW(wchar_t const*) { return 0; }
inline nvtxRangeId_t nvtxRangeStartEx(nvtxEventAttributes_t const*) { return 0; }
inline nvtxRangeId_t nvtxRangeStart(char const*) { return 0; }
inline void nvtxRangeEnd(nvtxRangeId_t) {}
inline nvtxDomainHandle_t nvtxDomainCreateA(char const*) { return nullptr; }
inline void nvtxDomainDestroy(nvtxDomainHandle_t) {}
inline void nvtxDomainMarkEx(nvtxDomainHandle_t, nvtxEventAttributes_t const*) {}
inline int nvtxDomainRangePushEx(nvtxDomainHandle_t, nvtxEventAttributes_t const*) { return 0; }
inline int nvtxDomainRangePop(nvtxDomainHandle_t) { return 0; }
inline void nvtxNameCategoryA(std::uint32_t, char const*) {}
inline void nvtxNameOsThreadA(std::uint32_t, char const*) {}

namespace nvtx3 {
/// A range as long as the object lives.
class scoped_range {
 public:
  template <class... Arguments>
  explicit scoped_range(Arguments const&...) {}
  ~scoped_range() {}
  scoped_range(scoped_range const&) = delete;
  scoped_range& operator=(scoped_range const&) = delete;
};
template <class... Arguments>
void mark(Arguments const&...) {}
}  // namespace nvtx3

#define NVTX3_FUNC_RANGE() static_cast<void>(0)

#endif

#include <cosmati/core/macros_end.hpp>
