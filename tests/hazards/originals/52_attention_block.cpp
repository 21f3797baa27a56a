// SPDX-License-Identifier: Apache-2.0
// Attention of 64 queries of 64 halves: tensor copies bring tiles of 64 keys and values to two stages. A warpgroup
// multiplies queries and keys, keeps the weights in registers, and multiplies these by the values.
#include <cosmati/cosmati.hpp>
#include <cosmati/tma.hpp>
#include <cosmati/wgmma.hpp>
using namespace cosmati;

using Tile = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_64, _64>{}));
using Tiles = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_64, _64, _2>{}));
// The values (64 of the head, 64 keys), contiguous along the head.
using Values = decltype(tile_to_shape(GMMA::Layout_MN_SW128_Atom<half_t>{}, Shape<_64, _64, _2>{}));

__global__ void attend(TmaDescriptor const __grid_constant__ q, TmaDescriptor const __grid_constant__ k,
                       TmaDescriptor const __grid_constant__ v, float* out, int tiles) {
  half_t* const memory = dynamic_shared<half_t>();
  __shared__ std::uint64_t queries, keys[2], values[2];
  int const t = static_cast<int>(threadIdx.x);
  auto const sQ = make_tensor(make_smem_ptr(memory), Tile{});
  auto const sK = make_tensor(make_smem_ptr(memory + 4096), Tiles{});
  auto const sV = make_tensor(make_smem_ptr(memory + 12288), Values{});
  auto const load = [&](int i) {
    arrive_and_expect_bytes(keys[i % 2], 8192);                                       // [expect k]
    tensor_copy_g2s(memory + 4096 + 4096 * (i % 2), k, {0, 64 * i}, keys[i % 2]);     // [load k]
    arrive_and_expect_bytes(values[i % 2], 8192);                                     // [expect v]
    tensor_copy_g2s(memory + 12288 + 4096 * (i % 2), v, {0, 64 * i}, values[i % 2]);  // [load v]
  };
  if (t == 0) {
    initialize_barrier(queries, 1);
    for (int i = 0; i < 2; ++i) initialize_barrier(keys[i], 1), initialize_barrier(values[i], 1);
    fence_barrier_init();
    arrive_and_expect_bytes(queries, 8192);       // [expect q]
    tensor_copy_g2s(memory, q, {0, 0}, queries);  // [load q]
    for (int i = 0; i < 2; ++i) load(i);          // [first]
  }
  __syncthreads();  // [initialised]
  auto scores_mma = make_tiled_mma(SM90_64x64x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::K>{});
  auto mma = make_tiled_mma(SM90_64x64x16_F32F16F16_RS<GMMA::Major::K, GMMA::Major::MN>{});
  auto const thread = scores_mma.get_slice(t);
  auto const thread_o = mma.get_slice(t);
  auto const rQ = thread.make_fragment_A(thread.partition_A(sQ));
  auto const rK = thread.make_fragment_B(thread.partition_B(sK));
  auto const rV = thread_o.make_fragment_B(thread_o.partition_B(sV));
  auto sums = partition_fragment_C(mma, Shape<_64, _64>{});
  clear(sums);
  float weight[2] = {0, 0};
  wait_barrier(queries, 0);  // [queries]
  for (int i = 0; i < tiles; ++i) {
    auto scores = partition_fragment_C(scores_mma, Shape<_64, _64>{});
    scores_mma.accumulate_ = GMMA::ScaleOut::Zero;
    wait_barrier(keys[i % 2], i / 2 % 2);  // [keys]
    warpgroup_arrive();                    // [arrive 1]
    for (int step = 0; step < 4; ++step) {
      gemm(scores_mma, rQ(_, _, step), rK(_, _, step, i % 2), scores);  // [multiply 1]
      scores_mma.accumulate_ = GMMA::ScaleOut::One;
    }
    warpgroup_commit_batch();  // [commit 1]
    warpgroup_wait<0>();       // [wait 1]
    // The scores that a thread holds of 16 keys are its A of one instruction.
    auto held = make_tensor<half_t>(Layout<Shape<Shape<_2, _2, _2>, _1, _4>>{});
    for (int j = 0; j < size(scores); ++j) {
      float const e = exp2f(scores(j));  // [weights]
      weight[j / 2 % 2] += e;
      held(j) = half_t(e);
    }
    wait_barrier(values[i % 2], i / 2 % 2);                                                         // [values]
    warpgroup_arrive();                                                                             // [arrive 2]
    for (int step = 0; step < 4; ++step) gemm(mma, held(_, _, step), rV(_, _, step, i % 2), sums);  // [multiply 2]
    warpgroup_commit_batch();                                                                       // [commit 2]
    warpgroup_wait<0>();                                                                            // [wait 2]
    __syncthreads();                                                                                // [used]
    if (t == 0 && i + 2 < tiles) load(i + 2);                                                       // [next]
  }
  for (int r = 0; r < 2; ++r) {
    weight[r] += __shfl_xor_sync(0xffffffffu, weight[r], 1);
    weight[r] += __shfl_xor_sync(0xffffffffu, weight[r], 2);
  }
  auto gO = make_tensor(make_gmem_ptr(out), Layout<Shape<_64, _64>, Stride<_64, _1>>{});
  auto tOgO = thread_o.partition_C(gO);
  for (int j = 0; j < size(sums); ++j) tOgO(j) = sums(j) / weight[j / 2 % 2];  // [result]
}

TmaDescriptor tiles_of(half_t* data, int rows) {
  tensor_map_config c;
  c.data = data, c.type = tensor_map_type::f16, c.rank = 2;
  c.extent[0] = 64, c.extent[1] = rows, c.stride[1] = 64, c.box[0] = 64, c.box[1] = 64;
  return make_tma_descriptor(c);
}

int main() {
  int const keys = 320;
  std::vector<half_t> q(64 * 64), k(keys * 64), v(keys * 64);
  for (std::size_t i = 0; i < q.size(); ++i) q[i] = half_t(static_cast<float>(i * i % 7) / 16 - .2f);
  for (std::size_t i = 0; i < k.size(); ++i) k[i] = half_t(static_cast<float>(i * 5 % 11) / 8 - .6f);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = half_t(static_cast<float>(i * 3 % 13));
  device_buffer<half_t> dev_q(q), dev_k(k), dev_v(v);
  device_buffer<float> out(64 * 64);
  launch(attend, {.grid = 1, .block = 128, .shared_bytes = 2 * 5 * 4096}, tiles_of(dev_q.data(), 64),
         tiles_of(dev_k.data(), keys), tiles_of(dev_v.data(), keys), out.data(), keys / 64);
  auto const got = out.download();
  for (std::size_t m = 0; m < 64; ++m) {
    std::vector<double> sum(64, 0.);
    double all = 0;
    for (std::size_t n = 0; n < keys; ++n) {
      double score = 0;
      for (std::size_t d = 0; d < 64; ++d) score += double(float(q[m * 64 + d])) * double(float(k[n * 64 + d]));
      double const e = std::exp2(score);
      all += e;
      for (std::size_t d = 0; d < 64; ++d) sum[d] += e * double(float(v[n * 64 + d]));
    }
    for (std::size_t d = 0; d < 64; ++d) {
      if (std::abs(got[m * 64 + d] - sum[d] / all) > .01) return 1;
    }
  }
  return 0;
}
