// SPDX-License-Identifier: Apache-2.0
// Tiles come in by rows of threads and leave by columns of threads: through shared memory.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

template <class In, class Out>
__global__ void reblock(float const* in, float* out, int rows, In copy_in, Out copy_out) {
  auto tile = make_tensor(make_smem_ptr(dynamic_shared<float>()), Layout<Shape<_32, _64>, Stride<_64, _1>>{});
  auto all_in = make_tensor(make_gmem_ptr(in), make_shape(rows, _64{}), make_stride(_64{}, _1{}));
  auto all_out = make_tensor(make_gmem_ptr(out), all_in.layout());
  auto from = local_tile(all_in, Shape<_32, _64>{}, make_coord(blockIdx.x, _0{}));  // [tile]
  auto to = local_tile(all_out, Shape<_32, _64>{}, make_coord(blockIdx.x, _0{}));
  auto reader = copy_in.get_slice(threadIdx.x);
  auto writer = copy_out.get_slice(threadIdx.x);
  copy(copy_in, reader.partition_S(from), reader.partition_D(tile));  // [in]
  __syncthreads();                                                    // [filled]
  copy(copy_out, writer.partition_S(tile), writer.partition_D(to));   // [out]
}

int main() {
  // The memory goes on behind the 96 rows of the tensor.
  std::vector<float> host(128 * 64);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(i);
  device_buffer<float> in(host), out(host);
  out.clear();
  auto by_rows = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{},
                                 Layout<Shape<_16, _16>, Stride<_16, _1>>{}, Layout<Shape<_1, _4>>{});
  auto by_columns = make_tiled_copy(Copy_Atom<UniversalCopy<uint64_t>, float>{},
                                    Layout<Shape<_32, _8>, Stride<_1, _32>>{}, Layout<Shape<_1, _2>>{});
  launch(reblock<decltype(by_rows), decltype(by_columns)>,
         {.grid = 3, .block = 256, .shared_bytes = 32 * 64 * sizeof(float)}, in.data(), out.data(), 96, by_rows,
         by_columns);
  auto const got = out.download();
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] != (i < 96 * 64 ? host[i] : 0.f)) return 1;
  }
  return 0;
}
