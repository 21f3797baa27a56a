// SPDX-License-Identifier: Apache-2.0
// CUDA's vector types: sizes and alignments of the CUDA programming guide's table, members, and dim3.
#include <gtest/gtest.h>
#include <cosmati/runtime/cuda_vector_types.hpp>

#include <cstddef>

namespace {

template <class T>
constexpr bool is(std::size_t size, std::size_t alignment) {
  return sizeof(T) == size && alignof(T) == alignment;
}
static_assert(is<char1>(1, 1) && is<uchar2>(2, 2) && is<char3>(3, 1) && is<uchar4>(4, 4));
static_assert(is<short1>(2, 2) && is<ushort2>(4, 4) && is<short3>(6, 2) && is<ushort4>(8, 8));
static_assert(is<int1>(4, 4) && is<uint2>(8, 8) && is<int3>(12, 4) && is<uint4>(16, 16));
static_assert(is<long1>(8, 8) && is<ulong2>(16, 16) && is<long3>(24, 8) && is<ulong4>(32, 16));
static_assert(is<longlong1>(8, 8) && is<ulonglong2>(16, 16) && is<longlong3>(24, 8) && is<longlong4>(32, 16));
static_assert(is<float1>(4, 4) && is<float2>(8, 8) && is<float3>(12, 4) && is<float4>(16, 16));
static_assert(is<double1>(8, 8) && is<double2>(16, 16) && is<double3>(24, 8) && is<double4>(32, 16));

TEST(CudaVectorTypes, MembersInOrder) {
  constexpr float4 f = make_float4(1, 2, 3, 4);
  static_assert(f.x == 1 && f.y == 2 && f.z == 3 && f.w == 4);
  static_assert(offsetof(uchar4, w) == 3 && offsetof(double3, z) == 16);
  EXPECT_EQ(make_char1(-1).x, -1);
  EXPECT_EQ(make_ulonglong3(1, 2, ~0ull).z, ~0ull);
}

TEST(CudaVectorTypes, ExtentsLeftOutAreOne) {
  dim3 const n = 7;
  EXPECT_EQ(n.x * 100 + n.y * 10 + n.z, 711u);
  EXPECT_EQ(dim3().x, 1u);
  uint3 const u = dim3(2, 3);
  EXPECT_EQ(u.z, 1u);
  EXPECT_EQ(dim3(uint3{4, 5, 6}).y, 5u);
}

}  // namespace
