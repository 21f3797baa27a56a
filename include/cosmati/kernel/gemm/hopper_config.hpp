// SPDX-License-Identifier: Apache-2.0
/// @file
/// The configuration of `gemm_hopper`, and the parts that follow from it: instruction, layouts of shared memory, tiled
/// MMA and registers.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/wgmma_traits.hpp>
#include <cosmati/atom/mma_sm80.hpp>
#include <cosmati/atom/stmatrix.hpp>
#include <cosmati/kernel/gemm/hopper_problem.hpp>
#include <cosmati/pipeline/ordered_sequence.hpp>
#include <cosmati/pipeline/tma_pipeline.hpp>
#include <cosmati/tiled/mma_copy.hpp>

namespace COSMATI_NAMESPACE {

/// What the warpgroups that multiply do together.
enum class hopper_schedule : std::uint8_t {
  cooperative,  ///< all multiply one tile: each has the rows 64 i to 64 i + 63 for each i that is its number modulo
                ///< their number
  pingpong,     ///< each of two has a tile of its own; one multiplies while the other one stores
};

/// A block has one warpgroup that loads tiles, and `consumers` warpgroups that multiply.
struct hopper_config {
  int tile_m = 128, tile_n = 256;  ///< elements of a block's tile of C
  int tile_k = 0;                  ///< elements of a stage along K; 0 means 128 bytes
  int stages = 4;                  ///< the stages in shared memory, 2 to 16
  int consumers = 2;               ///< the warpgroups that multiply; tile_m is a multiple of 64 for each
  int band = 16;                   ///< successive tiles along M (tile_order.hpp)
  int blocks = 1;                  ///< the blocks that share a multiprocessor
  int results = 2;                 ///< boxes of 16 rows of 128 bytes that a warp fills before it stores them
  int cluster = 1;                 ///< the blocks along M that bring tiles of B for each other: 1, 2, 4 or 8
  hopper_schedule schedule = hopper_schedule::cooperative;
  /// The blocks of a cluster that share the sum over K of each tile: 1, 2, 4 or 8. Each adds the sums of all blocks for
  /// its part of the tile, in the order of the blocks.
  int split = 1;
  /// Whether the kernel computes C^T = B^T A^T, so that N goes along the 64 rows of the instruction and M along its 8
  /// to 256 columns. It suits few rows of C.
  bool turned = false;
  /// The stages whose sums are added to other sums in float registers (sums of two levels). 0: those of the instruction
  /// only, which for 8-bit floats have about 14 bits.
  int promote = 0;

  /// The number of threads of a block.
  constexpr int threads() const { return 128 * (consumers + 1); }
  constexpr bool operator==(hopper_config const&) const = default;
};

namespace detail {

/// The kinds of elements that `wgmma` multiplies. A and B have the same kind.
enum class hopper_kind : std::uint8_t { none, half, bfloat16, tfloat32, float8, integer8 };
template <class T>
inline constexpr hopper_kind hopper_kind_of =
    std::is_same_v<T, half_t>                                            ? hopper_kind::half
    : std::is_same_v<T, bfloat16_t>                                      ? hopper_kind::bfloat16
    : std::is_same_v<T, tfloat32_t>                                      ? hopper_kind::tfloat32
    : std::is_same_v<T, float_e4m3_t> || std::is_same_v<T, float_e5m2_t> ? hopper_kind::float8
    : std::is_same_v<T, std::int8_t> || std::is_same_v<T, std::uint8_t>  ? hopper_kind::integer8
                                                                         : hopper_kind::none;

template <class A, class B>
struct no_warpgroup_instruction : refused {
  static constexpr bool ok = hopper_kind_of<A> != hopper_kind::none && hopper_kind_of<A> == hopper_kind_of<B>;
  static_assert(ok,
                "gemm_hopper: no_warpgroup_instruction<A, B>: A and B are both half_t, both bfloat16_t, both "
                "tfloat32_t, both of 8-bit floats, or both of 8-bit integers; for other types take gemm_mma or "
                "gemm_simt, or convert");
};
template <char name, int bytes, int mode>
struct hopper_operand_along_k : refused {
  static constexpr bool ok = bytes == 2 || mode == 1;
  static_assert(ok,
                "gemm_hopper: hopper_operand_along_k<NAME, BYTES, MODE>: wgmma reads operands that are contiguous "
                "along M or N only if their elements have 2 bytes; make NAME contiguous along K, or take gemm_mma");
};
template <class C_>
struct hopper_result_type : refused {
  static constexpr bool ok = sizeof(C_) == 2 || sizeof(C_) == 4 || hopper_kind_of<C_> >= hopper_kind::float8;
  static_assert(ok,
                "gemm_hopper: hopper_result_type<C>: elements of C have 2 or 4 bytes, or are 8-bit floats or 8-bit "
                "integers");
};
template <int tile, int needed, int most, char mode>
struct hopper_tile_fits : refused {
  static constexpr bool ok = tile > 0 && needed > 0 && tile % needed == 0 && tile <= most;
  static_assert(ok,
                "gemm_hopper: hopper_tile_fits<TILE, NEEDED, MOST, MODE>: the tile's extent along MODE must be a "
                "multiple of NEEDED, and at most MOST; along M that is 64 for each consumer, otherwise 128 bytes");
};
template <int stages>
struct hopper_has_stages : refused {
  static constexpr bool ok = stages >= 2 && stages <= 16;
  static_assert(ok, "gemm_hopper: hopper_has_stages<STAGES>: 2 to 16 stages of shared memory");
};
template <int consumers>
struct hopper_has_consumers : refused {
  static constexpr bool ok = consumers >= 1 && consumers <= 3;
  static_assert(ok, "gemm_hopper: hopper_has_consumers<CONSUMERS>: 1 to 3 warpgroups multiply");
};
template <std::size_t bytes, std::size_t most>
struct hopper_stages_fit : refused {
  static constexpr bool ok = bytes <= most;
  static_assert(ok,
                "gemm_hopper: hopper_stages_fit<BYTES, MOST>: the stages and results take BYTES of shared memory, a "
                "block has MOST; take fewer stages or a smaller tile");
};
template <int boxes>
struct hopper_has_results : refused {
  static constexpr bool ok = boxes >= 1 && boxes <= 8;
  static_assert(ok, "gemm_hopper: hopper_has_results<BOXES>: a warp has 1 to 8 boxes of results in shared memory");
};
template <int blocks>
struct hopper_has_cluster : refused {
  static constexpr bool ok = blocks == 1 || blocks == 2 || blocks == 4 || blocks == 8;
  static_assert(ok, "gemm_hopper: hopper_has_cluster<BLOCKS>: a cluster has 1, 2, 4 or 8 blocks");
};
constexpr bool hopper_can_split(int split, int cluster, int sums) {
  return split == 1 || ((split == 2 || split == 4 || split == 8) && cluster == 1 && sums % split == 0);
}
template <int split, int cluster, int sums>
struct hopper_split_fits : refused {
  static constexpr bool ok = hopper_can_split(split, cluster, sums);
  static_assert(ok,
                "gemm_hopper: hopper_split_fits<SPLIT, CLUSTER, SUMS>: 1, 2, 4 or 8 blocks share the sum over K, each "
                "finishes an equal part of the SUMS of a thread, and they cannot share tiles of B as a CLUSTER");
};
template <int promote, class Sum>
struct hopper_promotes_floats : refused {
  static constexpr bool ok = promote == 0 || (promote > 0 && std::is_same_v<Sum, float>);
  static_assert(ok,
                "gemm_hopper: hopper_promotes_floats<PROMOTE, SUM>: sums in two levels are floats, and PROMOTE is a "
                "number of stages");
};
template <int consumers>
struct hopper_pingpong_has_two : refused {
  static constexpr bool ok = consumers == 2;
  static_assert(ok, "gemm_hopper: hopper_pingpong_has_two<CONSUMERS>: in the pingpong schedule 2 warpgroups multiply");
};
template <int sums, int most>
struct hopper_sums_fit : refused {
  static constexpr bool ok = sums <= most;
  static_assert(ok,
                "gemm_hopper: hopper_sums_fit<SUMS, MOST>: each thread has SUMS sums in registers, there is room for "
                "MOST; take more consumers or a smaller tile");
};

template <class T>
constexpr int hopper_tile_k(hopper_config const& c) {
  return c.tile_k != 0 ? c.tile_k : 128 / static_cast<int>(sizeof(T));
}

/// The stages of A or B, (X, K, stages), in rows of 128 bytes, which run along K or along X as in global memory.
template <class T, int extent, int tile_k, int stages, bool along_k>
struct hopper_stages {
  using type = decltype(tile_to_shape(GMMA::Layout_K_Atom<3, T>{}, Shape<C<extent>, C<tile_k>, C<stages>>{}));
};
template <class T, int extent, int tile_k, int stages>
struct hopper_stages<T, extent, tile_k, stages, false> {
  using type = decltype(tile_to_shape(GMMA::Layout_MN_Atom<3, T>{}, Shape<C<extent>, C<tile_k>, C<stages>>{},
                                      Step<_2, _1, _3>{}));
};

/// The warpgroups that multiply one tile.
constexpr int hopper_sharers(hopper_config const& c) {
  return c.schedule == hopper_schedule::pingpong ? 1 : c.consumers;
}
/// The sums of a thread.
constexpr int hopper_sums(hopper_config const& c) {
  return c.consumers > 0 ? c.tile_m * c.tile_n / (128 * hopper_sharers(c)) : 0;
}
/// The sets of sums that a thread has: totals and the sums of the instruction, those of two stages if a stage's are
/// added.
constexpr int hopper_levels(hopper_config const& c) { return c.promote == 0 ? 1 : c.promote == 1 ? 3 : 2; }
/// Whether threads store results from their registers. Otherwise tensor copies do, which need rows along N.
constexpr bool hopper_stores_directly(hopper_config const& c, bool along_n) { return c.split > 1 || !along_n; }

/// What stands behind tiles and results in shared memory.
template <int stages, int warps>
struct hopper_barriers {
  typename tma_pipeline<stages>::storage pipeline;
  std::uint64_t results[std::size_t{warps}];  ///< the box of C that a warp reads is there
  ordered_sequence_storage<2> order;          ///< pingpong: which warpgroup multiplies
  std::uint64_t parts[2];                     ///< split: the parts of the sums are there; they have been read
};

/// The bytes of a warp's results in shared memory, or of its part of the sums of all blocks that share a tile.
constexpr std::size_t hopper_result_bytes(hopper_config const& c, bool along_n) {
  if (!hopper_stores_directly(c, along_n)) return static_cast<std::size_t>(c.results) * 16 * 128;
  return c.split > 1 ? static_cast<std::size_t>(32 * hopper_sums(c)) * 4 : 0;
}
/// The bytes of a block's shared memory. @tparam T the type of A or B
template <class T>
constexpr std::size_t hopper_shared_bytes(hopper_config const& c, bool along_n) {
  std::size_t const rows = static_cast<std::size_t>(c.tile_m) + static_cast<std::size_t>(c.tile_n);
  auto const tile_k = static_cast<std::size_t>(hopper_tile_k<T>(c));
  std::size_t const tiles = sizeof(T) * rows * tile_k;
  std::size_t const warps = 4 * static_cast<std::size_t>(c.consumers);
  return tiles * static_cast<std::size_t>(c.stages) + warps * hopper_result_bytes(c, along_n) +
         8 * (2 * static_cast<std::size_t>(c.stages) + warps + 4);
}

/// What follows from the problem alone, whatever the configuration. @tparam Problem_ gemm_problem
template <class Problem_>
struct hopper_results_of {
  using Problem = Problem_;
  using TC = typename decltype(Problem::c)::value_type;
  using Sum = typename Problem::sum_type;
  static constexpr bool grouped = hopper_grouped<Problem>, scaled = hopper_scaled<Problem>;
  static constexpr bool c_along_n = decltype(Problem::c)::contiguous == 1;
  /// Each warp stores its 16 rows of an instruction in boxes of 128 bytes a row.
  static constexpr int result_columns = 128 / static_cast<int>(sizeof(TC));
  using LayoutBox = decltype(tile_to_shape(GMMA::Layout_K_Atom<3, TC>{}, Shape<_16, C<result_columns>>{}));
  /// A warp's rows of the sums of `wgmma` are held as those of a smaller instruction.
  COSMATI_HD static constexpr auto warp_mma() {
    return make_tiled_mma(MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>{}, Layout<Shape<_1, _1, _1>>{},
                          Tile<_16, C<result_columns>, _16>{});
  }
  using two_results = std::conditional_t<sizeof(TC) == 1, std::uint16_t, std::uint64_t>;
  using store_atom = Copy_Atom<std::conditional_t<sizeof(TC) == 2, SM90_U32x4_STSM_N, UniversalCopy<two_results>>, TC>;
};

/// The parts of the kernel. @tparam Problem gemm_problem
template <hopper_config config_, class Problem>
struct hopper_parts : hopper_results_of<Problem> {
  using typename hopper_results_of<Problem>::TC;
  using typename hopper_results_of<Problem>::Sum;
  using hopper_results_of<Problem>::c_along_n;
  static constexpr hopper_config config = config_;
  using TA = std::remove_const_t<typename decltype(Problem::a)::value_type>;
  using TB = std::remove_const_t<typename decltype(Problem::b)::value_type>;
  static constexpr bool a_along_k = decltype(Problem::a)::contiguous == 1;
  static constexpr bool b_along_k = decltype(Problem::b)::contiguous == 1;
  static constexpr int stages = config.stages, consumers = config.consumers, threads = config.threads();
  static constexpr int cluster = config.cluster;
  static constexpr int sharers = hopper_sharers(config);  ///< the warpgroups that multiply one tile
  static constexpr int promote = config.promote;          ///< stages; 0 for sums of one level
  static constexpr bool pingpong = config.schedule == hopper_schedule::pingpong;
  static constexpr bool stores_directly = hopper_stores_directly(config, c_along_n);
  /// The blocks that share tiles of B, a bit for each; 0 if each block has its own.
  static constexpr std::uint16_t sharing = cluster == 1 ? 0 : (1u << cluster) - 1;
  static constexpr int tile_k = hopper_tile_k<TA>(config);
  using TileM = C<config.tile_m>;
  using TileN = C<config.tile_n>;
  using TileK = C<tile_k>;
  using LayoutSA = typename hopper_stages<TA, config.tile_m, tile_k, stages, a_along_k>::type;
  using LayoutSB = typename hopper_stages<TB, config.tile_n, tile_k, stages, b_along_k>::type;
  static constexpr std::size_t bytes_a = sizeof(TA) * config.tile_m * tile_k;  // of a stage
  static constexpr std::size_t bytes_b = sizeof(TB) * config.tile_n * tile_k;

  using Instruction =
      wgmma_async<config.tile_n, Sum, TA, TB, wgmma_source::shared, a_along_k ? GMMA::Major::K : GMMA::Major::MN,
                  b_along_k ? GMMA::Major::K : GMMA::Major::MN>;
  /// The tiled MMA of the warpgroups that share a tile.
  COSMATI_HD static constexpr auto mma() {
    return make_tiled_mma(MMA_Atom<Instruction>{}, Layout<Shape<C<sharers>, _1, _1>>{});
  }

  static constexpr std::size_t bytes_c = hopper_result_bytes(config, c_along_n);  // of a warp

  using Barriers = hopper_barriers<stages, 4 * consumers>;
  static constexpr std::size_t shared_bytes = hopper_shared_bytes<TA>(config, c_along_n);
  static_assert(shared_bytes == (bytes_a + bytes_b) * stages + bytes_c * 4 * consumers + sizeof(Barriers));

  /// The registers of a thread at the start, while it loads, and while it multiplies.
  static constexpr int registers = 65536 / (threads * config.blocks) / 8 * 8;
  static constexpr bool moves_registers = registers < 240 && consumers > 1;
  static constexpr int producer_registers = 40;
  static constexpr int consumer_registers = (registers * (consumers + 1) - producer_registers) / consumers / 8 * 8;
};

/// The check of a configuration: void, or the class that names the mistake. @tparam TA, TB, TC types of elements
template <hopper_config c, class TA, class TB, class TC, int mode_a, int mode_b, bool c_along_n>
constexpr auto hopper_mistake() {
  constexpr std::size_t most = 227 * 1024;
  constexpr int row_b = mode_b == 1 ? (sizeof(TA) == 1 ? 16 : 8) : 128 / static_cast<int>(sizeof(TB));
  constexpr int row_c = hopper_stores_directly(c, c_along_n) ? 8 : 128 / static_cast<int>(sizeof(TC));
  constexpr int row = row_b > row_c ? row_b : row_c;
  constexpr int row_k = 128 / static_cast<int>(sizeof(TA));
  constexpr int sums = hopper_sums(c);
  if constexpr (hopper_kind_of<TA> == hopper_kind::none || hopper_kind_of<TA> != hopper_kind_of<TB>)
    return std::type_identity<no_warpgroup_instruction<TA, TB>>{};
  else if constexpr (sizeof(TA) != 2 && mode_a != 1)
    return std::type_identity<hopper_operand_along_k<'A', static_cast<int>(sizeof(TA)), mode_a>>{};
  else if constexpr (sizeof(TB) != 2 && mode_b != 1)
    return std::type_identity<hopper_operand_along_k<'B', static_cast<int>(sizeof(TB)), mode_b>>{};
  else if constexpr (sizeof(TC) != 2 && sizeof(TC) != 4 && hopper_kind_of<TC> < hopper_kind::float8)
    return std::type_identity<hopper_result_type<TC>>{};
  else if constexpr (c.consumers < 1 || c.consumers > 3)
    return std::type_identity<hopper_has_consumers<c.consumers>>{};
  else if constexpr (c.stages < 2 || c.stages > 16)
    return std::type_identity<hopper_has_stages<c.stages>>{};
  else if constexpr (c.results < 1 || c.results > 8)
    return std::type_identity<hopper_has_results<c.results>>{};
  else if constexpr (c.cluster != 1 && c.cluster != 2 && c.cluster != 4 && c.cluster != 8)
    return std::type_identity<hopper_has_cluster<c.cluster>>{};
  else if constexpr (c.schedule == hopper_schedule::pingpong && c.consumers != 2)
    return std::type_identity<hopper_pingpong_has_two<c.consumers>>{};
  else if constexpr (c.tile_m <= 0 || c.tile_m % (64 * hopper_sharers(c)) != 0 || c.tile_m > 256)
    return std::type_identity<hopper_tile_fits<c.tile_m, 64 * hopper_sharers(c), 256, 'M'>>{};
  else if constexpr (c.tile_n <= 0 || c.tile_n % row != 0 || c.tile_n > 256)
    return std::type_identity<hopper_tile_fits<c.tile_n, row, 256, 'N'>>{};
  else if constexpr (hopper_tile_k<TA>(c) <= 0 || hopper_tile_k<TA>(c) % row_k != 0 || hopper_tile_k<TA>(c) > 256)
    return std::type_identity<hopper_tile_fits<hopper_tile_k<TA>(c), row_k, 256, 'K'>>{};
  else if constexpr (c.promote < 0 || (c.promote > 0 && !std::is_same_v<gemm_sum_t<TA, TB>, float>))
    return std::type_identity<hopper_promotes_floats<c.promote, gemm_sum_t<TA, TB>>>{};
  else if constexpr (sums * hopper_levels(c) > 192)
    return std::type_identity<hopper_sums_fit<sums * hopper_levels(c), 192>>{};
  else if constexpr (!hopper_can_split(c.split, c.cluster, sums))
    return std::type_identity<hopper_split_fits<c.split, c.cluster, sums>>{};
  else if constexpr (hopper_shared_bytes<TA>(c, c_along_n) > most)
    return std::type_identity<hopper_stages_fit<hopper_shared_bytes<TA>(c, c_along_n), most>>{};
  else
    return std::type_identity<void>{};
}

/// Whether the kernel computes C^T = B^T A^T: by choice, or because tensor copies then store rows.
template <hopper_config config, bool c_along_n>
inline constexpr bool hopper_turns = config.turned || !c_along_n;

/// The check of a call: void, or the class that names the mistake. @tparam TA, TB, TC tensors
template <hopper_config config, class TA, class TB, class TC>
constexpr auto hopper_call_mistake() {
  if constexpr (!std::is_void_v<gemm_mistake_t<TA, TB, TC>>) {
    return std::type_identity<gemm_mistake_t<TA, TB, TC>>{};
  } else {
    constexpr int a = gemm_contiguous_mode<TA>, b = gemm_contiguous_mode<TB>;
    using A = typename TA::value_type;
    using B = typename TB::value_type;
    constexpr bool along_n = gemm_contiguous_mode<TC> == 1, turned = hopper_turns<config, along_n>;
    if constexpr (!turned)
      return hopper_mistake<config, A, B, typename TC::value_type, a, b, along_n>();
    else
      return hopper_mistake<config, B, A, typename TC::value_type, b, a, !along_n>();
  }
}
template <hopper_config config, class TA, class TB, class TC>
using hopper_refusal = typename decltype(hopper_call_mistake<config, TA, TB, TC>())::type;
template <hopper_config config, class TA, class TB, class TC>
inline constexpr bool hopper_accepts = std::is_void_v<hopper_refusal<config, TA, TB, TC>>;

/// Whether a configuration can do a problem. @tparam Problem gemm_problem
template <hopper_config config, class Problem, bool along_n>
inline constexpr bool hopper_problem_fits = [] {
  using OperandA = decltype(Problem::a);
  using OperandB = decltype(Problem::b);
  using A = std::remove_const_t<typename OperandA::value_type>;
  using B = std::remove_const_t<typename OperandB::value_type>;
  using C_ = typename decltype(Problem::c)::value_type;
  if constexpr (hopper_turns<config, along_n>)
    return std::is_void_v<typename decltype(hopper_mistake<config, B, A, C_, OperandB::contiguous, OperandA::contiguous,
                                                           !along_n>())::type>;
  else
    return std::is_void_v<typename decltype(hopper_mistake<config, A, B, C_, OperandA::contiguous, OperandB::contiguous,
                                                           along_n>())::type>;
}();

}  // namespace detail
}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
