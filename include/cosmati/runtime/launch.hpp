// SPDX-License-Identifier: Apache-2.0
/// @file
/// `launch(kernel, {.grid = ..., .block = ...}, arguments...)`: one call for the GPU and the simulated device.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/config.hpp>
#include <cosmati/core/error.hpp>
#include <cosmati/runtime/cuda_words.hpp>
#include <cosmati/runtime/sim_abi.hpp>
#include <cosmati/runtime/stream.hpp>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace COSMATI_NAMESPACE {

/// The threads that run a kernel. Integers convert to `dim3(n, 1, 1)`.
struct launch_config {
  dim3 grid = {};                  ///< the number of blocks
  dim3 block = {};                 ///< the threads of a block, at most 1024
  std::size_t shared_bytes = 0;    ///< the dynamic shared memory of a block, at most 227 KB
  dim3 cluster = {};               ///< the blocks of a cluster, at most 8 (16 on some devices), which divide the grid
  stream_handle stream = nullptr;  ///< the stream of the work on the GPU
};

namespace detail {

/// Throws `error` unless both devices accept the configuration.
inline void check_launch(launch_config const& c) {
  unsigned long long const threads = 1ull * c.block.x * c.block.y * c.block.z;
  auto const zero = [](dim3 const& d) { return d.x == 0 || d.y == 0 || d.z == 0; };
  if (zero(c.grid)) {
    throw error("launch: the grid is (%u,%u,%u) blocks, each extent must be at least 1", c.grid.x, c.grid.y, c.grid.z);
  }
  if (c.grid.x > 0x7fffffffu || c.grid.y > 65535 || c.grid.z > 65535) {
    throw error("launch: the grid is (%u,%u,%u) blocks, the most is (2147483647,65535,65535)", c.grid.x, c.grid.y,
                c.grid.z);
  }
  if (zero(c.block)) {
    throw error("launch: the block is (%u,%u,%u) threads, each extent must be at least 1", c.block.x, c.block.y,
                c.block.z);
  }
  if (threads > 1024 || c.block.z > 64) {
    throw error("launch: the block is (%u,%u,%u) = %llu threads, the most is 1024 (64 along z)", c.block.x, c.block.y,
                c.block.z, threads);
  }
  if (c.shared_bytes > 227 * 1024) {
    throw error("launch: %zu bytes of dynamic shared memory a block, the most is %d (227 KB)", c.shared_bytes,
                227 * 1024);
  }
  unsigned long long const blocks = 1ull * c.cluster.x * c.cluster.y * c.cluster.z;
  if (blocks > 16) {
    throw error(
        "launch: the cluster is (%u,%u,%u) = %llu blocks, the most is 16 (8 on devices that allow no larger ones)",
        c.cluster.x, c.cluster.y, c.cluster.z, blocks);
  }
  if (zero(c.cluster) || c.grid.x % c.cluster.x != 0 || c.grid.y % c.cluster.y != 0 || c.grid.z % c.cluster.z != 0) {
    throw error("launch: clusters of (%u,%u,%u) blocks do not divide the grid of (%u,%u,%u)", c.cluster.x, c.cluster.y,
                c.cluster.z, c.grid.x, c.grid.y, c.grid.z);
  }
}

/// Checks as `check_launch` does, and tells the simulated device of a launch that is refused.
inline void check_launch_of([[maybe_unused]] void const* kernel, launch_config const& c) {
#if defined(COSMATI_SIMULATED)
  try {
    check_launch(c);
  } catch (error const& e) {
    cosmati_sim_refuses_launch(kernel, e.what());
    throw;
  }
#else
  check_launch(c);
#endif
}

/// The address that a kernel's argument is, as the simulated device hears of it; null for other arguments.
template <class T>
void const* pointer_of(T const& value) {
  if constexpr (std::is_pointer_v<T> && !std::is_function_v<std::remove_pointer_t<T>>)
    return const_cast<void const*>(static_cast<void const volatile*>(value));
  else
    return nullptr;
}

/// One converted argument. `Index` distinguishes arguments of equal types.
template <std::size_t Index, class T>
struct launch_argument {
  T value;
};

template <class Indices, class... Parameters>
struct launch_arguments;
template <std::size_t... Place, class... Parameters>
struct launch_arguments<std::index_sequence<Place...>, Parameters...> : launch_argument<Place, Parameters>... {};

/// The kernel and its arguments, converted once to the types of its parameters.
template <class Indices, class... Parameters>
struct launch_call;
template <std::size_t... Place, class... Parameters>
struct launch_call<std::index_sequence<Place...>, Parameters...> {
  void (*kernel)(Parameters...);
  launch_arguments<std::index_sequence<Place...>, Parameters...> arguments;

  template <class... Arguments>
  explicit launch_call(void (*k)(Parameters...), Arguments&&... a)
      : kernel(k), arguments{{as_parameter<Parameters>(static_cast<Arguments&&>(a))}...} {}

  /// Converts as a call of the kernel would.
  template <class Parameter, class Argument>
  static Parameter as_parameter(Argument&& argument) {
    return static_cast<Argument&&>(argument);
  }
  template <std::size_t J, class T>
  static T const& get(launch_argument<J, T> const& argument) {
    return argument.value;
  }
  template <std::size_t J, class T>
  static void* address(launch_argument<J, T>& argument) {
    return const_cast<void*>(static_cast<void const*>(&argument.value));
  }

#if defined(__CUDACC__)
  void run(launch_config const& c) {
    if (c.shared_bytes > 48 * 1024) {
      check(cudaFuncSetAttribute(reinterpret_cast<void const*>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 static_cast<int>(c.shared_bytes)),
            c);
    }
    void* pointers[sizeof...(Place) + 1] = {address<Place>(arguments)..., nullptr};
    cudaLaunchConfig_t config = {};
    config.gridDim = c.grid;
    config.blockDim = c.block;
    config.dynamicSmemBytes = c.shared_bytes;
    config.stream = c.stream;
    cudaLaunchAttribute attribute = {};
    unsigned const blocks = c.cluster.x * c.cluster.y * c.cluster.z;
    if (blocks > 8) {
      check(cudaFuncSetAttribute(reinterpret_cast<void const*>(kernel), cudaFuncAttributeNonPortableClusterSizeAllowed,
                                 1),
            c);
    }
    if (blocks > 1) {
      attribute.id = cudaLaunchAttributeClusterDimension;
      attribute.val.clusterDim.x = c.cluster.x;
      attribute.val.clusterDim.y = c.cluster.y;
      attribute.val.clusterDim.z = c.cluster.z;
      config.attrs = &attribute;
      config.numAttrs = 1;
    }
    check(cudaLaunchKernelExC(&config, reinterpret_cast<void const*>(kernel), pointers), c);
  }

 private:
  void check(cudaError_t status, launch_config const& c) const {
    if (status == cudaSuccess) return;
    (void)cudaGetLastError();
    char const* name = nullptr;
    if (cudaFuncGetName(&name, reinterpret_cast<void const*>(kernel)) != cudaSuccess) name = "?";
    (void)cudaGetLastError();
    throw error("launch of %.200s with grid (%u,%u,%u), block (%u,%u,%u), %zu bytes of dynamic shared memory: %s (%s)",
                name, c.grid.x, c.grid.y, c.grid.z, c.block.x, c.block.y, c.block.z, c.shared_bytes,
                cudaGetErrorString(status), cudaGetErrorName(status));
  }
#else
  static void in_lane(void const* self) {
    launch_call const& call = *static_cast<launch_call const*>(self);
    call.kernel(get<Place>(call.arguments)...);
  }
  void run(launch_config const& c) {
    void const* const pointers[sizeof...(Place) + 1] = {pointer_of(get<Place>(arguments))..., nullptr};
    cosmati_sim_launch_request const request = {sizeof(cosmati_sim_launch_request),
                                                {c.grid.x, c.grid.y, c.grid.z},
                                                {c.block.x, c.block.y, c.block.z},
                                                {c.cluster.x, c.cluster.y, c.cluster.z},
                                                c.shared_bytes,
                                                reinterpret_cast<void const*>(kernel),
                                                &in_lane,
                                                this,
                                                sizeof(*this),
                                                pointers,
                                                sizeof...(Place),
                                                c.stream};
    char text[1000];
    if (cosmati_sim_launch(&request, text, sizeof text) != 0) throw error("%s", text);
  }
#endif
};

}  // namespace detail

/// Runs `kernel(arguments...)` on every thread of the grid.
///
/// Arguments convert to the kernel's parameter types. On the GPU the work is queued on `config.stream`; on the
/// simulated device it is complete when the call returns. Throws `error` with the numbers of an impossible
/// configuration; with CUDA's text for a refused launch; on the simulated device for anything that goes wrong in a
/// lane, with kernel, block and thread.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), launch_config const& config, Arguments&&... arguments) {
  static_assert(sizeof...(Parameters) == sizeof...(Arguments),
                "launch(kernel, config, arguments...): pass as many arguments as the kernel has parameters");
  detail::check_launch_of(reinterpret_cast<void const*>(kernel), config);
  detail::launch_call<std::make_index_sequence<sizeof...(Parameters)>, Parameters...> call(
      kernel, static_cast<Arguments&&>(arguments)...);
  call.run(config);
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
