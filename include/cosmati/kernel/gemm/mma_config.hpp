// SPDX-License-Identifier: Apache-2.0
/// @file
/// The configuration of `gemm_mma`, and the parts that follow from it: instruction, layouts of shared memory, tiled MMA
/// and tiled copies.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/cp_async.hpp>
#include <cosmati/arch/ldmatrix.hpp>
#include <cosmati/atom/mma_sm80.hpp>
#include <cosmati/atom/mma_sm90.hpp>
#include <cosmati/atom/stmatrix.hpp>
#include <cosmati/kernel/gemm/problem.hpp>
#include <cosmati/tiled/mma_copy.hpp>

namespace COSMATI_NAMESPACE {

/// A tile of C has warps_m x warps_n warps. Each computes tile_m / warps_m x tile_n / warps_n elements.
struct mma_config {
  int tile_m = 128, tile_n = 256;  ///< elements of a block's tile of C
  int tile_k = 0;                  ///< elements of a stage along K; 0 means 128 bytes
  int warps_m = 2, warps_n = 4;    ///< the warps of a block along M and N
  int stages = 3;                  ///< the stages in shared memory, at least 2
  int together = 4;                ///< vectors of 16 bytes that a thread copies together, without a load in between
  int band = 8;                    ///< successive tiles along M (tile_order.hpp)
  int blocks = 1;                  ///< the blocks that share a multiprocessor
  bool tensor_copies = true;       ///< whether tensor copies (TMA) load whole tiles, on GPUs that have them

  /// The number of threads of a block.
  constexpr int threads() const { return 32 * warps_m * warps_n; }
  constexpr bool operator==(mma_config const&) const = default;
};

namespace detail {

/// The matrix instruction for elements of two types. Most pairs have none.
template <class A, class B>
struct mma_of_elements {
  using type = void;
};
#define COSMATI_MMA_OF_(T, Op)   \
  template <>                    \
  struct mma_of_elements<T, T> { \
    using type = Op;             \
  };
COSMATI_MMA_OF_(half_t, SM80_16x8x16_F32F16F16F32_TN)
COSMATI_MMA_OF_(bfloat16_t, SM80_16x8x16_F32BF16BF16F32_TN)
COSMATI_MMA_OF_(tfloat32_t, SM80_16x8x8_F32TF32TF32F32_TN)
COSMATI_MMA_OF_(std::int8_t, SM80_16x8x32_S32S8S8S32_TN)
COSMATI_MMA_OF_(std::uint8_t, SM80_16x8x32_S32U8U8S32_TN)
COSMATI_MMA_OF_(double, SM90_16x8x8_F64F64F64F64_TN)
#undef COSMATI_MMA_OF_

template <class A, class B>
struct no_matrix_instruction : refused {
  static constexpr bool ok = !std::is_void_v<typename mma_of_elements<A, B>::type>;
  static_assert(ok,
                "gemm_mma: no_matrix_instruction<A, B>: A and B are both half_t, bfloat16_t, tfloat32_t, int8_t, "
                "uint8_t or double; for other types take gemm_simt, or convert");
};
template <int tile, int warps, int needed, char mode>
struct mma_tile_is_warps : refused {
  static constexpr bool ok = warps > 0 && tile > 0 && tile % (warps * needed) == 0;
  static_assert(ok,
                "gemm_mma: mma_tile_is_warps<TILE, WARPS, NEEDED, MODE>: the tile's extent along MODE must be a "
                "multiple of NEEDED elements for each of WARPS warps");
};
template <int extent, int needed, char mode>
struct mma_tile_is_rows : refused {
  static constexpr bool ok = extent % needed == 0;
  static_assert(ok,
                "gemm_mma: mma_tile_is_rows<EXTENT, NEEDED, MODE>: the tile's extent along MODE must be a multiple of "
                "NEEDED, what the threads of a block copy at once in rows of 128 bytes");
};
template <int extent, int row, char mode>
struct mma_warp_is_rows : refused {
  static constexpr bool ok = extent % row == 0 || row % extent == 0;
  static_assert(
      ok,
      "gemm_mma: mma_warp_is_rows<EXTENT, ROW, MODE>: an operand that is contiguous along MODE lies in rows of "
      "ROW elements, 128 bytes; a warp's EXTENT along MODE must divide ROW or be a multiple of it");
};
template <int rows>
struct mma_threads_are_rows : refused {
  static constexpr bool ok = rows % 8 == 0 || (rows & (rows - 1)) == 0;
  static_assert(
      ok,
      "gemm_mma: mma_threads_are_rows<ROWS>: the threads of a block copy ROWS rows of 128 bytes at once, which "
      "must be a power of two or a multiple of 8; take another number of warps");
};
template <int stages>
struct mma_has_stages : refused {
  static constexpr bool ok = stages >= 2 && stages <= 16;
  static_assert(ok, "gemm_mma: mma_has_stages<STAGES>: 2 to 16 stages of shared memory");
};
template <int steps>
struct mma_has_steps : refused {
  static constexpr bool ok = steps > 1;
  static_assert(ok,
                "gemm_mma: mma_has_steps<STEPS>: a stage has two or more steps of the instruction along K, so that "
                "one is loaded while another is multiplied; take a longer tile_k");
};
template <std::size_t bytes, std::size_t most>
struct mma_stages_fit : refused {
  static constexpr bool ok = bytes <= most;
  static_assert(ok,
                "gemm_mma: mma_stages_fit<BYTES, MOST>: the stages take BYTES of shared memory, a block has MOST; take "
                "fewer stages or a smaller tile");
};

/// The number of threads that each copy a row of 128 bytes, along the mode that is not contiguous.
COSMATI_HD constexpr int mma_rows_at_once(int threads, int across) {
  return threads / 8 < across ? threads / 8 : across;
}

/// A stage of A or B, (X, K), in rows of 128 bytes, which run along K or along X as in global memory.
/// @tparam extent the elements along X
/// @tparam along_k whether it is contiguous along K
template <class T, int extent_, int tile_k_, int threads, bool along_k_>
struct staged_operand {
  using value_type = T;
  static constexpr int extent = extent_, tile_k = tile_k_;
  static constexpr bool along_k = along_k_;
  static constexpr int bytes = static_cast<int>(sizeof(T)), vector = 16 / bytes, row = 128 / bytes;
  static constexpr int contiguous = along_k ? tile_k : extent, across = along_k ? extent : tile_k;

  /// Neither cp.async nor the loads of fragments conflict in banks. With cp.async eight lanes write a row. ldmatrix
  /// reads 16 bytes of each of eight rows; without it a warp reads eight elements along X by four along K.
  using swizzle =
      std::conditional_t<bytes == 8, Swizzle<2, 2, 2>,
                         std::conditional_t<along_k || bytes == 2, Swizzle<3, log2_of<vector>::value, 3>,
                                            std::conditional_t<bytes == 4, Swizzle<2, 3, 2>, Swizzle<3, 4, 5>>>>;
  /// Tensor copies support one swizzle, and boxes of up to 256 rows.
  static constexpr bool fits_tensor_copies =
      std::is_same_v<swizzle, Swizzle<3, log2_of<vector>::value, 3>> && across <= 256;
  using row_modes = Shape<C<row>, C<contiguous / row>>;
  using row_strides = Stride<_1, C<row * across>>;
  template <int stages, class Swizzled = swizzle>
  using stage_layout = decltype(composition(
      Swizzled{},
      std::conditional_t<
          along_k, Layout<Shape<C<across>, row_modes, C<stages>>, Stride<C<row>, row_strides, C<extent * tile_k>>>,
          Layout<Shape<row_modes, C<across>, C<stages>>, Stride<row_strides, C<row>, C<extent * tile_k>>>>{}));

  /// The copy from global memory: eight threads for a row of 128 bytes.
  COSMATI_HD static constexpr auto copy() {
    constexpr int rows = mma_rows_at_once(threads, across), columns = threads / rows;
    using Atom = Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>, T>;
    if constexpr (along_k)
      return make_tiled_copy(Atom{}, Layout<Shape<C<rows>, C<columns>>, Stride<C<columns>, _1>>{},
                             Layout<Shape<_1, C<vector>>>{});
    else
      return make_tiled_copy(Atom{}, Layout<Shape<C<columns>, C<rows>>>{}, Layout<Shape<C<vector>, _1>>{});
  }
  /// The load to registers.
  using load_operation =
      std::conditional_t<along_k && bytes <= 4, SM75_U32x4_LDSM_N,
                         std::conditional_t<!along_k && bytes == 2, SM75_U16x8_LDSM_T, UniversalCopy<T>>>;
  using load_atom = Copy_Atom<load_operation, T>;
};

template <class T>
constexpr int mma_tile_k(mma_config const& c) {
  return c.tile_k != 0 ? c.tile_k : 128 / static_cast<int>(sizeof(T));
}

/// The limit of a block's shared memory, in bytes.
inline constexpr std::size_t mma_most_shared_bytes = 227 * 1024;

/// The bytes of shared memory of the stages, with an mbarrier each. @tparam T the type of A and B
template <class T>
constexpr std::size_t mma_stage_bytes(mma_config const& c) {
  auto const elements = static_cast<std::size_t>(c.tile_m + c.tile_n) * static_cast<std::size_t>(mma_tile_k<T>(c));
  return (sizeof(T) * elements + 8) * static_cast<std::size_t>(c.stages);
}
/// Whether each warp can store whole tiles of C by a tensor copy. Its results must be a box of 128 bytes by up to 256
/// rows, and all of them must fit in shared memory. @tparam T the type of A and B
template <class T, class TC>
constexpr bool mma_results_are_boxes(mma_config const& c) {
  std::size_t const bytes = sizeof(TC) * static_cast<std::size_t>(c.tile_m) * static_cast<std::size_t>(c.tile_n);
  return c.tensor_copies && sizeof(TC) == 2 && c.warps_n > 0 && c.warps_m > 0 && c.tile_n == 64 * c.warps_n &&
         c.tile_m <= 256 * c.warps_m && mma_stage_bytes<T>(c) + bytes <= mma_most_shared_bytes;
}
/// The number of rows of instructions of each warp's results that are in shared memory at once. It is all rows if a
/// tensor copy stores them, otherwise two. @tparam T the type of A and B
template <class T, class TC>
constexpr int mma_result_rows(mma_config const& c, int instruction_m) {
  return mma_results_are_boxes<T, TC>(c) ? c.tile_m / c.warps_m / instruction_m : 2;
}
/// The bytes of these rows. @tparam T the type of A and B
template <class T, class TC>
constexpr std::size_t mma_result_bytes(mma_config const& c, int instruction_m) {
  return sizeof(TC) *
         static_cast<std::size_t>(mma_result_rows<T, TC>(c, instruction_m) * instruction_m * c.tile_n * c.warps_m);
}
/// Whether results go to C through shared memory, 128 bytes of a row together.
template <class T, class TC>
constexpr bool mma_stages_results(mma_config const& c, int instruction_m) {
  return sizeof(TC) <= 4 && c.warps_n > 0 && c.tile_n / c.warps_n % (128 / static_cast<int>(sizeof(TC))) == 0 &&
         mma_stage_bytes<T>(c) + mma_result_bytes<T, TC>(c, instruction_m) <= mma_most_shared_bytes;
}
/// The bytes of a block's shared memory.
template <class T, class TC>
constexpr std::size_t mma_shared_bytes(mma_config const& c, int instruction_m) {
  return mma_stage_bytes<T>(c) +
         (mma_stages_results<T, TC>(c, instruction_m) ? mma_result_bytes<T, TC>(c, instruction_m) : 0);
}

/// The parts of the kernel. @tparam Problem gemm_problem
template <mma_config config_, class Problem_>
struct mma_parts {
  using Problem = Problem_;
  static constexpr mma_config config = config_;
  using A = decltype(Problem::a);
  using B = decltype(Problem::b);
  using TA = std::remove_const_t<typename A::value_type>;
  using TB = std::remove_const_t<typename B::value_type>;
  using TC = typename decltype(Problem::c)::value_type;
  using Atom = MMA_Atom<typename mma_of_elements<TA, TB>::type>;
  static constexpr int instruction_m = decltype(size<0>(typename Atom::Shape_MNK{}))::value;
  static constexpr int instruction_n = decltype(size<1>(typename Atom::Shape_MNK{}))::value;
  static constexpr int instruction_k = decltype(size<2>(typename Atom::Shape_MNK{}))::value;
  static constexpr int threads = config.threads(), stages = config.stages;
  static constexpr int tile_k = mma_tile_k<TA>(config);
  static constexpr int steps = tile_k / instruction_k;
  using TileM = C<config.tile_m>;
  using TileN = C<config.tile_n>;
  using operand_A = staged_operand<TA, config.tile_m, tile_k, threads, A::contiguous == 1>;
  using operand_B = staged_operand<TB, config.tile_n, tile_k, threads, B::contiguous == 1>;
  using LayoutSA = typename operand_A::template stage_layout<stages>;
  using LayoutSB = typename operand_B::template stage_layout<stages>;

  /// Whether tensor copies load whole tiles, on GPUs that have them.
  static constexpr bool tensor_copies =
      config.tensor_copies && operand_A::fits_tensor_copies && operand_B::fits_tensor_copies;

  /// The position of the fence after which a tensor copy may overwrite what the threads have read. The fence waits for
  /// their loads. It comes before the loads of the next stage, or after some products. Which position is faster depends
  /// on the loads (bench/notes/proxy-fences.md).
  static constexpr bool fence_before_loads = operand_A::along_k && operand_B::along_k;

  /// Results go through shared memory, a few rows of a warp at a time.
  static constexpr int warp_n = config.tile_n / config.warps_n;
  static constexpr bool stages_results = mma_stages_results<TA, TC>(config, instruction_m);
  using operand_C = staged_operand<TC, instruction_m, (stages_results ? warp_n : 128 / sizeof(TC)), 32, true>;
  static constexpr int result_rows = mma_result_rows<TA, TC>(config, instruction_m);
  /// Whether tensor copies, one for each warp, store whole tiles to C.
  static constexpr bool stores_boxes = tensor_copies && stages_results && mma_results_are_boxes<TA, TC>(config);
  /// For elements of 4 bytes, four lanes write 32 bytes of a row.
  using LayoutSC = typename operand_C::template stage_layout<
      result_rows, std::conditional_t<sizeof(TC) == 4, Swizzle<2, 3, 2>, typename operand_C::swizzle>>;
  using store_pairs = std::conditional_t<COSMATI_TARGET_SM == 0 || COSMATI_TARGET_SM >= 90, SM90_U32x4_STSM_N,
                                         UniversalCopy<std::uint32_t>>;
  using two_results = std::conditional_t<sizeof(TC) == 1, std::uint16_t, std::uint64_t>;
  using store_atom = Copy_Atom<std::conditional_t<sizeof(TC) == 2, store_pairs, UniversalCopy<two_results>>, TC>;

  static constexpr std::size_t bytes_a = sizeof(TA) * config.tile_m * tile_k * stages;
  static constexpr std::size_t bytes_b = sizeof(TB) * config.tile_n * tile_k * stages;
  static constexpr std::size_t bytes_c =
      stages_results ? result_rows * sizeof(TC) * instruction_m * warp_n : 0;  // the bytes of a warp's results
  static constexpr std::size_t shared_bytes = mma_shared_bytes<TA, TC>(config, instruction_m);
  static_assert(shared_bytes == bytes_a + bytes_b + bytes_c * (threads / 32) + 8 * stages);

  /// The tiled MMA. Each warp has its own adjacent rows and columns.
  COSMATI_HD static constexpr auto mma() {
    constexpr int rows = config.tile_m / config.warps_m, columns = config.tile_n / config.warps_n;
    using OrderM = Layout<Shape<C<instruction_m>, C<config.warps_m>, C<rows / instruction_m>>,
                          Stride<_1, C<rows>, C<instruction_m>>>;
    using OrderN = Layout<Shape<C<instruction_n>, C<config.warps_n>, C<columns / instruction_n>>,
                          Stride<_1, C<columns>, C<instruction_n>>>;
    return make_tiled_mma(Atom{}, Layout<Shape<C<config.warps_m>, C<config.warps_n>, _1>>{},
                          make_tile(OrderM{}, OrderN{}, C<instruction_k>{}));
  }
  /// The rows of C of one warp that are stored together.
  COSMATI_HD static constexpr auto warp_mma() {
    return make_tiled_mma(Atom{}, Layout<Shape<_1, _1, _1>>{}, Tile<C<instruction_m>, C<warp_n>, C<instruction_k>>{});
  }
};

/// The check of one operand's stages: void, or the class that names the mistake. @tparam extent the extent along X,
/// which is M or N
/// @tparam warps the warps along X
template <class T, int extent, int tile_k, int threads, int warps, bool along_k, char x>
constexpr auto mma_operand_mistake() {
  constexpr int vector = 16 / static_cast<int>(sizeof(T)), row = 8 * vector;
  constexpr int contiguous = along_k ? tile_k : extent, across = along_k ? extent : tile_k;
  constexpr int at_once = mma_rows_at_once(threads, across), along = threads / at_once * vector;
  constexpr char mode = along_k ? 'K' : x, other = along_k ? x : 'K';
  if constexpr (contiguous % row != 0)
    return std::type_identity<mma_tile_is_rows<contiguous, row, mode>>{};
  else if constexpr (across % at_once != 0)
    return std::type_identity<mma_tile_is_rows<across, at_once, other>>{};
  else if constexpr (contiguous % along != 0)
    return std::type_identity<mma_tile_is_rows<contiguous, along, mode>>{};
  // swizzled_vectors needs it: a thread's first element and its vectors share no bit of a row's swizzle
  else if constexpr (at_once % 8 != 0 && (at_once & (at_once - 1)) != 0)
    return std::type_identity<mma_threads_are_rows<at_once>>{};
  else if constexpr (!along_k && extent / warps % row != 0 && row % (extent / warps) != 0)
    return std::type_identity<mma_warp_is_rows<extent / warps, row, x>>{};
  else
    return std::type_identity<void>{};
}

/// The check of a configuration: void, or the class that names the mistake.
/// @tparam T the type of A and B
/// @tparam TC the type of C
/// @tparam a_along_k, b_along_k whether they are contiguous along K
template <mma_config c, class T, class TC, bool a_along_k, bool b_along_k>
constexpr auto mma_mistake() {
  using Instruction = typename MMA_Atom<typename mma_of_elements<T, T>::type>::Shape_MNK;
  constexpr int m = decltype(size<0>(Instruction{}))::value, n = decltype(size<1>(Instruction{}))::value;
  constexpr int tile_k = mma_tile_k<T>(c), steps = tile_k / decltype(size<2>(Instruction{}))::value;
  constexpr std::size_t bytes = mma_shared_bytes<T, TC>(c, m);
  constexpr std::size_t most = mma_most_shared_bytes;
  if constexpr (!(c.stages >= 2 && c.stages <= 16)) {
    return std::type_identity<mma_has_stages<c.stages>>{};
  } else if constexpr (!(steps > 1)) {
    return std::type_identity<mma_has_steps<steps>>{};
  } else if constexpr (!(c.warps_m > 0 && c.tile_m > 0 && c.tile_m % (c.warps_m * m) == 0)) {
    return std::type_identity<mma_tile_is_warps<c.tile_m, c.warps_m, m, 'M'>>{};
  } else if constexpr (!(c.warps_n > 0 && c.tile_n > 0 && c.tile_n % (c.warps_n * 2 * n) == 0)) {
    return std::type_identity<mma_tile_is_warps<c.tile_n, c.warps_n, 2 * n, 'N'>>{};
  } else if constexpr (bytes > most) {
    return std::type_identity<mma_stages_fit<bytes, most>>{};
  } else {
    using A = decltype(mma_operand_mistake<T, c.tile_m, tile_k, c.threads(), c.warps_m, a_along_k, 'M'>());
    using B = decltype(mma_operand_mistake<T, c.tile_n, tile_k, c.threads(), c.warps_n, b_along_k, 'N'>());
    return std::conditional_t<std::is_void_v<typename A::type>, B, A>{};
  }
}

/// The check of a call: void, or the class that names the mistake. @tparam TA, TB, TC tensors
template <mma_config config, class TA, class TB, class TC>
constexpr auto mma_call_mistake() {
  using A = typename TA::value_type;
  if constexpr (!std::is_void_v<gemm_mistake_t<TA, TB, TC>>) {
    return std::type_identity<gemm_mistake_t<TA, TB, TC>>{};
  } else if constexpr (std::is_void_v<typename mma_of_elements<A, typename TB::value_type>::type>) {
    return std::type_identity<no_matrix_instruction<A, typename TB::value_type>>{};
  } else {
    constexpr bool a = gemm_contiguous_mode<TA> == 1, b = gemm_contiguous_mode<TB> == 1;
    constexpr bool turned = gemm_contiguous_mode<TC> == 0;  // the kernel computes C^T = B^T A^T
    return mma_mistake<config, A, typename TC::value_type, (turned ? b : a), (turned ? a : b)>();
  }
}

/// The configuration that suits the types, on an H200 (bench/notes/mma-main-loop.md).
template <class T>
constexpr mma_config mma_config_for() {
  if (sizeof(T) == 8) return {.tile_m = 128, .tile_n = 128, .tile_k = 32, .warps_m = 4, .warps_n = 2};
  return {};
}

template <mma_config config, class TA, class TB, class TC>
using mma_refusal = typename decltype(mma_call_mistake<config, TA, TB, TC>())::type;
template <mma_config config, class TA, class TB, class TC>
inline constexpr bool mma_accepts = std::is_void_v<mma_refusal<config, TA, TB, TC>>;

/// The check with the configuration that suits the types. It is separate, because g++ 12 fails if a declaration
/// computes it.
template <class TA, class TB, class TC>
struct mma_call_by_itself {
  static constexpr mma_config config = mma_config_for<typename TA::value_type>();
  using type = mma_refusal<config, TA, TB, TC>;
};
template <class TA, class TB, class TC>
using mma_refusal_by_itself = typename mma_call_by_itself<TA, TB, TC>::type;
template <class TA, class TB, class TC>
inline constexpr bool mma_accepts_by_itself = std::is_void_v<mma_refusal_by_itself<TA, TB, TC>>;

}  // namespace detail
}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
