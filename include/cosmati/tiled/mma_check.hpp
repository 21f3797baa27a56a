// SPDX-License-Identifier: Apache-2.0
/// @file
/// Mistakes in a tiled MMA, or in a tensor that it partitions, each named by a class.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/layout/layout.hpp>
#include <cosmati/tiled/refused_calls.hpp>
#include <type_traits>

namespace COSMATI_NAMESPACE {

/// The argument of `partition_A(tensor, ragged)`: the tiled MMA need not divide the tensor. The partition then covers
/// whole tiles. The caller must skip the elements outside the tensor, and finds them by the same partition of an
/// identity tensor.
struct ragged_t {};
#if defined(__CUDA_ARCH__)
[[maybe_unused]] static __device__ constexpr ragged_t ragged{};  // device code may not refer to a host object
#else
/// The argument `ragged` of `partition_A(tensor, ragged)`.
inline constexpr ragged_t ragged{};
#endif

namespace detail {

/// Whether all partitions may reach beyond a tensor without `ragged`. Programs for CuTe compare the coordinates of each
/// element themselves; compat/ sets this for them.
#if defined(COSMATI_CUTE_PROGRAM)
inline constexpr bool ragged_partitions_are_meant = true;
#else
inline constexpr bool ragged_partitions_are_meant = false;
#endif

template <int extent, int atoms, char mode>
struct atoms_do_not_divide_the_permutation {
  static_assert(extent % atoms == 0 || atoms % extent == 0,
                "TiledMMA: atoms_do_not_divide_the_permutation<EXTENT, ATOMS, MODE>: the permutation along MODE has "
                "EXTENT elements, the atoms next to each other take ATOMS at a time; make EXTENT a multiple of ATOMS "
                "(or a divisor: then each EXTENT elements are permuted alike)");
};
template <bool ok>
struct sums_come_out_elsewhere {
  static_assert(ok,
                "TiledMMA: this instruction takes its sums in other registers than it gives them, so that a sum cannot "
                "go round; call MMA_Atom<Op>, or take an instruction whose C and D have one type");
};

/// The tensor has fewer than the two modes that A, B and C have.
template <int rank>
struct operand_has_fewer_than_two_modes : refused {
  static_assert(rank >= 2,
                "TiledMMA: operand_has_fewer_than_two_modes<MODES>: A is (M, K), B (N, K) and C (M, N), possibly with "
                "modes behind them; give the tensor two modes");
};
template <int extent, int tile, char mode>
struct mma_tile_does_not_divide : refused {
  static constexpr bool ok = ragged_partitions_are_meant || extent % tile == 0;
  static_assert(
      ok,
      "TiledMMA: mma_tile_does_not_divide<EXTENT, TILE, MODE>: the tensor has EXTENT elements along MODE, the "
      "tiled MMA takes TILE at a time, so that threads would have elements that do not exist; make EXTENT a "
      "multiple of TILE, or write partition_A(tensor, ragged) and leave out what lies outside");
};

/// The check of one mode: void, or the class that names the mistake. @tparam Extent a static integer, or a type that
/// does not tell the extent
template <class Extent, int tile, char mode>
constexpr auto mma_mode_mistake() {
  if constexpr (!static_integer<Extent>)
    return std::type_identity<void>{};
  else
    return std::type_identity<std::conditional_t<(ragged_partitions_are_meant || Extent::value % tile == 0), void,
                                                 mma_tile_does_not_divide<Extent::value, tile, mode>>>{};
}
/// The check of a tensor to be partitioned: void, or the class that names the mistake. A tensor of coordinates may
/// reach beyond the bounds, because it is not memory.
/// @tparam Mma a TiledMMA
/// @tparam x, y the modes of the operand
template <class Mma, int x, int y, class T>
constexpr auto mma_partition_mistake() {
  if constexpr (T::rank < 2) {
    return std::type_identity<operand_has_fewer_than_two_modes<T::rank>>{};
  } else if constexpr (!requires(T const& t) { raw_pointer_cast(t.data()); }) {
    return std::type_identity<void>{};
  } else {
    using X = decltype(mma_mode_mistake<decltype(size<0>(std::declval<T const&>())),
                                        decltype(size(Mma::template permutation_mnk<x>()))::value, "MNK"[x]>());
    using Y = decltype(mma_mode_mistake<decltype(size<1>(std::declval<T const&>())),
                                        decltype(size(Mma::template permutation_mnk<y>()))::value, "MNK"[y]>());
    return std::conditional_t<std::is_void_v<typename X::type>, Y, X>{};
  }
}
/// @tparam Operand an operand of TiledMMA
template <class Mma, class Operand, class T>
using mma_partition_refusal =
    typename decltype(mma_partition_mistake<Mma, Operand::x, Operand::y, std::remove_cvref_t<T>>())::type;
template <class Mma, class Operand, class T>
concept mma_partitions = std::is_void_v<mma_partition_refusal<Mma, Operand, T>>;

}  // namespace detail
}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
