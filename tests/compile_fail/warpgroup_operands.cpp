// SPDX-License-Identifier: Apache-2.0
// Operands of warpgroup matrix instructions that no descriptor can name, and numbers that instructions do not take.
// The lines are those of clang++, which follows case 3 further.
// expect 1: operand_is_in_shared_memory<false>|is=false|operand_is_in_shared_memory<\(bool\)0>
// expect 2: operand_is_of_another_type<4, 2>|element_bytes=4, needed_bytes=2
// expect 3: operand_layout_is_static<false>|is=false|operand_layout_is_static<\(bool\)0>
// expect 4: no_matrix_instruction_swizzles_like_this<3, 4, 3, 2>|bits=3, base=4, shift=3, unit_bytes=2
// expect 5: operand_layout_is_not_canonical<1, 0, 64, 8>|mn=1, k=0, found=64, needed=8
// expect 6: mma_tile_does_not_divide<32, 64, |extent=32, tile=64
// expect 7: register_budget<300>|registers=300
// expect 8: tma_store_wait<N>: N is the number of groups
// expect-lines < 60
// expect-bytes < 6500
// flags nvcc: -arch=sm_90a
#include <cosmati/arch/register_budget.hpp>
#include <cosmati/cosmati.hpp>
#include <cosmati/mma.hpp>
#include <cosmati/wgmma.hpp>
using namespace cosmati;

using Right = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_64, _64>{}));
using Rows = Layout<Shape<_64, _64>, Stride<_64, _1>>;

template <class A>
__device__ void use(A const& a) {
  auto const mma = make_tiled_mma(MMA_Atom<SM90_64x64x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::K>>{});
  auto const thread = mma.get_slice(0);
  [[maybe_unused]] auto const fragment = thread.make_fragment_A(thread.partition_A(a));
}

__global__ void start([[maybe_unused]] half_t* p, [[maybe_unused]] float* f) {
#if COSMATI_FAIL == 0
  use(make_tensor(make_smem_ptr(p), Right{}));
#elif COSMATI_FAIL == 1
  use(make_tensor(make_gmem_ptr(p), Right{}));
#elif COSMATI_FAIL == 2
  use(make_tensor(make_smem_ptr(f), tile_to_shape(GMMA::Layout_K_SW128_Atom<float>{}, Shape<_64, _64>{})));
#elif COSMATI_FAIL == 3
  use(make_tensor(make_smem_ptr(p), make_layout(make_shape(64, 64), make_stride(64, _1{}))));
#elif COSMATI_FAIL == 4
  use(make_tensor(make_smem_ptr(p), composition(Swizzle<3, 4, 3>{}, Rows{})));
#elif COSMATI_FAIL == 5
  use(make_tensor(make_smem_ptr(p), Rows{}));
#elif COSMATI_FAIL == 6
  use(make_tensor(make_smem_ptr(p), tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_32, _64>{})));
#elif COSMATI_FAIL == 7
  warpgroup_reg_alloc<300>();
#elif COSMATI_FAIL == 8
  tma_store_wait<-1>();
#endif
}
