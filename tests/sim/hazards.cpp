// SPDX-License-Identifier: Apache-2.0
// A small kernel for each hazard, and the same kernel mended. Whole kernels and their mutants are in tests/hazards.
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

/// What threads do to a counter, in this order, three characters each: one thread of each of two warps of block 0 ('a',
/// 'A'), one of block 1 ('b') and of block 2 ('c'). They read ('?'), write ('0'), add one in two steps ('+' reads, '='
/// writes), or publish what they have done ('!').
struct script {
  char text[40];
};
/// The actor's step from the i-th character on, when its turn has come: atomics without a fence publish nothing.
__device__ int next_step(script const& s, char actor, int i, int* turn) {
  while (s.text[i] != 0 && s.text[i] != actor) i += 3;
  while (s.text[i] != 0 && atomicAdd(turn, 0) < i / 3) {
  }
  return i;
}
template <class T>
__device__ T one_more(T value, script const& s, char actor, int i, int* turn) {
  atomicAdd(turn, 1);
  next_step(s, actor, i + 3, turn);
  return static_cast<T>(value + 1);
}
template <class T>
__global__ void play(script const s, T* count, int* turn) {
  if (threadIdx.x % 32 != 0) return;
  char const actor = "aAb\0c"[blockIdx.x * 2 + threadIdx.x / 32];
  for (int i = next_step(s, actor, 0, turn); s.text[i] != 0; i = next_step(s, actor, i + 3, turn)) {
    if (s.text[i + 1] == '=') continue;
    if (s.text[i + 1] == '?' && *count == 99) break;
    if (s.text[i + 1] == '0') *count = 0;
    if (s.text[i + 1] == '+') *count = one_more(*count, s, actor, i, turn);
    if (s.text[i + 1] == '!') __threadfence();
    atomicAdd(turn, 1);
  }
}
template <class T>
void expect_of(script const& s, char const* kind) {
  SCOPED_TRACE(s.text);
  device_buffer<T> count(1);
  device_buffer<int> turn(1);
  count.clear();
  turn.clear();
  EXPECT_MESSAGE(launch(play<T>, {.grid = 3, .block = 64}, s, count.data(), turn.data()), kind);
}
/// `a` knows of what others did when it writes: the first that is found of block 0 is that `A` reads what `a` wrote.
TEST(Hazards, APlainUpdateIsOneWhateverOthersDoBetweenItsHalves) {
  NEEDS_INSTRUMENTATION();
  for (script const s : {
           script{"a+ a= A+ A="},
           script{"a+ b? b! a= A+ A="},
           script{"b? a+ b! a= A+ A="},
           script{"b? c? a+ b! c! a= A+ A="},
           script{"b? a+ c? b! c! a= A+ A="},
           script{"a+ b+ b= b! a= A+ A="},
           script{"a+ b? b0 b! a= A+ A="},
           script{"b+ a+ b= b! a= A+ A="},
           script{"c+ a+ b+ b= c= c! b! a= A+ A="},
           script{"a+ a= a+ b+ b= b! a= A+ A="},
       }) {
    expect_of<int>(s, ": race: ");
    expect_of<unsigned char>(s, ": race: ");
    expect_of<double>(s, ": race: ");
  }
  // The same accesses, and a line for each: a barrier would do.
  for (script const s : {script{"a? a0 A?"}, script{"b? a? b! a0 A?"}, script{"a? b? b0 b! a0 A?"}}) {
    expect_of<int>(s, ": missing_barrier: ");
    expect_of<unsigned char>(s, ": missing_barrier: ");
  }
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
  // Another host thread may publish between a lane's look at what there is and its atomic.
  for (int n = 0; n < 5000; ++n)
    ASSERT_NO_THROW(launch(last_block, {.grid = 8, .block = 1}, parts.data(), sum.data(), 1)) << n;
  EXPECT_MESSAGE(launch(last_block, {.grid = 16, .block = 64}, parts.data(), sum.data(), 0), ": race: ");
}

__global__ void counts_and_tells(int* count, int* flag, int fence) {
  if (blockIdx.x == 0) {
    __threadfence();
    atomicAdd(count, 1);
    if (fence != 0) __threadfence();
    atomicAdd(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
    *count = 0;
  }
}
/// Who learns by one atomic knows that one, and what was before its fence; not other atomics behind the fence.
TEST(Hazards, AnAtomicPublishesWhatWasBeforeItsFence) {
  NEEDS_INSTRUMENTATION();
  device_buffer<int> count(1), flag(1);
  count.clear();
  flag.clear();
  EXPECT_NO_THROW(launch(counts_and_tells, {.grid = 2, .block = 1}, count.data(), flag.data(), 1));
  flag.clear();
  EXPECT_MESSAGE(launch(counts_and_tells, {.grid = 2, .block = 1}, count.data(), flag.data(), 0), ": race: ");
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

__global__ void writes_every_other(float* in) { in[2 * threadIdx.x] = 1; }
/// Of `in` every other element was written; 16 bytes are copied all the same, of which this thread uses element
/// `which`.
__global__ void copies_gaps(float const* in, float* out, int bulk, int may, int which) {
  auto* const stage = dynamic_shared<float>();
  auto* const full = reinterpret_cast<std::uint64_t*>(stage + 256);
  unsigned const t = threadIdx.x;
  if (bulk != 0) {
    if (t == 0) {
      initialize_barrier(*full, 1);
      fence_barrier_init();
    }
    __syncthreads();
    unwritten_scope const of_gaps(may != 0);
    if (t == 0) {
      expect_bytes(*full, 1024);
      bulk_copy_g2s(stage, in, 1024, *full);
      arrive_barrier(*full);
    }
  } else {
    unwritten_scope const of_gaps(may != 0);
    cp_async<16>(stage + 4 * t, in + 4 * t);
  }
  if (bulk != 0)
    wait_barrier(*full, 0);
  else
    cp_async_wait_all();
  out[t] = stage[4 * t + static_cast<unsigned>(which)];
}
TEST(Hazards, GapsThatAreCopiedAndNotUsed) {
  NEEDS_INSTRUMENTATION();
  // What was reported once counts as written: memory of its own each time.
  auto const go = [](int bulk, int may, int which) {
    device_buffer<float> in(256), out(64);
    launch(writes_every_other, {.grid = 1, .block = 128}, in.data());
    launch(copies_gaps, {.grid = 1, .block = 64, .shared_bytes = 1032}, in.data(), out.data(), bulk, may, which);
    EXPECT_EQ(out.download(), std::vector<float>(64, 1.f));
  };
  with_seeds([&] {
    for (int const bulk : {0, 1}) {
      EXPECT_NO_THROW(go(bulk, 1, 2));
      EXPECT_MESSAGE(go(bulk, 0, 2), "uninitialized");
      EXPECT_MESSAGE(go(bulk, 1, 1), "uninitialized");
    }
  });
}
TEST(Hazards, ALaneThatFailsWhereItMayReadGaps) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> in(260), out(64);
  in.clear();
  launch_config const c = {.grid = 1, .block = 64, .shared_bytes = 1032};
  for (int k = 0; k < 20; ++k) {  // so often that one host thread runs both
    EXPECT_MESSAGE(launch(copies_gaps, c, in.data() + 1, out.data(), 0, 1, 2), "misaligned");
    device_buffer<float> fresh(64);
    EXPECT_MESSAGE(launch(reads_unwritten, {.grid = 1, .block = 64}, fresh.data(), out.data()), "uninitialized");
  }
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
