// SPDX-License-Identifier: Apache-2.0
// The cost when every thread publishes again and again: a fixed number of steps and bytes for each time, independent of
// earlier times. The test counts allocations, which do not depend on the machine.
#include <gtest/gtest.h>
#include <malloc.h>

#include <cosmati/cosmati.hpp>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>

#include "message.hpp"

using namespace cosmati;

namespace {

std::uint64_t allocations = 0;
std::int64_t held = 0, most_held = 0;  // bytes

}  // namespace

// Not instrumented, because the simulated device allocates when it hears of a function's entry.
#if defined(__clang__)
#define PLAIN __attribute__((noinline, disable_sanitizer_instrumentation))
#else
#define PLAIN __attribute__((noinline, no_sanitize_thread))
#endif
PLAIN void* operator new(std::size_t bytes) {
  void* const p = std::malloc(bytes != 0 ? bytes : 1);
  if (p == nullptr) throw std::bad_alloc();
  __atomic_add_fetch(&allocations, 1, __ATOMIC_RELAXED);
  std::int64_t const now =
      __atomic_add_fetch(&held, static_cast<std::int64_t>(malloc_usable_size(p)), __ATOMIC_RELAXED);
  std::int64_t most = __atomic_load_n(&most_held, __ATOMIC_RELAXED);
  while (most < now && !__atomic_compare_exchange_n(&most_held, &most, now, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return p;
}
PLAIN void operator delete(void* p) noexcept {
  if (p != nullptr) __atomic_sub_fetch(&held, static_cast<std::int64_t>(malloc_usable_size(p)), __ATOMIC_RELAXED);
  std::free(p);
}
PLAIN void operator delete(void* p, std::size_t) noexcept { operator delete(p); }

namespace {

constexpr unsigned blocks = 8, threads = 256, rounds = 50;

__global__ void histogram(unsigned* counts, unsigned bins, int fences) {
  unsigned x = blockIdx.x * 977 + threadIdx.x * 131 + 7;
  for (unsigned i = 0; i < rounds; ++i) {
    x = x * 1664525u + 1013904223u;
    if ((fences & 1) != 0) __threadfence();
    atomicAdd(&counts[x / 1024 % bins], 1u);
    if ((fences & 2) != 0) __threadfence();
  }
}
TEST(PublishingOften, AHistogramWithFences) {
  NEEDS_INSTRUMENTATION();
  for (unsigned const bins : {64u, 1024u, 4096u}) {
    device_buffer<unsigned> counts(bins);
    for (int const fences : {0, 1, 2, 3}) {
      SCOPED_TRACE(testing::Message() << bins << " bins, fences " << fences);
      counts.clear();
      allocations = 0;
      std::int64_t const held_before = most_held = held;
      EXPECT_NO_THROW(launch(histogram, {.grid = blocks, .block = threads}, counts.data(), bins, fences));
      std::uint64_t const made = allocations;
      auto const most = static_cast<std::uint64_t>(most_held - held_before);
      std::uint64_t sum = 0;
      for (unsigned const n : counts.download()) sum += n;
      EXPECT_EQ(sum, std::uint64_t{blocks} * threads * rounds);
      EXPECT_LT(made, 4 * sum);
      EXPECT_LT(most, 256 * sum);
      std::string const of = std::to_string(bins) + "_" + std::to_string(fences);
      RecordProperty("allocations_" + of, std::to_string(made));
      RecordProperty("bytes_" + of, std::to_string(most));
    }
  }
}

/// Each thread publishes, and one waits until `sum` have done so.
__device__ void wait_for_all(unsigned* arrivals, unsigned sum) {
  __threadfence();
  atomicAdd(arrivals, 1u);
  if (threadIdx.x == 0) {
    while (atomicAdd(arrivals, 0u) < sum) {
    }
    __threadfence();
  }
  __syncthreads();
}
__global__ void exchange(unsigned* values, unsigned* arrivals) {
  unsigned const i = blockIdx.x * threads + threadIdx.x, all = blocks * threads;
  for (unsigned k = 1; k <= 4; ++k) {
    values[i] = k * i;
    wait_for_all(arrivals, (2 * k - 1) * all);
    unsigned const other = values[(i + threads) % all];
    wait_for_all(arrivals, 2 * k * all);
    values[i] += other;
  }
}
// Lanes of a block that know the same share it, even if each has met something of its own since. Otherwise each lane
// collects the publications of all others again.
TEST(PublishingOften, LanesShareWhatTheyKnow) {
  NEEDS_INSTRUMENTATION();
  constexpr unsigned all = blocks * threads;
  device_buffer<unsigned> values(all), arrivals(1);
  arrivals.clear();
  allocations = 0;
  EXPECT_NO_THROW(launch(exchange, {.grid = blocks, .block = threads}, values.data(), arrivals.data()));
  std::uint64_t const made = allocations;
  std::vector<unsigned> const found = values.download();
  for (unsigned i = 0; i < all; ++i) ASSERT_EQ(found[i], 4 * i + 4 * ((i + threads) % all));
  RecordProperty("allocations_of_an_exchange", std::to_string(made));
  EXPECT_LT(made, 200 * all);
}

}  // namespace
