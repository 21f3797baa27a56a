// SPDX-License-Identifier: Apache-2.0
/// @file
/// `prefetch`: a hint that a tensor in global memory will be read soon, so that its 128-byte lines are brought to the
/// L2 cache. It never changes a program's result, and does nothing for tensors in other memory.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/copy/access.hpp>
#include <cosmati/algorithm/copy/layout_facts.hpp>
#include <cosmati/arch/prefetch.hpp>

namespace COSMATI_NAMESPACE {
namespace detail {

/// The elements at which the prefetches of a tensor begin. A run is a sequence of elements that are certainly
/// contiguous. It is prefetched every 128 bytes, and at its last element, which may lie on one more line. A short run
/// is aligned, so its first element suffices.
template <class T>
struct prefetched_elements {
  static constexpr std::int64_t bits = sizeof_bits_v<typename T::value_type>;
  static constexpr std::int64_t run = layout_facts<typename T::layout_type>::run;
  static constexpr std::int64_t a_line = 1024 / bits;
  static constexpr std::int64_t of_a_run = run * bits <= 128 ? 1 : (run + a_line - 1) / a_line + 1;

  COSMATI_HD static constexpr std::int64_t count(T const& t) {
    return static_cast<std::int64_t>(size(t)) / run * of_a_run;
  }
  /// The element that the k-th prefetch asks for.
  COSMATI_HD static constexpr std::int64_t element(std::int64_t k) {
    std::int64_t const in_run = k % of_a_run * a_line;
    return k / of_a_run * run + (in_run < run ? in_run : run - 1);
  }
};

/// Calls f(address) for the prefetches number first, first + step, ...
template <class T, class F>
COSMATI_HD inline void for_each_prefetch(T const& t, std::int64_t first, std::int64_t step, F const& f) {
  using Elements = prefetched_elements<T>;
  std::int64_t const count = Elements::count(t);
  for (std::int64_t k = first; k < count; k += step) f(address_at(t.data(), t.layout()(Elements::element(k))));
}
struct prefetch_address {
  template <class P>
  COSMATI_HD void operator()(P const* p) const {
    prefetch_l2(p);
  }
};

/// A policy whose instruction brings boxes of a tensor of coordinates to L2: those of tensor copies.
template <class Policy, class T>
concept prefetches_boxes = requires(Policy const& policy, T const& t) {
  typename Policy::NumValSrc;
  policy.template prefetch_boxes<1>(t);
};

}  // namespace detail

/// @name prefetch
/// The calling thread prefetches the whole tensor, for instance its share of a tile. @param policy an atom or a tiled
/// copy. Those of tensor copies prefetch the boxes of a tensor of coordinates; others have no effect
/// @{
template <class Engine, class Layout>
COSMATI_HD inline void prefetch([[maybe_unused]] Tensor<Engine, Layout> const& t) {
  if constexpr (is_gmem_v<Tensor<Engine, Layout>>) detail::for_each_prefetch(t, 0, 1, detail::prefetch_address{});
}
template <class Policy, class Engine, class Layout>
COSMATI_HD inline void prefetch([[maybe_unused]] Policy const& policy, Tensor<Engine, Layout> const& t) {
  if constexpr (detail::prefetches_boxes<Policy, Tensor<Engine, Layout>>)
    policy.template prefetch_boxes<static_cast<int>(Policy::NumValSrc::value)>(t);
  else
    prefetch(t);
}
/// @}

/// `threads` threads prefetch the tensor together, each some of its lines. @param thread 0 to threads - 1
template <int threads, class Engine, class Layout>
COSMATI_HD inline void cooperative_prefetch([[maybe_unused]] unsigned thread,
                                            [[maybe_unused]] Tensor<Engine, Layout> const& t) {
  static_assert(threads > 0, "cooperative_prefetch<THREADS>: one thread at least");
  if constexpr (is_gmem_v<Tensor<Engine, Layout>>)
    detail::for_each_prefetch(t, thread, threads, detail::prefetch_address{});
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
