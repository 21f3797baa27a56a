// SPDX-License-Identifier: Apache-2.0
// Waits for events that do not come, threads that take different branches, mbarriers, proxies, alignment: a wrong
// kernel, the line that the report names, and the same kernel mended.
#include <gtest/gtest.h>

#include <cosmati/cosmati.hpp>
#include <cstdlib>
#include <string>
#include <vector>

#include "message.hpp"

using namespace cosmati;

__shared__ int of_the_file[2][64];
namespace {
__shared__ float of_a_namespace[64];

std::string at(int line) { return "hazards_of_programs.cpp:" + std::to_string(line); }
/// Throws with this text, which is the hazard's kind where there is one, and names this line.
template <class Body>
void expect(Body body, char const* text, int line) {
  std::string what;
  try {
    body();
  } catch (error const& e) {
    what = e.what();
  }
  EXPECT_NE(what.find(text), std::string::npos) << what << "\nshould hold\n" << text;
  EXPECT_NE(what.find(at(line)), std::string::npos) << what << "\nshould name\n" << at(line);
}

constexpr int meets_at = __LINE__ + 4;
__global__ void half_a_warp_meets(int* out, unsigned lanes) {
  int v = static_cast<int>(threadIdx.x);
  if (threadIdx.x < lanes) {
    v += __shfl_xor_sync(~0u, v, 1);
  }
  __syncwarp();
  out[threadIdx.x] = v;
}
TEST(HazardsOfPrograms, LanesTakeDifferentWays) {
  NEEDS_INSTRUMENTATION();
  device_buffer<int> out(32);
  expect([&] { launch(half_a_warp_meets, {.grid = 1, .block = 32}, out.data(), 16u); }, "lanes of a mask never come",
         meets_at);
  EXPECT_NO_THROW(launch(half_a_warp_meets, {.grid = 1, .block = 32}, out.data(), 32u));
}

struct of_two_bytes {
  std::uint16_t word;
};
struct of_48_bytes {
  int words[12];
};
constexpr int moves_at = __LINE__ + 3;
template <class Structure>
__global__ void everybody_moves_one(Structure const* in, Structure* out) {
  *out = in[blockIdx.x];
}
TEST(HazardsOfPrograms, StructuresThatSeveralThreadsStore) {
  NEEDS_INSTRUMENTATION();
  // g++ announces the store before the load, and both before the bytes move: what was there is no equal value.
  device_buffer<of_two_bytes> small(std::vector<of_two_bytes>{{7}, {8}, {7}}), small_out(1);
  expect([&] { launch(everybody_moves_one<of_two_bytes>, {.grid = 2, .block = 1}, small.data(), small_out.data()); },
         "race", moves_at);
  // Equal at first, and behind.
  of_48_bytes one = {}, other = {};
  other.words[6] = 1;
  device_buffer<of_48_bytes> large(std::vector<of_48_bytes>{one, other}), large_out(1);
  expect([&] { launch(everybody_moves_one<of_48_bytes>, {.grid = 2, .block = 1}, large.data(), large_out.data()); },
         "race", moves_at);
  device_buffer<of_48_bytes> equal(std::vector<of_48_bytes>{one, one});
  EXPECT_NO_THROW(launch(everybody_moves_one<of_48_bytes>, {.grid = 2, .block = 1}, equal.data(), large_out.data()));
}

constexpr int touches_at = __LINE__ + 5, touches_behind_at = __LINE__ + 9;
__global__ void arrivals(int* out, int expected, int touch) {
  __shared__ std::uint64_t turn;
  if (threadIdx.x == 0) initialize_barrier(turn, expected);
  __syncthreads();
  if (threadIdx.x == 0 && touch == 1) turn = 0;
  out[threadIdx.x] = 1;
  if (threadIdx.x < 8) arrive_barrier(turn);
  if (threadIdx.x < 8) wait_barrier(turn, 0);
  if (threadIdx.x == 0 && touch == 2) turn = 0;
}
TEST(HazardsOfPrograms, AnMbarrierUsedWrongly) {
  NEEDS_INSTRUMENTATION();
  device_buffer<int> out(32);
  EXPECT_NO_THROW(launch(arrivals, {.grid = 1, .block = 32}, out.data(), 8, 0));
  EXPECT_MESSAGE(launch(arrivals, {.grid = 1, .block = 32}, out.data(), 0, 0), "mbarrier.init");
  expect([&] { launch(arrivals, {.grid = 1, .block = 32}, out.data(), 8, 1); }, "mbarrier", touches_at);
  testing::internal::CaptureStderr();
  EXPECT_NO_THROW(launch(arrivals, {.grid = 1, .block = 32}, out.data(), 8, 2));  // it has served
  std::string const review = testing::internal::GetCapturedStderr();
  EXPECT_NE(review.find("touches a live mbarrier"), std::string::npos) << review;
  EXPECT_NE(review.find(at(touches_behind_at)), std::string::npos) << review;
  EXPECT_MESSAGE(launch(arrivals, {.grid = 1, .block = 32}, out.data(), 9, 0), "deadlock");
}

constexpr int bulk_store_at = __LINE__ + 7;
__global__ void store(float* out, int fence) {
  __shared__ __align__(16) float row[64];
  row[threadIdx.x] = 1.f;
  if (fence != 0) fence_proxy_async_shared();
  __syncthreads();
  if (threadIdx.x == 0) {
    bulk_copy_s2g(out, row, sizeof row);
    tma_store_arrive();
    tma_store_wait<0>();
  }
}
TEST(HazardsOfPrograms, AMissingProxyFence) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> out(64);
  expect([&] { launch(store, {.grid = 1, .block = 64}, out.data(), 0); }, "missing_proxy_fence", bulk_store_at);
  EXPECT_NO_THROW(launch(store, {.grid = 1, .block = 64}, out.data(), 1));
}

constexpr int vector_at = __LINE__ + 2;
__global__ void fours(float const* in, float* out, int from) {
  reinterpret_cast<float4*>(out)[threadIdx.x] = reinterpret_cast<float4 const*>(in + from)[threadIdx.x];
}
TEST(HazardsOfPrograms, AVectorThatIsMisaligned) {
  NEEDS_INSTRUMENTATION();
#ifdef __clang__
  GTEST_SKIP() << "clang copies a structure by memcpy, of which no alignment is asked";
#endif
  device_buffer<float> in(std::vector<float>(132, 1.f)), out(128);
  expect([&] { launch(fours, {.grid = 1, .block = 32}, in.data(), out.data(), 1); }, "misaligned", vector_at);
  EXPECT_NO_THROW(launch(fours, {.grid = 1, .block = 32}, in.data(), out.data(), 4));
}

constexpr int file_at = __LINE__ + 5;
__global__ void variables_of_the_file(int* out, int barrier) {
  of_the_file[1][threadIdx.x] = static_cast<int>(threadIdx.x);
  of_a_namespace[threadIdx.x] = 1.f;
  if (barrier != 0) __syncthreads();
  out[threadIdx.x] = of_the_file[1][63 - threadIdx.x] + static_cast<int>(of_a_namespace[threadIdx.x]);
}
constexpr int unwritten_at = __LINE__ + 1;
__global__ void reads_of_the_file(int* out) { out[threadIdx.x] = of_the_file[0][threadIdx.x]; }
TEST(HazardsOfPrograms, SharedVariablesOfAFile) {
  NEEDS_INSTRUMENTATION();
  device_buffer<int> out(64);
  EXPECT_NO_THROW(launch(variables_of_the_file, {.grid = 2, .block = 64}, out.data(), 1));
  EXPECT_EQ(out.download()[0], 64);
  expect([&] { launch(variables_of_the_file, {.grid = 1, .block = 64}, out.data(), 0); }, "missing_barrier", file_at);
  expect([&] { launch(reads_of_the_file, {.grid = 1, .block = 64}, out.data()); }, "uninitialized", unwritten_at);
}

struct particle {
  float values[10];
};
constexpr int copied_at = __LINE__ + 5;
__global__ void whole_particles(particle const* in, particle* out, int barrier) {
  __shared__ particle s[64];
  __builtin_memcpy(&s[threadIdx.x], &in[threadIdx.x], sizeof(particle));
  if (barrier != 0) __syncthreads();
  __builtin_memcpy(&out[threadIdx.x], &s[63 - threadIdx.x], sizeof(particle));
}
TEST(HazardsOfPrograms, BuiltinsThatCopyManyBytes) {
  NEEDS_INSTRUMENTATION();
  device_buffer<particle> in(std::vector<particle>(64)), out(64);
  expect([&] { launch(whole_particles, {.grid = 1, .block = 64}, in.data(), out.data(), 0); }, "missing_barrier",
         copied_at);
  EXPECT_NO_THROW(launch(whole_particles, {.grid = 1, .block = 64}, in.data(), out.data(), 1));
}

constexpr int overwrites_at = __LINE__ + 6;
__global__ void overwrites_source(float* data, int wait) {
  __shared__ float row[64];
  cp_async<4>(&row[threadIdx.x], &data[threadIdx.x]);
  cp_async_fence();
  if (wait != 0) cp_async_wait<0>();
  data[threadIdx.x] = 2.f;
  cp_async_wait<0>();
  data[threadIdx.x] += row[threadIdx.x];
}
TEST(HazardsOfPrograms, TheSourceOfACopyInFlight) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> data(std::vector<float>(64, 1.f));
  expect([&] { launch(overwrites_source, {.grid = 1, .block = 64}, data.data(), 0); }, "missing_wait", overwrites_at);
  EXPECT_NO_THROW(launch(overwrites_source, {.grid = 1, .block = 64}, data.data(), 1));
}

constexpr int neighbour_at = __LINE__ + 7;
__global__ void overwrites_a_neighbours_source(float* data, int barrier) {
  __shared__ float row[64];
  cp_async<4>(&row[threadIdx.x], &data[threadIdx.x]);
  cp_async_fence();
  cp_async_wait<0>();
  if (barrier != 0) __syncthreads();
  data[threadIdx.x ^ 1] = row[threadIdx.x];
}
TEST(HazardsOfPrograms, TheSourceOfAnotherThreadsCopy) {
  NEEDS_INSTRUMENTATION();
  std::vector<float> values(64);
  for (int i = 0; i < 64; ++i) values[static_cast<std::size_t>(i)] = static_cast<float>(i);
  device_buffer<float> data(values);
  expect([&] { launch(overwrites_a_neighbours_source, {.grid = 1, .block = 64}, data.data(), 0); }, "missing_barrier",
         neighbour_at);
  EXPECT_NO_THROW(launch(overwrites_a_neighbours_source, {.grid = 1, .block = 64}, data.data(), 1));
}

/// The loading warp runs last: the readers come before any copy has begun.
constexpr int use_at = __LINE__ + 13;
__global__ void ring(float const* in, float* out, int tiles, int wait) {
  __shared__ __align__(16) float stage[2][32];
  __shared__ std::uint64_t full[2], empty[2];
  if (threadIdx.x == 0) {
    for (int s = 0; s < 2; ++s) initialize_barrier(full[s], 1), initialize_barrier(empty[s], 32);
    fence_barrier_init();
  }
  __syncthreads();
  for (int k = 0; k < tiles; ++k) {
    int const s = k % 2;
    if (threadIdx.x < 32) {
      if (wait != 0) wait_barrier(full[s], k / 2 % 2);
      out[32 * k + static_cast<int>(threadIdx.x)] = stage[s][31 - threadIdx.x];
      fence_proxy_async_shared();
      arrive_barrier(empty[s]);
    } else if (threadIdx.x == 32) {
      wait_barrier(empty[s], (k / 2 + 1) % 2);
      arrive_and_expect_bytes(full[s], sizeof stage[s]);
      bulk_copy_g2s(stage[s], in + 32 * k, sizeof stage[s], full[s]);
    }
  }
}
TEST(HazardsOfPrograms, DataThatWasNotWaitedForBeforeItsCopyBegan) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> in(std::vector<float>(160, 1.f)), out(160);
  expect([&] { launch(ring, {.grid = 1, .block = 64}, in.data(), out.data(), 5, 0); }, "missing_wait", use_at);
  EXPECT_NO_THROW(launch(ring, {.grid = 1, .block = 64}, in.data(), out.data(), 5, 1));
}

constexpr int sum_at = __LINE__ + 8;
__global__ void tree(int* out, int barrier) {
  __shared__ int s[64];
  s[threadIdx.x] = 1;
  s[threadIdx.x + 32] = 1;
  __syncthreads();
  for (unsigned step = 1; step < 64; step *= 2) {
    unsigned const i = 2 * step * threadIdx.x;
    if (i + step < 64) s[i] += s[i + step];
    if (barrier != 0) __syncthreads();
  }
  if (threadIdx.x == 0) out[0] = s[0];
}
TEST(HazardsOfPrograms, RoundsOfALoopThatMeetAtOneLine) {
  NEEDS_INSTRUMENTATION();
  device_buffer<int> out(1);
  expect([&] { launch(tree, {.grid = 1, .block = 32}, out.data(), 0); }, "missing_barrier", sum_at);
  EXPECT_NO_THROW(launch(tree, {.grid = 1, .block = 32}, out.data(), 1));
}

constexpr int barrier_at = __LINE__ + 4;
__global__ void some_come(int* out, unsigned threads) {
  __shared__ int s[96];
  s[threadIdx.x] = 1;
  if (threadIdx.x < threads) __syncthreads();
  out[threadIdx.x] = s[95 - threadIdx.x];
}
TEST(HazardsOfPrograms, ABarrierThatSomeSkip) {
  NEEDS_INSTRUMENTATION();
  device_buffer<int> out(96);
  // What the others then read too early follows from it, and is not said first.
  expect([&] { launch(some_come, {.grid = 1, .block = 96}, out.data(), 48u); }, "barrier divergence, ", barrier_at);
  EXPECT_NO_THROW(launch(some_come, {.grid = 1, .block = 96}, out.data(), 96u));
}

constexpr int trap_at = __LINE__ + 2;
__global__ void traps(int const* in) {
  if (in[threadIdx.x] > 4) __builtin_trap();
}
TEST(HazardsOfPrograms, ATrapMayBeTheProgramsOwn) {
  NEEDS_INSTRUMENTATION();
  device_buffer<int> in(std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8});
  expect([&] { launch(traps, {.grid = 1, .block = 8}, in.data()); },
         "the program's own, by __builtin_trap(), or clang's", trap_at);
}

__global__ void sums(float const* in, float* out, int lanes, int guarded) {
  int const t = static_cast<int>(threadIdx.x);
  if (t >= lanes) return;
  unsigned const mask = (1u << lanes) - 1;
  float v = in[t];
  for (int d = 16; d > 0; d /= 2) {
    float const o = __shfl_down_sync(mask, v, d);
    if (guarded == 0 || t + d < lanes) v += o;
  }
  if (t == 0) *out = v;
}
constexpr int summed_at = __LINE__ - 2;
__global__ void counts(int const* in, int* out, int lanes, int guarded) {
  int const t = static_cast<int>(threadIdx.x);
  if (t >= lanes) return;
  unsigned const mask = (1u << lanes) - 1;
  int v = in[t];
  for (int d = 1; d < 32; d *= 2) {
    int const o = __shfl_up_sync(mask, v, d);
    if (t >= d) v += o;
  }
  int const all = __shfl_sync(mask, v, guarded != 0 ? lanes - 1 : 31);
  out[t] = v * 100 + all;
}
TEST(HazardsOfPrograms, ShufflesFromLanesThatAreNotThere) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> in(std::vector<float>(32, 2.f)), out(1);
  expect([&] { launch(sums, {.grid = 1, .block = 32}, in.data(), out.data(), 20, 0); }, "uninitialized", summed_at);
  EXPECT_NO_THROW(launch(sums, {.grid = 1, .block = 32}, in.data(), out.data(), 20, 1));
  EXPECT_EQ(out.download()[0], 40);
  device_buffer<int> numbers(std::vector<int>(32, 1)), told(32);
  expect([&] { launch(counts, {.grid = 1, .block = 32}, numbers.data(), told.data(), 20, 0); }, "uninitialized",
         summed_at + 13);
  EXPECT_NO_THROW(launch(counts, {.grid = 1, .block = 32}, numbers.data(), told.data(), 20, 1));
  EXPECT_EQ(told.download()[19], 2020);
}

__global__ void runs_ahead(int* out) {
  __shared__ int box[64];
  unsigned const t = threadIdx.x % 64;
  if (threadIdx.x < 64) {
    for (int i = 0; i < 4; ++i) {
      box[t] = i;
      NamedBarrier::arrive(128, 1);
    }
  } else {
    for (int i = 0; i < 4; ++i) {
      NamedBarrier::sync(128, 1);
      out[t] = box[t];
    }
  }
}
constexpr int ahead_at = __LINE__ - 5;
TEST(HazardsOfPrograms, ANamedBarrierThatNobodyCompletes) {
  NEEDS_INSTRUMENTATION();
  device_buffer<int> out(64);
  expect([&] { launch(runs_ahead, {.grid = 1, .block = 128}, out.data()); }, "deadlock, threads exited", ahead_at);
}

constexpr int begun_at = __LINE__ + 16;
/// A producer's copies arrive at mbarriers; at the end it waits for them itself too.
__global__ void arrives_and_drains(float const* in, float* out, int tiles, unsigned arrivals) {
  __shared__ __align__(16) float stage[2][64];
  __shared__ std::uint64_t full[2], empty[2];
  int const t = static_cast<int>(threadIdx.x);
  if (t == 0) {
    for (int s = 0; s < 2; ++s) {
      initialize_barrier(full[s], arrivals);
      initialize_barrier(empty[s], 64);
    }
  }
  __syncthreads();
  if (t < 32) {
    for (int k = 0; k < tiles; ++k) {
      if (k >= 2) wait_barrier(empty[k % 2], (k / 2 - 1) % 2);
      if (t < 16) cp_async<16>(&stage[k % 2][4 * t], in + 64 * k + 4 * t);
      cp_async_mbarrier_arrive_noinc(full[k % 2]);
    }
    cp_async_wait_all();
    if (t < 16) out[64 * tiles + t] = stage[(tiles - 1) % 2][4 * t];
  } else {
    for (int k = 0; k < tiles; ++k) {
      wait_barrier(full[k % 2], k / 2 % 2);
      out[64 * k + t - 32] = stage[k % 2][t - 32];
      arrive_barrier(empty[k % 2]);
    }
  }
}
TEST(HazardsOfPrograms, CopiesThatArriveAreWaitedForByTheirThreadToo) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> in(std::vector<float>(7 * 64, 1.f)), out(7 * 64 + 16);
  for (char const* const seed : {"0", "1", "2", "3"}) {
    setenv("COSMATI_SIM_SEED", seed, 1);
    EXPECT_NO_THROW(launch(arrives_and_drains, {.grid = 1, .block = 96}, in.data(), out.data(), 7, 32u)) << seed;
  }
  unsetenv("COSMATI_SIM_SEED");
  // The lanes that copy nothing arrive at once, those that do later: the 31st is not the last.
  expect([&] { launch(arrives_and_drains, {.grid = 1, .block = 96}, in.data(), out.data(), 7, 31u); }, "missing_wait",
         begun_at);
}

constexpr int expected_at = __LINE__ + 7;
__global__ void expects_less(float const* in, float* out, unsigned bytes) {
  __shared__ __align__(128) float stage[64];
  __shared__ std::uint64_t full;
  if (threadIdx.x == 0) {
    initialize_barrier(full, 1);
    fence_barrier_init();
    arrive_and_expect_bytes(full, bytes);
    bulk_copy_g2s(stage, in, sizeof stage, full);
  }
  __syncthreads();
  wait_barrier(full, 0);
  out[threadIdx.x] = stage[threadIdx.x];
}
TEST(HazardsOfPrograms, OneCopyOfMoreBytesThanWereExpected) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> in(std::vector<float>(64, 1.f)), out(64);
  expect([&] { launch(expects_less, {.grid = 1, .block = 64}, in.data(), out.data(), 128u); }, "bring 128 bytes more",
         expected_at);
  EXPECT_NO_THROW(launch(expects_less, {.grid = 1, .block = 64}, in.data(), out.data(), 256u));
}

constexpr int skipped_at = __LINE__ + 5;
__global__ void a_warp_skips(int* out, unsigned threads, bool another) {
  __shared__ int s[128];
  unsigned const t = threadIdx.x;
  s[t] = static_cast<int>(t);
  if (t < threads) __syncthreads();
  int const v = s[127 - t];
  if (another) __syncthreads();
  out[t] = v;
}
TEST(HazardsOfPrograms, AWarpSkipsABarrier) {
  NEEDS_INSTRUMENTATION();
  device_buffer<int> out(128);
  auto const run = [&](unsigned threads, bool another) {
    launch(a_warp_skips, {.grid = 1, .block = 128}, out.data(), threads, another);
  };
  EXPECT_NO_THROW(run(128, true));
  expect([&] { run(96, false); }, "divergence", skipped_at);          // it ends
  expect([&] { run(96, true); }, "barrier divergence", skipped_at);   // it comes to the next
  expect([&] { run(112, true); }, "barrier divergence", skipped_at);  // half a warp does
  expect([&] { run(112, false); }, "divergence", skipped_at);
}

constexpr int waited_at = __LINE__ + 3;
__global__ void another_count(int* out, int threads) {
  if (threadIdx.x < 32) NamedBarrier::sync(64, 1);
  if (threadIdx.x >= 32) NamedBarrier::sync(threads, 1);
  out[threadIdx.x] = 1;
}
TEST(HazardsOfPrograms, ANamedBarrierWithAnotherCount) {
  NEEDS_INSTRUMENTATION();
  device_buffer<int> out(64);
  EXPECT_NO_THROW(launch(another_count, {.grid = 1, .block = 64}, out.data(), 64));
  expect([&] { launch(another_count, {.grid = 1, .block = 64}, out.data(), 96); }, "is waited for with 96 threads here",
         waited_at);
}

#if defined(__x86_64__)
constexpr int faults_at = __LINE__ + 2;
__global__ void moves_16_bytes(float const* from) {
  __asm__ volatile("movaps (%0), %%xmm0" : : "r"(from) : "xmm0");  // as compilers move what is said to be aligned
}
TEST(HazardsOfPrograms, AnInstructionThatFaultsForItsAlignment) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> in(64);
  EXPECT_NO_THROW(launch(moves_16_bytes, {.grid = 1, .block = 1}, in.data()));
  expect([&] { launch(moves_16_bytes, {.grid = 1, .block = 1}, in.data() + 1); }, "misaligned", faults_at);
}
#endif

}  // namespace
