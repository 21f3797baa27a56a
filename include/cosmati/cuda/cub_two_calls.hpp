// SPDX-License-Identifier: Apache-2.0
/// @file
/// The protocol of CUB's algorithms of the device. One thread does the work; its accesses are watched as those of any
/// kernel. A call without temporary storage says how many bytes it needs.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/cub_types.hpp>
#include <cosmati/cuda/launch.hpp>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace cub {

namespace detail {

template <class Iterator>
using value_of = std::remove_cvref_t<decltype(*std::declval<Iterator&>())>;

/// The type that CUB adds up in: that of the operation's result, whatever the initial value's.
template <class Operation, class In, class T = value_of<In>>
using sum_of = std::decay_t<std::invoke_result_t<Operation&, value_of<In>, T>>;

/// Runs the work in a kernel of one thread, which also touches the temporary storage. g++ inlines a function of a
/// lambda's type that is called once, whatever the attribute says, unless it is used elsewhere.
template <class Work>
__attribute__((__noinline__, __used__)) void one_thread(unsigned char* storage, std::size_t bytes, Work work) {
  if (::cosmati_cuda::cosmati_sim_kernel_entered()) return;
  storage[0] = 0;
  storage[bytes - 1] = 0;
  work(storage);
}

/// The two calls of CUB: the first asks for the bytes of the storage, the second works.
template <class Work>
cudaError_t two_calls(void* storage, std::size_t& bytes, std::size_t needed, cudaStream_t stream, Work work) {
  if (storage == nullptr) {
    bytes = needed;
    return cudaSuccess;
  }
  if (bytes < needed) return cudaErrorInvalidValue;
  auto const kernel = [](unsigned char* s, std::size_t n, Work w) { one_thread(s, n, w); };
  return ::cosmati_cuda::launch(kernel, ::cosmati_cuda::shape(1, 1, 0, stream), static_cast<unsigned char*>(storage),
                                needed, work);
}
inline constexpr std::size_t least_storage = 256;  // the bytes of an algorithm that keeps nothing there

}  // namespace detail

}  // namespace cub

#endif

#include <cosmati/core/macros_end.hpp>
