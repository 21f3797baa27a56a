// SPDX-License-Identifier: Apache-2.0
/// @file
/// A product on tensor cores, of half and contiguous along K: both kernels of `gemm_mma` and what chooses between them.
#include <cosmati/cosmati.hpp>
#include <cosmati/kernel/gemm/mma.hpp>

using namespace cosmati;

void product(half_t const* a, half_t const* b, half_t* c, int m, int n, int k) {
  gemm_mma(make_tensor(make_gmem_ptr(a), make_shape(m, k), make_stride(k, _1{})),
           make_tensor(make_gmem_ptr(b), make_shape(n, k), make_stride(k, _1{})),
           make_tensor(make_gmem_ptr(c), make_shape(m, n), make_stride(n, _1{})));
}
