// SPDX-License-Identifier: Apache-2.0
// The runtime on either device, from one source: shared memory, barriers, shuffles, votes, atomics, buffers, errors.
#include <gtest/gtest.h>

#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/debug.hpp>
#include <cosmati/runtime/dynamic_shared.hpp>
#include <cosmati/runtime/launch.hpp>
#include <utility>

#include "require_device.hpp"

using namespace cosmati;

namespace {

template <class T>
std::vector<T> iota(std::size_t n) {
  std::vector<T> v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<T>(i);
  return v;
}

}  // namespace

__global__ void reverse_tile(float const* in, float* out, unsigned n) {
  __shared__ float fixed[256];
  float* const moving = dynamic_shared<float>();
  unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    fixed[threadIdx.x] = in[i];
    moving[blockDim.x - 1 - threadIdx.x] = in[i];
  }
  __syncthreads();
  if (i < n) out[i] = fixed[threadIdx.x] + 1000 * moving[threadIdx.x];
}

TEST(Runtime, StaticAndDynamicSharedMemory) {
  COSMATI_REQUIRE_DEVICE();
  std::vector<float> const host = iota<float>(1024);
  device_buffer<float> in(host), out(host.size());
  launch(reverse_tile, {.grid = 4, .block = 256, .shared_bytes = 256 * sizeof(float)}, in.data(), out.data(), 1024);
  std::vector<float> const got = out.download();
  for (std::size_t i = 0; i < 1024; ++i) {
    ASSERT_EQ(got[i], static_cast<float>(i) + 1000 * static_cast<float>(i / 256 * 256 + 255 - i % 256));
  }
}

__global__ void large_shared(int* out) {
  int* const big = dynamic_shared<int>();
  unsigned const n = 100 * 1024 / sizeof(int);
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x) big[i] = static_cast<int>(i);
  __syncthreads();
  if (threadIdx.x == 0) {
    out[0] = big[n - 1];
    out[1] = static_cast<int>(reinterpret_cast<std::uintptr_t>(big) % 1024);
  }
}

TEST(Runtime, DynamicSharedMemoryBeyond48KilobytesIsAligned) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<int> out(2);
  launch(large_shared, {.grid = 1, .block = 128, .shared_bytes = 100 * 1024}, out.data());
  EXPECT_EQ(out.download(), (std::vector<int>{25599, 0}));
}

__global__ void block_sum(int const* in, int* out, int n) {
  __shared__ int partial[32];
  int sum = 0;
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < n;
       i += static_cast<int>(gridDim.x * blockDim.x)) {
    sum += in[i];
  }
#pragma unroll
  for (int step = 16; step != 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0;
#pragma unroll
    for (int step = 16; step != 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
    if (threadIdx.x == 0) atomicAdd(out, sum);
  }
}

TEST(Runtime, SumOfManyBlocks) {
  COSMATI_REQUIRE_DEVICE();
  std::vector<int> const host = iota<int>(10007);
  device_buffer<int> in(host), out(1);
  out.clear();
  launch(block_sum, {.grid = 5, .block = 256}, in.data(), out.data(), 10007);
  EXPECT_EQ(out.download()[0], 10006 * 10007 / 2);
}

template <class T>
__global__ void shuffles(T* out, int width) {
  T const mine = static_cast<T>(threadIdx.x * 3 + 1);
  int const lane = static_cast<int>(threadIdx.x);
  T* const row = out + threadIdx.x;
  row[0 * 32] = __shfl_sync(0xffffffffu, mine, lane * 7 + 3, width);
  row[1 * 32] = __shfl_up_sync(0xffffffffu, mine, 3, width);
  row[2 * 32] = __shfl_down_sync(0xffffffffu, mine, 3, width);
  row[3 * 32] = __shfl_xor_sync(0xffffffffu, mine, 5, width);
}

template <class T>
void check_shuffles() {
  for (int width = 1; width <= 32; width *= 2) {
    device_buffer<T> out(128);
    launch(shuffles<T>, {.grid = 1, .block = 32}, out.data(), width);
    std::vector<T> const got = out.download();
    for (int lane = 0; lane < 32; ++lane) {
      int const first = lane / width * width, last = first + width - 1;
      int const from[4] = {first + (lane * 7 + 3) % width, lane - 3 < first ? lane : lane - 3,
                           lane + 3 > last ? lane : lane + 3, (lane ^ 5) > last ? lane : lane ^ 5};
      for (int k = 0; k < 4; ++k) {
        EXPECT_EQ(got[static_cast<std::size_t>(k * 32 + lane)], static_cast<T>(from[k] * 3 + 1))
            << "width " << width << " lane " << lane << " kind " << k;
      }
    }
  }
}

TEST(Runtime, ShufflesOfEveryType) {
  COSMATI_REQUIRE_DEVICE();
  check_shuffles<int>();
  check_shuffles<unsigned>();
  check_shuffles<long>();
  check_shuffles<long long>();
  check_shuffles<unsigned long long>();
  check_shuffles<float>();
  check_shuffles<double>();
}

__global__ void votes(unsigned* out) {
  unsigned const lane = threadIdx.x % 32;
  unsigned* const row = out + 12 * threadIdx.x;
  row[0] = __ballot_sync(0xffffffffu, lane % 3 == 0);
  row[1] = static_cast<unsigned>(__any_sync(0xffffffffu, lane == 9));
  row[2] = static_cast<unsigned>(__any_sync(0xffffffffu, lane == 99));
  row[3] = static_cast<unsigned>(__all_sync(0xffffffffu, lane < 32));
  row[4] = static_cast<unsigned>(__all_sync(0xffffffffu, lane < 31));
  row[5] = __match_any_sync(0xffffffffu, lane / 8);
  int all = 0;
  row[6] = __match_all_sync(0xffffffffu, 5, &all);
  row[7] = static_cast<unsigned>(all);
  row[8] = __reduce_add_sync(0xffffffffu, lane);
  row[9] = static_cast<unsigned>(__reduce_min_sync(0xffffffffu, static_cast<int>(lane) - 7));
  row[10] = __reduce_xor_sync(0xffffffffu, 1u << lane);
  if (lane < 8) {
    row[11] = __ballot_sync(0x000000ffu, lane % 2);
  } else {
    row[11] = __ballot_sync(0xffffff00u, lane % 2);
  }
  __syncwarp();
}

TEST(Runtime, VotesMatchesAndReductions) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<unsigned> out(64 * 12);
  launch(votes, {.grid = 1, .block = 64}, out.data());
  std::vector<unsigned> const got = out.download();
  for (unsigned t = 0; t < 64; ++t) {
    unsigned const lane = t % 32;
    unsigned const expected[12] = {0x49249249u, 1,
                                   0,           1,
                                   0,           0xffu << (lane / 8 * 8),
                                   0xffffffffu, 1,
                                   496,         static_cast<unsigned>(-7),
                                   0xffffffffu, lane < 8 ? 0xaau : 0xaaaaaa00u};
    for (unsigned k = 0; k < 12; ++k) EXPECT_EQ(got[t * 12 + k], expected[k]) << "thread " << t << " value " << k;
  }
}

__global__ void atomics(int* ints, unsigned* words, unsigned long long* wide, float* floats, double* doubles) {
  int const t = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  atomicAdd(&ints[0], 2);
  atomicSub(&ints[1], 1);
  atomicMin(&ints[2], -t);
  atomicMax(&ints[3], t);
  atomicOr(&words[0], 1u << (t % 32));
  atomicAnd(&words[1], ~(1u << (t % 16)));
  atomicXor(&words[2], 1u);
  atomicInc(&words[3], 6);
  atomicAdd(&wide[0], 1ull << 33);
  atomicMax(&wide[1], static_cast<unsigned long long>(t) << 20);
  atomicAdd(&floats[0], 0.5f);
  atomicAdd(&doubles[0], 0.25);
  atomicExch(&ints[4], 77);
  int seen = ints[5];
  for (;;) {  // a counter by compare and swap
    int const found = atomicCAS(&ints[5], seen, seen + 3);
    if (found == seen) break;
    seen = found;
  }
}

TEST(Runtime, AtomicsFromManyBlocks) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<int> ints(std::vector<int>(6, 0));
  device_buffer<unsigned> words(std::vector<unsigned>{0, 0xffffffffu, 0, 0});
  device_buffer<unsigned long long> wide(std::vector<unsigned long long>(2, 0));
  device_buffer<float> floats(std::vector<float>(1, 0));
  device_buffer<double> doubles(std::vector<double>(1, 0));
  launch(atomics, {.grid = 20, .block = 64}, ints.data(), words.data(), wide.data(), floats.data(), doubles.data());
  EXPECT_EQ(ints.download(), (std::vector<int>{2560, -1280, -1279, 1279, 77, 3840}));
  EXPECT_EQ(words.download(), (std::vector<unsigned>{0xffffffffu, 0xffff0000u, 0, 1280 % 7}));
  EXPECT_EQ(wide.download(), (std::vector<unsigned long long>{1280ull << 33, 1279ull << 20}));
  EXPECT_EQ(floats.download()[0], 640.f);
  EXPECT_EQ(doubles.download()[0], 320.);
}

__global__ void intrinsics(unsigned* out, float4 const* in, float4* vectors) {
  out[0] = static_cast<unsigned>(__popc(0xf0f0u));
  out[1] = static_cast<unsigned>(__clz(1));
  out[2] = static_cast<unsigned>(__ffs(0x50));
  out[3] = __brev(0x1u);
  out[4] = __byte_perm(0x33221100u, 0x77665544u, 0x5140u);
  out[5] = static_cast<unsigned>(__float_as_int(1.5f));
  out[6] = __umulhi(0x80000000u, 6);
  out[7] = static_cast<unsigned>(min(3, 4) + max(3, 4));
  float4 const v = __ldg(in);
  vectors[0] = make_float4(v.w, v.z, v.y, v.x);
}

TEST(Runtime, IntrinsicsAndVectorTypes) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<unsigned> out(8);
  device_buffer<float4> in(std::vector<float4>{make_float4(1, 2, 3, 4)}), vectors(1);
  launch(intrinsics, {.grid = 1, .block = 1}, out.data(), in.data(), vectors.data());
  EXPECT_EQ(out.download(), (std::vector<unsigned>{8, 31, 5, 0x80000000u, 0x55114400u, 0x3fc00000u, 3, 7}));
  EXPECT_EQ(vectors.download()[0].x, 4.f);
}

// Arguments come from memory, so that the compiler computes nothing itself.
__global__ void arithmetic(int const* x, float const* f, int* out, float* real) {
  int k = 0;
  out[k++] = __dp4a(x[0], x[1], 5);  // 0x01fe0380 . 0x02030405
  out[k++] = __dp2a_lo(x[0], x[1], 0);
  out[k++] = __dp2a_hi(x[0], x[1], 0);
  out[k++] = static_cast<int>(__vadd4(unsigned(x[0]), unsigned(x[1])));
  out[k++] = static_cast<int>(__vmaxs4(unsigned(x[0]), unsigned(x[1])));
  out[k++] = static_cast<int>(__vmaxu2(unsigned(x[0]), unsigned(x[1])));
  out[k++] = static_cast<int>(__vabsdiffu4(unsigned(x[0]), unsigned(x[1])));
  out[k++] = static_cast<int>(__vcmpgtu4(unsigned(x[0]), unsigned(x[1])));
  out[k++] = static_cast<int>(__vaddus4(unsigned(x[0]), unsigned(x[1])));
  out[k++] = static_cast<int>(__sad(x[2], x[1], 1u));
  out[k++] = __hadd(x[2], 4);
  out[k++] = __rhadd(x[2], 4);
  out[k++] = __float2int_rn(f[0]);
  out[k++] = __float2int_ru(f[0]);
  out[k++] = static_cast<int>(__float2uint_rz(-f[0]));
  out[k++] = __float2int_rz(f[1]);
  out[k++] = __double2int_rd(-static_cast<double>(f[0]));
  out[k++] = static_cast<int>(__mul64hi(static_cast<long long>(x[2]) << 32, 1ll << 33));
  out[k++] = static_cast<int>(__funnelshift_rc(7u, 9u, 40u));
  real[0] = sinpif(f[0]);
  real[1] = cospif(f[2]);
  real[2] = normcdff(f[3]);
  real[3] = rcbrtf(f[4]);
  real[4] = norm3df(f[2], f[2] + 1, f[2] + 1);
  real[5] = __uint2float_rn(static_cast<unsigned>(x[2]));
  real[6] = __exp10f(f[2]);
}

TEST(Runtime, ArithmeticIntrinsics) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<int> x(std::vector<int>{0x01fe0380, 0x02030405, -7}), out(19);
  device_buffer<float> f(std::vector<float>{2.5f, 1e30f, 1.f, 0.f, 8.f}), real(7);
  launch(arithmetic, {.grid = 1, .block = 1}, x.data(), f.data(), out.data(), real.data());
  // Bytes of x[0], high to low: 1, -2 (254), 3, -128 (128); of x[1]: 2, 3, 4, 5. Halves: 510, 896.
  EXPECT_EQ(out.download(), (std::vector<int>{2 - 6 + 12 - 640 + 5, 510 * 4 + 896 * 5, 510 * 2 + 896 * 3, 0x03010785,
                                              0x02030405, 0x02030405, 0x01fb017b, 0x00ff00ff, 0x03ff0785,
                                              0x02030405 + 8, -2, -1, 2, 3, 0, 0x7fffffff, -3, -14, 9}));
  std::vector<float> const got = real.download(), expected{1.f, -1.f, 0.5f, 0.5f, 3.f, 4294967289.f, 10.f};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(got[i], expected[i], 1e-5 * std::abs(expected[i])) << i;
}

/// out: the numbers of threads for which thread0() and block0() hold.
__global__ void who_speaks(int* out) {
  if (thread0()) atomicAdd(out, 1);
  if (block0()) atomicAdd(out + 1, 1);
}

TEST(Runtime, OneThreadSpeaks) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<int> out(std::vector<int>(2, 0));
  launch(who_speaks, {.grid = dim3(3, 3, 2), .block = dim3(8, 3, 2)}, out.data());
  EXPECT_EQ(out.download(), (std::vector<int>{1, 48}));
}

TEST(Buffer, MovesFillsAndClears) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<int> a(5);
  a.fill(7);
  device_buffer<int> b(std::move(a));
  EXPECT_EQ(a.data(), nullptr);
  EXPECT_EQ(b.download(), std::vector<int>(5, 7));
  b.clear();
  EXPECT_EQ(b.download(), std::vector<int>(5, 0));
  b.upload(std::vector<int>{1, 2});
  EXPECT_EQ(b.download(), (std::vector<int>{1, 2, 0, 0, 0}));
  EXPECT_THROW(b.upload(std::vector<int>(6)), error);
  a = std::move(b);
  EXPECT_EQ(a.size(), 5u);
  EXPECT_EQ(a.bytes(), 20u);
  device_buffer<int> const empty(std::vector<int>{});
  EXPECT_TRUE(empty.download().empty());
  EXPECT_THROW(device_buffer<double>(static_cast<std::size_t>(-1)), error);
  EXPECT_THROW(device_buffer<double>(std::size_t{1} << 45), error);
  device_buffer deduced(std::vector<short>{1, 2, 3});
  EXPECT_EQ(deduced.bytes(), 6u);
}

__global__ void does_nothing() {}

TEST(Runtime, RefusesImpossibleConfigurations) {
  COSMATI_REQUIRE_DEVICE();
  EXPECT_THROW(launch(does_nothing, {.grid = 0, .block = 1}), error);
  EXPECT_THROW(launch(does_nothing, {.grid = 1, .block = 2000}), error);
  EXPECT_THROW(launch(does_nothing, {.grid = 1, .block = 1, .shared_bytes = 300000}), error);
  EXPECT_NO_THROW(launch(does_nothing, {.grid = 1, .block = 1, .shared_bytes = 227 * 1024}));
}

__global__ void writes_late(int* out) {
#if defined(__CUDA_ARCH__)
  for (long long const begin = clock64(); clock64() - begin < 20000000;) {
  }
#endif
  out[threadIdx.x] = static_cast<int>(threadIdx.x);
}
TEST(Stream, BuffersWaitForIt) {
  COSMATI_REQUIRE_DEVICE();
  stream work;
  device_buffer<int> buffer(std::vector<int>(32, 7));
  launch(writes_late, {.grid = 1, .block = 32, .stream = work}, buffer.data());
  EXPECT_EQ(buffer.download(), iota<int>(32));
  launch(writes_late, {.grid = 1, .block = 32, .stream = work}, buffer.data());
  buffer.clear();
  work.synchronize();
  EXPECT_EQ(buffer.download(), std::vector<int>(32));
  launch(writes_late, {.grid = 1, .block = 32, .stream = work}, buffer.data());
  buffer.upload(std::vector<int>(32, 9));
  work.synchronize();
  EXPECT_EQ(buffer.download(), std::vector<int>(32, 9));
}

TEST(Stream, RunsWorkAndMeasuresIt) {
  COSMATI_REQUIRE_DEVICE();
  stream work;
  event start, stop;
  start.record(work);
  launch(does_nothing, {.grid = 10, .block = 256, .stream = work});
  stop.record(work);
  work.synchronize();
  EXPECT_GE(elapsed_ms(start, stop), 0.f);
}
