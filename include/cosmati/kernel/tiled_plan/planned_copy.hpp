// SPDX-License-Identifier: Apache-2.0
/// @file
/// `plan_copy(src, dst, element_bytes, threads)`: the tiled copies that move one layout to another, for blocks of
/// `threads` threads; and these copies as types, for your own kernels.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/copy.hpp>
#include <cosmati/kernel/tiled_plan/search.hpp>
#include <cosmati/layout/swizzle.hpp>
#include <cosmati/tiled/tiled_copy.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {

template <int planned, int given>
struct planned_for_other_elements {
  static constexpr bool ok = planned == given;
  static_assert(ok,
                "make_planned_copy<how, T>: the plan is for elements of another size, "
                "planned_for_other_elements<BYTES PLANNED, BYTES OF T>; give T's size to plan_copy, or a type of as "
                "many bytes as the plan has");
};

/// The instruction of a plan's accesses.
template <planned_copy how>
struct planned_operation {
  static constexpr int bytes = how.vector * how.element_bytes;
  using word = uint_bit_t<8 * bytes>;
  static constexpr auto choose() {
    if constexpr (!how.cp_async)
      return UniversalCopy<word>{};
    else if constexpr (bytes == 16 && how.ragged)
      return SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<word>{};
    else if constexpr (bytes == 16)
      return SM80_CP_ASYNC_CACHEGLOBAL<word>{};
    else if constexpr (how.ragged)
      return SM80_CP_ASYNC_CACHEALWAYS_ZFILL<word>{};
    else
      return SM80_CP_ASYNC_CACHEALWAYS<word>{};
  }
  using type = decltype(choose());
};

}  // namespace detail

/// The plans by which your kernel copies one layout to another with blocks of `threads` threads, best first. A plan has
/// tiles, thread and value layouts, atoms, and the stage in shared memory with its swizzle or padding. The result is a
/// constant if the layouts are. Throws `error` if the shapes differ, if the block has fewer than 1 or more than 1024
/// threads, and as `simplified` does. @param src, dst layouts in elements, of the same rank, at bases aligned to 16
/// bytes
template <class... S, class... D>
constexpr tiled_copy_plans plan_copy(Layout<S...> const& src, Layout<D...> const& dst, int element_bytes, int threads,
                                     device_model const& device = {}) {
  return plan_copy(make_copy_problem(src, dst, element_bytes), threads, device);
}
/// The plans for elements of type T.
template <class T, class... S, class... D>
constexpr tiled_copy_plans plan_copy(Layout<S...> const& src, Layout<D...> const& dst, int threads,
                                     device_model const& device = {}) {
  return plan_copy(make_copy_problem(src, dst, static_cast<int>(sizeof(T))), threads, device);
}

/// A planned tiled copy as a type: its atom, thread layout and value layout.
/// @tparam how `tiled_copy_plan::in` or `out`, a constant
/// @tparam T the type of the elements, with `how.element_bytes` bytes
template <planned_copy how, class T>
COSMATI_HD constexpr auto make_planned_copy() {
  // After this message, no further errors from the wrong size are shown.
  if constexpr (detail::planned_for_other_elements<how.element_bytes, sizeof(T)>::ok) {
    using threads =
        Layout<Shape<Int<how.thr[0]>, Int<how.thr[1]>>, Stride<Int<how.thr_stride[0]>, Int<how.thr_stride[1]>>>;
    using values = Layout<Shape<Int<how.along == 0 ? how.vector : 1>, Int<how.along == 1 ? how.vector : 1>>>;
    return make_tiled_copy(Copy_Atom<typename detail::planned_operation<how>::type, T>{}, threads{}, values{});
  }
}
/// The layout of a planned stage. @tparam stage `tiled_copy_plan::stage`, a constant
template <planned_stage stage>
COSMATI_HD constexpr auto make_planned_stage() {
  using plain =
      Layout<Shape<Int<stage.extent[0]>, Int<stage.extent[1]>>, Stride<Int<stage.stride[0]>, Int<stage.stride[1]>>>;
  if constexpr (stage.bits == 0)
    return plain{};
  else
    return composition(Swizzle<stage.bits, stage.base, stage.shift>{}, plain{});
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
