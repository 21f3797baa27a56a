// SPDX-License-Identifier: Apache-2.0
/// @file
/// Launches of CUDA files on the simulated device. `cosmati sim` turns `kernel<<<grid, block, shared, stream>>>(a, b)`
/// into `cosmati_cuda::launch(kernel, shape(grid, block, shared, stream), a, b)`.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/error.hpp>
#include <cosmati/cuda/stream.hpp>
#include <cosmati/runtime/launch.hpp>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace cosmati_cuda {

/// What stands between `<<<` and `>>>`.
struct launch_shape {
  dim3 grid, block;
  std::size_t shared_bytes = 0;
  cudaStream_t stream = nullptr;
  dim3 cluster = {};
  bool cooperative = false;
  char const* file = nullptr;  ///< of the launch
  int line = 0;
  /// Where each of the kernel's parameters is among the bytes of the arguments; null if these may have other types.
  std::size_t const* parameter_offsets = nullptr;
  std::size_t parameter_count = 0;
};
inline launch_shape shape(dim3 grid, dim3 block, std::size_t shared_bytes = 0, cudaStream_t stream = nullptr,
                          char const* file = __builtin_FILE(), int line = __builtin_LINE()) {
  return {grid, block, shared_bytes, stream, {}, false, file, line};
}
/// The shape of a kernel with `__cluster_dims__`.
inline launch_shape shape_of_clusters(dim3 cluster, dim3 grid, dim3 block, std::size_t shared_bytes = 0,
                                      cudaStream_t stream = nullptr, char const* file = __builtin_FILE(),
                                      int line = __builtin_LINE()) {
  return {grid, block, shared_bytes, stream, cluster, false, file, line};
}

extern "C" {
/// Launches, and remembers the error for cudaGetLastError. @param request with everything but the stream and the shape
cudaError_t cosmati_sim_cuda_launch(cosmati_sim_launch_request* request, launch_shape const* shape);
/// Begins the search for a kernel: the next call of `cosmati_sim_kernel_entered` on this thread returns 1.
void cosmati_sim_find_kernel(void);
/// Ends the search. @return the address of the kernel that was entered; null if there was none
void const* cosmati_sim_found_kernel(void);
/// The first statement of kernels that are templates or share a name. @return whether the kernel is only searched
int cosmati_sim_kernel_entered(void);
/// The kernel that was entered has `__cluster_dims__`.
void cosmati_sim_found_clusters(dim3 const* cluster);
/// The clusters of the kernel that was found last; 1, 1, 1 if it has none.
void cosmati_sim_clusters_found(dim3* cluster);
/// Launches a kernel with the addresses of its arguments.
using launch_of_kernel = cudaError_t (*)(void const* kernel, launch_shape const* shape, void** arguments);
/// Remembers how a kernel is launched, for calls that have only its address.
void cosmati_sim_know_kernel(void const* kernel, launch_of_kernel launch);
/// Launches a kernel that is known. For another one it reports a hazard and returns cudaErrorInvalidDeviceFunction.
cudaError_t cosmati_sim_launch_known(void const* kernel, launch_shape const* shape, void** arguments);
}

/// The extents of `__cluster_dims__`, told by the kernel itself, where its template parameters are known.
inline bool found_with_clusters(unsigned x, unsigned y = 1, unsigned z = 1) {
  dim3 const cluster(x, y, z);
  cosmati_sim_found_clusters(&cluster);
  return true;
}

template <std::size_t Index, class T>
T const& argument_of(COSMATI_NAMESPACE::detail::launch_argument<Index, T> const& argument) {
  return argument.value;
}

/// Whether a function gets the address of its argument, because copies of the class have side effects.
/// https://itanium-cxx-abi.github.io/cxx-abi/abi.html#non-trivial-parameters
template <class V>
inline constexpr bool passes_by_address =
    std::is_class_v<V> && !(std::is_trivially_copy_constructible_v<V> && std::is_trivially_move_constructible_v<V> &&
                            std::is_trivially_destructible_v<V>);
template <class V>
using as_passed = std::conditional_t<passes_by_address<V>, V&, V>;

/// The bytes of an argument in a lane. As on a GPU, no lane calls a constructor or a destructor of the argument.
template <class V>
struct argument_bytes {
  alignas(V) unsigned char bytes[sizeof(V)];
  explicit argument_bytes(V const& value) { __builtin_memcpy(bytes, static_cast<void const*>(&value), sizeof(V)); }
  V& get() { return *reinterpret_cast<V*>(bytes); }
};
/// An argument that a lane needs no copy of.
template <class V>
struct argument_itself {
  V const& value;
  V const& get() const { return value; }
};
template <class V>
struct argument_itself<V&> {
  V& value;
  V& get() const { return value; }
};
template <class V>
using passed = std::conditional_t<passes_by_address<V>, argument_bytes<V>, argument_itself<V>>;

/// A kernel, or a function object that calls it, with copies of the arguments.
template <class Kernel, class Indices, class... Values>
struct stored_call;
template <class Kernel, std::size_t... Place, class... Values>
struct stored_call<Kernel, std::index_sequence<Place...>, Values...> {
  Kernel kernel;
  COSMATI_NAMESPACE::detail::launch_arguments<std::index_sequence<Place...>, Values...> arguments;

  static void in_lane(void const* self) {
    stored_call const& call = *static_cast<stored_call const*>(self);
    // The compiler's instrumentation leaves out a class that passes in registers.
    asm volatile("# cosmati: reported");
    if constexpr (std::is_pointer_v<Kernel> && (passes_by_address<Values> || ...)) {
      using kernel_as_called = void (*)(as_passed<Values>...);
      reinterpret_cast<kernel_as_called>(call.kernel)(passed<Values>{argument_of<Place>(call.arguments)}.get()...);
    } else {
      call.kernel(argument_of<Place>(call.arguments)...);
    }
  }
  template <class V>
  std::size_t offset_of(V const& value) const {
    return static_cast<std::size_t>(reinterpret_cast<char const*>(&value) - reinterpret_cast<char const*>(this));
  }
  /// @param address of the kernel
  cudaError_t run(void const* address, launch_shape const& s) const {
    void const* const pointers[sizeof...(Place) + 1] = {
        COSMATI_NAMESPACE::detail::pointer_of(argument_of<Place>(arguments))..., nullptr};
    cosmati_sim_launch_request request = {};
    request.struct_bytes = sizeof request;
    request.kernel = address;
    request.call = &in_lane;
    request.arguments = this;
    request.arguments_bytes = sizeof(*this);
    request.pointers = pointers;
    request.pointer_count = sizeof...(Place);
    if constexpr (!std::is_pointer_v<Kernel>) return cosmati_sim_cuda_launch(&request, &s);
    std::size_t const offsets[sizeof...(Place) + 1] = {offset_of(argument_of<Place>(arguments))..., 0};
    launch_shape of_function = s;
    of_function.parameter_offsets = offsets;
    of_function.parameter_count = sizeof...(Place);
    return cosmati_sim_cuda_launch(&request, &of_function);
  }
};

/// Converts as a call of the kernel would. A zero that is no longer a literal is a null pointer, too.
template <class Parameter, class Argument>
Parameter as_parameter(Argument&& argument) {
  using plain = std::remove_cvref_t<Argument>;
  if constexpr (std::is_pointer_v<Parameter> && std::is_integral_v<plain>) {
    return reinterpret_cast<Parameter>(static_cast<std::size_t>(argument));
  } else {
    return static_cast<Argument&&>(argument);
  }
}

template <std::size_t passed, std::size_t taken>
struct launch_passes_arguments {
  static_assert(passed == taken, "kernel<<<...>>>(arguments...): pass as many arguments as the kernel has parameters");
};

/// Launches a kernel that is one function. The arguments are converted once to the types of its parameters.
template <class... Parameters, class... Arguments>
cudaError_t launch(void (*kernel)(Parameters...), launch_shape const& s, Arguments&&... arguments) {
  static_assert(sizeof(launch_passes_arguments<sizeof...(Arguments), sizeof...(Parameters)>) != 0);
  stored_call<void (*)(Parameters...), std::make_index_sequence<sizeof...(Parameters)>,
              std::remove_cv_t<Parameters>...> const call = {
      kernel, {{as_parameter<std::remove_cv_t<Parameters>>(static_cast<Arguments&&>(arguments))}...}};
  return call.run(reinterpret_cast<void const*>(kernel), s);
}

/// As `launch`, with arguments that have the kernel's types, so that one may be a list in braces.
template <class... Parameters>
cudaError_t launch_exactly(void (*kernel)(Parameters...), launch_shape const& s,
                           std::type_identity_t<Parameters>... arguments) {
  return launch(kernel, s, static_cast<Parameters&&>(arguments)...);
}

/// Launches what a function object calls: a template, or one of several kernels of a name. The object's first call on
/// the host finds the kernel, and does not enter it.
template <class Call, class... Arguments>
requires(std::is_class_v<Call>) cudaError_t
    launch(Call const& kernel, launch_shape const& s, Arguments&&... arguments) {
  using stored = stored_call<Call, std::make_index_sequence<sizeof...(Arguments)>, std::decay_t<Arguments>...>;
  stored const call = {kernel, {{static_cast<Arguments&&>(arguments)}...}};
  void const* address = reinterpret_cast<void const*>(&stored::in_lane);
  cosmati_sim_find_kernel();
  stored::in_lane(&call);
  if (void const* const found = cosmati_sim_found_kernel()) address = found;
  launch_shape found_shape = s;
  if (s.cluster.x == 1 && s.cluster.y == 1 && s.cluster.z == 1) cosmati_sim_clusters_found(&found_shape.cluster);
  return call.run(address, found_shape);
}

}  // namespace cosmati_cuda

enum cudaLaunchAttributeID {
  cudaLaunchAttributeIgnore = 0,
  cudaLaunchAttributeAccessPolicyWindow = 1,
  cudaLaunchAttributeCooperative = 2,
  cudaLaunchAttributeSynchronizationPolicy = 3,
  cudaLaunchAttributeClusterDimension = 4,
  cudaLaunchAttributeClusterSchedulingPolicyPreference = 5,
  cudaLaunchAttributeProgrammaticStreamSerialization = 6,
  cudaLaunchAttributeProgrammaticEvent = 7,
  cudaLaunchAttributePriority = 8,
  cudaLaunchAttributeMemSyncDomainMap = 9,
  cudaLaunchAttributeMemSyncDomain = 10,
  cudaLaunchAttributePreferredClusterDimension = 11,
  cudaLaunchAttributeLaunchCompletionEvent = 12,
  cudaLaunchAttributePreferredSharedMemoryCarveout = 14
};
enum cudaAccessProperty {
  cudaAccessPropertyNormal = 0,
  cudaAccessPropertyStreaming = 1,
  cudaAccessPropertyPersisting = 2
};
/// A range of memory that L2 is to keep. The simulated device has no cache.
struct cudaAccessPolicyWindow {
  void* base_ptr;
  std::size_t num_bytes;
  float hitRatio;
  cudaAccessProperty hitProp, missProp;
};
enum cudaSynchronizationPolicy {
  cudaSyncPolicyAuto = 1,
  cudaSyncPolicySpin = 2,
  cudaSyncPolicyYield = 3,
  cudaSyncPolicyBlockingSync = 4
};
union cudaLaunchAttributeValue {
  char pad[64];
  cudaAccessPolicyWindow accessPolicyWindow;
  cudaSynchronizationPolicy syncPolicy;
  struct {
    cudaEvent_t event;
    int flags, triggerAtBlockStart;
  } programmaticEvent;
  struct {
    unsigned x, y, z;
  } preferredClusterDim;
  struct {
    cudaEvent_t event;
    int flags;
  } launchCompletionEvent;
  unsigned sharedMemCarveout;
  int memSyncDomain;
  int cooperative;
  struct {
    unsigned x, y, z;
  } clusterDim;
  int clusterSchedulingPolicyPreference;
  int programmaticStreamSerializationAllowed;
  int priority;
};
struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  std::size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute* attrs;
  unsigned numAttrs;
};

// Attributes of streams have the numbers of those of launches.
using cudaStreamAttrID = cudaLaunchAttributeID;
using cudaStreamAttrValue = cudaLaunchAttributeValue;
#define cudaStreamAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaStreamAttributeSynchronizationPolicy cudaLaunchAttributeSynchronizationPolicy
#define cudaStreamAttributePriority cudaLaunchAttributePriority
inline cudaError_t cudaStreamSetAttribute(cudaStream_t, cudaStreamAttrID, cudaStreamAttrValue const*) {
  return cudaSuccess;
}
inline cudaError_t cudaStreamGetAttribute(cudaStream_t, cudaStreamAttrID, cudaStreamAttrValue* value) {
  *value = {};
  return cudaSuccess;
}

// Programmatic dependent launches. Each launch is over before the next one begins, so that nothing is to be waited for.
inline void cudaGridDependencySynchronize() {}
inline void cudaTriggerProgrammaticLaunchCompletion() {}

namespace cosmati_cuda {
/// The shape with the attributes that change a launch: clusters, cooperation.
inline launch_shape shape_of(cudaLaunchConfig_t const& config) {
  launch_shape s = shape(config.gridDim, config.blockDim, config.dynamicSmemBytes, config.stream);
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    cudaLaunchAttribute const& a = config.attrs[i];
    if (a.id == cudaLaunchAttributeClusterDimension)
      s.cluster = dim3(a.val.clusterDim.x, a.val.clusterDim.y, a.val.clusterDim.z);
    if (a.id == cudaLaunchAttributeCooperative) s.cooperative = a.val.cooperative != 0;
  }
  return s;
}
/// The argument of a kernel at an address. A reference is passed as the address of what it refers to.
template <class Parameter>
decltype(auto) argument_at(void* address) {
  if constexpr (std::is_reference_v<Parameter>)
    return **static_cast<std::remove_reference_t<Parameter>**>(address);
  else
    return *static_cast<std::remove_cv_t<Parameter>*>(address);
}
template <class... Parameters, std::size_t... Place>
cudaError_t launch_by_addresses(void (*kernel)(Parameters...), launch_shape const& s, [[maybe_unused]] void** arguments,
                                std::index_sequence<Place...>) {
  return launch(kernel, s, argument_at<Parameters>(arguments[Place])...);
}

/// An object that makes a kernel known. `cosmati sim` sets one behind a kernel's definition.
struct known_kernel {
  template <class... Parameters>
  explicit known_kernel(void (*kernel)(Parameters...)) {
    cosmati_sim_know_kernel(
        reinterpret_cast<void const*>(kernel), [](void const* k, launch_shape const* s, void** arguments) {
          auto* const function = reinterpret_cast<void (*)(Parameters...)>(const_cast<void*>(k));
          return launch_by_addresses(function, *s, arguments, std::index_sequence_for<Parameters...>{});
        });
  }
};
}  // namespace cosmati_cuda

template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(cudaLaunchConfig_t const* config, void (*kernel)(Parameters...),
                               Arguments&&... arguments) {
  return cosmati_cuda::launch(kernel, cosmati_cuda::shape_of(*config), static_cast<Arguments&&>(arguments)...);
}
/// @param arguments the addresses of the arguments
template <class... Parameters>
cudaError_t cudaLaunchKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments,
                             std::size_t shared_bytes = 0, cudaStream_t stream = nullptr) {
  return cosmati_cuda::launch_by_addresses(kernel, cosmati_cuda::shape(grid, block, shared_bytes, stream), arguments,
                                           std::index_sequence_for<Parameters...>{});
}
template <class... Parameters>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments,
                                        std::size_t shared_bytes = 0, cudaStream_t stream = nullptr) {
  cosmati_cuda::launch_shape s = cosmati_cuda::shape(grid, block, shared_bytes, stream);
  s.cooperative = true;
  return cosmati_cuda::launch_by_addresses(kernel, s, arguments, std::index_sequence_for<Parameters...>{});
}
/// The kernel of an address. `cosmati sim` makes all kernels known that are one function.
inline cudaError_t cudaLaunchKernel(void const* kernel, dim3 grid, dim3 block, void** arguments,
                                    std::size_t shared_bytes = 0, cudaStream_t stream = nullptr) {
  cosmati_cuda::launch_shape const s = cosmati_cuda::shape(grid, block, shared_bytes, stream);
  return cosmati_cuda::cosmati_sim_launch_known(kernel, &s, arguments);
}
inline cudaError_t cudaLaunchCooperativeKernel(void const* kernel, dim3 grid, dim3 block, void** arguments,
                                               std::size_t shared_bytes = 0, cudaStream_t stream = nullptr) {
  cosmati_cuda::launch_shape s = cosmati_cuda::shape(grid, block, shared_bytes, stream);
  s.cooperative = true;
  return cosmati_cuda::cosmati_sim_launch_known(kernel, &s, arguments);
}
inline cudaError_t cudaLaunchKernelExC(cudaLaunchConfig_t const* config, void const* kernel, void** arguments) {
  cosmati_cuda::launch_shape const s = cosmati_cuda::shape_of(*config);
  return cosmati_cuda::cosmati_sim_launch_known(kernel, &s, arguments);
}

#endif

#include <cosmati/core/macros_end.hpp>
