// SPDX-License-Identifier: Apache-2.0
/// @file
/// `swizzled_vectors`: a thread's vectors in stages of swizzled shared memory. Each address is an exclusive or plus an
/// immediate.
///
/// A swizzle is linear, S(x ^ y) = S(x) ^ S(y), and adding a multiple of its period commutes with it. A vector is at
/// first + v, where `first` is the thread's and v is known at compile time. If they have no bit below the period in
/// common, S(first + v) = (S(first) ^ S(v mod period)) + v / period * period.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/error.hpp>
#include <cosmati/layout/composed_layout.hpp>
#include <cosmati/tensor/tensor.hpp>

namespace COSMATI_NAMESPACE::detail {

/// @tparam Partition a partition of shared memory, (..., stages), whose layout is a swizzle after a static one
/// @tparam vector the elements of a vector
template <class Partition, int vector>
struct swizzled_vectors {
  using T = typename Partition::value_type;
  using L = typename Partition::layout_type;
  using Swizzle = std::remove_cvref_t<decltype(std::declval<L>().layout_a())>;
  using Inner = std::remove_cvref_t<decltype(std::declval<L>().layout_b())>;
  static constexpr int last = Inner::rank - 1;
  static constexpr int stage_stride = static_cast<int>(decltype(stride<last>(Inner{}))::value);
  static constexpr int period = 1 << (Swizzle::num_base + Swizzle::num_bits + Swizzle::num_shft);
  static_assert(stage_stride % period == 0 && Swizzle::num_shft >= 0);

  T* memory_;
  int first_;

  COSMATI_HD explicit swizzled_vectors(Partition const& p)
      : memory_(raw_pointer_cast(p.data())), first_(static_cast<int>(Swizzle{}(p.layout().offset()))) {}

  /// @param c the coordinates of the vector in all modes except the last
  template <class... Coord>
  COSMATI_HD auto operator()(int stage, Coord const&... c) const {
    int const v = static_cast<int>(Inner{}(make_coord(c..., _0{})));
    int const low = v & (period - 1);
#if defined(COSMATI_SIMULATED)
    if ((Swizzle{}(first_)&low) != 0)
      fail("gemm_mma: a thread begins at element %d, and one of its vectors stands %d further on", Swizzle{}(first_),
           v);
#endif
    int const at = ((first_ + stage * stage_stride) ^ static_cast<int>(Swizzle{}(low))) + (v - low);
    return make_tensor(make_smem_ptr(memory_ + at), Layout<C<vector>>{});
  }
};
template <int vector, class Partition>
COSMATI_HD auto make_swizzled_vectors(Partition const& p) {
  return swizzled_vectors<Partition, vector>(p);
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
