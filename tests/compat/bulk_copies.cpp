// SPDX-License-Identifier: Apache-2.0
// Bulk copies of matrices whose rows are contiguous, whatever mode counts them: one copy a row.
#include <cute/tensor.hpp>

#include <gtest/gtest.h>

#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/launch.hpp>
#include <vector>

using namespace cute;

namespace {

/// Rows of 32 elements, 64 apart, to shared memory and back; `ld` is where the rows of the tensors begin.
template <class Ld, class Staged>
__global__ void there_and_back(float const* in, float* out, Ld ld, Staged staged) {
  alignas(128) __shared__ float memory[32 * 64];
  __shared__ uint64_t barrier;
  auto const rows = make_layout(Shape<_32, _32>{}, make_stride(ld, _1{}));
  Tensor source = make_tensor(make_gmem_ptr(in), rows);
  Tensor target = make_tensor(make_gmem_ptr(out), rows);
  Tensor shared = make_tensor(make_smem_ptr(&memory[0]), staged);
  if (threadIdx.x == 0) {
    initialize_barrier(barrier, 1);
    cosmati::fence_barrier_init();
    set_barrier_transaction_bytes(barrier, 32 * 32 * sizeof(float));
    Copy_Traits<SM90_BULK_COPY_G2S> const traits;
    copy(traits.with(barrier), source, shared);
  }
  __syncthreads();
  wait_barrier(barrier, 0);
  if (threadIdx.x == 0) {
    copy(Copy_Traits<SM90_BULK_COPY_S2G>{}, shared, target);
    tma_store_arrive();
    tma_store_wait<0>();
  }
}

template <class Ld, class Staged>
void check(Ld ld, Staged staged) {
  std::vector<float> host(32 * 64), expected(32 * 64, -1.0f);
  for (std::size_t i = 0; i < host.size(); ++i) {
    host[i] = static_cast<float>(i);
    if (i % 64 < 32) expected[i] = host[i];
  }
  cosmati::device_buffer<float> in(host), out(std::vector<float>(32 * 64, -1.0f));
  cosmati::launch(there_and_back<Ld, Staged>, {.grid = 1, .block = 32}, in.data(), out.data(), ld, staged);
  EXPECT_EQ(out.download(), expected);
}

TEST(CuteBulkCopies, RowsOfTheSameDistance) { check(_64{}, Layout<Shape<_32, _32>, Stride<_64, _1>>{}); }
TEST(CuteBulkCopies, RowsThatAreStagedWithoutGaps) { check(_64{}, Layout<Shape<_32, _32>, Stride<_32, _1>>{}); }
TEST(CuteBulkCopies, RowsAtARunTimeDistance) { check(64, Layout<Shape<_32, _32>, Stride<Int<36>, _1>>{}); }

}  // namespace
