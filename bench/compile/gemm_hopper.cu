// SPDX-License-Identifier: Apache-2.0
/// @file
/// A product by warpgroups with one configuration, of bfloat16 and contiguous along K. A call without a configuration
/// compiles the six of hopper_choice.hpp.
#include <cosmati/cosmati.hpp>
#include <cosmati/kernel/gemm/hopper.hpp>

using namespace cosmati;

void product(bfloat16_t const* a, bfloat16_t const* b, bfloat16_t* c, int m, int n, int k) {
  gemm_hopper<hopper_config{}>(make_tensor(make_gmem_ptr(a), make_shape(m, k), make_stride(k, _1{})),
                               make_tensor(make_gmem_ptr(b), make_shape(n, k), make_stride(k, _1{})),
                               make_tensor(make_gmem_ptr(c), make_shape(m, n), make_stride(n, _1{})));
}
