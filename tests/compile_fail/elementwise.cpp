// SPDX-License-Identifier: Apache-2.0
// Elementwise functions and predicates whose numbers of elements differ.
// expect 1: tensors_have_different_sizes<64, 32>|first=64, second=32
// expect 2: tensors_have_different_sizes<16, 64>|first=16, second=64
// expect 3: tensors_have_different_sizes<64, 32>|first=64, second=32
// expect 4: tensors_have_different_sizes<8, 4>|first=8, second=4
// expect 5: batch_reduce\(src, dst\): the source needs the mode that is reduced first
// expect 6: predicates_do_not_match<3, 64, 8>|predicates=3, elements=64, in_first_mode=8
// expect 7: predicates_do_not_match<128, 64, 8>|predicates=128, elements=64, in_first_mode=8
// expect 8: predicates_do_not_match<3, 64, 8>|predicates=3, elements=64, in_first_mode=8
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void kernel(float* p, float* q, half_t* h, int n) {
  auto const g = make_tensor(make_gmem_ptr(p), Layout<Shape<_8, _8>>{});
  auto const s = make_tensor(make_smem_ptr(q), Layout<Shape<_8, _8>, Stride<_8, _1>>{});
#if COSMATI_FAIL == 1
  transform(g, make_tensor(make_smem_ptr(q), Layout<Shape<_8, _4>>{}), [](float x) { return x; });
#elif COSMATI_FAIL == 2
  transform(g, make_tensor(make_smem_ptr(q), Layout<Shape<_8, _2>>{}), s, [](float x, float y) { return x + y; });
#elif COSMATI_FAIL == 3
  axpby(2.f, g, 0.f, make_tensor(make_smem_ptr(q), Layout<Shape<_4, _8>>{}));
#elif COSMATI_FAIL == 4
  batch_reduce(g, make_tensor(make_smem_ptr(q), Layout<_4>{}));
#elif COSMATI_FAIL == 5
  batch_reduce(make_tensor(make_gmem_ptr(p), Layout<_8>{}), s);
#elif COSMATI_FAIL == 6
  auto const predicates = make_tensor<bool>(Shape<_3>{});
  copy_if(predicates, g, s);
#elif COSMATI_FAIL == 7
  auto const predicates = make_tensor<bool>(Shape<_16, _8>{});
  copy_if(predicates, g, s);
#elif COSMATI_FAIL == 8
  auto const predicates = make_tensor<bool>(Shape<_3>{});
  copy_if(Copy_Atom<UniversalCopy<uint128_t>, float>{}, predicates, g, g);
#else
  transform(g, s, [](float x) { return x; });
  transform(g, g, s, [](float x, float y) { return x + y; });
  axpby(2.f, g, 0.f, s);
  batch_reduce(g, make_tensor(make_smem_ptr(q), Layout<_8>{}));
  auto const predicates = make_tensor<bool>(Shape<_8>{});
  copy_if(predicates, g, s);
  copy_if(Copy_Atom<UniversalCopy<uint128_t>, float>{}, predicates, g, g);
#endif
  (void)g, (void)s, (void)h, (void)n;
}
