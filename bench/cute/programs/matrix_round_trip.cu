// SPDX-License-Identifier: Apache-2.0
// ldmatrix and stmatrix between two swizzled tiles of shared memory, sixteen times.
#include "../harness.hpp"

using namespace cute;

template <class TiledMma>
__global__ void matrix_round_trip(half_t const* in, half_t* out, TiledMma mma) {
  __shared__ alignas(128) half_t memory[2 * 64 * 64];
  auto plain = Layout<Shape<_64, _64>, Stride<_64, _1>>{};
  auto swizzled = composition(Swizzle<3, 3, 3>{}, plain);
  auto s0 = make_tensor(make_smem_ptr(memory), swizzled);
  auto s1 = make_tensor(make_smem_ptr(memory + 64 * 64), swizzled);
  auto gIn = make_tensor(make_gmem_ptr(in + 64 * 64 * blockIdx.x), plain);
  auto gOut = make_tensor(make_gmem_ptr(out + 64 * 64 * blockIdx.x), plain);
  auto rows = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{}, Layout<Shape<_16, _8>, Stride<_8, _1>>{},
                              Layout<Shape<_1, _8>>{});
  auto thread = rows.get_slice(static_cast<int>(threadIdx.x));
  copy(rows, thread.partition_S(gIn), thread.partition_D(s0));
  __syncthreads();
  // The fragment is that of an operand A: both instructions move its matrices of 8 x 8.
  auto load = make_tiled_copy_A(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, mma);
  auto store = make_tiled_copy_A(Copy_Atom<SM90_U32x4_STSM_N, half_t>{}, mma);
  auto thread_load = load.get_slice(static_cast<int>(threadIdx.x));
  auto thread_store = store.get_slice(static_cast<int>(threadIdx.x));
  auto held = mma.get_slice(static_cast<int>(threadIdx.x)).partition_fragment_A(s0);
  auto loaded = thread_load.retile_D(held);
  auto kept = thread_store.retile_S(held);
  CUTE_NO_UNROLL
  for (int k = 0; k < 8; ++k) {
    copy(load, thread_load.partition_S(s0), loaded);
    copy(store, kept, thread_store.partition_D(s1));
    __syncthreads();
    copy(load, thread_load.partition_S(s1), loaded);
    copy(store, kept, thread_store.partition_D(s0));
    __syncthreads();
  }
  copy(rows, thread.partition_S(s0), thread.partition_D(gOut));
}

int main() {
  constexpr int tiles = 4096;
  bench::array<half_t> in(std::size_t{tiles} * 4096, 4), out(std::size_t{tiles} * 4096);
  auto mma = make_tiled_mma(MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>{}, Layout<Shape<_4, _1>>{}, Tile<_64, _16, _16>{});
  return bench::run(
      "matrix_round_trip", [&] { matrix_round_trip<<<tiles, 128>>>(in.data, out.data, mma); },
      [&] {
        auto const& got = out.download();
        return bench::near(got, 0, [&](std::size_t i) { return static_cast<double>(static_cast<float>(in.host[i])); });
      });
}
