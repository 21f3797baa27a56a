// SPDX-License-Identifier: Apache-2.0
// One small kernel a hazard, and the same kernel mended; whole kernels and their mutants are in tests/hazards.
#include <gtest/gtest.h>

#include <cosmati/cosmati.hpp>
#include <cstdlib>

#include "message.hpp"

using namespace cosmati;

namespace {

/// The launch with copies landing late, at once and by chance.
template <class Body>
void with_seeds(Body body) {
  for (char const* const seed : {"0", "1", "7"}) {
    setenv("COSMATI_SIM_SEED", seed, 1);
    body();
  }
  unsetenv("COSMATI_SIM_SEED");
}

__global__ void neighbours(int* out, int barrier) {
  __shared__ int stage[64];
  stage[threadIdx.x] = static_cast<int>(threadIdx.x);
  if (barrier != 0) __syncthreads();
  out[threadIdx.x] = stage[threadIdx.x ^ 32];
}
TEST(Hazards, AMissingBarrier) {
  NEEDS_INSTRUMENTATION();
  device_buffer<int> out(64);
  EXPECT_MESSAGE(launch(neighbours, {.grid = 3, .block = 64}, out.data(), 0), "missing_barrier");
  EXPECT_NO_THROW(launch(neighbours, {.grid = 1, .block = 64}, out.data(), 1));
}

__global__ void same_place(int* out) { out[0]++; }
__global__ void same_place_by_atomics(int* out) { atomicAdd(out, 1); }
__global__ void same_value(int* out) { out[0] = 5; }
__global__ void by_compare_and_swap(int* out) {
  int old = *out, assumed;
  do {
    assumed = old;
    old = atomicCAS(out, assumed, assumed + 2);
  } while (old != assumed);
}
TEST(Hazards, ARace) {
  NEEDS_INSTRUMENTATION();
  device_buffer<int> out(1);
  out.clear();
  EXPECT_MESSAGE(launch(same_place, {.grid = 1, .block = 64}, out.data()), ": race: ");
  out.clear();
  EXPECT_NO_THROW(launch(same_place_by_atomics, {.grid = 8, .block = 64}, out.data()));
  EXPECT_NO_THROW(launch(by_compare_and_swap, {.grid = 8, .block = 64}, out.data()));
  EXPECT_EQ(out.download()[0], 3 * 8 * 64);
  EXPECT_NO_THROW(launch(same_value, {.grid = 8, .block = 64}, out.data()));
}

__device__ int arrived = 0;
__global__ void last_block(int* parts, int* sum, int fence) {
  __shared__ int is_last;
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = static_cast<int>(blockIdx.x);
    if (fence != 0) __threadfence();
    is_last = atomicAdd(&arrived, 1) == static_cast<int>(gridDim.x) - 1 ? 1 : 0;
  }
  __syncthreads();
  if (is_last == 0 || threadIdx.x != 0) return;
  for (unsigned b = 0; b < gridDim.x; ++b) *sum += parts[b];
  arrived = 0;
}
TEST(Hazards, TheLastBlockSeesWhatTheOthersPublished) {
  NEEDS_INSTRUMENTATION();
  device_buffer<int> parts(16), sum(1);
  sum.clear();
  EXPECT_NO_THROW(launch(last_block, {.grid = 16, .block = 64}, parts.data(), sum.data(), 1));
  EXPECT_EQ(sum.download()[0], 120);
  EXPECT_MESSAGE(launch(last_block, {.grid = 16, .block = 64}, parts.data(), sum.data(), 0), ": race: ");
}

/// The first copy is used while the second may be in flight.
__global__ void copies(float const* in, float* out, int commit, int wait, int barrier) {
  auto* const stage = dynamic_shared<float>();
  auto const t = threadIdx.x;
  for (unsigned k = 0; k < 2; ++k) {
    auto const s = make_tensor(make_smem_ptr(stage + 64 * k + t), Layout<_1>{});
    auto const g = make_tensor(make_gmem_ptr(in + t), Layout<_1>{});
    copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<float>, float>{}, g, s);
    if (k == 0 || commit != 0) cp_async_fence();
  }
  if (wait != 0) cp_async_wait<1>();
  if (barrier != 0) __syncthreads();
  out[t] = stage[t ^ (barrier != 0 ? 1 : 0)];
  cp_async_wait<0>();
}
TEST(Hazards, AMissingCommitOrWait) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> in(64), out(64);
  in.clear();
  launch_config const c = {.grid = 1, .block = 64, .shared_bytes = 512};
  with_seeds([&] {
    EXPECT_NO_THROW(launch(copies, c, in.data(), out.data(), 1, 1, 1));
    EXPECT_NO_THROW(launch(copies, c, in.data(), out.data(), 1, 1, 0));
    EXPECT_MESSAGE(launch(copies, c, in.data(), out.data(), 0, 1, 1), "missing_commit");
    EXPECT_MESSAGE(launch(copies, c, in.data(), out.data(), 1, 0, 1), "missing_wait");
  });
}

__global__ void reads_unwritten(float const* in, float* out) { out[threadIdx.x] = in[threadIdx.x]; }
TEST(Hazards, AReadOfWhatNobodyWrote) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> in(64), out(64);
  EXPECT_MESSAGE(launch(reads_unwritten, {.grid = 1, .block = 64}, in.data(), out.data()), "uninitialized");
  in.clear();
  EXPECT_NO_THROW(launch(reads_unwritten, {.grid = 1, .block = 64}, in.data(), out.data()));
}

__global__ void adds_to_unwritten(int* out) {
  __shared__ int sum[64];
  sum[threadIdx.x] += 1;
  out[threadIdx.x] = sum[threadIdx.x];
}
__global__ void increments(int* out) { ++out[threadIdx.x]; }
TEST(Hazards, AnUpdateOfWhatNobodyWrote) {
  NEEDS_INSTRUMENTATION();
  device_buffer<int> out(64);
  EXPECT_MESSAGE(launch(adds_to_unwritten, {.grid = 1, .block = 64}, out.data()), "uninitialized");
  device_buffer<int> fresh(64);
  EXPECT_MESSAGE(launch(increments, {.grid = 1, .block = 64}, fresh.data()), "uninitialized");
  fresh.clear();
  EXPECT_NO_THROW(launch(increments, {.grid = 1, .block = 64}, fresh.data()));
}

__global__ void element(float* p, int row, int column) {
  auto const t = make_tensor(make_gmem_ptr(p), Layout<Shape<_8, _8>, Stride<_8, _1>>{});
  t(row, column) = 1;
}
/// A row of 64 in memory of 16 rows, a padded tensor, and one with a mode of two.
__global__ void beyond_a_mode(float* p, int which, int c) {
  auto const wide = make_tensor(make_gmem_ptr(p), make_shape(16, 64), make_stride(64, _1{}));
  auto const padded = make_tensor(make_gmem_ptr(p), Layout<Shape<_8, _8>, Stride<_9, _1>>{});
  auto const nested = make_tensor(make_gmem_ptr(p), Layout<Shape<Shape<_2, _4>, _8>, Stride<Stride<_1, _2>, _8>>{});
  auto const broadcast = make_tensor(make_gmem_ptr(p), Layout<Shape<_8, _4>, Stride<_1, _0>>{});
  [[maybe_unused]] float const* const address = &wide(3, 64 + c);  // is no access
  if (which == 0) wide(3, c) = 1;
  if (which == 1) padded(2, c) = 1;
  if (which == 2) nested(c, 2) = 1;
  if (which == 3) nested(make_coord(c, 1), 2) = 1;
  if (which == 4) broadcast(1, c) = 1;
  if (which == 5) nested(c) = 1;
}
TEST(Hazards, ACoordinateBeyondItsModeThoughInsideOfTheTensorsMemory) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> p(16 * 64);
  struct {
    int which, last, extent;
    char const* mode;
  } const cases[] = {{0, 63, 64, "of mode 1, whose extent is 64"},
                     {1, 7, 8, "of mode 1, whose extent is 8"},
                     {2, 7, 8, "of mode 0, whose extent is 8"},
                     {3, 1, 2, "of mode 0, whose extent is 2"}};
  for (auto const& c : cases) {
    EXPECT_NO_THROW(launch(beyond_a_mode, {.grid = 1, .block = 1}, p.data(), c.which, c.last));
    EXPECT_MESSAGE(launch(beyond_a_mode, {.grid = 1, .block = 1}, p.data(), c.which, c.extent), c.mode);
    EXPECT_MESSAGE(launch(beyond_a_mode, {.grid = 1, .block = 1}, p.data(), c.which, -1), c.mode);
  }
  EXPECT_NO_THROW(launch(beyond_a_mode, {.grid = 1, .block = 1}, p.data(), 4, 9));
  EXPECT_NO_THROW(launch(beyond_a_mode, {.grid = 1, .block = 1}, p.data(), 5, 63));
}

/// Threads of the first warp set a counter to zero, and its own thread is the first that counts there.
__global__ void counts(int* out, bool waits) {
  __shared__ int bins[16];
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  if (waits) __syncthreads();
  atomicAdd(&bins[threadIdx.x % 16], 1);
  __syncthreads();
  if (threadIdx.x < 16) out[threadIdx.x] = bins[threadIdx.x];
}
TEST(Hazards, AStoreThatItsThreadsAtomicHides) {
  NEEDS_INSTRUMENTATION();
  device_buffer<int> out(16);
  EXPECT_NO_THROW(launch(counts, {.grid = 1, .block = 64}, out.data(), true));
  EXPECT_MESSAGE(launch(counts, {.grid = 1, .block = 64}, out.data(), false), "missing_barrier");
}

TEST(Hazards, AnElementOutsideOfItsTensor) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> larger(100);
  EXPECT_NO_THROW(launch(element, {.grid = 1, .block = 1}, larger.data(), 7, 7));
  EXPECT_MESSAGE(launch(element, {.grid = 1, .block = 1}, larger.data(), 7, 8), "outside of its tensor");
  setenv("COSMATI_SIM_CHECKS", "0", 1);
  EXPECT_NO_THROW(launch(element, {.grid = 1, .block = 1}, larger.data(), 7, 8));
  unsetenv("COSMATI_SIM_CHECKS");
}

}  // namespace
