// SPDX-License-Identifier: Apache-2.0
// ldmatrix, stmatrix and movmatrix in CuTe's words.
#include <cute/tensor.hpp>

#include <gtest/gtest.h>

#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/launch.hpp>
#include <numeric>
#include <vector>

using namespace cute;

namespace {

std::vector<std::uint16_t> counted(std::size_t n) {
  std::vector<std::uint16_t> v(n);
  std::iota(v.begin(), v.end(), std::uint16_t{1});
  return v;
}

/// Through shared memory and registers and back, by the old functions of pointers. @tparam matrices 1, 2 or 4
template <int matrices, bool transposed>
__global__ static void round_trip_by_pointers(std::uint16_t const* in, std::uint16_t* out) {
  alignas(16) __shared__ std::uint16_t from[64 * matrices];
  alignas(16) __shared__ std::uint16_t to[64 * matrices];
  for (int i = static_cast<int>(threadIdx.x); i < 64 * matrices; i += 32) from[i] = in[i];
  __syncthreads();
  int const row = static_cast<int>(threadIdx.x) % (8 * matrices);
  auto const* source = reinterpret_cast<uint128_t const*>(from + 8 * row);
  auto* target = reinterpret_cast<uint128_t*>(to + 8 * row);
  array<std::uint32_t, matrices> fragment;
  if constexpr (transposed) {
    copy_ldsm_trans(source, &fragment);
    copy_stsm_trans(&fragment, target);
  } else {
    copy_ldsm(source, &fragment);
    copy_stsm(&fragment, target);
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < 64 * matrices; i += 32) out[i] = to[i];
}

template <int matrices, bool transposed>
void check_by_pointers() {
  auto const host = counted(64 * matrices);
  cosmati::device_buffer<std::uint16_t> in(host), out(host.size());
  cosmati::launch(round_trip_by_pointers<matrices, transposed>, {.grid = 1, .block = 32}, in.data(), out.data());
  EXPECT_EQ(out.download(), host) << matrices << transposed;
}

TEST(CuteMatrices, RoundTripsByPointers) {
  check_by_pointers<1, false>();
  check_by_pointers<2, false>();
  check_by_pointers<4, false>();
  check_by_pointers<1, true>();
  check_by_pointers<2, true>();
  check_by_pointers<4, true>();
}

/// One 8x8 matrix transposed: loaded plain, stored transposed.
__global__ static void transposed_by_pointers(std::uint16_t const* in, std::uint16_t* out) {
  alignas(16) __shared__ std::uint16_t from[64];
  alignas(16) __shared__ std::uint16_t to[64];
  for (int i = static_cast<int>(threadIdx.x); i < 64; i += 32) from[i] = in[i];
  __syncthreads();
  int const row = static_cast<int>(threadIdx.x) % 8;
  std::uint32_t fragment = 0;
  copy_ldsm(reinterpret_cast<uint128_t const*>(from + 8 * row), &fragment);
  copy_stsm_trans(&fragment, reinterpret_cast<uint128_t*>(to + 8 * row));
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < 64; i += 32) out[i] = to[i];
}

TEST(CuteMatrices, StoredTransposed) {
  auto const host = counted(64);
  cosmati::device_buffer<std::uint16_t> in(host), out(host.size());
  cosmati::launch(transposed_by_pointers, {.grid = 1, .block = 32}, in.data(), out.data());
  auto const got = out.download();
  for (std::size_t i = 0; i < 8; ++i) {
    for (std::size_t j = 0; j < 8; ++j) EXPECT_EQ(got[8 * i + j], host[8 * j + i]) << i << ',' << j;
  }
}

/// movmatrix of values that fill a register: two elements each.
__global__ static void move_registers(std::uint32_t const* in, std::uint32_t* out) {
  auto const tiled = make_tiled_copy(Copy_Atom<SM75_U32x1_MOVM_T, std::uint32_t>{}, Layout<_32>{}, Layout<_1>{});
  auto const thread = tiled.get_slice(threadIdx.x);
  Tensor source = make_tensor<std::uint32_t>(shape(thread.partition_S(make_tensor(make_gmem_ptr(in), Layout<_32>{}))));
  Tensor target = make_fragment_like(source);
  source(0) = in[threadIdx.x];
  copy(tiled, source, target);
  out[threadIdx.x] = target(0);
}

TEST(CuteMatrices, MovmatrixOfWholeRegisters) {
  auto const elements = counted(64);  // lane 4 i + j holds (i, 2 j) and (i, 2 j + 1)
  std::vector<std::uint32_t> host(32);
  for (std::size_t lane = 0; lane < 32; ++lane)
    host[lane] = elements[2 * lane] | static_cast<std::uint32_t>(elements[2 * lane + 1]) << 16;
  cosmati::device_buffer<std::uint32_t> in(host), out(host.size());
  cosmati::launch(move_registers, {.grid = 1, .block = 32}, in.data(), out.data());
  auto const got = out.download();
  for (std::size_t i = 0; i < 8; ++i) {
    for (std::size_t j = 0; j < 8; ++j)
      EXPECT_EQ(got[4 * i + j / 2] >> 16 * (j % 2) & 0xffff, elements[8 * j + i]) << i << ',' << j;
  }
}

}  // namespace
