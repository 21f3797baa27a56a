// SPDX-License-Identifier: Apache-2.0
// A thread layout names each thread once, a value layout each value once.
// expect: write a compact layout
// expect 1: thread layout is not a bijection
// expect 1: thread_layout_is_not_a_bijection<8, 12>::along_mode<1, 8, 4>|threads=8, reach=12, mode=1, has_stride=8, needed=4
// expect 2: thread layout is not a bijection
// expect 2: thread_layout_is_not_a_bijection<8, 4>::along_mode<1, 0, 4>|threads=8, reach=4, mode=1, has_stride=0, needed=4
// expect 3: value layout is not a bijection
// expect 3: value_layout_is_not_a_bijection<4, 7>::along_mode<1, 2, 1>|values=4, reach=7, mode=1, has_stride=2, needed=1
// expect-lines < 20
// expect-bytes < 2000
#include <cosmati/cosmati.hpp>
using namespace cosmati;

#if COSMATI_FAIL == 1
using Threads = Layout<Shape<_4, _2>, Stride<_1, _8>>;
#elif COSMATI_FAIL == 2
using Threads = Layout<Shape<_4, _2>, Stride<_1, _0>>;
#else
using Threads = Layout<Shape<_4, _2>, Stride<_2, _1>>;
#endif
#if COSMATI_FAIL == 3
using Values = Layout<Shape<_1, _4>, Stride<_1, _2>>;
#else
using Values = Layout<Shape<_1, _4>>;
#endif

void start(float* p, int thread) {
  auto tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, Threads{}, Values{});
  auto tensor = make_tensor(p, Layout<Shape<_16, _16>, Stride<_16, _1>>{});
  auto mine = tiled_copy.get_thread_slice(thread).partition_S(tensor);
  auto held = make_tensor_like(mine);
  copy(tiled_copy, mine, held);
  copy(mine(_, 0, 0), held(_, 0, 0));
}
