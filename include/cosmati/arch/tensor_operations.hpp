// SPDX-License-Identifier: Apache-2.0
/// @file
/// The instructions of tensor copies by the names of their operations, as CuTe's programs call them without atoms:
/// `SM90_TMA_LOAD::copy(descriptor, barrier, hint, shared, x0, x1)`, and those of one rank, `SM90_TMA_LOAD_2D`.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/tensor_copy.hpp>
#include <cosmati/arch/tensor_copy_im2col.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {

COSMATI_HD inline TmaDescriptor const& descriptor_at(void const* p) { return *static_cast<TmaDescriptor const*>(p); }

/// The coordinates of a pixel and the offsets: n numbers are (n + 2) / 2 coordinates, then the offsets.
template <std::size_t n>
struct pixel_arguments {
  static_assert(n == 4 || n == 6 || n == 8,
                "SM90_TMA_LOAD_IM2COL::copy: three to five coordinates and one to three offsets");
  static constexpr std::size_t rank = n / 2 + 1;
  int first[rank], offsets[rank - 2];
  template <class... X>
  COSMATI_HD constexpr explicit pixel_arguments(X... x) : first(), offsets() {
    int const all[] = {static_cast<int>(x)...};
    for (std::size_t i = 0; i < rank; ++i) first[i] = all[i];
    for (std::size_t i = 0; i + 2 < rank; ++i) offsets[i] = all[rank + i];
  }
};

}  // namespace detail

// On the simulated device the place of a hazard is found by the address of the call.
#if defined(COSMATI_SIMULATED)
#define COSMATI_NO_CALLER_ , nullptr, 0
#else
#define COSMATI_NO_CALLER_
#endif

template <class... X>
COSMATI_HD void SM90_TMA_LOAD::copy(void const* descriptor, std::uint64_t* barrier, std::uint64_t hint, void* shared,
                                    X... x) {
  int const first[] = {static_cast<int>(x)...};
  tensor_copy_g2s(shared, detail::descriptor_at(descriptor), first, *barrier,
                  static_cast<TMA::CacheHintSm90>(hint) COSMATI_NO_CALLER_);
}
template <class... X>
COSMATI_HD void SM90_TMA_LOAD::PREFETCH::copy(void const* descriptor, X... x) {
  int const first[] = {static_cast<int>(x)...};
  tensor_prefetch_l2(detail::descriptor_at(descriptor), first COSMATI_NO_CALLER_);
}
template <class... X>
COSMATI_HD void SM90_TMA_LOAD_MULTICAST::copy(void const* descriptor, std::uint64_t* barrier, std::uint16_t mask,
                                              std::uint64_t hint, void* shared, X... x) {
  int const first[] = {static_cast<int>(x)...};
  tensor_copy_multicast(shared, detail::descriptor_at(descriptor), first, *barrier, mask,
                        static_cast<TMA::CacheHintSm90>(hint) COSMATI_NO_CALLER_);
}
template <class... X>
COSMATI_HD void SM90_TMA_STORE::copy(void const* descriptor, void const* shared, X... x) {
  int const first[] = {static_cast<int>(x)...};
  tensor_copy_s2g(detail::descriptor_at(descriptor), shared, first COSMATI_NO_CALLER_);
}
template <tma_reduction operation>
template <class... X>
COSMATI_HD void SM90_TMA_REDUCE<operation>::copy(void const* descriptor, void const* shared, X... x) {
  int const first[] = {static_cast<int>(x)...};
  tensor_reduce_s2g<operation>(detail::descriptor_at(descriptor), shared, first COSMATI_NO_CALLER_);
}
template <class... X>
COSMATI_HD void SM90_TMA_LOAD_IM2COL::copy(void const* descriptor, std::uint64_t* barrier, void* shared, X... x) {
  detail::pixel_arguments<sizeof...(X)> const at(x...);
  tensor_copy_im2col_g2s(shared, detail::descriptor_at(descriptor), at.first, at.offsets, *barrier COSMATI_NO_CALLER_);
}
template <class... X>
COSMATI_HD void SM90_TMA_LOAD_IM2COL::PREFETCH::copy(void const* descriptor, X... x) {
  detail::pixel_arguments<sizeof...(X)> const at(x...);
  tensor_prefetch_im2col_l2(detail::descriptor_at(descriptor), at.first, at.offsets COSMATI_NO_CALLER_);
}
template <class... X>
COSMATI_HD void SM90_TMA_LOAD_IM2COL_MULTICAST::copy(void const* descriptor, std::uint64_t* barrier, std::uint16_t mask,
                                                     void* shared, X... x) {
  detail::pixel_arguments<sizeof...(X)> const at(x...);
  tensor_copy_im2col_multicast(shared, detail::descriptor_at(descriptor), at.first, at.offsets, *barrier,
                               mask COSMATI_NO_CALLER_);
}
template <class... X>
COSMATI_HD void SM90_TMA_STORE_IM2COL::copy(void const* descriptor, void const* shared, X... x) {
  int const first[] = {static_cast<int>(x)...};
  tensor_copy_im2col_s2g(detail::descriptor_at(descriptor), shared, first COSMATI_NO_CALLER_);
}
template <tma_reduction operation>
template <class... X>
COSMATI_HD void SM90_TMA_REDUCE_IM2COL<operation>::copy(void const* descriptor, void const* shared, X... x) {
  int const first[] = {static_cast<int>(x)...};
  tensor_reduce_im2col_s2g<operation>(detail::descriptor_at(descriptor), shared, first COSMATI_NO_CALLER_);
}

#undef COSMATI_NO_CALLER_

namespace detail {

/// An operation that takes a certain number of arguments: the name with a rank.
template <class Op, int arguments>
struct operation_of_rank {
  template <class... X>
  requires(sizeof...(X) == arguments) COSMATI_HD static void copy(X... x) { Op::copy(x...); }
};
/// The same, which has a prefetch too.
template <class Op, int arguments, int of_prefetch>
struct load_of_rank : operation_of_rank<Op, arguments> {
  using PREFETCH = operation_of_rank<typename Op::PREFETCH, of_prefetch>;
};

}  // namespace detail

/// @name Operations of one rank
/// @{
using SM90_TMA_LOAD_1D = detail::load_of_rank<SM90_TMA_LOAD, 5, 2>;
using SM90_TMA_LOAD_2D = detail::load_of_rank<SM90_TMA_LOAD, 6, 3>;
using SM90_TMA_LOAD_3D = detail::load_of_rank<SM90_TMA_LOAD, 7, 4>;
using SM90_TMA_LOAD_4D = detail::load_of_rank<SM90_TMA_LOAD, 8, 5>;
using SM90_TMA_LOAD_5D = detail::load_of_rank<SM90_TMA_LOAD, 9, 6>;
using SM90_TMA_LOAD_MULTICAST_1D = detail::load_of_rank<SM90_TMA_LOAD_MULTICAST, 6, 2>;
using SM90_TMA_LOAD_MULTICAST_2D = detail::load_of_rank<SM90_TMA_LOAD_MULTICAST, 7, 3>;
using SM90_TMA_LOAD_MULTICAST_3D = detail::load_of_rank<SM90_TMA_LOAD_MULTICAST, 8, 4>;
using SM90_TMA_LOAD_MULTICAST_4D = detail::load_of_rank<SM90_TMA_LOAD_MULTICAST, 9, 5>;
using SM90_TMA_LOAD_MULTICAST_5D = detail::load_of_rank<SM90_TMA_LOAD_MULTICAST, 10, 6>;
using SM90_TMA_STORE_1D = detail::operation_of_rank<SM90_TMA_STORE, 3>;
using SM90_TMA_STORE_2D = detail::operation_of_rank<SM90_TMA_STORE, 4>;
using SM90_TMA_STORE_3D = detail::operation_of_rank<SM90_TMA_STORE, 5>;
using SM90_TMA_STORE_4D = detail::operation_of_rank<SM90_TMA_STORE, 6>;
using SM90_TMA_STORE_5D = detail::operation_of_rank<SM90_TMA_STORE, 7>;
using SM90_TMA_REDUCE_ADD_1D = detail::operation_of_rank<SM90_TMA_REDUCE_ADD, 3>;
using SM90_TMA_REDUCE_ADD_2D = detail::operation_of_rank<SM90_TMA_REDUCE_ADD, 4>;
using SM90_TMA_REDUCE_ADD_3D = detail::operation_of_rank<SM90_TMA_REDUCE_ADD, 5>;
using SM90_TMA_REDUCE_ADD_4D = detail::operation_of_rank<SM90_TMA_REDUCE_ADD, 6>;
using SM90_TMA_REDUCE_ADD_5D = detail::operation_of_rank<SM90_TMA_REDUCE_ADD, 7>;
using SM90_TMA_LOAD_IM2COL_3D = detail::load_of_rank<SM90_TMA_LOAD_IM2COL, 7, 5>;
using SM90_TMA_LOAD_IM2COL_4D = detail::load_of_rank<SM90_TMA_LOAD_IM2COL, 9, 7>;
using SM90_TMA_LOAD_IM2COL_5D = detail::load_of_rank<SM90_TMA_LOAD_IM2COL, 11, 9>;
using SM90_TMA_LOAD_IM2COL_MULTICAST_3D = detail::load_of_rank<SM90_TMA_LOAD_IM2COL_MULTICAST, 8, 5>;
using SM90_TMA_LOAD_IM2COL_MULTICAST_4D = detail::load_of_rank<SM90_TMA_LOAD_IM2COL_MULTICAST, 10, 7>;
using SM90_TMA_LOAD_IM2COL_MULTICAST_5D = detail::load_of_rank<SM90_TMA_LOAD_IM2COL_MULTICAST, 12, 9>;
using SM90_TMA_STORE_IM2COL_3D = detail::operation_of_rank<SM90_TMA_STORE_IM2COL, 5>;
using SM90_TMA_STORE_IM2COL_4D = detail::operation_of_rank<SM90_TMA_STORE_IM2COL, 6>;
using SM90_TMA_STORE_IM2COL_5D = detail::operation_of_rank<SM90_TMA_STORE_IM2COL, 7>;
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
