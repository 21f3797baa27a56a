// SPDX-License-Identifier: Apache-2.0
// What cooperative_copy cannot take.
// expect 1: source_and_destination_sizes_differ<64, 32|source=64, destination=32
// expect 2: source_and_destination_sizes_differ<16, 64|source=16, destination=64
// expect 3: cooperative_copy: both tensors need static shapes.*use naive_cooperative_copy, or a tiled copy with bounds
// expect 4: cooperative_copy: both tensors need static shapes
// expect 5: cooperative_copy: threads share no registers; tag both pointers
// expect 6: cooperative_copy: threads share no registers; tag both pointers
// expect 7: both tensors must have the same element type; recast one of them, or use naive_cooperative_copy
// expect 8: both tensors must have the same element type
// expect 9: MaxVecBits is 0, 8, 16, 32, 64 or 128
// expect 10: MaxVecBits is 0, 8, 16, 32, 64 or 128
// expect 11: threads_would_share_bytes<4, 1>|bits=4, adjacent=1
// expect 12: threads_would_share_bytes<1, 1>|bits=1, adjacent=1
// expect 13: the destination's elements are const
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void kernel(float* p, float* q, half_t* h, int n) {
  auto const g = make_tensor(make_gmem_ptr(p), Layout<Shape<_8, _8>>{});
  auto const s = make_tensor(make_smem_ptr(q), Layout<Shape<_8, _8>, Stride<_8, _1>>{});
#if COSMATI_FAIL == 1
  cooperative_copy<32>(threadIdx.x, g, make_tensor(make_smem_ptr(q), Layout<Shape<_8, _4>>{}));
#elif COSMATI_FAIL == 2
  cooperative_copy<32>(threadIdx.x, make_tensor(make_gmem_ptr(p), Layout<Shape<_8, _2>>{}), s);
#elif COSMATI_FAIL == 3
  cooperative_copy<32>(threadIdx.x, make_tensor(make_gmem_ptr(p), make_shape(n, _8{})), s);
#elif COSMATI_FAIL == 4
  cooperative_copy<32>(threadIdx.x, g, make_tensor(make_smem_ptr(q), make_shape(_8{}, n), make_stride(_8{}, _1{})));
#elif COSMATI_FAIL == 5
  auto r = make_tensor<float>(Shape<_8, _8>{});
  cooperative_copy<32>(threadIdx.x, g, r);
#elif COSMATI_FAIL == 6
  cooperative_copy<32>(threadIdx.x, make_tensor(p, Layout<Shape<_8, _8>>{}), s);
#elif COSMATI_FAIL == 7
  cooperative_copy<32>(threadIdx.x, g, make_tensor(make_smem_ptr(h), Layout<Shape<_8, _8>>{}));
#elif COSMATI_FAIL == 8
  cooperative_copy<32>(threadIdx.x, make_tensor(make_gmem_ptr(h), Layout<Shape<_8, _8>>{}), s);
#elif COSMATI_FAIL == 9
  cooperative_copy<32, 48>(threadIdx.x, g, s);
#elif COSMATI_FAIL == 10
  cooperative_copy<32, 256>(threadIdx.x, g, s);
#elif COSMATI_FAIL == 11
  auto const columns = Layout<Shape<_8, _8>>{};
  auto const rows = Layout<Shape<_8, _8>, Stride<_8, _1>>{};
  cooperative_copy<32>(threadIdx.x, make_tensor(make_gmem_ptr(recast_ptr<uint4_t>(p)), columns),
                       make_tensor(make_smem_ptr(recast_ptr<uint4_t>(q)), rows));
#elif COSMATI_FAIL == 12
  auto const columns = Layout<Shape<_8, _8>>{};
  auto const rows = Layout<Shape<_8, _8>, Stride<_8, _1>>{};
  cooperative_copy<32>(threadIdx.x, make_tensor(make_gmem_ptr(recast_ptr<uint1_t>(p)), columns),
                       make_tensor(make_smem_ptr(recast_ptr<uint1_t>(q)), rows));
#elif COSMATI_FAIL == 13
  cooperative_copy<32>(threadIdx.x, g,
                       make_tensor(make_smem_ptr(static_cast<float const*>(q)), Layout<Shape<_8, _8>>{}));
#else
  cooperative_copy<32>(threadIdx.x, g, s);
  cooperative_copy<32, 64>(threadIdx.x, s, g);
  cooperative_copy<32>(threadIdx.x, g, make_tensor(make_smem_ptr(q), Shape<_8, _8>{}, make_stride(n, _1{})));
  cooperative_copy<32>(threadIdx.x, make_tensor(make_gmem_ptr(recast_ptr<uint4_t>(p)), Layout<_64>{}),
                       make_tensor(make_smem_ptr(recast_ptr<uint4_t>(q)), Layout<_64>{}));
  naive_cooperative_copy<32>(threadIdx.x, g, make_tensor(make_smem_ptr(h), Layout<Shape<_8, _8>>{}));
  naive_cooperative_copy<32>(threadIdx.x, make_tensor(make_gmem_ptr(p), make_shape(n, _8{})),
                             make_tensor(make_smem_ptr(q), make_shape(n, _8{})));
#endif
  (void)g, (void)s, (void)h, (void)n;
}
