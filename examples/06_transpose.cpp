// SPDX-License-Identifier: Apache-2.0
// A transpose through shared memory, where the layout of the stage decides how many banks a warp meets.
#include <cosmati/cosmati.hpp>
#include <cstdio>
using namespace cosmati;

template <class Stage, class CopyIn, class CopyOut>
__global__ void transpose(float const* in, float* out, int rows, int columns, CopyIn copy_in, CopyOut copy_out) {
  auto sT = make_tensor(make_smem_ptr(dynamic_shared<float>()), Stage{});
  auto mIn = make_tensor(make_gmem_ptr(in), make_shape(rows, columns), make_stride(columns, _1{}));
  auto mOut = make_tensor(make_gmem_ptr(out), make_shape(rows, columns), make_stride(_1{}, rows));  // transposed
  auto gIn = local_tile(mIn, Shape<_32, _32>{}, make_coord(blockIdx.x, blockIdx.y));
  auto gOut = local_tile(mOut, Shape<_32, _32>{}, make_coord(blockIdx.x, blockIdx.y));
  auto in_thread = copy_in.get_slice(threadIdx.x);
  auto out_thread = copy_out.get_slice(threadIdx.x);
  copy(copy_in, in_thread.partition_S(gIn), in_thread.partition_D(sT), shape(mIn));
  __syncthreads();
  copy(copy_out, out_thread.partition_S(sT), out_thread.partition_D(gOut), shape(mOut));
}

// 32 threads read one row (or column) of a 32 x 32 stage of floats. Returns how many of them share the fullest bank.
template <class Stage>
int conflicts(Stage const& stage, bool along_rows) {
  int most = 0, in_bank[32] = {};
  for (int i = 0; i < 32; ++i) {
    int const n = ++in_bank[(along_rows ? stage(0, i) : stage(i, 0)) % 32];
    if (n > most) most = n;
  }
  return most;
}

template <class Stage>
bool run(char const* name, Stage stage) {
  int const rows = 70, columns = 45;
  std::vector<float> host(rows * columns), wanted(rows * columns);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) wanted[j * rows + i] = host[i * columns + j] = float(i * columns + j);
  }
  device_buffer<float> in(host), out(host.size());
  // Both sides of global memory are read and written along the mode of stride 1: 32 threads side by side.
  auto const one = Copy_Atom<UniversalCopy<float>, float>{};
  auto const copy_in = make_tiled_copy(one, Layout<Shape<_8, _32>, Stride<_32, _1>>{});
  auto const copy_out = make_tiled_copy(one, Layout<Shape<_32, _8>>{});
  launch(transpose<Stage, std::remove_const_t<decltype(copy_in)>, std::remove_const_t<decltype(copy_out)>>,
         {.grid = dim3(3, 2), .block = 256, .shared_bytes = cosize_v<Stage> * sizeof(float)}, in.data(), out.data(),
         rows, columns, copy_in, copy_out);
  bool const right = out.download() == wanted;
  std::printf("%-9s writes a row with %2d to a bank, reads a column with %2d to a bank: %s\n", name,
              conflicts(stage, true), conflicts(stage, false), right ? "right" : "WRONG");
  return right;
}

int main() {
  bool ok = run("plain", Layout<Shape<_32, _32>, Stride<_32, _1>>{});
  ok = run("padded", Layout<Shape<_32, _32>, Stride<Int<33>, _1>>{}) && ok;
  ok = run("swizzled", composition(Swizzle<5, 0, 5>{}, Layout<Shape<_32, _32>, Stride<_32, _1>>{})) && ok;
  return ok ? 0 : 1;
}
