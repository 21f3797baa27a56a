// SPDX-License-Identifier: Apache-2.0
// Attention forward for sm_90a, built of the library's parts: O = softmax(scale Q K^T) V for bfloat16, with or without
// a causal mask.
//
// A block computes 128 rows of O of one head. One thread brings Q, and tiles of K and V, to shared memory by tensor
// copies (two `tma_pipeline`s). Two warpgroups have 64 rows each. The scores of a tile are sums of `wgmma` in
// registers; their exponentials, rounded to bfloat16, are the operand A of the product with V. While the product of one
// tile runs, the scores of the next are exponentiated, and the warpgroups take turns: one multiplies while the other
// exponentiates.
#pragma once
#include <cosmati/algorithm/gemm.hpp>
#include <cosmati/arch/convert.hpp>
#include <cosmati/arch/register_budget.hpp>
#include <cosmati/cosmati.hpp>
#include <cosmati/pipeline/tma_pipeline.hpp>
#include <cosmati/tma.hpp>
#include <cosmati/wgmma.hpp>

namespace attention {

using namespace cosmati;

/// The matrices of a problem. Each is (length, HEAD, heads, batches); the head is contiguous, the strides are those of
/// the other modes in elements, multiples of 8.
struct matrix {
  bfloat16_t* data;
  std::int64_t row, head, batch;
};
struct problem {
  matrix q, k, v, o;
  int queries, keys, heads, batches;
  float scale;  ///< of the scores, as 1 / sqrt(HEAD)
};

/// The kernel's types. @tparam HEAD 64, 128 or 256, @tparam TILE keys of a tile
template <int HEAD, int TILE>
struct parts {
  static constexpr int head = HEAD, tile = TILE, rows = 128, stages = 2, threads = 384, consumer_threads = 256;
  using LayoutQ = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<bfloat16_t>{}, Shape<C<rows>, C<HEAD>>{}));
  using LayoutK =
      decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<bfloat16_t>{}, Shape<C<TILE>, C<HEAD>, C<stages>>{}));
  using LayoutV = decltype(tile_to_shape(GMMA::Layout_MN_SW128_Atom<bfloat16_t>{}, Shape<C<HEAD>, C<TILE>, C<stages>>{},
                                         Step<_2, _1, _3>{}));
  using TileQ = Shape<C<rows>, C<HEAD>>;
  using TileK = Shape<C<TILE>, C<HEAD>>;
  using TileV = Shape<C<HEAD>, C<TILE>>;
  using Scores = detail::wgmma_async<TILE, float, bfloat16_t, bfloat16_t, detail::wgmma_source::shared>;
  using Results = detail::wgmma_async<HEAD, float, bfloat16_t, bfloat16_t, detail::wgmma_source::registers,
                                      GMMA::Major::K, GMMA::Major::MN>;
  __device__ static auto scores_mma() { return make_tiled_mma(MMA_Atom<Scores>{}, Layout<Shape<_2, _1, _1>>{}); }
  __device__ static auto results_mma() { return make_tiled_mma(MMA_Atom<Results>{}, Layout<Shape<_2, _1, _1>>{}); }

  struct barriers {
    typename tma_pipeline<stages>::storage k, v;
    std::uint64_t q;
  };
  static constexpr int elements_q = rows * HEAD, elements_k = TILE * HEAD * stages;
  static constexpr std::size_t shared_bytes = 2 * std::size_t{elements_q + 2 * elements_k} + sizeof(barriers);
};

/// (rows, HEAD, heads, batches); with `turned` (HEAD, rows, heads, batches).
template <int HEAD, bool turned>
auto tensor_of(matrix const& m, int length, int heads, int batches) {
  auto const first = make_gmem_ptr(m.data);
  if constexpr (turned)
    return make_tensor(first, make_shape(C<HEAD>{}, length, heads, batches), make_stride(_1{}, m.row, m.head, m.batch));
  else
    return make_tensor(first, make_shape(length, C<HEAD>{}, heads, batches), make_stride(m.row, _1{}, m.head, m.batch));
}

template <class Parts, class LoadQ, class LoadK, class LoadV>
struct arguments {
  LoadQ load_q;
  LoadK load_k;
  LoadV load_v;
  problem p;
  float scale_log2;  ///< scores times this are exponents of 2
};

/// Where a block works, and the tiles of keys that its rows see.
template <class Parts, bool causal>
struct place {
  int row, head, batch, tiles;
  __device__ explicit place(problem const& p) {
    // With a mask, blocks of the last rows have the most to do; they come first.
    int const block = static_cast<int>(causal ? gridDim.x - 1 - blockIdx.x : blockIdx.x);
    row = block * Parts::rows;
    head = static_cast<int>(blockIdx.y);
    batch = static_cast<int>(blockIdx.z);
    int seen = p.keys;
    if constexpr (causal) seen = min(seen, row + Parts::rows + p.keys - p.queries);
    tiles = max((seen + Parts::tile - 1) / Parts::tile, 1);
  }
};

/// By one thread: brings the rows of Q, then tiles of K and V from the last to the first.
template <class Parts, bool causal, class Arguments>
__device__ void load(Arguments const& a, place<Parts, causal> const& at, bfloat16_t* memory,
                     typename Parts::barriers& barriers, tma_producer<Parts::stages> k, tma_producer<Parts::stages> v) {
  problem const& p = a.p;
  auto const sQ = make_tensor(make_smem_ptr(memory), typename Parts::LayoutQ{});
  auto const sK = make_tensor(make_smem_ptr(memory + Parts::elements_q), typename Parts::LayoutK{});
  auto const sV = make_tensor(make_smem_ptr(memory + Parts::elements_q + Parts::elements_k), typename Parts::LayoutV{});
  C<Parts::head> const width{};
  auto const mQ = a.load_q.get_tma_tensor(make_shape(p.queries, width, p.heads, p.batches));
  auto const mK = a.load_k.get_tma_tensor(make_shape(p.keys, width, p.heads, p.batches));
  auto const mV = a.load_v.get_tma_tensor(make_shape(width, p.keys, p.heads, p.batches));
  auto const gQ =
      local_tile(mQ(_, _, at.head, at.batch), typename Parts::TileQ{}, make_coord(at.row / Parts::rows, _0{}));
  auto const gK = local_tile(mK(_, _, at.head, at.batch), typename Parts::TileK{}, make_coord(_, _0{}));
  auto const gV = local_tile(mV(_, _, at.head, at.batch), typename Parts::TileV{}, make_coord(_0{}, _));
  auto const q = tma_partition(a.load_q, group_modes<0, 2>(sQ), group_modes<0, 2>(gQ));
  auto const part_k = tma_partition(a.load_k, group_modes<0, 2>(sK), group_modes<0, 2>(gK));
  auto const part_v = tma_partition(a.load_v, group_modes<0, 2>(sV), group_modes<0, 2>(gV));
  arrive_and_expect_bytes(barriers.q, 2 * Parts::elements_q);
  copy(a.load_q.with(barriers.q), get<0>(q), get<1>(q));
  COSMATI_NO_UNROLL
  for (int tile = at.tiles - 1; tile >= 0; --tile) {
    k.fill([&](auto& stage) { stage.load(a.load_k, get<0>(part_k)(_, tile), get<1>(part_k)(_, stage.index())); });
    v.fill([&](auto& stage) { stage.load(a.load_v, get<0>(part_v)(_, tile), get<1>(part_v)(_, stage.index())); });
  }
}

/// 2^x, without the steps that make results below 2^-126 exact.
__device__ inline float exp2_fast(float x) {
#if defined(__CUDA_ARCH__)
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
#else
  return exp2f(x);
#endif
}

/// The softmax of two rows of a thread, tile after tile. Four neighbouring lanes have the parts of a row.
class softmax {
 public:
  /// Scores become weights, relative to the greatest score of the row so far.
  /// @return what the results up to now are multiplied by
  template <class Scores>
  __device__ array<float, 2> weigh(Scores& scores, float scale_log2) {
    array<float, 2> factor;
    COSMATI_UNROLL
    for (int r = 0; r < 2; ++r) {
      float greatest = greatest_[r];
      COSMATI_UNROLL
      for (int i = 0; i < size(scores); i += 4)
        greatest = fmaxf(greatest, fmaxf(scores(i + 2 * r), scores(i + 2 * r + 1)));
      greatest = fmaxf(greatest, __shfl_xor_sync(0xffffffffu, greatest, 1));
      greatest = fmaxf(greatest, __shfl_xor_sync(0xffffffffu, greatest, 2));
      // A row that has seen no key yet has no greatest score; its weights are 0.
      float const base = greatest == -infinity ? 0.f : greatest * scale_log2;
      factor[r] = exp2_fast(greatest_[r] * scale_log2 - base);
      greatest_[r] = greatest;
      float sum = 0;
      COSMATI_UNROLL
      for (int i = 0; i < size(scores); i += 4) {
        COSMATI_UNROLL
        for (int j = 2 * r; j < 2 * r + 2; ++j) {
          scores(i + j) = exp2_fast(scores(i + j) * scale_log2 - base);
          sum += scores(i + j);
        }
      }
      sum_[r] = sum_[r] * factor[r] + sum;
    }
    return factor;
  }
  /// What the results are multiplied by at the end.
  __device__ array<float, 2> last_factor() {
    array<float, 2> factor;
    COSMATI_UNROLL
    for (int r = 0; r < 2; ++r) {
      sum_[r] += __shfl_xor_sync(0xffffffffu, sum_[r], 1);
      sum_[r] += __shfl_xor_sync(0xffffffffu, sum_[r], 2);
      factor[r] = sum_[r] == 0 ? 0.f : 1 / sum_[r];
    }
    return factor;
  }
  static constexpr float infinity = __builtin_huge_valf();

 private:
  array<float, 2> greatest_ = {-infinity, -infinity}, sum_ = {0, 0};
};

/// A thread's values of two rows, times the rows' factors.
template <class Values>
__device__ void scale_rows(Values& values, array<float, 2> const& factor) {
  COSMATI_UNROLL
  for (int i = 0; i < size(values); ++i) values(i) *= factor[i / 2 % 2];
}
/// Scores of keys that the rows do not see become -infinity. @param row, key of the thread's first value
template <bool causal, class Scores>
__device__ void mask(Scores& scores, int row, int key, problem const& p) {
  COSMATI_UNROLL
  for (int i = 0; i < size(scores); ++i) {
    int const at = key + i / 4 * 8 + i % 2;
    int limit = p.keys;
    if constexpr (causal) limit = min(limit, row + i / 2 % 2 * 8 + p.keys - p.queries + 1);
    if (at >= limit) scores(i) = -softmax::infinity;
  }
}
/// The weights as the operand A of the second product: the values that a thread holds of 16 keys are its A of an
/// instruction.
template <class Scores, class Weights>
__device__ void round_weights(Scores const& scores, Weights& weights) {
  COSMATI_UNROLL
  for (int i = 0; i < size(scores); i += 2)
    *reinterpret_cast<std::uint32_t*>(raw_pointer_cast(weights.data() + i)) =
        convert_two<float, bfloat16_t>(*reinterpret_cast<register_words<8> const*>(&scores(i))).word[0];
}
template <class Fragment>
__device__ void hold(Fragment& fragment) {
  warpgroup_fence_operand(fragment);
}
/// Begins a product, in one batch. @param a, b (V, 1, steps)
template <class Mma, class A, class B, class Sums>
__device__ void multiply(Mma& mma, A const& a, B const& b, Sums& sums) {
  COSMATI_UNROLL
  for (int step = 0; step < decltype(size<2>(b))::value; ++step) {
    gemm(mma, a(_, _, step), b(_, _, step), sums);
    mma.accumulate_ = GMMA::ScaleOut::One;
  }
  warpgroup_commit_batch();
}

/// Turns of two warpgroups: each waits for its own before it multiplies, and then gives the other one its turn.
class turns {
 public:
  __device__ turns(int warpgroup, bool any) : own_(1 + warpgroup), other_(2 - warpgroup), any_(any) {
    if (any_ && warpgroup == 1) NamedBarrier::arrive(256, other_);  // the first turn is warpgroup 0's
  }
  __device__ void wait() const { NamedBarrier::sync(256, own_); }
  __device__ void pass() const { NamedBarrier::arrive(256, other_); }
  /// Takes the turn that nobody needs.
  __device__ void end() const {
    if (any_ && own_ == 1) wait();
  }

 private:
  int own_, other_;
  bool any_;
};

/// By the consumers: the results of 64 rows a warpgroup.
template <class Parts, bool causal, class Arguments>
__device__ void attend(Arguments const& a, place<Parts, causal> const& at, bfloat16_t* memory,
                       typename Parts::barriers& barriers, tma_consumer<Parts::stages> k,
                       tma_consumer<Parts::stages> v) {
  problem const& p = a.p;
  auto const sQ = make_tensor(make_smem_ptr(memory), typename Parts::LayoutQ{});
  auto const sK = make_tensor(make_smem_ptr(memory + Parts::elements_q), typename Parts::LayoutK{});
  auto const sV = make_tensor(make_smem_ptr(memory + Parts::elements_q + Parts::elements_k), typename Parts::LayoutV{});
  int const warpgroup = static_cast<int>(threadIdx.x) / 128 % 2, thread = static_cast<int>(threadIdx.x) % 128;
  auto scores_mma = Parts::scores_mma();
  auto results_mma = Parts::results_mma();
  auto const of_scores = scores_mma.get_slice(128 * warpgroup);
  auto const of_results = results_mma.get_slice(128 * warpgroup);
  auto const rQ = of_scores.make_fragment_A(of_scores.partition_A(sQ));
  auto const rK = of_scores.make_fragment_B(of_scores.partition_B(sK));
  auto const rV = of_results.make_fragment_B(of_results.partition_B(sV));
  auto scores = partition_fragment_C(scores_mma, Shape<C<Parts::rows>, C<Parts::tile>>{});
  auto results = partition_fragment_C(results_mma, Shape<C<Parts::rows>, C<Parts::head>>{});
  auto weights = make_tensor<bfloat16_t>(Layout<Shape<Shape<_2, _2, _2>, _1, C<Parts::tile / 16>>>{});
  // A thread's first value of the scores.
  int const row = at.row + 64 * warpgroup + thread / 32 * 16 + thread % 32 / 4, column = thread % 4 * 2;
  // Whether some row of the block does not see all keys of the tile. It is the same for all threads: the compiler makes
  // matrix instructions wait for each other where their registers change in a divergent branch (C7520).
  auto const is_cut = [&](int tile) {
    int const end = (tile + 1) * Parts::tile;
    return end > p.keys || (causal && end > at.row + p.keys - p.queries + 1);
  };
  turns const turn(warpgroup, at.tiles > 1);
  softmax rows;

  wait_barrier(barriers.q, 0);
  int stage = k.wait();
  warpgroup_arrive();
  scores_mma.accumulate_ = GMMA::ScaleOut::Zero;
  multiply(scores_mma, rQ, rK(_, _, _, stage), scores);
  warpgroup_wait<0>();
  hold(scores);
  k.release_unfenced();
  if (is_cut(at.tiles - 1)) mask<causal>(scores, row, (at.tiles - 1) * Parts::tile + column, p);
  rows.weigh(scores, a.scale_log2);
  round_weights(scores, weights);
  results_mma.accumulate_ = GMMA::ScaleOut::Zero;
  int next = at.tiles > 1 ? k.wait() : 0;
  COSMATI_NO_UNROLL
  for (int tile = at.tiles - 2; tile >= 0; --tile) {
    turn.wait();
    hold(scores);
    warpgroup_arrive();
    scores_mma.accumulate_ = GMMA::ScaleOut::Zero;
    multiply(scores_mma, rQ, rK(_, _, _, next), scores);
    stage = v.wait();
    hold(results);
    hold(weights);
    warpgroup_arrive();
    multiply(results_mma, weights, rV(_, _, _, stage), results);
    turn.pass();
    warpgroup_wait<1>();
    hold(scores);
    k.release_unfenced();
    if (is_cut(tile)) mask<causal>(scores, row, tile * Parts::tile + column, p);
    auto const factor = rows.weigh(scores, a.scale_log2);
    // The compiler moves the wait for the results before the exponentials unless a branch lies between.
    if (tile > 0) next = k.wait();
    warpgroup_wait<0>();
    hold(results);
    hold(weights);
    v.release_unfenced();
    scale_rows(results, factor);
    round_weights(scores, weights);
  }
  stage = v.wait();
  hold(results);
  hold(weights);
  warpgroup_arrive();
  multiply(results_mma, weights, rV(_, _, _, stage), results);
  warpgroup_wait<0>();
  hold(results);
  turn.end();
  scale_rows(results, rows.last_factor());
  bfloat16_t* const out = p.o.data + at.head * p.o.head + at.batch * p.o.batch + column;
  COSMATI_UNROLL
  for (int i = 0; i < size(results); i += 2) {
    int const r = row + i / 2 % 2 * 8;
    if (r < p.queries)
      *reinterpret_cast<std::uint32_t*>(out + r * p.o.row + i / 4 * 8) =
          convert_two<float, bfloat16_t>(*reinterpret_cast<register_words<8> const*>(&results(i))).word[0];
  }
}

template <class Parts, bool causal, class Arguments>
__global__ void __launch_bounds__(Parts::threads, 1) forward_kernel(Arguments const __grid_constant__ a) {
  if constexpr (COSMATI_TARGET_SM == 0 || COSMATI_TARGET_SM == 90) {
    auto* const memory = dynamic_shared<bfloat16_t>();
    auto& barriers = *reinterpret_cast<typename Parts::barriers*>(memory + Parts::elements_q + 2 * Parts::elements_k);
    if (threadIdx.x == 0) initialize_barrier(barriers.q, 1);  // the pipelines' constructors fence it
    tma_pipeline<Parts::stages> const k(barriers.k, Parts::consumer_threads, threadIdx.x == 0);
    tma_pipeline<Parts::stages> const v(barriers.v, Parts::consumer_threads, threadIdx.x == 0);
    place<Parts, causal> const at(a.p);
    if (threadIdx.x >= Parts::consumer_threads) {
      warpgroup_reg_dealloc<24>();
      if (threadIdx.x < Parts::consumer_threads + 32 && elect_one_sync())
        load<Parts, causal>(a, at, memory, barriers, k.producer(), v.producer());
    } else {
      warpgroup_reg_alloc<240>();
      attend<Parts, causal>(a, at, memory, barriers, k.consumer(), v.consumer());
    }
  }
}

/// O = softmax(scale Q K^T) V. With `causal`, query i sees keys up to i + keys - queries.
/// @tparam TILE keys of a tile, a multiple of 16
template <int HEAD, bool causal, int TILE = (HEAD == 256 ? 64 : 128)>
void forward(problem const& p, stream_handle stream = nullptr) {
  using Parts = parts<HEAD, TILE>;
  if (p.queries <= 0 || p.keys <= 0 || p.heads <= 0 || p.batches <= 0)
    throw error("attention: %d queries, %d keys, %d heads, %d batches; each is at least 1", p.queries, p.keys, p.heads,
                p.batches);
  if (!(p.scale > 0)) throw error("attention: the scale of the scores is %g; it is greater than 0", double{p.scale});
  auto const stage = [](auto layout) { return decltype(layout(_, _, _0{})){}; };
  auto const q = make_tma_atom(SM90_TMA_LOAD{}, tensor_of<HEAD, false>(p.q, p.queries, p.heads, p.batches),
                               typename Parts::LayoutQ{}, typename Parts::TileQ{});
  auto const k = make_tma_atom(SM90_TMA_LOAD{}, tensor_of<HEAD, false>(p.k, p.keys, p.heads, p.batches),
                               stage(typename Parts::LayoutK{}), typename Parts::TileK{});
  auto const v = make_tma_atom(SM90_TMA_LOAD{}, tensor_of<HEAD, true>(p.v, p.keys, p.heads, p.batches),
                               stage(typename Parts::LayoutV{}), typename Parts::TileV{});
  using Arguments = arguments<Parts, std::remove_cvref_t<decltype(q)>, std::remove_cvref_t<decltype(k)>,
                              std::remove_cvref_t<decltype(v)>>;
  dim3 const grid(static_cast<unsigned>((p.queries + Parts::rows - 1) / Parts::rows), static_cast<unsigned>(p.heads),
                  static_cast<unsigned>(p.batches));
  launch(forward_kernel<Parts, causal, Arguments>,
         {.grid = grid, .block = Parts::threads, .shared_bytes = Parts::shared_bytes, .stream = stream},
         Arguments{q, k, v, p, p.scale * 1.4426950408889634f});
}

}  // namespace attention
