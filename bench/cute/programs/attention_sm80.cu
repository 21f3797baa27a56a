// SPDX-License-Identifier: Apache-2.0
// Attention forward by mma.sync: 64 queries a block, 16 a warp, keys and values in tiles of 64, head dimension 64.
#include "../harness.hpp"

using namespace cute;

constexpr int tile_rows = 64, head_size = 64;
using Rows = Layout<Shape<_64, _64>, Stride<_64, _1>>;
using Columns = Layout<Shape<_64, _64>, Stride<_1, _64>>;
using Swizzled = decltype(composition(Swizzle<3, 3, 3>{}, Rows{}));
using SwizzledColumns = decltype(composition(Swizzle<3, 3, 3>{}, Columns{}));

/// The largest (sum) of a row, of which four neighbouring lanes hold parts.
template <class Combine>
__device__ float across_row(float x, Combine const& combine) {
  CUTE_UNROLL
  for (int lanes = 2; lanes > 0; lanes /= 2) x = combine(x, __shfl_xor_sync(0xffffffffu, x, lanes));
  return x;
}

template <class TiledCopy, class TiledMma>
__global__ void attention(half_t const* q, half_t const* k, half_t const* v, half_t* o, int length, float scale,
                          TiledCopy tiled_copy, TiledMma mma) {
  __shared__ alignas(128) half_t memory[3][tile_rows * head_size];
  auto sQ = make_tensor(make_smem_ptr(memory[0]), Swizzled{});
  auto sK = make_tensor(make_smem_ptr(memory[1]), Swizzled{});
  auto sV = make_tensor(make_smem_ptr(memory[2]), Swizzled{});
  auto sVt = make_tensor(make_smem_ptr(memory[2]), SwizzledColumns{});

  auto const head = static_cast<std::size_t>(blockIdx.y) * static_cast<std::size_t>(length) * head_size;
  auto whole = make_layout(make_shape(length, Int<head_size>{}), make_stride(Int<head_size>{}, Int<1>{}));
  auto block = Shape<_64, _64>{};
  auto gQ = local_tile(make_tensor(make_gmem_ptr(q + head), whole), block,
                       make_coord(static_cast<int>(blockIdx.x), Int<0>{}));
  auto gK = local_tile(make_tensor(make_gmem_ptr(k + head), whole), block, make_coord(_, Int<0>{}));
  auto gV = local_tile(make_tensor(make_gmem_ptr(v + head), whole), block, make_coord(_, Int<0>{}));
  auto gO = local_tile(make_tensor(make_gmem_ptr(o + head), whole), block,
                       make_coord(static_cast<int>(blockIdx.x), Int<0>{}));

  int const thread = static_cast<int>(threadIdx.x);
  auto thr_copy = tiled_copy.get_slice(thread);
  auto tQg = thr_copy.partition_S(gQ);
  auto tKg = thr_copy.partition_S(gK);
  auto tVg = thr_copy.partition_S(gV);
  auto tQs = thr_copy.partition_D(sQ);
  auto tKs = thr_copy.partition_D(sK);
  auto tVs = thr_copy.partition_D(sV);
  copy(tiled_copy, tQg, tQs);
  copy(tiled_copy, tKg(_, _, _, 0), tKs);
  cp_async_fence();

  auto thr_mma = mma.get_slice(thread);
  auto rQ = thr_mma.partition_fragment_A(sQ);
  auto rK = thr_mma.partition_fragment_B(sK);
  auto rV = thr_mma.partition_fragment_B(sVt);
  auto rP = thr_mma.partition_fragment_A(sQ);  // a tile of scores has the shape of a tile of queries
  auto scores = partition_fragment_C(mma, block);
  auto sums = partition_fragment_C(mma, block);

  auto load_q = make_tiled_copy_A(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, mma);
  auto load_k = make_tiled_copy_B(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, mma);
  auto load_v = make_tiled_copy_B(Copy_Atom<SM75_U16x8_LDSM_T, half_t>{}, mma);
  auto thr_q = load_q.get_slice(thread);
  auto thr_k = load_k.get_slice(thread);
  auto thr_v = load_v.get_slice(thread);
  auto xQ = thr_q.partition_S(sQ);
  auto xK = thr_k.partition_S(sK);
  auto xV = thr_v.partition_S(sVt);
  auto yQ = thr_q.retile_D(rQ);
  auto yK = thr_k.retile_D(rK);
  auto yV = thr_v.retile_D(rV);

  clear(sums);
  float largest[2] = {-INFINITY, -INFINITY}, total[2] = {0, 0};
  int const tiles = static_cast<int>(size<3>(tKg));
  CUTE_NO_UNROLL
  for (int tile = 0; tile < tiles; ++tile) {
    cp_async_wait<0>();
    __syncthreads();
    copy(tiled_copy, tVg(_, _, _, tile), tVs);
    cp_async_fence();
    if (tile == 0) copy(load_q, xQ, yQ);
    clear(scores);
    CUTE_UNROLL
    for (int step = 0; step < size<2>(rK); ++step) {
      copy(load_k, xK(_, _, step), yK(_, _, step));
      gemm(mma, rQ(_, _, step), rK(_, _, step), scores);
    }
    cp_async_wait<0>();
    __syncthreads();
    if (tile + 1 < tiles) copy(tiled_copy, tKg(_, _, _, tile + 1), tKs);
    cp_async_fence();
    CUTE_UNROLL
    for (int row = 0; row < 2; ++row) {
      float found = largest[row];
      CUTE_UNROLL
      for (int n = 0; n < size<2>(scores); ++n) {
        CUTE_UNROLL
        for (int j = 0; j < 2; ++j) found = fmaxf(found, scores(make_coord(j, row), 0, n));
      }
      found = across_row(found, [](float a, float b) { return fmaxf(a, b); });
      float const shrink = exp2f((largest[row] - found) * scale), shift = found * scale;
      largest[row] = found;
      total[row] *= shrink;
      CUTE_UNROLL
      for (int n = 0; n < size<2>(scores); ++n) {
        CUTE_UNROLL
        for (int j = 0; j < 2; ++j) {
          float const weight = exp2f(scores(make_coord(j, row), 0, n) * scale - shift);
          scores(make_coord(j, row), 0, n) = weight;
          total[row] += weight;
          sums(make_coord(j, row), 0, n) *= shrink;
        }
      }
    }
    CUTE_UNROLL
    for (int step = 0; step < size<2>(rP); ++step) {
      CUTE_UNROLL
      for (int half = 0; half < 2; ++half) {
        CUTE_UNROLL
        for (int row = 0; row < 2; ++row) {
          CUTE_UNROLL
          for (int j = 0; j < 2; ++j)
            rP(make_coord(j, row, half), 0, step) = static_cast<half_t>(scores(make_coord(j, row), 0, 2 * step + half));
        }
      }
      copy(load_v, xV(_, _, step), yV(_, _, step));
      gemm(mma, rP(_, _, step), rV(_, _, step), sums);
    }
  }
  auto result = make_tensor<half_t>(sums.layout());
  CUTE_UNROLL
  for (int row = 0; row < 2; ++row) {
    float const inverse = 1 / across_row(total[row], [](float a, float b) { return a + b; });
    CUTE_UNROLL
    for (int n = 0; n < size<2>(sums); ++n) {
      CUTE_UNROLL
      for (int j = 0; j < 2; ++j)
        result(make_coord(j, row), 0, n) = static_cast<half_t>(sums(make_coord(j, row), 0, n) * inverse);
    }
  }
  copy(result, thr_mma.partition_C(gO));
}

int main() {
  constexpr int heads = 32, length = 4096;
  constexpr std::size_t n = std::size_t{heads} * length * head_size;
  bench::array<half_t> q(n, 11), k(n, 12), v(n, 13), o(n);
  auto tiled_copy = make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, half_t>{},
                                    Layout<Shape<_16, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _8>>{});
  auto mma = make_tiled_mma(MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>{}, Layout<Shape<_4, _1>>{}, Tile<_64, _16, _16>{});
  float const scale = 0.125f * 1.44269504f;
  return bench::run(
      "attention_sm80",
      [&] {
        attention<<<dim3(length / tile_rows, heads), 128>>>(q.data, k.data, v.data, o.data, length, scale, tiled_copy,
                                                            mma);
      },
      [&] {
        auto got = o.download();
        got.resize(4 * head_size);  // four queries of the first head
        std::vector<double> wanted(got.size());
        for (std::size_t row = 0; row < 4; ++row) {
          double total = 0;
          std::vector<double> sum(head_size);
          for (std::size_t key = 0; key < length; ++key) {
            double score = 0;
            for (std::size_t d = 0; d < head_size; ++d)
              score += static_cast<double>(static_cast<float>(q.host[row * head_size + d])) *
                       static_cast<double>(static_cast<float>(k.host[key * head_size + d]));
            double const weight = std::exp(0.125 * score);
            total += weight;
            for (std::size_t d = 0; d < head_size; ++d)
              sum[d] += weight * static_cast<double>(static_cast<float>(v.host[key * head_size + d]));
          }
          for (std::size_t d = 0; d < head_size; ++d) wanted[row * head_size + d] = sum[d] / total;
        }
        return bench::near(got, 4e-3, [&](std::size_t i) { return wanted[i]; });
      });
}
