// SPDX-License-Identifier: Apache-2.0
// Three stages of cp.async to swizzled shared memory, and back.
#include "../harness.hpp"

using namespace cute;

using Stage = decltype(composition(Swizzle<3, 3, 3>{}, Layout<Shape<_64, _64>, Stride<_64, _1>>{}));

template <class TiledCopy, class Store>
__global__ void copy_async(half_t const* in, half_t* out, int rows, int columns, TiledCopy tiled_copy, Store store) {
  __shared__ alignas(128) half_t memory[3 * 64 * 64];
  auto sT = make_tensor(make_smem_ptr(memory), tile_to_shape(Stage{}, Shape<_64, _64, _3>{}));
  auto mIn = make_tensor(make_gmem_ptr(in), make_shape(rows, columns), make_stride(columns, Int<1>{}));
  auto mOut = make_tensor(make_gmem_ptr(out), mIn.layout());
  auto gIn = local_tile(mIn, Shape<_64, _64>{}, make_coord(static_cast<int>(blockIdx.x), _));
  auto gOut = local_tile(mOut, Shape<_64, _64>{}, make_coord(static_cast<int>(blockIdx.x), _));
  auto thread = tiled_copy.get_slice(static_cast<int>(threadIdx.x));
  auto from = thread.partition_S(gIn);
  auto stage = thread.partition_D(sT);
  auto thread_out = store.get_slice(static_cast<int>(threadIdx.x));
  auto read = thread_out.partition_S(sT);
  auto to = thread_out.partition_D(gOut);
  int const tiles = static_cast<int>(size<3>(from));
  for (int k = 0; k < 2; ++k) {
    if (k < tiles) copy(tiled_copy, from(_, _, _, k), stage(_, _, _, k));
    cp_async_fence();
  }
  int slot = 0;
  CUTE_NO_UNROLL
  for (int k = 0; k < tiles; ++k) {
    cp_async_wait<1>();
    __syncthreads();
    if (k + 2 < tiles) copy(tiled_copy, from(_, _, _, k + 2), stage(_, _, _, slot == 0 ? 2 : slot - 1));
    cp_async_fence();
    copy(store, read(_, _, _, slot), to(_, _, _, k));
    slot = slot == 2 ? 0 : slot + 1;
  }
}

int main() {
  constexpr int rows = 8192, columns = 4096;
  bench::array<half_t> in(std::size_t{rows} * columns, 3), out(std::size_t{rows} * columns);
  auto thr = Layout<Shape<_16, _8>, Stride<_8, _1>>{};
  auto val = Layout<Shape<_1, _8>>{};
  auto tiled_copy = make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, half_t>{}, thr, val);
  auto store = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{}, thr, val);
  return bench::run(
      "copy_async", [&] { copy_async<<<rows / 64, 128>>>(in.data, out.data, rows, columns, tiled_copy, store); },
      [&] {
        auto const& got = out.download();
        return bench::near(got, 0, [&](std::size_t i) { return static_cast<double>(static_cast<float>(in.host[i])); });
      });
}
