// SPDX-License-Identifier: Apache-2.0
/// @file
/// `gemm_simt`: C = epilogue(alpha A B + beta C) by multiply-adds of single threads, for every type that has them:
/// float, double, complex, half and bfloat16 (summed in float), 8-bit integers (summed in int).
///
/// A block computes a tile of C. cp.async loads tiles of A and B to a ring of stages in shared memory, where both are
/// contiguous along M or N for any layout in global memory. A thread's operands come to registers one step along K
/// before their use. The loop over a tile has no branch, and a longer tile is better than a shorter one. ptxas then
/// finds registers such that an FFMA seldom reads two of one bank (bench/notes/register-banks.md), which decides the
/// speed.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/clear.hpp>
#include <cosmati/algorithm/copy.hpp>
#include <cosmati/algorithm/gemm.hpp>
#include <cosmati/kernel/gemm/epilogue.hpp>
#include <cosmati/kernel/gemm/problem.hpp>
#include <cosmati/kernel/gemm/simt_feed.hpp>
#include <cosmati/kernel/gemm/simt_loads.hpp>
#include <cosmati/runtime/dynamic_shared.hpp>
#include <cosmati/runtime/launch.hpp>
#include <cosmati/tensor/local_tile.hpp>
#include <cosmati/tiled/tiled_copy.hpp>

namespace COSMATI_NAMESPACE {

/// The configuration of `gemm_simt`. The lanes of a warp lie 4 x 8 over (M, N). Each thread computes values_m x
/// values_n elements, in vectors of 16 bytes.
struct simt_config {
  int tile_m = 128, tile_n = 256, tile_k = 16;  ///< elements of a block's tile
  int values_m = 8, values_n = 16;              ///< elements of C for each thread
  int stages = 3;                               ///< the stages in shared memory, at least 2
  int blocks = 1;                               ///< the least number of blocks of a multiprocessor, which limits the
                                                ///< registers of a thread
  int fetch_from = 2;                           ///< the step along K at which the copies of a later tile begin
  int fetch_steps = 1;                          ///< the number of steps over which they are spread, all before the
                                                ///< tile's last one
  int band = 8;                                 ///< successive tiles along M (tile_order.hpp)

  /// The number of threads of a block.
  COSMATI_HD constexpr int threads() const { return tile_m / values_m * (tile_n / values_n); }
  constexpr bool operator==(simt_config const&) const = default;
};

namespace detail {

/// The configuration that suits sums of `bytes` bytes, on an H200 (bench/notes/register-banks.md). @tparam along_k
/// whether A or B is contiguous along K, so that copies of four bytes are to be spread among the products
template <int bytes, bool along_k>
constexpr simt_config simt_config_for() {
  if (bytes <= 4) return {.fetch_from = along_k ? 0 : 2, .fetch_steps = along_k ? 12 : 1};
  if (bytes <= 8) return {.tile_m = 128, .tile_n = 64, .values_m = 8, .values_n = 4};
  return {.tile_m = 64, .tile_n = 32, .tile_k = 8, .values_m = 4, .values_n = 2};
}

template <int tile, int values, int lanes, char mode>
struct simt_tile_is_warps : refused {
  static constexpr bool ok = values > 0 && tile % (values * lanes) == 0;
  static_assert(ok,
                "gemm_simt: simt_tile_is_warps<TILE, VALUES, LANES, MODE>: the tile's extent along MODE must be a "
                "multiple of a thread's VALUES times the LANES of a warp");
};
template <int vector, int values, char mode>
struct simt_values_are_vectors : refused {
  static constexpr bool ok = values % vector == 0;
  static_assert(ok,
                "gemm_simt: simt_values_are_vectors<VECTOR, VALUES, MODE>: a thread's VALUES along MODE must be a "
                "multiple of VECTOR, the elements of 16 bytes");
};
template <int tile_k, int from, int steps>
struct simt_fetches_before_the_last_step : refused {
  static constexpr bool ok = from >= 0 && steps > 0 && from + steps < tile_k;
  static_assert(ok,
                "gemm_simt: simt_fetches_before_the_last_step<TILE_K, FROM, STEPS>: STEPS steps along K from FROM on "
                "begin the copies of a later tile, one or more, all before the last of TILE_K steps");
};
template <int stages>
struct simt_has_stages : refused {
  static constexpr bool ok = stages >= 2;
  static_assert(ok, "gemm_simt: simt_has_stages<STAGES>: a ring has two stages of shared memory or more");
};
template <int along, int across, int threads>
struct simt_copy_covers_the_tile : refused {
  static constexpr bool ok = along % (threads / across) == 0;
  static_assert(ok,
                "gemm_simt: simt_copy_covers_the_tile<EXTENT, ACROSS, THREADS>: THREADS threads, ACROSS of them along "
                "the contiguous mode, copy THREADS / ACROSS vectors of the other mode at once, which must divide "
                "EXTENT");
};

/// The check of a configuration: void, or the class that names the mistake. @tparam bytes the size of a sum
template <simt_config c, int bytes>
constexpr auto simt_mistake() {
  constexpr int vector = bytes < 16 ? 16 / bytes : 1;
  if constexpr (!(c.values_m > 0 && c.tile_m % (c.values_m * 4) == 0))
    return std::type_identity<simt_tile_is_warps<c.tile_m, c.values_m, 4, 'M'>>{};
  else if constexpr (!(c.values_n > 0 && c.tile_n % (c.values_n * 8) == 0))
    return std::type_identity<simt_tile_is_warps<c.tile_n, c.values_n, 8, 'N'>>{};
  else if constexpr (c.values_m % vector != 0)
    return std::type_identity<simt_values_are_vectors<vector, c.values_m, 'M'>>{};
  else if constexpr (c.values_n % vector != 0)
    return std::type_identity<simt_values_are_vectors<vector, c.values_n, 'N'>>{};
  else if constexpr (!(c.fetch_from >= 0 && c.fetch_steps > 0 && c.fetch_from + c.fetch_steps < c.tile_k))
    return std::type_identity<simt_fetches_before_the_last_step<c.tile_k, c.fetch_from, c.fetch_steps>>{};
  else if constexpr (c.stages < 2)
    return std::type_identity<simt_has_stages<c.stages>>{};
  else
    return std::type_identity<void>{};
}

/// The copy of one operand from global memory, contiguous along K or not, to a stage (X, K).
template <class T, int extent, int tile_k, int threads, bool along_k, bool wide>
struct simt_operand {
  static constexpr int lower(int a, int b) { return a < b ? a : b; }
  /// The largest vector for which the threads have enough rows of the tile.
  static constexpr int find_bytes() {
    int width = wide && !along_k ? 16 : static_cast<int>(sizeof(T));
    while (width > static_cast<int>(sizeof(T)) &&
           tile_k % (threads / lower(threads, extent * static_cast<int>(sizeof(T)) / width)) != 0)
      width /= 2;
    return width;
  }
  static constexpr int bytes = find_bytes(), vector = bytes / static_cast<int>(sizeof(T));
  /// The threads along the mode that is contiguous in global memory.
  static constexpr int across = along_k ? lower(8, tile_k) : lower(threads, extent / vector);
  static_assert(sizeof(simt_copy_covers_the_tile < along_k ? extent : tile_k, across, threads >) != 0);
  static constexpr bool asynchronous = bytes == 4 || bytes == 8 || bytes == 16;
  /// Threads that are adjacent along K write to rows whose banks are 16 bytes apart.
  static constexpr int row = extent + (along_k ? 16 / static_cast<int>(sizeof(T)) : 0);

  COSMATI_HD static constexpr auto copy() {
    using Word = uint_bit_t<8 * bytes>;
    using Async =
        std::conditional_t<bytes == 16, SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<Word>, SM80_CP_ASYNC_CACHEALWAYS_ZFILL<Word>>;
    using Atom = Copy_Atom<std::conditional_t<asynchronous, Async, UniversalCopy<Word>>, T>;
    if constexpr (along_k) {
      return make_tiled_copy(Atom{}, Layout<Shape<C<threads / across>, C<across>>, Stride<C<across>, _1>>{});
    } else {
      return make_tiled_copy(Atom{}, Layout<Shape<C<across>, C<threads / across>>>{}, Layout<Shape<C<vector>, _1>>{});
    }
  }
  template <int stages>
  using stage_layout = Layout<Shape<C<extent>, C<tile_k>, C<stages>>, Stride<_1, C<row>, C<row * tile_k>>>;
};

/// The order of a tile's elements along one mode: lanes of a warp, warps, then a thread's values, a vector at a time.
template <int lanes, int warps, int vector, int values>
using simt_order = Layout<Shape<C<lanes>, C<warps>, C<vector>, C<values / vector>>,
                          Stride<C<vector>, C<lanes * values>, _1, C<vector * lanes>>>;

/// The parts of the kernel. @tparam wide_ whether accesses of 16 bytes are allowed
template <simt_config config_, bool wide_, class Problem_>
struct simt_parts {
  using Problem = Problem_;
  static constexpr simt_config config = config_;
  static constexpr bool wide = wide_;
  using TA = std::remove_const_t<typename decltype(Problem::a)::value_type>;
  using TB = std::remove_const_t<typename decltype(Problem::b)::value_type>;
  using Sum = typename Problem::sum_type;
  static constexpr int threads = config.threads(), lanes_m = 4, lanes_n = 8;
  using TileA = Shape<C<config.tile_m>, C<config.tile_k>>;
  using TileB = Shape<C<config.tile_n>, C<config.tile_k>>;
  using TileC = Shape<C<config.tile_m>, C<config.tile_n>>;
  static constexpr int vector = sizeof(Sum) < 16 ? 16 / static_cast<int>(sizeof(Sum)) : 1;
  using operand_A =
      simt_operand<TA, config.tile_m, config.tile_k, threads, decltype(Problem::a)::contiguous == 1, wide>;
  using operand_B =
      simt_operand<TB, config.tile_n, config.tile_k, threads, decltype(Problem::b)::contiguous == 1, wide>;
  /// Behind the last whole tile along K come tiles of zeros.
  static constexpr bool brings_zeros = operand_A::asynchronous && operand_B::asynchronous;
  using LayoutSA = typename operand_A::template stage_layout<config.stages>;
  using LayoutSB = typename operand_B::template stage_layout<config.stages>;
  static constexpr std::size_t bytes_a = sizeof(TA) * static_cast<std::size_t>(cosize_v<LayoutSA>);
  static constexpr std::size_t shared_bytes =
      (bytes_a + 15) / 16 * 16 + sizeof(TB) * static_cast<std::size_t>(cosize_v<LayoutSB>);

  /// The numbering of the lanes. In each half of a warp, neighbours (l ^ 1) read the same of A, and lanes two apart (l
  /// ^ 2) the same of B. A load of 16 bytes per lane from shared memory then takes two passes instead of four.
  COSMATI_HD static constexpr auto mma() {
    constexpr int wm = config.tile_m / config.values_m / lanes_m, wn = config.tile_n / config.values_n / lanes_n;
    using Threads = Layout<Shape<Shape<_2, _2, C<wm>>, Shape<_2, _4, C<wn>>, _1>,
                           Stride<Stride<_2, _16, _32>, Stride<_1, _4, C<32 * wm>>, _0>>;
    return make_tiled_mma(UniversalFMA<Sum>{}, Threads{},
                          make_tile(simt_order<lanes_m, wm, vector, config.values_m>{},
                                    simt_order<lanes_n, wn, vector, config.values_n>{}, _));
  }
};

template <simt_config config, class TA, class TB, class TC>
constexpr auto simt_call_mistake() {
  if constexpr (!std::is_void_v<gemm_mistake_t<TA, TB, TC>>)
    return std::type_identity<gemm_mistake_t<TA, TB, TC>>{};
  else
    return simt_mistake<config,
                        static_cast<int>(sizeof(gemm_sum_t<typename TA::value_type, typename TB::value_type>))>();
}
template <simt_config config, class TA, class TB, class TC>
using simt_refusal = typename decltype(simt_call_mistake<config, TA, TB, TC>())::type;
template <simt_config config, class TA, class TB, class TC>
inline constexpr bool simt_accepts = std::is_void_v<simt_refusal<config, TA, TB, TC>>;

}  // namespace detail

/// @tparam Parts detail::simt_parts (nvcc takes no simt_config here), @tparam whole tiles divide M, N and K
template <class Parts, bool whole, class Epilogue>
__global__ void __launch_bounds__(Parts::threads, Parts::config.blocks)
    gemm_simt_kernel(typename Parts::Problem p, gemm_tile_order order, Epilogue epilogue) {
  constexpr simt_config config = Parts::config;
  gemm_tile const tile = order(blockIdx.x);
  auto const mA = p.matrix_a(tile.batch);                                    // (M, K)
  auto const mB = p.matrix_b(tile.batch);                                    // (N, K)
  auto const mC = p.matrix_c(tile.batch);                                    // (M, N)
  auto gA = local_tile(mA, typename Parts::TileA{}, make_coord(tile.m, _));  // (TILE_M, TILE_K, tiles along K)
  auto gB = local_tile(mB, typename Parts::TileB{}, make_coord(tile.n, _));
  unsigned char* const memory = dynamic_shared();
  auto sA = make_tensor(make_smem_ptr(reinterpret_cast<typename Parts::TA*>(memory)), typename Parts::LayoutSA{});
  auto sB = make_tensor(make_smem_ptr(reinterpret_cast<typename Parts::TB*>(memory + (Parts::bytes_a + 15) / 16 * 16)),
                        typename Parts::LayoutSB{});  // (TILE_N, TILE_K, stages)
  auto feed_a = detail::make_simt_feed<typename Parts::operand_A>(gA, shape(mA), sA, threadIdx.x);
  auto feed_b = detail::make_simt_feed<typename Parts::operand_B>(gB, shape(mB), sB, threadIdx.x);
  int const tiles = p.k > 0 ? static_cast<int>(size<2>(gA)) : 1;  // of no elements there is one tile, of zeros
  int next = 0;                                                   // the tile that is fetched next

  auto const mma = Parts::mma();
  auto const thr_mma = mma.get_slice(threadIdx.x);
  auto load_a = detail::make_simt_loads(thr_mma.partition_A(sA), thr_mma.partition_fragment_A(sA(_, _, 0)));
  auto load_b = detail::make_simt_loads(thr_mma.partition_B(sB), thr_mma.partition_fragment_B(sB(_, _, 0)));
  auto sums = partition_fragment_C(mma, typename Parts::TileC{});
  clear(sums);

  constexpr int ahead = config.stages - 1;  // tiles that are on their way
  COSMATI_UNROLL
  for (int k = 0; k < ahead; ++k) detail::fetch_part<whole, 1>(feed_a, feed_b, next, tiles, 0, k);
  cp_async_wait<ahead - 1>();
  __syncthreads();
  load_a(0, 0);
  load_b(0, 0);
  int stage = 0, free = ahead;
  COSMATI_NO_UNROLL
  for (int k = 0; k < tiles; ++k) {
    COSMATI_UNROLL
    for (int step = 0; step < config.tile_k; ++step) {
      int const loaded = (step + 1) % config.tile_k;
      if (loaded == 0) {
        cp_async_wait<ahead - 1>();
        __syncthreads();  // the next tile is there, and everybody has left this one
        free = stage;
        // Behind the last tile there are zeros, or its first step comes once more, for nobody.
        if ((whole && Parts::brings_zeros) || k + 1 < tiles) stage = stage + 1 < config.stages ? stage + 1 : 0;
      }
      load_a(loaded, stage);
      load_b(loaded, stage);
      int const part = step - config.fetch_from;
      if (0 <= part && part < config.fetch_steps)
        detail::fetch_part<whole, config.fetch_steps>(feed_a, feed_b, next, tiles, part, free);
      // By columns: 8 % faster here than two rows at a time, which `gemm` takes for operands of one register.
      detail::gemm_by_columns(mma, sums, load_a.fragment(_, _, step), load_b.fragment(_, _, step), sums);
    }
  }
  // An element at a time: vectors would bind the sums to registers that conflict with the operands'.
  store_gemm_tile<whole, 8>(thr_mma, sums, mC, typename Parts::TileC{}, tile, p.alpha, p.beta, epilogue);
}

/// C = epilogue(alpha A B + beta C), queued on `stream`. If beta is zero, C is not read. Throws `error` if extents do
/// not fit each other.
/// @param A (M, K[, L]), @param B (N, K[, L]), @param C (M, N[, L]), as kernel/gemm/problem.hpp says
template <simt_config config, class EA, class LA, class EB, class LB, class EC, class LC, class Epilogue = identity>
requires(detail::simt_accepts<config, Tensor<EA, LA>, Tensor<EB, LB>, Tensor<EC, LC>>) void gemm_simt(
    Tensor<EA, LA> const& A, Tensor<EB, LB> const& B, Tensor<EC, LC> const& C,
    gemm_sum_t<typename EA::value_type, typename EB::value_type> alpha = 1,
    gemm_sum_t<typename EA::value_type, typename EB::value_type> beta = 0, Epilogue const& epilogue = {},
    stream_handle stream = nullptr) {
  auto const p = make_gemm_problem(A, B, C, alpha, beta);
  using Problem = std::remove_const_t<decltype(p)>;
  if (p.is_empty()) return;
  auto const order = gemm_tile_order::of(p.m, p.n, p.batches, config.tile_m, config.tile_n, config.band);
  bool const whole = p.k > 0 && p.m % config.tile_m == 0 && p.n % config.tile_n == 0 && p.k % config.tile_k == 0;
  auto const with = [&]<bool fast>(std::bool_constant<fast>) {
    using Parts = detail::simt_parts<config, fast, Problem>;
    launch(gemm_simt_kernel<Parts, fast, Epilogue>,
           {.grid = order.blocks(), .block = Parts::threads, .shared_bytes = Parts::shared_bytes, .stream = stream}, p,
           order, epilogue);
  };
  if (whole && p.a.is_aligned_to(16) && p.b.is_aligned_to(16) && p.c.is_aligned_to(16))
    with(std::true_type{});
  else
    with(std::false_type{});
}
/// The same with tiles that suit the types.
template <class EA, class LA, class EB, class LB, class EC, class LC, class Epilogue = identity>
requires(detail::simt_accepts<simt_config{}, Tensor<EA, LA>, Tensor<EB, LB>, Tensor<EC, LC>>) void gemm_simt(
    Tensor<EA, LA> const& A, Tensor<EB, LB> const& B, Tensor<EC, LC> const& C,
    gemm_sum_t<typename EA::value_type, typename EB::value_type> alpha = 1,
    gemm_sum_t<typename EA::value_type, typename EB::value_type> beta = 0, Epilogue const& epilogue = {},
    stream_handle stream = nullptr) {
  using Sum = gemm_sum_t<typename EA::value_type, typename EB::value_type>;
  constexpr bool along_k =
      detail::gemm_contiguous_mode<Tensor<EA, LA>> == 1 || detail::gemm_contiguous_mode<Tensor<EB, LB>> == 1;
  gemm_simt<detail::simt_config_for<static_cast<int>(sizeof(Sum)), along_k>()>(A, B, C, alpha, beta, epilogue, stream);
}

/// @name Calls that are known to be wrong: the type of the result names the mistake (core/refused.hpp)
/// @{
template <simt_config config, class EA, class LA, class EB, class LB, class EC, class LC, class... X>
requires(!detail::simt_accepts<config, Tensor<EA, LA>, Tensor<EB, LB>, Tensor<EC, LC>> ||
         detail::gemm_scalars_are_fractions<Tensor<EA, LA>, Tensor<EB, LB>, X...>)
    detail::or_scalars<detail::simt_refusal<config, Tensor<EA, LA>, Tensor<EB, LB>, Tensor<EC, LC>>, Tensor<EA, LA>,
                       Tensor<EB, LB>> gemm_simt(Tensor<EA, LA> const&, Tensor<EB, LB> const&, Tensor<EC, LC> const&,
                                                 X const&...);
template <class EA, class LA, class EB, class LB, class EC, class LC, class... X>
requires(!detail::simt_accepts<simt_config{}, Tensor<EA, LA>, Tensor<EB, LB>, Tensor<EC, LC>> ||
         detail::gemm_scalars_are_fractions<Tensor<EA, LA>, Tensor<EB, LB>, X...>)
    detail::or_scalars<detail::simt_refusal<simt_config{}, Tensor<EA, LA>, Tensor<EB, LB>, Tensor<EC, LC>>,
                       Tensor<EA, LA>, Tensor<EB, LB>> gemm_simt(Tensor<EA, LA> const&, Tensor<EB, LB> const&,
                                                                 Tensor<EC, LC> const&, X const&...);
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
