// SPDX-License-Identifier: Apache-2.0
// Every access is seen: bounds, alignment, life of the allocation, on raw pointers and on the library's reports.
#include <gtest/gtest.h>

#include <cosmati/core/access.hpp>
#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/dynamic_shared.hpp>
#include <cosmati/runtime/launch.hpp>
#include <cstring>
#include <memory>

#include "message.hpp"

using namespace cosmati;

namespace {

__global__ void read_at(int const* p, long i, int* out) {
  if (threadIdx.x == 7) *out = p[i];
}
__global__ void write_at(int* p, long i) {
  if (threadIdx.x == 7) p[i] = 1;
}

TEST(Access, OutsideOfABufferIsAnErrorWithItsPlace) {
  NEEDS_INSTRUMENTATION();
  device_buffer<int> before(64), a(100), after(64), out(1);
  a.clear();
  EXPECT_NO_THROW(launch(read_at, {.grid = 1, .block = 32}, a.data(), 99, out.data()));
  EXPECT_NO_THROW(launch(write_at, {.grid = 1, .block = 32}, a.data(), 0));
  EXPECT_MESSAGE(launch(read_at, {.grid = 1, .block = 32}, a.data(), 100, out.data()),
                 "kernel read_at, block (0,0,0), thread (7,0,0): load of 4 bytes at 0x");
  EXPECT_MESSAGE(launch(read_at, {.grid = 1, .block = 32}, a.data(), 100, out.data()),
                 "is out of bounds: just past the end of allocation");
  EXPECT_MESSAGE(launch(read_at, {.grid = 1, .block = 32}, a.data(), 100, out.data()), ", 400 bytes)");
  EXPECT_MESSAGE(launch(read_at, {.grid = 1, .block = 32}, a.data(), 102, out.data()), "8 bytes past the end of");
  EXPECT_MESSAGE(launch(write_at, {.grid = 1, .block = 32}, a.data(), -1), "store of 4 bytes");
  EXPECT_MESSAGE(launch(write_at, {.grid = 1, .block = 32}, a.data(), -1), "4 bytes before allocation");
  EXPECT_MESSAGE(launch(write_at, {.grid = 1, .block = 32}, a.data(), 500000000), "out of bounds");
  EXPECT_MESSAGE(launch(write_at, {.grid = 1, .block = 32}, a.data(), 100), "access.cpp:22");
}

TEST(Access, ThroughNullOrAfterFreeIsAnError) {
  NEEDS_INSTRUMENTATION();
  int* dangling = nullptr;
  EXPECT_MESSAGE(launch(write_at, {.grid = 1, .block = 32}, dangling, 0), "null pointer");
  {
    device_buffer<int> gone(100);
    dangling = gone.data();
  }
  device_buffer<int> other(100);
  EXPECT_MESSAGE(launch(write_at, {.grid = 1, .block = 32}, dangling, 3), "after it was freed");
}

TEST(Access, ToMemoryOfTheHostIsAnError) {
  NEEDS_INSTRUMENTATION();
  std::vector<int> on_heap(100);
  std::vector<int> on_large_heap(1 << 20);
  int on_stack[100] = {};
  EXPECT_MESSAGE(launch(write_at, {.grid = 1, .block = 32}, on_heap.data(), 3), "memory of the host");
  EXPECT_MESSAGE(launch(write_at, {.grid = 1, .block = 32}, on_large_heap.data(), 3), "memory of the host");
  EXPECT_MESSAGE(launch(write_at, {.grid = 1, .block = 32}, &on_stack[0], 3), "goes to the host");
}

__global__ void allocates(int* out) {
  std::unique_ptr<int[]> const mine(new int[1000]);
  for (int i = 0; i < 1000; ++i) mine[static_cast<std::size_t>(i)] = i;
  __syncthreads();
  out[threadIdx.x] = mine[threadIdx.x];
}

TEST(Access, ToMemoryThatALaneAllocatedIsFine) {
  device_buffer<int> out(64);
  launch(allocates, {.grid = 4, .block = 64}, out.data());
  EXPECT_EQ(out.download()[63], 63);
}

__global__ void reads_shared(float* out, int write) {
  __shared__ float fixed[64];
  float* const moving = dynamic_shared<float>();
  if (write != 0) fixed[threadIdx.x] = moving[threadIdx.x] = 1;
  out[2 * threadIdx.x] = fixed[threadIdx.x];
  out[2 * threadIdx.x + 1] = moving[threadIdx.x];
}

__global__ void static_shared(int i, int j, float* out) {
  __shared__ float tile[4][8];
  __shared__ float other[64];
  other[threadIdx.x] = tile[0][0] = 0;
  tile[i][j] = 1;
  *out = other[0] + tile[0][0];
}
TEST(Access, OutsideOfStaticSharedMemoryIsAnError) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> out(1);
  EXPECT_NO_THROW(launch(static_shared, {.grid = 1, .block = 1}, 3, 7, out.data()));
  EXPECT_MESSAGE(launch(static_shared, {.grid = 1, .block = 1}, 3, 8, out.data()), "index 8 is out of bounds");
  EXPECT_MESSAGE(launch(static_shared, {.grid = 1, .block = 1}, 4, 0, out.data()), "index 4 is out of bounds");
  EXPECT_MESSAGE(launch(static_shared, {.grid = 1, .block = 1}, -1, 0, out.data()), "index -1 is out of bounds");
}

__global__ void dynamic(long i) { dynamic_shared<float>()[i] = 1; }

TEST(Access, OutsideOfDynamicSharedMemoryIsAnError) {
  NEEDS_INSTRUMENTATION();
  EXPECT_NO_THROW(launch(dynamic, {.grid = 1, .block = 1, .shared_bytes = 400}, 99));
  EXPECT_MESSAGE(launch(dynamic, {.grid = 1, .block = 1, .shared_bytes = 400}, 100),
                 "past the end of the block's 400 bytes of dynamic shared memory");
  EXPECT_MESSAGE(launch(dynamic, {.grid = 1, .block = 1, .shared_bytes = 400}, -1), "4 bytes before the block's");
  EXPECT_MESSAGE(launch(dynamic, {.grid = 1, .block = 1}, 0), "the block's 0 bytes");
}

template <class T>
__global__ void read_as(char const* p, T* out) {
  *out = *reinterpret_cast<T const*>(p);
}

TEST(Access, MisalignedForItsTypeIsAnError) {
  NEEDS_INSTRUMENTATION();
  device_buffer<char> a(64);
  device_buffer<float4> four(1);
  device_buffer<double> wide(1);
  device_buffer<int> word(1);
  a.clear();
  EXPECT_NO_THROW(launch(read_as<float4>, {.grid = 1, .block = 1}, a.data() + 16, four.data()));
#if !defined(__clang__)  // clang makes a memcpy of a structure's copy, which tells no alignment
  EXPECT_MESSAGE(launch(read_as<float4>, {.grid = 1, .block = 1}, a.data() + 8, four.data()), "misaligned");
  EXPECT_MESSAGE(launch(read_as<float4>, {.grid = 1, .block = 1}, a.data() + 8, four.data()), "8 bytes past one");
#endif
  EXPECT_MESSAGE(launch(read_as<double>, {.grid = 1, .block = 1}, a.data() + 4, wide.data()), "misaligned");
  EXPECT_MESSAGE(launch(read_as<int>, {.grid = 1, .block = 1}, a.data() + 1, word.data()), "multiple of 4");
}

__global__ void vector_copy(float4 const* in, float4* out, long shift) {
  unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i + shift];
}

TEST(Access, CopiesOfVectorsAreSeenWhole) {
  NEEDS_INSTRUMENTATION();
  std::vector<float4> host(256);
  for (int i = 0; i < 256; ++i) host[static_cast<std::size_t>(i)] = make_float4(static_cast<float>(i), 1, 2, 3);
  device_buffer<float4> in(host), out(256), half(128);
  launch(vector_copy, {.grid = 4, .block = 64}, in.data(), out.data(), 0);
  EXPECT_EQ(std::memcmp(out.download().data(), host.data(), 4096), 0);
  EXPECT_MESSAGE(launch(vector_copy, {.grid = 4, .block = 64}, in.data(), out.data(), 1), "load of 16 bytes");
  EXPECT_MESSAGE(launch(vector_copy, {.grid = 4, .block = 64}, in.data(), out.data(), 1),
                 "block (3,0,0), thread (63,0,0)");
  EXPECT_MESSAGE(launch(vector_copy, {.grid = 4, .block = 64}, in.data(), half.data(), 0), "store of 16 bytes");
  EXPECT_MESSAGE(launch(vector_copy, {.grid = 4, .block = 64}, in.data(), half.data(), 0),
                 "block (2,0,0), thread (0,0,0)");
}

__global__ void bulk(char* p, std::size_t n) {
  char local[256];
  std::memset(local, 1, sizeof local);
  std::memcpy(p, local, n);
}

TEST(Access, LibraryCopiesAreSeen) {
  NEEDS_INSTRUMENTATION();
  device_buffer<char> a(200);
  EXPECT_NO_THROW(launch(bulk, {.grid = 1, .block = 1}, a.data(), 200u));
  EXPECT_MESSAGE(launch(bulk, {.grid = 1, .block = 1}, a.data(), 201u), "its last byte is past the end");
}

struct element_of {
  int row, column;
  void operator()(char* out, std::size_t size) const {
    std::snprintf(out, size, "tensor A (8,4):(4,1) at (%d,%d)", row, column);
  }
};

__global__ void by_library(float* p, int row, int column) {
  float* const at = p + 4 * row + column;
  note_access(access_kind::store, at, 8, 8, element_of{row, column}, p, "UniversalCopy<uint64_t>");
  unseen_scope const unseen;
  at[0] = at[1] = 1;
}
__global__ void by_operator(float* p, int row, int column) {
  float* const at = p + 4 * row + column;
  note_tensor(at, 4, element_of{row, column}, p);
  note_tensor(p, 4, element_of{0, 0}, p);
  *at = *p;
}

TEST(Access, ReportsOfTheLibraryNameTensorAndCoordinate) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> a(32);
  a.clear();
  EXPECT_NO_THROW(launch(by_library, {.grid = 1, .block = 1}, a.data(), 7, 2));
  EXPECT_MESSAGE(launch(by_library, {.grid = 1, .block = 1}, a.data(), 8, 2), "tensor A (8,4):(4,1) at (8,2)");
  EXPECT_MESSAGE(launch(by_library, {.grid = 1, .block = 1}, a.data(), 8, 2),
                 "store (UniversalCopy<uint64_t>) of 8 bytes");
  EXPECT_MESSAGE(launch(by_library, {.grid = 1, .block = 1}, a.data(), 2, 1), "misaligned");
  EXPECT_NO_THROW(launch(by_operator, {.grid = 1, .block = 1}, a.data(), 7, 3));
  EXPECT_MESSAGE(launch(by_operator, {.grid = 1, .block = 1}, a.data(), 9, 3), "tensor A (8,4):(4,1) at (9,3)");
}

TEST(Access, SharedMemoryHoldsPoisonWhenABlockBegins) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> out(128);
  for (float const v : out.download()) EXPECT_TRUE(std::isnan(v));
  launch(reads_shared, {.grid = 8, .block = 64, .shared_bytes = 256}, out.data(), 1);
  EXPECT_EQ(out.download(), std::vector<float>(128, 1));
  EXPECT_MESSAGE(launch(reads_shared, {.grid = 8, .block = 64, .shared_bytes = 256}, out.data(), 0), "uninitialized");
  setenv("COSMATI_SIM_CHECKS", "0", 1);
  launch(reads_shared, {.grid = 8, .block = 64, .shared_bytes = 256}, out.data(), 0);
  unsetenv("COSMATI_SIM_CHECKS");
  for (float const v : out.download()) EXPECT_TRUE(std::isnan(v));
}

__global__ void beyond_its_array(int i) {
  __shared__ float first[64];
  __shared__ float second[64];
  float* volatile const a = first;
  float* volatile const b = second;
  float* const low = a < b ? a : b;
  float* const high = a < b ? b : a;
  low[0] = 1;
  high[0] = 1;
  float* const at = low + i;
  note_tensor(at, 4, element_of{i, 0}, low);
  *at = 1;
}

TEST(Access, FromOneSharedArrayIntoTheNextIsAnErrorWhenTheTensorIsKnown) {
  NEEDS_INSTRUMENTATION();
  EXPECT_NO_THROW(launch(beyond_its_array, {.grid = 1, .block = 1}, 63));
  EXPECT_MESSAGE(launch(beyond_its_array, {.grid = 1, .block = 1}, 64), "leaves its tensor's memory");
  EXPECT_MESSAGE(launch(beyond_its_array, {.grid = 1, .block = 1}, 64), "tensor A (8,4):(4,1) at (64,0)");
}

__global__ void shares_a_local(int** slot, int* out) {
  int mine = static_cast<int>(threadIdx.x);
  if (threadIdx.x == 0) *slot = &mine;
  __syncthreads();
  out[threadIdx.x] = **slot;
}

TEST(Access, ToALocalVariableOfAnotherThreadIsAnError) {
  NEEDS_INSTRUMENTATION();
  device_buffer<int*> slot(1);
  device_buffer<int> out(32);
  EXPECT_MESSAGE(launch(shares_a_local, {.grid = 1, .block = 32}, slot.data(), out.data()),
                 "local variables of another thread");
}

__global__ void wild(volatile std::uintptr_t* p) { *reinterpret_cast<volatile int*>(p[0]) = 1; }

TEST(Access, ToAnUnmappedAddressIsAnError) {
  NEEDS_INSTRUMENTATION();
  device_buffer<std::uintptr_t> p(std::vector<std::uintptr_t>{0x123456789000ull});
  EXPECT_MESSAGE(launch(wild, {.grid = 1, .block = 1}, p.data()), "invalid address 0x123456789000");
}

}  // namespace
