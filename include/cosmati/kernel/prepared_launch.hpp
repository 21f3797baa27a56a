// SPDX-License-Identifier: Apache-2.0
/// @file
/// A kernel launch without the part that changes from call to call. It holds grid, block, shared memory and the whole
/// argument. Only the two addresses are inserted at the start.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/current_device_model.hpp>
#include <cosmati/runtime/launch.hpp>
#include <cstring>

namespace COSMATI_NAMESPACE::detail {

/// The size of the largest argument of the copy kernels.
inline constexpr std::size_t largest_copy_job = 1536;

/// The launch of one kernel. The argument begins with `source` and `target`. `first` and `last`, if present, are
/// addresses of the source too.
struct prepared_launch {
  void (*start)(prepared_launch const&, char const* source, char* target, stream_handle) = nullptr;
  void (*kernel)() = nullptr;
  char const* source = nullptr;  ///< the bases of both sides for which the argument was made
  char* target = nullptr;
  unsigned grid[2] = {1, 1};
  unsigned block = 0, shared_bytes = 0;
  alignas(16) unsigned char job[largest_copy_job];
};

/// Starts a kernel with this argument at other bases.
template <class Job>
void start_prepared(prepared_launch const& how, char const* source, char* target, stream_handle stream) {
  auto const moved = [](auto at, auto from, auto to) {
    using address = decltype(at);
    return reinterpret_cast<address>(reinterpret_cast<std::uintptr_t>(at) + reinterpret_cast<std::uintptr_t>(to) -
                                     reinterpret_cast<std::uintptr_t>(from));
  };
  alignas(16) unsigned char bytes[sizeof(Job)];
  std::memcpy(bytes, how.job, sizeof(Job));
  Job& job = *reinterpret_cast<Job*>(bytes);
  job.source = moved(job.source, how.source, source);
  job.target = moved(job.target, how.target, target);
  if constexpr (requires { job.first; }) {
    if (job.first != nullptr) {
      job.first = moved(job.first, how.source, source);
      job.last = moved(job.last, how.source, source);
    }
  }
#if defined(__CUDACC__)
  void* arguments[] = {bytes};
  cudaError_t const status = cudaLaunchKernel(reinterpret_cast<void const*>(how.kernel), dim3(how.grid[0], how.grid[1]),
                                              dim3(how.block), arguments, how.shared_bytes, stream);
  if (status != cudaSuccess) {
    (void)cudaGetLastError();
    throw error("copy: a kernel of %u x %u blocks of %u threads, %u bytes of shared memory each, is refused: %s (%s)",
                how.grid[0], how.grid[1], how.block, how.shared_bytes, cudaGetErrorString(status),
                cudaGetErrorName(status));
  }
#else
  launch(reinterpret_cast<void (*)(Job)>(how.kernel),
         {.grid = {how.grid[0], how.grid[1]}, .block = how.block, .shared_bytes = how.shared_bytes, .stream = stream},
         job);
#endif
}

/// The receiver of a plan's launches. It starts or keeps them.
struct launch_sink {
  void (*take)(launch_sink&, prepared_launch const&);
};
/// Starts each launch when it comes.
struct starts_at_once : launch_sink {
  stream_handle stream;
  explicit starts_at_once(stream_handle s) : launch_sink{&go}, stream(s) {}
  static void go(launch_sink& self, prepared_launch const& one) {
    one.start(one, one.source, one.target, static_cast<starts_at_once&>(self).stream);
  }
};
/// Keeps the first launch, and counts them all.
struct keeps_the_first : launch_sink {
  prepared_launch& first;
  int count = 0;
  explicit keeps_the_first(prepared_launch& where) : launch_sink{&keep}, first(where) {}
  static void keep(launch_sink& self, prepared_launch const& one) {
    auto& mine = static_cast<keeps_the_first&>(self);
    if (mine.count++ == 0) mine.first = one;
  }
};

/// Gives a launch to the sink. If it needs more than 48 KiB of shared memory, the kernel is allowed the maximum, once
/// for all its launches. If threads allowed only what their launches need, they would reduce each other's limit.
template <class Job>
void prepare(launch_sink& sink, void (*kernel)(Job), unsigned grid_x, unsigned grid_y, unsigned block,
             std::size_t shared_bytes, Job const& job) {
  static_assert(sizeof(Job) <= largest_copy_job && __is_trivially_copyable(Job));
  prepared_launch one;
  one.start = &start_prepared<Job>;
  one.kernel = reinterpret_cast<void (*)()>(kernel);
  one.source = job.source;
  one.target = job.target;
  one.grid[0] = grid_x;
  one.grid[1] = grid_y;
  one.block = block;
  one.shared_bytes = static_cast<unsigned>(shared_bytes);
  std::memcpy(one.job, &job, sizeof(Job));
#if defined(__CUDACC__)
  if (shared_bytes > 48 * 1024)
    check_cuda(cudaFuncSetAttribute(reinterpret_cast<void const*>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(device_model::of_current().block_bytes)),
               "allowing a copy its shared memory");
#endif
  sink.take(sink, one);
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
