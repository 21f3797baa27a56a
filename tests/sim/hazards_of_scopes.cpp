// SPDX-License-Identifier: Apache-2.0
// Accesses with a narrower scope: the read-only cache, atomics and fences of block scope, and flags that are read
// without a fence after the read.
#include <gtest/gtest.h>

#include <cosmati/cosmati.hpp>
#include <string>

#include "message.hpp"
#include "turns.hpp"

using namespace cosmati;

namespace {

/// Throws one that holds the text, and both lines of this file.
template <class Body>
void expect(Body body, std::string const& text, int line, int other_line) {
  std::string what;
  try {
    body();
  } catch (error const& e) {
    what = e.what();
  }
  EXPECT_NE(what.find(text), std::string::npos) << what;
  for (int const l : {line, other_line})
    EXPECT_NE(what.find("hazards_of_scopes.cpp:" + std::to_string(l)), std::string::npos) << what << "\nline " << l;
}

// The read-only cache ------------------------------------------------------------------------------------------------

constexpr int stored_at = __LINE__ + 4;
template <class T>
__global__ void read_back(T* data, T* out, bool read_only) {
  unsigned const t = threadIdx.x;
  data[t] = static_cast<T>(t);
  __syncthreads();
  out[t] = read_only ? __ldg(&data[31 - t]) : data[31 - t];
}
constexpr int loaded_at = stored_at + 2;
__device__ int table[32];
__global__ void reads_a_variable(int* out) {
  if (threadIdx.x == 0) table[3] = 1;
  __syncthreads();
  out[threadIdx.x] = __ldg(table + 3);
}
__global__ void reads_its_own(float4* data, float* out) {
  data[threadIdx.x] = float4{1, 2, 3, 4};
  out[threadIdx.x] = __ldg(&data[threadIdx.x]).y;
}
__global__ void streams(float* data, float* out) {
  data[threadIdx.x] = 1.f;
  __syncthreads();
  auto const words = load_streaming<4>(data + (threadIdx.x ^ 1));
  __builtin_memcpy(out + threadIdx.x, &words, 4);
}
__global__ void updates_in_place(int* data) { data[threadIdx.x] = __ldg(&data[threadIdx.x]) + 1; }

TEST(HazardsOfScopes, TheReadOnlyCache) {
  NEEDS_INSTRUMENTATION();
  constexpr char const* said = "goes through the read-only cache to what thread";
  device_buffer<int> data(std::vector<int>(32, 0)), out(32);
  expect([&] { launch(read_back<int>, {.grid = 1, .block = 32}, data.data(), out.data(), true); }, said, loaded_at,
         stored_at);
  device_buffer<char> bytes(std::vector<char>(32, 0)), byte_out(32);
  expect([&] { launch(read_back<char>, {.grid = 1, .block = 32}, bytes.data(), byte_out.data(), true); }, said,
         loaded_at, stored_at);
  expect([&] { launch(reads_a_variable, {.grid = 1, .block = 32}, out.data()); }, said, loaded_at + 7, loaded_at + 5);
  device_buffer<float4> fours(32);
  device_buffer<float> floats(std::vector<float>(32, 0.f)), float_out(32);
  expect([&] { launch(reads_its_own, {.grid = 1, .block = 32}, fours.data(), float_out.data()); }, said, loaded_at + 11,
         loaded_at + 10);
  EXPECT_MESSAGE(launch(streams, {.grid = 1, .block = 32}, floats.data(), float_out.data()), said);
  // A plain load; what another launch has written; what is written behind the load.
  EXPECT_NO_THROW(launch(read_back<int>, {.grid = 1, .block = 32}, data.data(), out.data(), false));
  EXPECT_NO_THROW(launch(updates_in_place, {.grid = 1, .block = 32}, data.data()));
  EXPECT_NO_THROW(launch(updates_in_place, {.grid = 1, .block = 32}, data.data()));
}

// Atomics of one block -----------------------------------------------------------------------------------------------

__global__ void counts(int* bins, bool of_block, bool one_bin) {
  int* const bin = &bins[one_bin ? 0 : blockIdx.x];
  if (of_block) {
    atomicAdd_block(bin, 1);
  } else {
    atomicAdd(bin, 1);
  }
}
constexpr int of_block_at = __LINE__ - 5;
__global__ void mixes(int* bin) {
  if (blockIdx.x == 0) {
    atomicMax_block(bin, 5);
  } else {
    atomicMax(bin, 6);
  }
}
__global__ void in_turns(int* bin, int* flag) {
  if (blockIdx.x == 0) {
    atomicAdd_block(bin, 1);
    __threadfence();
    atomicExch(flag, 1);
    next_turn();
  } else {
    wait_for_turn(1);
    if (atomicAdd(flag, 0) == 1) atomicAdd_block(bin, 1);
  }
}
TEST(HazardsOfScopes, AtomicsOfOneBlock) {
  device_buffer<int> bins(std::vector<int>(4, 0)), flag(std::vector<int>(1, 0));
  expect([&] { launch(counts, {.grid = 2, .block = 32}, bins.data(), true, true); }, "use the one without", of_block_at,
         of_block_at);
  EXPECT_MESSAGE(launch(mixes, {.grid = 2, .block = 1}, bins.data()), "use the one without");
  EXPECT_NO_THROW(launch(counts, {.grid = 2, .block = 32}, bins.data(), true, false));
  EXPECT_NO_THROW(launch(counts, {.grid = 4, .block = 32}, bins.data(), false, true));
  EXPECT_NO_THROW(launch(counts, {.grid = 1, .block = 64}, bins.data(), true, true));
  first_turn();
  EXPECT_NO_THROW(launch(in_turns, {.grid = 2, .block = 1}, bins.data(), flag.data()));
}

// Messages -----------------------------------------------------------------------------------------------------------

enum class reader { no_fence, fence, fence_before, barrier, acquires };
__global__ void message(int* data, int* flag, int* out, reader how, bool block_fence) {
  if (blockIdx.x == 0) {
    if (threadIdx.x != 0) return;
    *data = 7;
    if (block_fence) {
      __threadfence_block();
    } else {
      __threadfence();
    }
    *static_cast<int volatile*>(flag) = 1;
    return;
  }
  if (how == reader::acquires) {
    while (atomicAdd(flag, 0) == 0) {
    }
  } else {
    if (how == reader::fence_before) __threadfence();
    while (*static_cast<int volatile*>(flag) == 0) {
    }
  }
  if (how == reader::fence) __threadfence();
  if (how == reader::barrier) __syncthreads();
  out[threadIdx.x] = *data;
}
constexpr int read_at = __LINE__ - 2, written_at = read_at - 19;
TEST(HazardsOfScopes, AFlagWithoutAFenceBehind) {
  NEEDS_INSTRUMENTATION();
  auto const run = [](reader how, bool block_fence) {
    device_buffer<int> data(std::vector<int>(1, 0)), flag(std::vector<int>(1, 0)), out(32);
    launch(message, {.grid = 2, .block = 32}, data.data(), flag.data(), out.data(), how, block_fence);
  };
  for (reader const how : {reader::no_fence, reader::fence_before})
    expect([&] { run(how, false); }, "put __threadfence() behind the load", read_at, written_at);
  for (reader const how : {reader::fence, reader::barrier, reader::acquires}) EXPECT_NO_THROW(run(how, false));
  expect([&] { run(reader::fence, true); }, "publish with __threadfence()", read_at, written_at);
}

}  // namespace
