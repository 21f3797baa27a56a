// SPDX-License-Identifier: Apache-2.0
/// @file
/// One call of `copy_tensor<float>`. It compiles the planner, and the kernels that a copy of such elements may need.
#include <cosmati/kernel/copy.hpp>

using namespace cosmati;

void transposed(float const* in, float* out, int rows, int columns) {
  copy_tensor(make_tensor(make_gmem_ptr(in), make_shape(rows, columns), make_stride(columns, _1{})),
              make_tensor(make_gmem_ptr(out), make_shape(rows, columns), make_stride(_1{}, rows)));
}
