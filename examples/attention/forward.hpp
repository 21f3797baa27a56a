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
#include <cosmati/arch/register_budget.hpp>
#include <cosmati/cosmati.hpp>
#include <cosmati/pipeline/tma_pipeline.hpp>
#include <cosmati/tma.hpp>
#include <cosmati/wgmma.hpp>

#include "softmax.hpp"

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

/// A block's shared memory: Q, the stages of K and V, the barriers.
template <class Parts>
struct shared {
  bfloat16_t* first;
  __device__ auto q() const { return make_tensor(make_smem_ptr(first), typename Parts::LayoutQ{}); }
  __device__ auto k() const { return make_tensor(make_smem_ptr(first + Parts::elements_q), typename Parts::LayoutK{}); }
  __device__ auto v() const {
    return make_tensor(make_smem_ptr(first + Parts::elements_q + Parts::elements_k), typename Parts::LayoutV{});
  }
  __device__ auto& barriers() const {
    return *reinterpret_cast<typename Parts::barriers*>(first + Parts::elements_q + 2 * Parts::elements_k);
  }
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
__device__ void load(Arguments const& a, place<Parts, causal> const& at, shared<Parts> const& memory,
                     tma_producer<Parts::stages> k, tma_producer<Parts::stages> v) {
  problem const& p = a.p;
  C<Parts::head> const width{};
  auto const mQ = a.load_q.get_tma_tensor(make_shape(p.queries, width, p.heads, p.batches));
  auto const mK = a.load_k.get_tma_tensor(make_shape(p.keys, width, p.heads, p.batches));
  auto const mV = a.load_v.get_tma_tensor(make_shape(width, p.keys, p.heads, p.batches));
  auto const gQ =
      local_tile(mQ(_, _, at.head, at.batch), typename Parts::TileQ{}, make_coord(at.row / Parts::rows, _0{}));
  auto const gK = local_tile(mK(_, _, at.head, at.batch), typename Parts::TileK{}, make_coord(_, _0{}));
  auto const gV = local_tile(mV(_, _, at.head, at.batch), typename Parts::TileV{}, make_coord(_0{}, _));
  auto const q = tma_partition(a.load_q, group_modes<0, 2>(memory.q()), group_modes<0, 2>(gQ));
  auto const part_k = tma_partition(a.load_k, group_modes<0, 2>(memory.k()), group_modes<0, 2>(gK));
  auto const part_v = tma_partition(a.load_v, group_modes<0, 2>(memory.v()), group_modes<0, 2>(gV));
  arrive_and_expect_bytes(memory.barriers().q, 2 * Parts::elements_q);
  copy(a.load_q.with(memory.barriers().q), get<0>(q), get<1>(q));
  COSMATI_NO_UNROLL
  for (int tile = at.tiles - 1; tile >= 0; --tile) {
    k.fill([&](auto& stage) { stage.load(a.load_k, get<0>(part_k)(_, tile), get<1>(part_k)(_, stage.index())); });
    v.fill([&](auto& stage) { stage.load(a.load_v, get<0>(part_v)(_, tile), get<1>(part_v)(_, stage.index())); });
  }
}

/// Scores of keys that the rows do not see become -infinity. @param row, column of the thread's first value
template <class Parts, bool causal, class Scores>
__device__ void mask(Scores& scores, place<Parts, causal> const& at, int tile, int row, int column, problem const& p) {
  int const first = tile * Parts::tile, more_keys = p.keys - p.queries;
  // The same for all threads of the block: the compiler makes matrix instructions wait for each other where their
  // registers change in a divergent branch (C7520).
  int const least = causal ? min(p.keys, at.row + more_keys + 1) : p.keys;
  if (first + Parts::tile <= least) return;
  COSMATI_UNROLL
  for (int i = 0; i < size(scores); ++i) {
    int const limit = causal ? min(p.keys, row + i / 2 % 2 * 8 + more_keys + 1) : p.keys;
    if (first + column + i / 4 * 8 + i % 2 >= limit) scores(i) = -softmax::infinity;
  }
}
/// Begins a product, in one batch. @param adds whether it is added to the sums, @param a, b (V, 1, steps)
template <class Mma, class A, class B, class Sums>
__device__ void multiply(Mma& mma, GMMA::ScaleOut adds, A& a, B const& b, Sums& sums) {
  if constexpr (std::is_same_v<typename A::value_type, bfloat16_t>) warpgroup_fence_operand(a);
  warpgroup_fence_operand(sums);
  warpgroup_arrive();
  mma.accumulate_ = adds;
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

/// Rounds and stores a thread's results. @param row, column of the first of them
template <class Results>
__device__ void store(Results const& results, problem const& p, int head, int batch, int row, int column) {
  bfloat16_t* const out = p.o.data + head * p.o.head + batch * p.o.batch + column;
  COSMATI_UNROLL
  for (int i = 0; i < size(results); i += 2) {
    int const r = row + i / 2 % 2 * 8;
    if (r < p.queries) *reinterpret_cast<std::uint32_t*>(out + r * p.o.row + i / 4 * 8) = rounded(results, i);
  }
}

/// By the consumers: the results of 64 rows a warpgroup.
template <class Parts, bool causal, class Arguments>
__device__ void attend(Arguments const& a, place<Parts, causal> const& at, shared<Parts> const& memory,
                       tma_consumer<Parts::stages> k, tma_consumer<Parts::stages> v) {
  int const warpgroup = static_cast<int>(threadIdx.x) / 128 % 2, thread = static_cast<int>(threadIdx.x) % 128;
  auto scores_mma = Parts::scores_mma();
  auto results_mma = Parts::results_mma();
  auto const of_scores = scores_mma.get_slice(128 * warpgroup);
  auto const of_results = results_mma.get_slice(128 * warpgroup);
  auto const rQ = of_scores.make_fragment_A(of_scores.partition_A(memory.q()));
  auto const rK = of_scores.make_fragment_B(of_scores.partition_B(memory.k()));
  auto const rV = of_results.make_fragment_B(of_results.partition_B(memory.v()));
  auto scores = partition_fragment_C(scores_mma, Shape<C<Parts::rows>, C<Parts::tile>>{});
  auto results = partition_fragment_C(results_mma, Shape<C<Parts::rows>, C<Parts::head>>{});
  auto weights = make_tensor<bfloat16_t>(Layout<Shape<Shape<_2, _2, _2>, _1, C<Parts::tile / 16>>>{});
  // A thread's first value of scores and results.
  int const row = at.row + 64 * warpgroup + thread / 32 * 16 + thread % 32 / 4, column = thread % 4 * 2;
  turns const turn(warpgroup, at.tiles > 1);
  softmax rows;

  wait_barrier(memory.barriers().q, 0);
  int next = k.wait();  // the stage of K whose scores come next
  multiply(scores_mma, GMMA::ScaleOut::Zero, rQ, rK(_, _, _, next), scores);
  warpgroup_wait<0>();
  warpgroup_fence_operand(scores);
  k.release_unfenced();
  mask(scores, at, at.tiles - 1, row, column, a.p);
  rows.weigh(scores, a.scale_log2);
  round_weights(scores, weights);
  GMMA::ScaleOut adds = GMMA::ScaleOut::Zero;
  if (at.tiles > 1) next = k.wait();
  COSMATI_NO_UNROLL
  for (int tile = at.tiles - 2; tile >= 0; --tile) {
    turn.wait();
    multiply(scores_mma, GMMA::ScaleOut::Zero, rQ, rK(_, _, _, next), scores);
    int const stage = v.wait();
    multiply(results_mma, adds, weights, rV(_, _, _, stage), results);
    adds = GMMA::ScaleOut::One;
    turn.pass();
    warpgroup_wait<1>();
    warpgroup_fence_operand(scores);
    k.release_unfenced();
    mask(scores, at, tile, row, column, a.p);
    auto const factor = rows.weigh(scores, a.scale_log2);
    // The assembler moves the wait for the results before the exponentials unless a branch lies between.
    if (tile > 0) next = k.wait();
    warpgroup_wait<0>();
    warpgroup_fence_operand(results);
    warpgroup_fence_operand(weights);
    v.release_unfenced();
    scale_rows(results, factor);
    round_weights(scores, weights);
  }
  int const stage = v.wait();
  multiply(results_mma, adds, weights, rV(_, _, _, stage), results);
  warpgroup_wait<0>();
  warpgroup_fence_operand(results);
  turn.end();
  scale_rows(results, rows.last_factor());
  store(results, a.p, at.head, at.batch, row, column);
}

template <class Parts, bool causal, class Arguments>
__global__ void __launch_bounds__(Parts::threads, 1) forward_kernel(Arguments const __grid_constant__ a) {
  if constexpr (COSMATI_TARGET_SM == 0 || COSMATI_TARGET_SM == 90) {
    shared<Parts> const memory{dynamic_shared<bfloat16_t>()};
    auto& barriers = memory.barriers();
    if (threadIdx.x == 0) initialize_barrier(barriers.q, 1);  // the pipelines' constructors fence it
    tma_pipeline<Parts::stages> const k(barriers.k, Parts::consumer_threads, threadIdx.x == 0);
    tma_pipeline<Parts::stages> const v(barriers.v, Parts::consumer_threads, threadIdx.x == 0);
    place<Parts, causal> const at(a.p);
    if (threadIdx.x >= Parts::consumer_threads) {
      warpgroup_reg_dealloc<24>();
      if (threadIdx.x < Parts::consumer_threads + 32 && elect_one_sync())
        load(a, at, memory, k.producer(), v.producer());
    } else {
      warpgroup_reg_alloc<240>();
      attend(a, at, memory, k.consumer(), v.consumer());
    }
  }
}

/// The number of keys of a tile. Wide tiles cost more where a mask cuts them.
template <int HEAD, bool causal>
constexpr int usual_tile() {
  if (causal) return HEAD == 256 ? 64 : 128;
  return HEAD == 256 ? 80 : HEAD == 128 ? 176 : 128;
}

/// O = softmax(scale Q K^T) V. With `causal`, query i sees keys up to i + keys - queries.
/// @tparam TILE keys of a tile, a multiple of 16; the usual numbers are the fastest on an H200 for 4096 keys
template <int HEAD, bool causal, int TILE = usual_tile<HEAD, causal>()>
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
