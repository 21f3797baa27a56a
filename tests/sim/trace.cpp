// SPDX-License-Identifier: Apache-2.0
// Traces: the executed accesses by kind, space and width, and each thread's first accesses.
#include <gtest/gtest.h>

#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/launch.hpp>
#include <cosmati/runtime/trace.hpp>
#include <string>

#include "message.hpp"

using namespace cosmati;

namespace {

__global__ void moves(float4 const* in, float4* out, int* counter) {
  __shared__ float stage[64];
  unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
  float* const mine = stage + threadIdx.x;
  note_access(access_kind::store, mine, 4, 4, no_description{}, nullptr, "UniversalCopy<uint32_t>");
  {
    unseen_scope const unseen;
    *mine = 1;
  }
  atomicAdd(counter, 1);
}

std::uint64_t total(access_trace const& trace, access_kind kind, traced_space space, unsigned bytes,
                    std::string const& instruction) {
  std::uint64_t sum = 0;
  for (access_count const& c : trace.counts()) {
    if (c.kind == kind && c.space == space && c.bytes == bytes && c.instruction == instruction) sum += c.accesses;
  }
  return sum;
}

TEST(Trace, CountsByKindSpaceWidthAndInstruction) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float4> in(256), out(256);
  in.clear();
  device_buffer<int> counter(1);
  counter.clear();
  access_trace const trace({.records_per_thread = 2, .blocks_recorded = 2});
  launch(moves, {.grid = 4, .block = 64}, in.data(), out.data(), counter.data());
  EXPECT_EQ(total(trace, access_kind::load, traced_space::global, 16, ""), 256u);
  EXPECT_EQ(total(trace, access_kind::store, traced_space::global, 16, ""), 256u);
  EXPECT_EQ(total(trace, access_kind::store, traced_space::shared, 4, "UniversalCopy<uint32_t>"), 256u);
  EXPECT_EQ(total(trace, access_kind::atomic, traced_space::global, 4, "atomicAdd"), 256u);

  std::vector<access_record> const records = trace.records();
  ASSERT_EQ(records.size(), 2u * 64 * 2);
  for (std::size_t i = 0; i < records.size(); ++i) {
    access_record const& r = records[i];
    EXPECT_EQ(r.block, i / 128);
    EXPECT_EQ(r.thread, i / 2 % 64);
    EXPECT_EQ(r.offset, 16 * (i / 2));
    // Compilers may announce either side of an assignment first.
    bool const load = r.kind == access_kind::load;
    EXPECT_NE(r.kind, records[i ^ 1].kind);
    EXPECT_EQ(r.allocation, reinterpret_cast<std::uintptr_t>(load ? in.data() : out.data()));
  }
  launch(moves, {.grid = 4, .block = 64}, in.data(), out.data(), counter.data());
  EXPECT_EQ(total(trace, access_kind::load, traced_space::global, 16, ""), 512u);
  EXPECT_EQ(trace.records().size(), 2u * 2 * 64 * 2);
}

TEST(Trace, EndsWithItsLife) {
  device_buffer<float4> in(64), out(64);
  in.clear();
  device_buffer<int> counter(1);
  counter.clear();
  {
    access_trace const first;
    EXPECT_MESSAGE(access_trace(), "one at a time");
  }
  launch(moves, {.grid = 1, .block = 64}, in.data(), out.data(), counter.data());
  access_trace const second;
  EXPECT_TRUE(second.counts().empty());
  EXPECT_TRUE(second.records().empty());
}

}  // namespace
