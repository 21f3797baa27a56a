// SPDX-License-Identifier: Apache-2.0
// Instructions that the GPU which is compiled for lacks: the error names what is needed and the target.
// only: nvcc (the others compile for no GPU)
// flags nvcc: -arch=sm_75
// expect 1: cp_async, needed=80, target=75
// expect 1: -arch=sm_NEEDED
// expect 2: stmatrix, needed=90, target=75
// expect 3: cp_async_bulk, needed=90, target=75
// expect 4: mbarrier, needed=80, target=75
// expect 5: fence_proxy_async, needed=90, target=75
// expect 6: cp_async, needed=80, target=75
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void kernel(float* p, [[maybe_unused]] half_t* h) {
  __shared__ alignas(16) float stage[64];
  [[maybe_unused]] __shared__ std::uint64_t barrier;
  [[maybe_unused]] std::uint32_t held[4] = {1, 2, 3, 4};
#if COSMATI_FAIL == 1
  cp_async<16>(stage, p);
#elif COSMATI_FAIL == 2
  stmatrix<4>(stage, held);
#elif COSMATI_FAIL == 3
  bulk_copy_g2s(stage, p, 256, barrier);
#elif COSMATI_FAIL == 4
  initialize_barrier(barrier, 1);
#elif COSMATI_FAIL == 5
  fence_proxy_async_shared();
#elif COSMATI_FAIL == 6
  cp_async_fence();
#else
  ldmatrix<4>(held, stage + 4 * threadIdx.x % 64);
  for (std::uint32_t& x : held) x = movmatrix_trans(x);
  copy(make_tensor(make_gmem_ptr(p), Layout<_4>{}), make_tensor(make_smem_ptr(stage), Layout<_4>{}));
  p[0] = static_cast<float>(held[0]);
#endif
}
