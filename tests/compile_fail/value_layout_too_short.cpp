// SPDX-License-Identifier: Apache-2.0
// The atom moves a vector of 16 bytes; a thread holds fewer floats than that.
// expect: the value layout is too short for the atom's vector
// expect: give each thread a multiple of NEEDED along the contiguous mode, as Layout<Shape<_1, Int<NEEDED>>>
// expect 1: value_layout_too_short<3, 4>::along_mode<1>|values=3, needed=4, mode=1
// expect 2: value_layout_too_short<2, 8>::along_mode<0>|values=2, needed=8, mode=0
// expect 3: value_layout_too_short<3, 4>::along_mode<1>|values=3, needed=4, mode=1
// expect-lines < 20
// expect-bytes < 2000
#include <cosmati/cosmati.hpp>
using namespace cosmati;

#if COSMATI_FAIL == 0
using Element = float;
using Values = Layout<Shape<_1, _4>>;
#elif COSMATI_FAIL == 1
using Element = float;
using Values = Layout<Shape<_1, _3>>;
#elif COSMATI_FAIL == 2
using Element = half_t;
using Values = Layout<Shape<_2, _1>>;
#elif COSMATI_FAIL == 3
using Element = float;
using Values = Layout<Shape<_1, _4>>;
using Chosen = TiledCopy<Copy_Atom<UniversalCopy<uint128_t>, float>, Layout<Shape<_32, _3>>, Shape<_32, _3>>;
int threads() { return size(Chosen{}); }
#endif

__global__ void through(Element const* in, Element* out, int rows) {
  auto tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, Element>{},
                                    Layout<Shape<_32, _8>, Stride<_8, _1>>{}, Values{});
  auto whole = make_tensor(make_gmem_ptr(in), make_shape(rows, _64{}), make_stride(_64{}, _1{}));
  auto result = make_tensor(make_gmem_ptr(out), whole.layout());
  auto thread = tiled_copy.get_slice(threadIdx.x);
  auto from = thread.partition_S(local_tile(whole, Shape<_32, _64>{}, make_coord(blockIdx.x, _0{})));
  auto to = thread.partition_D(local_tile(result, Shape<_32, _64>{}, make_coord(blockIdx.x, _0{})));
  auto held = make_fragment_like(from);
  copy(tiled_copy, from, held);
  copy(tiled_copy, held, to);
}
