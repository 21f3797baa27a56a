// SPDX-License-Identifier: Apache-2.0
// Who moves what is part of the tiled copy's type: run-time integers cannot be.
// expect: make_tiled_copy: the (thread|value) layout is dynamic
// expect: write Int<N>\{\} or _[48]\{\} for every extent and stride
// expect 1: thread_layout_must_be_static<0, .*Layout<.*tuple<int, .*C<8>|mode=0, ThreadLayout=cosmati::Layout<cosmati::tuple<int, cosmati::_8>
// expect 2: thread_layout_must_be_static<1, .*Layout<.*C<16>, int>|mode=1, ThreadLayout=cosmati::Layout<cosmati::tuple<cosmati::_16, int>
// expect 3: value_layout_must_be_static<1, .*Layout<.*C<1>, int>|mode=1, ValueLayout=cosmati::Layout<cosmati::tuple<cosmati::_1, int>
// expect-lines < 20
// expect-bytes < 2000
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void through(float const* in, float* out, int rows, [[maybe_unused]] int warps) {
#if COSMATI_FAIL == 1
  auto threads = make_layout(make_shape(warps, _8{}), make_stride(_8{}, _1{}));
#elif COSMATI_FAIL == 2
  auto threads = make_layout(make_shape(_16{}, 16));
#else
  auto threads = make_layout(make_shape(_32{}, _8{}), make_stride(_8{}, _1{}));
#endif
#if COSMATI_FAIL == 3
  auto values = make_layout(make_shape(_1{}, warps));
#else
  auto values = make_layout(make_shape(_1{}, _4{}));
#endif
  auto tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, threads, values);
  auto source = make_tensor(make_gmem_ptr(in), make_shape(rows, _64{}), make_stride(_64{}, _1{}));
  auto destination = make_tensor(make_gmem_ptr(out), source.layout());
  auto thread = tiled_copy.get_slice(threadIdx.x);
  auto from = thread.partition_S(local_tile(source, Shape<_32, _64>{}, make_coord(blockIdx.x, _0{})));
  auto to = thread.partition_D(local_tile(destination, Shape<_32, _64>{}, make_coord(blockIdx.x, _0{})));
  auto held = make_fragment_like(from);
  copy(tiled_copy, from, held);
  copy(tiled_copy, held, to);
  if (threadIdx.x < size(tiled_copy)) copy(tiled_copy, from(_, 0, _), to(_, 0, _));
}

template <class TiledCopy>
__global__ void by_template(float* p, TiledCopy tiled_copy) {
  auto tensor = make_tensor(make_gmem_ptr(p), Layout<Shape<_64, _64>>{});
  auto thread = tiled_copy.get_slice(threadIdx.x);
  auto mine = thread.partition_S(tensor);
  copy(tiled_copy, mine, thread.partition_D(tensor));
}
