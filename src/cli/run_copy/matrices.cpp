// SPDX-License-Identifier: Apache-2.0
#include "matrices.hpp"

#include <algorithm>

namespace cosmati::cli {

using cosmati_run_copy::matrix_strides;

namespace {

/// Modes of extent 1 or 0 do not tell the direction of memory.
int fast_mode(pair const& extent, std::int64_t m, std::int64_t n) {
  if (extent[0] <= 1) return 1;
  if (extent[1] <= 1) return 0;
  return m < n ? 0 : 1;
}

}  // namespace

std::vector<std::int64_t> strides_of(std::vector<std::int64_t> const& shape, bool fortran) {
  std::vector<std::int64_t> stride(shape.size());
  std::int64_t next = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    std::size_t const mode = fortran ? i : shape.size() - 1 - i;
    stride[mode] = next;
    next *= std::max<std::int64_t>(shape[mode], 1);
  }
  return stride;
}

matrices matrices_of(npy_head const& input, npy_head const& output, bool transposed) {
  matrices a;
  std::size_t const rank = input.shape.size();
  std::vector<std::int64_t> const in = strides_of(input.shape, input.fortran_order);
  std::vector<std::int64_t> const out = strides_of(output.shape, output.fortran_order);
  for (std::size_t i = 0; i + 2 < rank; ++i) {
    std::size_t const to = 3 - (rank - 2) + i;
    a.batch[to] = input.shape[i];
    a.source.batch[to] = in[i];
    a.target.batch[to] = out[i];
  }
  if (rank >= 1) {
    a.extent[1] = input.shape[rank - 1];
    a.source.n = in[rank - 1];
    a.target.n = out[transposed ? rank - 2 : rank - 1];
  }
  if (rank >= 2) {
    a.extent[0] = input.shape[rank - 2];
    a.source.m = in[rank - 2];
    a.target.m = out[transposed ? rank - 1 : rank - 2];
  }
  a.source_fast = fast_mode(a.extent, a.source.m, a.source.n);
  a.target_fast = fast_mode(a.extent, a.target.m, a.target.n);
  return a;
}

/// The largest number of values that one instruction can move: contiguous on both sides, and aligned in every row and
/// batch.
std::int64_t widest_vector(matrices const& a, std::int64_t value_bytes) {
  int const fast = a.source_fast;
  if (!a.has_unit_stride(fast)) return 1;
  std::int64_t values = std::max<std::int64_t>(1, 16 / value_bytes);
  auto const aligned = [&](std::int64_t extent, std::int64_t stride) {
    if (extent > 1) values = std::min(values, power_of_two_in(stride));
  };
  for (matrix_strides const* s : {&a.source, &a.target}) {
    int const run = s == &a.source ? a.source_fast : a.target_fast;
    aligned(a.extent[0], run == 0 ? 16 : s->m);
    aligned(a.extent[1], run == 1 ? 16 : s->n);
    for (std::size_t i = 0; i < 3; ++i) aligned(a.batch[i], s->batch[i]);
  }
  std::int64_t const shorter =
      a.source_fast == a.target_fast ? a.extent[static_cast<std::size_t>(fast)] : std::min(a.extent[0], a.extent[1]);
  while (values > 1 && values > shorter) values /= 2;
  return values;
}

}  // namespace cosmati::cli
