// SPDX-License-Identifier: Apache-2.0
/// @file
/// A product by warpgroups that chooses its configuration, of bfloat16 and contiguous along K. It compiles all six of
/// hopper_choice.hpp.
#include <cosmati/cosmati.hpp>
#include <cosmati/kernel/gemm/hopper.hpp>

using namespace cosmati;

void product(bfloat16_t const* a, bfloat16_t const* b, bfloat16_t* c, int m, int n, int k) {
  gemm_hopper(make_tensor(make_gmem_ptr(a), make_shape(m, k), make_stride(k, _1{})),
              make_tensor(make_gmem_ptr(b), make_shape(n, k), make_stride(k, _1{})),
              make_tensor(make_gmem_ptr(c), make_shape(m, n), make_stride(n, _1{})));
}
