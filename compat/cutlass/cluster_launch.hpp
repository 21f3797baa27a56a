// SPDX-License-Identifier: Apache-2.0
/// @file
/// `cutlass::launch_kernel_on_cluster`, and `cutlass::ClusterLauncher` in CUDA files.
/// Where CUTLASS's own header is further back on the include path, this one stands aside.
#pragma once
#include <cute/config.hpp>

#if __has_include_next(<cutlass/cluster_launch.hpp>)
#include_next <cutlass/cluster_launch.hpp>
#else

#include <cosmati/core/macros_begin.hpp>

#include <cutlass/cutlass.h>
#include <cutlass/trace.h>
#include <cosmati/runtime/launch.hpp>
#include <cute/arch/cluster_sm100.hpp>

namespace cutlass {

#if defined(COSMATI_SIMULATED)
using launch_stream = ::COSMATI_NAMESPACE::stream_handle;
#else
using launch_stream = cudaStream_t;
#endif

/// How a kernel is launched.
struct ClusterLaunchParams {
  dim3 grid_dims{1, 1, 1};
  dim3 block_dims{1, 1, 1};
  dim3 cluster_dims{1, 1, 1};
  int smem_size_in_bytes = 0;
  launch_stream cuda_stream = nullptr;
};

#if defined(COSMATI_SIMULATED)
/// Launches a kernel in clusters of blocks. The arguments have the types of the kernel's parameters. Throws `error`
/// with what went wrong in it.
template <class... Arguments>
Status launch_kernel_on_cluster(ClusterLaunchParams const& params, void const* kernel, Arguments&&... arguments) {
  using function = void (*)(std::remove_cv_t<std::remove_reference_t<Arguments>>...);
  ::COSMATI_NAMESPACE::launch_config config;
  config.grid = params.grid_dims;
  config.block = params.block_dims;
  config.cluster = params.cluster_dims;
  config.shared_bytes = static_cast<std::size_t>(params.smem_size_in_bytes);
  config.stream = params.cuda_stream;
  ::COSMATI_NAMESPACE::launch(reinterpret_cast<function>(const_cast<void*>(kernel)), config, arguments...);
  return Status::kSuccess;
}
#else
/// Launches a kernel in clusters of blocks (sm_90 and newer).
template <class... Arguments>
Status launch_kernel_on_cluster(ClusterLaunchParams const& params, void const* kernel, Arguments&&... arguments) {
  if (params.smem_size_in_bytes >= 48 * 1024) {
    if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, params.smem_size_in_bytes) !=
        cudaSuccess)
      return Status::kErrorInternal;
  }
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = params.cluster_dims.x;
  attribute.val.clusterDim.y = params.cluster_dims.y;
  attribute.val.clusterDim.z = params.cluster_dims.z;
  cudaLaunchConfig_t config{};
  config.gridDim = params.grid_dims;
  config.blockDim = params.block_dims;
  config.dynamicSmemBytes = static_cast<std::size_t>(params.smem_size_in_bytes);
  config.stream = params.cuda_stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  void* pointers[] = {const_cast<void*>(static_cast<void const*>(&arguments))..., nullptr};
  return cudaLaunchKernelExC(&config, kernel, pointers) == cudaSuccess ? Status::kSuccess : Status::kErrorInternal;
}
#endif

#if defined(__CUDACC__) || defined(COSMATI_CUDA_FILE)
/// Launches a kernel in clusters of blocks, by the addresses of its arguments.
struct ClusterLauncher {
  static constexpr int MaxClusterSize = 32;

  /// A launch with its attributes, to which `launch_config` points.
  struct LaunchConfig {
    static constexpr int numAttrs = 2;
    cudaLaunchConfig_t launch_config;
    cudaLaunchAttribute launch_attribute[numAttrs];
    dim3 gridDim() { return launch_config.gridDim; }
    dim3 blockDim() { return launch_config.blockDim; }
  };

  /// Lets the kernel have clusters of more than 8 blocks.
  static Status init(void const* kernel) {
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1) == cudaSuccess
               ? Status::kSuccess
               : Status::kInvalid;
  }
  /// Whether a grid has whole clusters of a size that there is.
  static Status check_cluster_dims(dim3 grid, dim3 cluster) {
    bool const whole = grid.x % cluster.x == 0 && grid.y % cluster.y == 0 && grid.z % cluster.z == 0;
    return whole && cluster.x * cluster.y * cluster.z <= MaxClusterSize ? Status::kSuccess : Status::kInvalid;
  }
  /// @param with_pdl the kernel may begin before the one before it in the stream has ended
  /// @param fallback the clusters that a device without larger ones gets; of size 0 if it is not given
  /// @return an object that must not be copied before the launch: it points to itself
  static LaunchConfig make_cluster_launch_config(dim3 grid, dim3 cluster, dim3 block, std::size_t shared_bytes = 0,
                                                 cudaStream_t stream = nullptr, bool with_pdl = false,
                                                 dim3 fallback = dim3(0, 0, 0)) {
    if (fallback.x * fallback.y * fallback.z > 0) cluster = fallback;
    LaunchConfig made{};
    cudaLaunchAttribute* const attributes = made.launch_attribute;
    attributes[0].id = cudaLaunchAttributeClusterDimension;
    attributes[0].val.clusterDim.x = cluster.x;
    attributes[0].val.clusterDim.y = cluster.y;
    attributes[0].val.clusterDim.z = cluster.z;
    attributes[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[1].val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t& config = made.launch_config;
    config.gridDim = grid;
    config.blockDim = block;
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream;
    config.attrs = attributes;
    config.numAttrs = with_pdl ? 2 : 1;
    return made;
  }
  static Status launch(dim3 grid, dim3 cluster, dim3 block, std::size_t shared_bytes, cudaStream_t stream,
                       void const* kernel, void** arguments, bool with_pdl = false) {
    if (check_cluster_dims(grid, cluster) != Status::kSuccess || init(kernel) != Status::kSuccess)
      return Status::kInvalid;
    LaunchConfig made = make_cluster_launch_config(grid, cluster, block, shared_bytes, stream, with_pdl);
    made.launch_config.attrs = made.launch_attribute;
    return cudaLaunchKernelExC(&made.launch_config, kernel, arguments) == cudaSuccess ? Status::kSuccess
                                                                                      : Status::kInvalid;
  }
  /// The same, where the device may take smaller clusters.
  static Status launch_with_fallback_cluster(dim3 grid, dim3 preferred, dim3 fallback, dim3 block,
                                             std::size_t shared_bytes, cudaStream_t stream, void const* kernel,
                                             void** arguments, bool with_pdl = false) {
    if (check_cluster_dims(grid, preferred) != Status::kSuccess) return Status::kInvalid;
    return launch(grid, fallback.x * fallback.y * fallback.z > 0 ? fallback : preferred, block, shared_bytes, stream,
                  kernel, arguments, with_pdl);
  }
};
#endif

}  // namespace cutlass

#include <cosmati/core/macros_end.hpp>

#endif
