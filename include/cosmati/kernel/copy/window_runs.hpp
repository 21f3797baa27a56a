// SPDX-License-Identifier: Apache-2.0
/// @file
/// Runs of a tensor as the aligned windows that cover them: which may be read, how they come into shared memory by a
/// bulk copy, and how elements are taken out of there.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/arch/mbarrier.hpp>
#include <cosmati/arch/streaming.hpp>
#include <cosmati/kernel/copy/window_tiles.hpp>
#include <cosmati/runtime/cuda_words.hpp>

namespace COSMATI_NAMESPACE::detail {

/// Elements [begin, end) of a window of the source to shared memory, one by one.
/// @param across_gaps some of them may be nobody's
template <int element_bytes>
__device__ inline void load_part_of_window(unsigned char* to, char const* from, char const* begin, char const* end,
                                           bool across_gaps = false) {
  for (int b = 0; b < window_bytes; b += element_bytes) {
    [[maybe_unused]] access_step const turn;
    [[maybe_unused]] unwritten_scope const of_gaps(across_gaps);
    if (from + b >= begin && from + b < end) store_words<element_bytes>(to + b, load_words<element_bytes>(from + b));
  }
}

/// A run of the source: its windows and where in shared memory they go.
struct window_run {
  char const *begin, *end;  ///< its elements
  char const* from;
  unsigned char* to;
  int windows;

  /// @param place where in shared memory the window goes that the run begins in
  __device__ window_run(char const* run, int run_bytes, unsigned char* place) : begin(run), end(run + run_bytes) {
    auto const before = static_cast<int>(reinterpret_cast<std::uintptr_t>(begin) % window_bytes);
    from = begin - before;
    to = place;
    windows = (before + run_bytes + window_bytes - 1) / window_bytes;
  }
  template <class Job>
  __device__ bool first_may_be_read(Job const& job) const {
    return from >= (job.first != nullptr ? job.first : begin);
  }
  template <class Job>
  __device__ bool last_may_be_read(Job const& job) const {
    return from + windows * window_bytes <= (job.first != nullptr ? job.last : end);
  }
};

/// A run by one bulk copy, all lanes of a warp together; `windows` of it, 0 where a lane has none.
/// @param job `hint` is what L2 is told; @param whole all windows may be read; @param across_gaps some elements may be
/// nobody's
template <int element_bytes, class Job>
__device__ inline void load_run_in_bulk(Job const& job, window_run const& run, int windows, bool whole,
                                        std::uint64_t& barrier, bool across_gaps = false) {
  char const* from = run.from;
  unsigned char* to = run.to;
  if (!whole && windows > 0) {
    if (!run.last_may_be_read(job)) {
      --windows;
      load_part_of_window<element_bytes>(to + windows * window_bytes, from + windows * window_bytes, run.begin, run.end,
                                         across_gaps);
    }
    if (windows > 0 && !run.first_may_be_read(job)) {
      --windows;
      load_part_of_window<element_bytes>(to, from, run.begin, run.end, across_gaps);
      to += window_bytes;
      from += window_bytes;
    }
    fence_proxy_async_shared();  // a later bulk copy writes there
  }
  auto const bytes = static_cast<std::uint32_t>(windows) * window_bytes;
  std::uint32_t const sum = __reduce_add_sync(0xffffffffu, bytes);
  if (threadIdx.x % 32 == 0) expect_bytes(barrier, sum);
  __syncwarp();
  [[maybe_unused]] unwritten_scope const of_gaps(across_gaps);
  if (bytes > 0) bulk_copy_g2s(to, from, bytes, barrier, job.hint);
}

/// Elements of shared memory, numbered from `base`. On the GPU by a 32-bit address that the compiler cannot look into:
/// from a pointer it makes two additions for each element.
template <int element_bytes>
struct shared_elements {
#if defined(__CUDA_ARCH__)
  std::uint32_t base;
  __device__ explicit shared_elements(unsigned char const* p) : base(cast_smem_ptr_to_uint(p)) { asm("" : "+r"(base)); }
  __device__ register_words<element_bytes> operator[](std::uint32_t at) const {
    register_words<element_bytes> v;
    std::uint32_t const from = base + at * element_bytes;
    if constexpr (element_bytes == 1)
      asm volatile("ld.shared.u8 %0, [%1];" : "=r"(v.word[0]) : "r"(from));
    else if constexpr (element_bytes == 2)
      asm volatile("{ .reg .b16 h; ld.shared.b16 h, [%1]; cvt.u32.u16 %0, h; }" : "=r"(v.word[0]) : "r"(from));
    else if constexpr (element_bytes == 4)
      asm volatile("ld.shared.b32 %0, [%1];" : "=r"(v.word[0]) : "r"(from));
    else if constexpr (element_bytes == 8)
      asm volatile("ld.shared.v2.b32 {%0, %1}, [%2];" : "=r"(v.word[0]), "=r"(v.word[1]) : "r"(from));
    else
      asm volatile("ld.shared.v4.b32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(v.word[0]), "=r"(v.word[1]), "=r"(v.word[2]), "=r"(v.word[3])
                   : "r"(from));
    return v;
  }
#else
  unsigned char const* base;
  explicit shared_elements(unsigned char const* p) : base(p) {}
  register_words<element_bytes> operator[](std::uint32_t at) const {
    return load_words<element_bytes>(base + at * element_bytes);
  }
#endif
};

/// What windows may hold beyond the runs: all of the source where it has no gaps, else nothing (null).
struct readable_bytes {
  char const *first, *last;
  readable_bytes(copy_problem const& p, char const* source) : first(nullptr), last(nullptr) {
    if (source_has_gaps(p)) return;
    std::int64_t high = 1;
    for (int m = 0; m < p.rank; ++m) high += (p.mode[m].extent - 1) * p.mode[m].source;
    first = source;
    last = source + high * p.element_bytes;
  }
};

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
