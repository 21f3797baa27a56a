// SPDX-License-Identifier: Apache-2.0
// cp.async on either device: every width, zero fill, groups, predicates, ragged tiles.
#include <gtest/gtest.h>

#include <cosmati/cosmati.hpp>
#include <numeric>

#include "require_device.hpp"

using namespace cosmati;

namespace {

std::vector<std::uint8_t> some_bytes(std::size_t n) {
  std::vector<std::uint8_t> bytes(n);
  for (std::size_t i = 0; i < n; ++i) bytes[i] = static_cast<std::uint8_t>(i * 7 + 1);
  return bytes;
}

/// Thread t copies `bytes` bytes, t of them from global memory; the others become zero.
template <int bytes, cache_level level>
__global__ void fill(unsigned char const* in, unsigned char* out) {
  __shared__ __align__(16) unsigned char stage[32 * 16];
  unsigned char* const mine = stage + bytes * threadIdx.x;
  for (int i = 0; i < bytes; ++i) mine[i] = 0xee;
  unsigned const source = threadIdx.x < bytes ? threadIdx.x : bytes;
  if (threadIdx.x == 31)
    cp_async<bytes, level>(mine, in + bytes * threadIdx.x);
  else
    cp_async_zfill<bytes, level>(mine, in + bytes * threadIdx.x, source);
  cp_async_fence();
  cp_async_wait<0>();
  for (int i = 0; i < bytes; ++i) out[bytes * threadIdx.x + i] = mine[i];
}
template <int bytes, cache_level level>
void check_fill() {
  std::vector<std::uint8_t> const host = some_bytes(32 * bytes);
  device_buffer<std::uint8_t> in(host), out(host.size());
  launch(fill<bytes, level>, {.grid = 1, .block = 32}, in.data(), out.data());
  auto const got = out.download();
  for (std::size_t i = 0; i < got.size(); ++i) {
    std::size_t const thread = i / bytes;
    ASSERT_EQ(got[i], thread == 31 || i % bytes < thread ? host[i] : 0) << bytes << " bytes, thread " << thread;
  }
}

TEST(CpAsync, EveryWidthAndSource) {
  COSMATI_REQUIRE_DEVICE();
  check_fill<4, cache_level::ca>();
  check_fill<8, cache_level::ca>();
  check_fill<16, cache_level::ca>();
  check_fill<16, cache_level::cg>();
}

/// Copies the first n of eight packed numbers by one instruction that fills with zeros.
__global__ void fill_packed(std::uint32_t const* in, std::uint32_t* out, int n) {
  __shared__ __align__(16) std::uint32_t stage[1];
  stage[0] = 0xeeeeeeee;
  auto const from = make_tensor(make_gmem_ptr<uint4_t>(in), Layout<_8>{});
  auto to = make_tensor(make_smem_ptr<uint4_t>(stage), Layout<_8>{});
  copy_if(
      Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS_ZFILL<std::uint32_t>, uint4_t>{}, [=](int i) { return i < n; }, from, to);
  cp_async_fence();
  cp_async_wait<0>();
  out[0] = stage[0];
}
TEST(CpAsync, ZeroFillBehindHalfAByte) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<std::uint32_t> const in(std::vector<std::uint32_t>{0x87654321});
  device_buffer<std::uint32_t> out(1);
  for (int n = 0; n <= 8; ++n) {
    launch(fill_packed, {.grid = 1, .block = 1}, in.data(), out.data(), n);
    std::uint32_t const expected = n == 8 ? 0x87654321u : 0x87654321u & ((1u << (4 * n)) - 1);
    EXPECT_EQ(out.download()[0], expected) << n;
  }
}

/// Groups: waits for the older of two groups, then for both.
__global__ void groups(float const* in, float* out) {
  __shared__ __align__(16) float stage[3][32];
  unsigned const t = threadIdx.x;
  for (int g = 0; g < 3; ++g) {
    cp_async<4>(&stage[g][t], in + 32 * g + t);
    cp_async_fence();
  }
  cp_async_wait<2>();
  out[t] = stage[0][t];
  cp_async_wait<1>();
  out[32 + t] = stage[1][t];
  cp_async_wait_all();
  __syncthreads();
  out[64 + t] = stage[2][31 - t];
}
TEST(CpAsync, Groups) {
  COSMATI_REQUIRE_DEVICE();
  std::vector<float> host(96), expected(96);
  std::iota(host.begin(), host.end(), 0.f);
  for (std::size_t i = 0; i < 96; ++i) expected[i] = host[i < 64 ? i : 64 + 95 - i];
  device_buffer<float> in(host), out(96);
  launch(groups, {.grid = 1, .block = 32}, in.data(), out.data());
  EXPECT_EQ(out.download(), expected);
}

/// Copies through shared memory by an atom, or by AutoCopyAsync.
template <class T, class TiledCopy, bool automatic>
__global__ void through_shared(T const* in, T* out, TiledCopy tiled_copy) {
  T* stage = dynamic_shared<T>();
  Layout<Shape<_32, _64>, Stride<_64, _1>> const layout{};
  auto gIn = make_tensor(make_gmem_ptr(in) + 32 * 64 * blockIdx.x, layout);
  auto gOut = make_tensor(make_gmem_ptr(out) + 32 * 64 * blockIdx.x, layout);
  auto shared = make_tensor(make_smem_ptr(stage), Layout<Shape<_32, _64>, Stride<Int<64 + 16 / sizeof(T)>, _1>>{});
  auto thread = tiled_copy.get_slice(threadIdx.x);
  if constexpr (automatic)
    copy(AutoCopyAsync{}, thread.partition_S(gIn), thread.partition_D(shared));
  else
    copy(tiled_copy, thread.partition_S(gIn), thread.partition_D(shared));
  cp_async_fence();
  cp_async_wait<0>();
  __syncthreads();
  for (unsigned i = threadIdx.x; i < 32 * 64; i += 128) gOut(i) = shared(i);
}
template <class Op, class T, class Thr, class Val, bool automatic = false>
void check_through() {
  auto tiled_copy = make_tiled_copy(Copy_Atom<Op, T>{}, Thr{}, Val{});
  std::vector<T> host(2 * 32 * 64);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<T>(i % 1000);
  device_buffer<T> in(host), out(host.size());
  launch(through_shared<T, decltype(tiled_copy), automatic>,
         {.grid = 2, .block = 128, .shared_bytes = 32 * (64 * sizeof(T) + 16)}, in.data(), out.data(), tiled_copy);
  EXPECT_TRUE(out.download() == host);
}

TEST(CpAsync, TiledCopies) {
  COSMATI_REQUIRE_DEVICE();
  using Rows = Layout<Shape<_8, _16>, Stride<_16, _1>>;
  check_through<SM80_CP_ASYNC_CACHEALWAYS<uint128_t>, float, Rows, Layout<Shape<_1, _4>>>();
  check_through<SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, half_t, Layout<Shape<_16, _8>, Stride<_8, _1>>,
                Layout<Shape<_1, _8>>>();
  check_through<SM80_CP_ASYNC_CACHEALWAYS<std::uint64_t>, float, Rows, Layout<Shape<_1, _4>>>();
  check_through<SM80_CP_ASYNC_CACHEALWAYS<float>, float, Rows, Layout<Shape<_2, _1>>>();
  check_through<SM80_CP_ASYNC_CACHEALWAYS_ZFILL<double>, double, Rows, Layout<Shape<_1, _2>>>();
  check_through<SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>, std::int8_t, Layout<Shape<_32, _4>, Stride<_4, _1>>,
                Layout<Shape<_1, _16>>>();
}
TEST(CpAsync, AutoCopyAsync) {
  COSMATI_REQUIRE_DEVICE();
  using Rows = Layout<Shape<_8, _16>, Stride<_16, _1>>;
  check_through<UniversalCopy<uint128_t>, float, Rows, Layout<Shape<_1, _4>>, true>();
  check_through<UniversalCopy<float>, float, Rows, Layout<Shape<_1, _1>>, true>();
  check_through<UniversalCopy<std::uint16_t>, half_t, Rows, Layout<Shape<_1, _1>>, true>();
  check_through<UniversalCopy<double>, double, Rows, Layout<Shape<_1, _1>>, true>();
}

/// Copies the vectors whose predicate holds, every third one. The others stay, or become zero.
template <class Op>
__global__ void where(float const* in, float* out) {
  __shared__ __align__(16) float stage[256];
  for (int i = 0; i < 8; ++i) stage[8 * threadIdx.x + i] = -1;
  __syncthreads();
  auto tiled_copy = make_tiled_copy(Copy_Atom<Op, float>{}, Layout<_32>{}, Layout<_4>{});
  auto thread = tiled_copy.get_slice(threadIdx.x);
  auto from = thread.partition_S(make_tensor(make_gmem_ptr(in), Layout<_256>{}));
  auto to = thread.partition_D(make_tensor(make_smem_ptr(stage), Layout<_256>{}));
  auto holds = make_tensor<bool>(Layout<Shape<_1, _2>>{});
  for (int k = 0; k < 2; ++k) holds(0, k) = (threadIdx.x + 32 * k) % 3 == 0;
  copy_if(tiled_copy, holds, from, to);
  cp_async_wait_all();
  __syncthreads();
  for (int i = 0; i < 8; ++i) out[8 * threadIdx.x + i] = stage[8 * threadIdx.x + i];
}
template <class Op>
void check_where(float otherwise) {
  std::vector<float> host(256);
  std::iota(host.begin(), host.end(), 1.f);
  device_buffer<float> in(host), out(256);
  launch(where<Op>, {.grid = 1, .block = 32}, in.data(), out.data());
  auto const got = out.download();
  for (std::size_t i = 0; i < 256; ++i) ASSERT_EQ(got[i], i / 4 % 3 == 0 ? host[i] : otherwise) << i;
}
TEST(CpAsync, Predicates) {
  COSMATI_REQUIRE_DEVICE();
  check_where<SM80_CP_ASYNC_CACHEALWAYS<uint128_t>>(-1);
  check_where<SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>>(-1);
  check_where<SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint128_t>>(0);
  check_where<SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>>(0);
}

/// The predicate is in the atom, one for a whole copy.
__global__ void with_predicate(float const* in, float* out) {
  __shared__ __align__(16) float stage[128];
  Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<uint128_t>, float> const atom{};
  auto from = make_tensor(make_gmem_ptr(in) + 4 * threadIdx.x, Layout<_4>{});
  auto to = make_tensor(make_smem_ptr(stage) + 4 * threadIdx.x, Layout<_4>{});
  copy(atom.with(threadIdx.x % 2 == 0), from, to);
  cp_async_wait_all();
  for (int i = 0; i < 4; ++i) out[4 * threadIdx.x + i] = to(i);
}
TEST(CpAsync, PredicateOfTheAtom) {
  COSMATI_REQUIRE_DEVICE();
  std::vector<float> host(128);
  std::iota(host.begin(), host.end(), 1.f);
  device_buffer<float> in(host), out(128);
  launch(with_predicate, {.grid = 1, .block = 32}, in.data(), out.data());
  auto const got = out.download();
  for (std::size_t i = 0; i < 128; ++i) ASSERT_EQ(got[i], i / 4 % 2 == 0 ? host[i] : 0.f) << i;
}

/// Tiles of a ragged matrix: elements beyond it become zero, or stay.
template <class T, class TiledCopy>
__global__ void ragged(T const* in, T* out, int m, int n, int ld, TiledCopy tiled_copy) {
  T* stage = dynamic_shared<T>();
  using Tile = typename TiledCopy::Tiler_MN;
  auto mIn = make_tensor(make_gmem_ptr(in), make_shape(m, n), make_stride(ld, _1{}));
  auto shared = make_tensor(make_smem_ptr(stage), make_layout(Tile{}, LayoutRight{}));
  constexpr int elements = decltype(size(shared))::value;
  for (int i = static_cast<int>(threadIdx.x); i < elements; i += 32) stage[i] = static_cast<T>(101);
  __syncthreads();
  auto gIn = local_tile(mIn, Tile{}, make_coord(blockIdx.x, blockIdx.y));
  auto thread = tiled_copy.get_slice(threadIdx.x);
  copy(tiled_copy, thread.partition_S(gIn), thread.partition_D(shared), shape(mIn));
  cp_async_fence();
  cp_async_wait<0>();
  __syncthreads();
  T* const tile = out + elements * (blockIdx.x + gridDim.x * blockIdx.y);
  for (int i = static_cast<int>(threadIdx.x); i < elements; i += 32) tile[i] = stage[i];
}
template <class T, class Op, class Val>
void check_ragged(std::initializer_list<int> rows, std::initializer_list<int> columns, int outside) {
  auto tiled_copy = make_tiled_copy(Copy_Atom<Op, T>{}, Layout<Shape<_8, _4>, Stride<_4, _1>>{}, Val{});
  int const wide = static_cast<int>(size<1>(typename decltype(tiled_copy)::Tiler_MN{}));
  int const per_16 = static_cast<int>(16 / sizeof(T));
  for (int m : rows) {
    for (int n : columns) {
      int const ld = (n + per_16 - 1) / per_16 * per_16, down = (m + 7) / 8, along = (n + wide - 1) / wide;
      std::size_t extent = static_cast<std::size_t>((m - 1) * ld + n);
#if !defined(COSMATI_SIMULATED)
      // compute-sanitizer's memcheck counts all 16 bytes of a cp.async as read, even where the instruction reads fewer.
      extent = static_cast<std::size_t>(m * ld);
#endif
      std::vector<T> host(extent);
      for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<T>(i % 100);
      device_buffer<T> in(host), out(static_cast<std::size_t>(down * along * 8 * wide));
      launch(ragged<T, decltype(tiled_copy)>,
             {.grid = dim3(static_cast<unsigned>(down), static_cast<unsigned>(along)),
              .block = 32,
              .shared_bytes = static_cast<std::size_t>(8 * wide) * sizeof(T)},
             in.data(), out.data(), m, n, ld, tiled_copy);
      auto const got = out.download();
      for (int i = 0; i < 8 * down; ++i) {
        for (int j = 0; j < wide * along; ++j) {
          bool const inside = i < m && j < n;
          T const expected = inside ? host[static_cast<std::size_t>(i * ld + j)] : static_cast<T>(outside);
          int const at = 8 * wide * (i / 8 + down * (j / wide)) + i % 8 * wide + j % wide;
          ASSERT_TRUE(got[static_cast<std::size_t>(at)] == expected)
              << m << " x " << n << " at (" << i << "," << j << ")";
        }
      }
    }
  }
}
TEST(CpAsync, RaggedTilesFillWithZeros) {
  COSMATI_REQUIRE_DEVICE();
  check_ragged<float, SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>, Layout<Shape<_1, _4>>>(
      {1, 8, 13}, {1, 2, 3, 4, 5, 15, 16, 17, 18, 31}, 0);
  check_ragged<half_t, SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint128_t>, Layout<Shape<_1, _8>>>({9}, {31, 32, 33, 35}, 0);
  check_ragged<std::int8_t, SM80_CP_ASYNC_CACHEALWAYS_ZFILL<std::uint32_t>, Layout<Shape<_1, _4>>>({7}, {15, 17, 18},
                                                                                                   0);
  check_ragged<double, SM80_CP_ASYNC_CACHEALWAYS_ZFILL<double>, Layout<Shape<_1, _1>>>({3}, {3, 4, 5}, 0);
}
TEST(CpAsync, RaggedTilesStayOutside) {
  COSMATI_REQUIRE_DEVICE();
  check_ragged<float, SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, Layout<Shape<_1, _4>>>({1, 8, 13}, {1, 3, 4, 5, 16, 18},
                                                                                   101);
  check_ragged<half_t, SM80_CP_ASYNC_CACHEALWAYS<uint128_t>, Layout<Shape<_1, _8>>>({9}, {31, 32, 35}, 101);
  check_ragged<double, SM80_CP_ASYNC_CACHEALWAYS<uint128_t>, Layout<Shape<_1, _2>>>({9}, {7, 8, 9}, 101);
}

}  // namespace
