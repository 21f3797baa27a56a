// SPDX-License-Identifier: Apache-2.0
// Instructions of a whole warp on the simulated device: what the report says when lanes do not all come, or come with a
// wrong address.
#include <gtest/gtest.h>

#include <cosmati/cosmati.hpp>

#include "message.hpp"

using namespace cosmati;

namespace {

__global__ void half_of_the_lanes() {
  __shared__ __align__(16) std::uint16_t rows[256];
  for (unsigned i = 0; i < 8; ++i) rows[8 * threadIdx.x + i] = 0;
  __syncthreads();
  std::uint32_t registers[4];
  if (threadIdx.x < 16) {
    ldmatrix(registers, &rows[8 * threadIdx.x]);
  } else {
    __syncwarp();
  }
}
__global__ void different_instructions() {
  __shared__ __align__(16) std::uint16_t rows[256];
  std::uint32_t registers[1] = {0};
  if (threadIdx.x < 8) {
    stmatrix(&rows[8 * threadIdx.x], registers);
  } else {
    stmatrix<1, true>(&rows[8 * (threadIdx.x % 8)], registers);
  }
}
__global__ void some_exited() {
  if (threadIdx.x % 4 == 1) return;
  movmatrix_trans(threadIdx.x);
}
__global__ void whole_warps() { movmatrix_trans(threadIdx.x); }
__global__ void not_aligned(int lane, int bytes) {
  unsigned char* rows = dynamic_shared();
  std::uint32_t registers[2] = {0, 0};
  int const shift = static_cast<int>(threadIdx.x) == lane ? bytes : 0;
  stmatrix(rows + 16 * threadIdx.x + shift, registers);
}

TEST(WarpInstructions, LanesThatDoNotComeAreNamed) {
  EXPECT_MESSAGE(launch(half_of_the_lanes, {.grid = 1, .block = 32}),
                 "lanes of a mask never come to the same warp instruction: threads 0-15: at ldmatrix.x4 with mask "
                 "0xffffffff (warp_instructions.cpp:20); threads 16-31: at __syncwarp with mask 0xffffffff "
                 "(warp_instructions.cpp:22)");
  EXPECT_MESSAGE(launch(different_instructions, {.grid = 1, .block = 32}),
                 "threads 0-7: at stmatrix.x1 with mask 0xffffffff (warp_instructions.cpp:29); threads 8-31: at "
                 "stmatrix.x1.trans");
  EXPECT_MESSAGE(launch(some_exited, {.grid = 1, .block = 32}),
                 "movmatrix: all 32 lanes of a warp execute it together, but lanes 1, 5, 9, 13, 17, 21, 25, 29 of this "
                 "one exited before, or never were");
  EXPECT_MESSAGE(launch(whole_warps, {.grid = 1, .block = 48}), "lanes 16-31 of this one exited before, or never were");
  launch(whole_warps, {.grid = 2, .block = 64});
}

TEST(WarpInstructions, RowsAreOf16Bytes) {
  EXPECT_MESSAGE(launch(not_aligned, {.grid = 1, .block = 32, .shared_bytes = 512}, 5, 8),
                 "thread (5,0,0): store (stmatrix.x2) of 16 bytes");
  EXPECT_MESSAGE(launch(not_aligned, {.grid = 1, .block = 32, .shared_bytes = 512}, 5, 8), "is misaligned");
  EXPECT_MESSAGE(launch(not_aligned, {.grid = 1, .block = 32, .shared_bytes = 512}, 15, 512), "out of bounds");
  // the rows of lanes 16 to 31 are not used
  launch(not_aligned, {.grid = 1, .block = 32, .shared_bytes = 512}, 16, 8);
  launch(not_aligned, {.grid = 1, .block = 32, .shared_bytes = 256}, 31, 8);
}

/// A row of a tensor that leaves its memory: the tensor and the place are named.
__global__ void of_a_tensor() {
  half_t* stage = dynamic_shared<half_t>();
  auto shared = make_tensor(make_smem_ptr(stage), Layout<Shape<_16, _16>, Stride<_16, _1>>{});
  using Values =
      Layout<Shape<Shape<_4, _8>, Shape<_2, _2, _2>>, Stride<Stride<Int<32>, _1>, Stride<Int<16>, _8, Int<128>>>>;
  auto tiled_copy = make_tiled_copy_impl(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, Values{}, Shape<_16, _16>{});
  auto thread = tiled_copy.get_slice(threadIdx.x);
  auto held = make_tensor<half_t>(shape(thread.partition_D(shared)));
  copy(tiled_copy, thread.partition_S(shared), held);
}
TEST(WarpInstructions, ReportsNameTheTensor) {
  EXPECT_MESSAGE(launch(of_a_tensor, {.grid = 1, .block = 32, .shared_bytes = 496}), "load (ldmatrix.x4) of 16 bytes");
  EXPECT_MESSAGE(launch(of_a_tensor, {.grid = 1, .block = 32, .shared_bytes = 496}), "shared tensor ");
}

}  // namespace
