// SPDX-License-Identifier: Apache-2.0
// Every ready kernel, on each architecture: what a target lacks, a call does in another way.
#include <cosmati/kernel/copy.hpp>
#include <cosmati/kernel/gather.hpp>
#include <cosmati/kernel/gemm/hopper.hpp>

using namespace cosmati;

/// Elements of 1 byte: kernels for all sizes.
void copied(unsigned char const* in, unsigned char* out, int rows, int columns) {
  auto const source = make_tensor(make_gmem_ptr(in), make_shape(rows, columns), make_stride(columns, _1{}));
  auto const target = make_tensor(make_gmem_ptr(out), make_shape(rows, columns), make_stride(_1{}, rows));
  copy_tensor(source, target);
  plan_copy(source, target, effort::measure)(source, target);
}
void converted(float const* in, half_t* out, int n) {
  copy_tensor(make_tensor(make_gmem_ptr(in), make_layout(n)), make_tensor(make_gmem_ptr(out), make_layout(n)));
}
void gathered(float const* table, int const* index, float* out, row_moves const& rows) {
  gather_rows(table, index, out, rows);
  scatter_rows(out, index, const_cast<float*>(table), rows);
}
/// It compiles for every architecture, and runs on sm_90a only.
void multiplied(bfloat16_t const* a, bfloat16_t const* b, bfloat16_t* c, int n) {
  auto const matrix = [&](auto* data) {
    return make_tensor(make_gmem_ptr(data), make_shape(n, n), make_stride(n, _1{}));
  };
  gemm_hopper<hopper_config{}>(matrix(a), matrix(b), matrix(c));
}
