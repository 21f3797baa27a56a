// SPDX-License-Identifier: Apache-2.0
/// @file
/// The tensor copies of `gemm_hopper`, and the numbers that its kernel takes. The host makes them.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/gemm/hopper_config.hpp>
#include <cosmati/tma/make_tma_copy.hpp>

namespace COSMATI_NAMESPACE::detail {

/// A gemm_operand as a tensor (X, Y, L) of a tensor copy.
/// @param x, y the extents, of which none is 0
/// @param batches 1 if every batch has the same matrix
template <class T, int contiguous>
auto hopper_tensor(gemm_operand<T, contiguous> const& of, int x, int y, int batches) {
  constexpr auto vector = static_cast<std::int64_t>(16 / sizeof(T));
  // a mode of extent 1 may have any stride, a descriptor's may not
  std::int64_t const leading = (contiguous == 1 ? x : y) == 1 ? vector : of.leading;
  std::int64_t const batch = batches == 1 ? vector : of.batch;
  auto const first = make_gmem_ptr(of.data);
  if constexpr (contiguous == 1)
    return make_tensor(first, make_shape(x, y, batches), make_stride(leading, C<1>{}, batch));
  else
    return make_tensor(first, make_shape(x, y, batches), make_stride(C<1>{}, leading, batch));
}

/// Throws `error` unless tensor copies can move the matrices of an operand. @param name of the operand
template <class T, int contiguous>
void check_hopper_operand(char name, gemm_operand<T, contiguous> const& of, int x, int y, int batches) {
  auto const bytes = static_cast<std::int64_t>(sizeof(T));
  auto const is_wrong = [&](std::int64_t elements) {
    return elements <= 0 || elements * bytes % 16 != 0 || elements >= (std::int64_t{1} << 40) / bytes;
  };
  if (reinterpret_cast<std::uintptr_t>(of.data) % 16 != 0)
    throw error("gemm_hopper: %c begins at %p; tensor copies need a multiple of 16; take gemm_mma, or another address",
                name, static_cast<void const*>(of.data));
  if ((contiguous == 1 ? x : y) > 1 && is_wrong(of.leading))
    throw error(
        "gemm_hopper: %c's rows or columns are %lld elements of %lld bytes apart; tensor copies need a multiple of 16 "
        "bytes, below 2^40; take gemm_mma, or another stride",
        name, static_cast<long long>(of.leading), static_cast<long long>(bytes));
  if (batches > 1 && is_wrong(of.batch))
    throw error(
        "gemm_hopper: %c's batches are %lld elements of %lld bytes apart; tensor copies need a multiple of 16 bytes, "
        "below 2^40; take gemm_mma, or another stride",
        name, static_cast<long long>(of.batch), static_cast<long long>(bytes));
}

template <class Op, class Operand, class Shared, class Tile, int blocks = 1>
using hopper_atom = decltype(make_tma_atom(Op{}, hopper_tensor(std::declval<Operand const&>(), 1, 1, 1),
                                           std::declval<Shared>(), std::declval<Tile>(), C<blocks>{}));

/// The tensor copies of a warp's boxes of C; nothing, where threads store results from their registers.
template <class Problem, bool stores_directly>
struct hopper_result_copies {
  using Parts = hopper_results_of<Problem>;
  using Operand = decltype(Problem::c);
  using Tile = Shape<_16, C<Parts::result_columns>>;
  hopper_atom<SM90_TMA_LOAD, Operand, typename Parts::LayoutBox, Tile> load;  ///< if beta is not zero
  hopper_atom<SM90_TMA_STORE, Operand, typename Parts::LayoutBox, Tile> store;
  int columns;  ///< the columns of C that `store` stores: it stores whole chunks of 16 bytes

  static hopper_result_copies of(Problem const& p) {
    constexpr int chunk = 16 / static_cast<int>(sizeof(typename Parts::TC));
    int const columns = p.n / chunk * chunk;
    // A descriptor has at least one chunk. Without one, the kernel does not use it.
    int const batches = Parts::grouped ? 1 : p.batches;
    return {make_tma_atom(SM90_TMA_LOAD{}, hopper_tensor(p.c, p.m, p.n, batches), typename Parts::LayoutBox{}, Tile{}),
            make_tma_atom(SM90_TMA_STORE{}, hopper_tensor(p.c, p.m, columns == 0 ? chunk : columns, batches),
                          typename Parts::LayoutBox{}, Tile{}),
            columns};
  }
};
template <class Problem>
struct hopper_result_copies<Problem, true> {
  static hopper_result_copies of(Problem const&) { return {}; }
};

/// What the kernel takes whatever its configuration: the problem's numbers, and the copies of C. What the
/// configurations do with them alone has one type for all configurations, which spares the compiler work.
template <class Problem, bool stores_directly>
struct hopper_numbers {
  hopper_result_copies<Problem, stores_directly> of_c;
  decltype(Problem::c) c;  ///< for what threads store
  int m, n, k, batches;
  bool batched_a, batched_b;  ///< whether A and B have a matrix for each batch
  typename Problem::sum_type alpha, beta;
  int const* offsets = nullptr;               ///< of groups, one more than batches
  block_scales scales_a = {}, scales_b = {};  ///< of a problem with scales
};

/// What the kernel takes: the copies and the problem's numbers. @tparam Parts hopper_parts
template <class Parts>
struct hopper_arguments : hopper_numbers<typename Parts::Problem, Parts::stores_directly> {
  using numbers = hopper_numbers<typename Parts::Problem, Parts::stores_directly>;
  using Problem = typename Parts::Problem;
  using LoadB = std::conditional_t<Parts::cluster == 1, SM90_TMA_LOAD, SM90_TMA_LOAD_MULTICAST>;
  template <class Layout_>
  using stage_of = std::remove_cvref_t<decltype(std::declval<Layout_>()(_, _, C<0>{}))>;
  using StageA = stage_of<typename Parts::LayoutSA>;
  using StageB = stage_of<typename Parts::LayoutSB>;
  using TileA = Shape<typename Parts::TileM, typename Parts::TileK>;
  using TileB = Shape<typename Parts::TileN, typename Parts::TileK>;

  hopper_atom<SM90_TMA_LOAD, decltype(Problem::a), StageA, TileA> copy_a;
  hopper_atom<LoadB, decltype(Problem::b), StageB, TileB, Parts::cluster> copy_b;

  /// The number of stages along K of a tile of C. It is 1 if K is 0.
  COSMATI_HD int tiles_k() const { return this->k == 0 ? 1 : (this->k - 1) / Parts::tile_k + 1; }
};

/// Throws `error` if tensor copies cannot move the matrices.
template <class Parts>
hopper_arguments<Parts> make_hopper_arguments(typename Parts::Problem const& p) {
  using Arguments = hopper_arguments<Parts>;
  bool const batched_a = !Parts::grouped && p.batches > 1 && p.a.batch != 0,
             batched_b = p.batches > 1 && p.b.batch != 0;
  int const batches_c = Parts::grouped ? 1 : p.batches;
  int const batches_a = batched_a ? p.batches : 1, batches_b = batched_b ? p.batches : 1;
  auto a = p.a;
  auto b = p.b;
  int k = p.k;
  if (k == 0) {  // the kernel then loads a tile beyond the matrices, which is zeros; no address is read
    k = 1;
    a = {reinterpret_cast<typename Parts::TA*>(p.c.data), 256, 256};
    b = {reinterpret_cast<typename Parts::TB*>(p.c.data), 256, 256};
  }
  if (p.k != 0) {
    check_hopper_operand('A', a, p.m, k, batches_a);
    check_hopper_operand('B', b, p.n, k, batches_b);
  }
  check_hopper_operand('C', p.c, p.m, p.n, batches_c);
  Arguments r{{hopper_result_copies<typename Parts::Problem, Parts::stores_directly>::of(p), p.c, p.m, p.n, p.k,
               p.batches, batched_a, batched_b, p.alpha, p.beta},
              make_tma_atom(SM90_TMA_LOAD{}, hopper_tensor(a, p.m, k, batches_a), typename Arguments::StageA{},
                            typename Arguments::TileA{}),
              make_tma_atom(typename Arguments::LoadB{}, hopper_tensor(b, p.n, k, batches_b),
                            typename Arguments::StageB{}, typename Arguments::TileB{}, C<Parts::cluster>{})};
  if constexpr (Parts::grouped) r.offsets = p.offsets;
  if constexpr (Parts::scaled) {
    r.scales_a = p.scales_a;
    r.scales_b = p.scales_b;
  }
  return r;
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
