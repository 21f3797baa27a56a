// SPDX-License-Identifier: Apache-2.0
// What it costs when every thread publishes time and again: a fixed number of steps each time, not one for each that
// the others have published before. Counted are allocations, which do not depend on the machine.
#include <gtest/gtest.h>

#include <cosmati/cosmati.hpp>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>

#include "message.hpp"

using namespace cosmati;

namespace {
std::uint64_t allocations = 0;
}

// Not instrumented: the simulated device allocates where it is told that a function was entered.
#if defined(__clang__)
#define PLAIN __attribute__((noinline, disable_sanitizer_instrumentation))
#else
#define PLAIN __attribute__((noinline, no_sanitize_thread))
#endif
PLAIN void* operator new(std::size_t bytes) {
  __atomic_add_fetch(&allocations, 1, __ATOMIC_RELAXED);
  if (void* const p = std::malloc(bytes != 0 ? bytes : 1)) return p;
  throw std::bad_alloc();
}
PLAIN void operator delete(void* p) noexcept { std::free(p); }
PLAIN void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace {

constexpr unsigned blocks = 8, threads = 256, rounds = 50, bins = 64;

__global__ void histogram(unsigned* counts, int fences) {
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
  device_buffer<unsigned> counts(bins);
  for (int const fences : {0, 1, 2, 3}) {
    SCOPED_TRACE(fences);
    counts.clear();
    allocations = 0;
    EXPECT_NO_THROW(launch(histogram, {.grid = blocks, .block = threads}, counts.data(), fences));
    std::uint64_t const made = allocations;
    std::uint64_t sum = 0;
    for (unsigned const n : counts.download()) sum += n;
    EXPECT_EQ(sum, std::uint64_t{blocks} * threads * rounds);
    EXPECT_LT(made, 4 * sum);
    RecordProperty("allocations_" + std::to_string(fences), std::to_string(made));
  }
}

}  // namespace
