// SPDX-License-Identifier: Apache-2.0
// Sums a matrix's rows, tile by tile. While the block sums a tile, cp.async brings the next ones.
#include <cosmati/cosmati.hpp>
#include <cstdio>
using namespace cosmati;

constexpr int height = 32, width = 32, threads = 128;

template <int stages, class TiledCopy>
__global__ void row_sums(float const* in, float* out, int rows, int columns, TiledCopy tiled_copy) {
  // The four threads of a row read neighbours. With rows of 36 floats, the 8 rows of a warp meet in no bank.
  auto sIn = make_tensor(make_smem_ptr(dynamic_shared<float>()),
                         Layout<Shape<Int<height>, Int<width>, Int<stages>>, Stride<Int<36>, _1, Int<36 * height>>>{});
  auto mIn = make_tensor(make_gmem_ptr(in), make_shape(rows, columns), make_stride(columns, _1{}));
  auto gIn = local_tile(mIn, Shape<Int<height>, Int<width>>{}, make_coord(blockIdx.x, _));  // all tiles along the row
  auto thread = tiled_copy.get_slice(threadIdx.x);
  auto from = thread.partition_S(gIn);
  auto to = thread.partition_D(sIn);

  float sum = 0;
  unsigned const row = threadIdx.x / 4, quarter = threadIdx.x % 4;
  for (auto [tile, stage] : cp_async_stages<stages>(static_cast<int>(size<2>(gIn)), [&](int next, int free) {
         copy(tiled_copy, from(_, _, _, next), to(_, _, _, free), shape(mIn));  // zeros where there is no element
       })) {
    for (unsigned j = 0; j < 8; ++j) sum += sIn(row, quarter + 4 * j, stage);
  }
  for (int apart : {1, 2}) sum += __shfl_xor_sync(0xffffffffu, sum, apart);
  int const i = static_cast<int>(blockIdx.x * height + row);
  if (quarter == 0 && i < rows) out[i] = sum;
}

template <int stages>
bool run(int rows, int columns) {
  std::vector<float> host(rows * columns), wanted(rows, 0.f);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) wanted[i] += host[i * columns + j] = float((i + 3 * j) % 10);
  }
  device_buffer<float> in(host), out(wanted.size());
  auto const tiled_copy = make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>, float>{},
                                          Layout<Shape<_16, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _4>>{});
  launch(row_sums<stages, std::remove_const_t<decltype(tiled_copy)>>,
         {.grid = (rows + height - 1) / height, .block = threads, .shared_bytes = stages * height * 36 * sizeof(float)},
         in.data(), out.data(), rows, columns, tiled_copy);
  bool const right = out.download() == wanted;
  std::printf("%d stages, %d rows of %4d: %s\n", stages, rows, columns, right ? "right" : "WRONG");
  return right;
}

int main() {
  bool ok = run<2>(70, 500);
  ok = run<3>(70, 500) && ok;
  ok = run<4>(70, 500) && ok;
  ok = run<4>(70, 20) && ok;  // fewer tiles than stages, and the only one is ragged
  return ok ? 0 : 1;
}
