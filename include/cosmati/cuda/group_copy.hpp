// SPDX-License-Identifier: Apache-2.0
/// @file
/// What CUDA's cooperative_groups/memcpy_async.h provides: copies that the threads of a group share, and waits for
/// them.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/async_copy.hpp>
#include <cosmati/cuda/groups.hpp>
#include <type_traits>

#define COSMATI_SITE_ char const *file = __builtin_FILE(), int line = __builtin_LINE()

namespace cooperative_groups {

namespace detail {
template <class Group>
void copy_by(Group const& g, void* to, void const* from, std::size_t bytes, char const* file, int line) {
  cosmati_cuda::copy_share(to, from, bytes, g.thread_rank(), g.size(), file, line);
  cosmati_sim_cp_async_commit(file, line);
}
}  // namespace detail

/// @name Copies of a number of bytes
/// Every thread of the group calls them. Each call is one group of cp.async of each thread.
/// @{
template <class Group, class T, class Source>
void memcpy_async(Group const& g, T* to, Source const* from, std::size_t bytes, COSMATI_SITE_) {
  detail::copy_by(g, to, from, bytes, file, line);
}
template <class Group, class T, class Source, std::size_t Alignment>
void memcpy_async(Group const& g, T* to, Source const* from, cuda::aligned_size_t<Alignment> const& bytes,
                  COSMATI_SITE_) {
  cosmati_cuda::check_promise(to, from, Alignment, file, line);
  detail::copy_by(g, to, from, bytes.value, file, line);
}
/// @}
/// Copies the elements that both sides have. @param to_count, from_count numbers of elements
template <class Group, class T, class ToCount, class FromCount>
requires(std::is_convertible_v<ToCount, std::size_t>&& std::is_convertible_v<FromCount, std::size_t>) void memcpy_async(
    Group const& g, T* to, ToCount const& to_count, T const* from, FromCount const& from_count, COSMATI_SITE_) {
  auto const a = static_cast<std::size_t>(to_count), b = static_cast<std::size_t>(from_count);
  detail::copy_by(g, to, from, (a < b ? a : b) * sizeof(T), file, line);
}

/// Waits for all copies of the group, and for its threads.
template <class Group>
void wait(Group const& g, COSMATI_SITE_) {
  cosmati_sim_cp_async_wait(0, file, line);
  g.sync(file, line);
}
/// Waits for all copies of the group but those of the `newest` last calls, and for its threads.
template <unsigned newest, class Group>
void wait_prior(Group const& g, COSMATI_SITE_) {
  cosmati_sim_cp_async_wait(static_cast<int>(newest), file, line);
  g.sync(file, line);
}

}  // namespace cooperative_groups

#undef COSMATI_SITE_

#endif

#include <cosmati/core/macros_end.hpp>
