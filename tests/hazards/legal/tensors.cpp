// SPDX-License-Identifier: Apache-2.0
// Correct, though a simple checker may object: tensors that overlap, repeat or end where memory ends.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

/// A row that is every row: stride 0. Its last tile ends with the allocation.
template <class Copy>
__global__ void broadcast(float const* in, float* out, Copy tiled_copy) {
  auto row = make_tensor(make_gmem_ptr(in), Layout<Shape<_32, _64>, Stride<_0, _1>>{});
  auto all = make_tensor(make_gmem_ptr(out), Layout<Shape<_32, _64>, Stride<_64, _1>>{});
  auto mine = tiled_copy.get_slice(threadIdx.x);
  copy(tiled_copy, mine.partition_S(row), mine.partition_D(all));
}
/// Backwards: the pointer points at the last element, the stride is negative.
__global__ void backwards(float const* in, float* out, int n) {
  auto from = make_tensor(make_gmem_ptr(in + (n - 1)), make_shape(n), make_stride(-1));
  auto to = make_tensor(make_gmem_ptr(out), make_shape(n));
  for (int i = static_cast<int>(threadIdx.x); i < n; i += 32) to(i) = from(i);
}
/// Windows that overlap are read, not written.
__global__ void windows(float const* in, float* out) {
  auto window = make_tensor(make_gmem_ptr(in), Layout<Shape<Int<62>, _3>, Stride<_1, _1>>{});
  for (int i = static_cast<int>(threadIdx.x); i < 62; i += 32) out[i] = window(i, 0) + window(i, 1) + window(i, 2);
}
/// Two tensors in one piece of shared memory, one of which is a part of the other, ordered by barriers.
__global__ void views(float* out) {
  __shared__ float memory[64];
  auto whole = make_tensor(make_smem_ptr(&memory[0]), Layout<Shape<_8, _8>>{});
  auto column = whole(_, 3);
  int const t = static_cast<int>(threadIdx.x);
  whole(t) = static_cast<float>(t);
  __syncthreads();
  if (t < 8) column(t) = -1.f;
  __syncthreads();
  out[t] = whole(t % 8, t / 8);
}

int main() {
  std::vector<float> host(64);
  for (std::size_t i = 0; i < 64; ++i) host[i] = static_cast<float>(i);
  device_buffer<float> in(host), out(32 * 64);
  out.clear();
  auto tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{},
                                    Layout<Shape<_4, _16>, Stride<_16, _1>>{}, Layout<Shape<_1, _4>>{});
  launch(broadcast<decltype(tiled_copy)>, {.grid = 1, .block = 64}, in.data(), out.data(), tiled_copy);
  if (out.download()[31 * 64 + 5] != 5.f) return 1;
  launch(backwards, {.grid = 1, .block = 32}, in.data(), out.data(), 64);
  if (out.download()[0] != 63.f) return 1;
  launch(windows, {.grid = 1, .block = 32}, in.data(), out.data());
  if (out.download()[61] != 61.f + 62.f + 63.f) return 1;
  launch(views, {.grid = 1, .block = 64}, out.data());
  return out.download()[24] == -1.f && out.download()[32] == 32.f ? 0 : 1;
}
