// SPDX-License-Identifier: Apache-2.0
/// @file
/// The target GPU, and the error if it lacks an instruction; addresses in shared memory as instructions take them; the
/// position of an instruction in the program's source.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/error.hpp>
#include <cosmati/tensor/pointer.hpp>
#include <cstdint>

#if defined(__CUDA_ARCH__)
/// The compute capability of the target times ten: 90 for sm_90; 0 for the host.
#define COSMATI_TARGET_SM (__CUDA_ARCH__ / 10)
#else
#define COSMATI_TARGET_SM 0
#endif

// The caller's file and line, for reports of the simulated device. They are the last parameters of functions that users
// call.
#if defined(COSMATI_SIMULATED)
#define COSMATI_CALLER_PARAMETERS_ \
  [[maybe_unused]] char const *file = __builtin_FILE(), [[maybe_unused]] int line = __builtin_LINE()
#define COSMATI_AND_CALLER_PARAMETERS_ , COSMATI_CALLER_PARAMETERS_
#define COSMATI_CALLER_ file, line
#define COSMATI_AND_CALLER_ , file, line
#define COSMATI_CALLER_OF_(kept) kept.file, kept.line
#define COSMATI_AND_CALLER_OF_(kept) , kept.file, kept.line
#else
#define COSMATI_CALLER_PARAMETERS_
#define COSMATI_AND_CALLER_PARAMETERS_
#define COSMATI_CALLER_
#define COSMATI_AND_CALLER_
#define COSMATI_CALLER_OF_(kept)
#define COSMATI_AND_CALLER_OF_(kept)
#endif

namespace COSMATI_NAMESPACE {

/// The names of instructions in errors.
namespace instruction {
struct ldmatrix;
struct stmatrix;
struct movmatrix;
struct shuffle;
struct cp_async;
struct cp_async_bulk;
struct cp_async_bulk_tensor;
struct elect;
struct mbarrier;
struct fence_proxy_async;
}  // namespace instruction

namespace detail {

/// A caller's file and line, in an object that acts for the caller later: `kept_caller{COSMATI_CALLER_}`.
struct kept_caller {
#if defined(COSMATI_SIMULATED)
  char const* file;
  int line;
#endif
};

template <class Instruction, int needed, int target>
struct target_lacks_the_instruction {
  static constexpr bool ok = target == 0 || target >= needed;
  static_assert(
      ok,
      "the GPU that is compiled for lacks this instruction, target_lacks_the_instruction<INSTRUCTION, NEEDED, "
      "TARGET>: it needs sm_NEEDED or newer, the target is sm_TARGET; compile with -arch=sm_NEEDED, or copy "
      "with UniversalCopy");
};

}  // namespace detail

/// The address in the shared window, for PTX's 32-bit `.shared` operands. On the simulated device it is the low bits of
/// the address. @param shared a generic pointer to shared memory
COSMATI_HD inline std::uint32_t cast_smem_ptr_to_uint([[maybe_unused]] void const* shared) {
#if defined(__CUDA_ARCH__)
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
#elif defined(COSMATI_SIMULATED)
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(shared));
#else
  fail("cast_smem_ptr_to_uint: the host has no shared memory; call it in device code");
#endif
}
template <class P>
COSMATI_HD std::uint32_t cast_smem_ptr_to_uint(smem_ptr<P> const& shared) {
  return cast_smem_ptr_to_uint(static_cast<void const*>(raw_pointer_cast(shared)));
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
