// SPDX-License-Identifier: Apache-2.0
// Warpgroup matrix instructions on either device: one product of each kind, with operands in every canonical layout of
// shared memory and in registers, compared with sums by loops. The layouts are written by PTX's formulas.
#include <cosmati/arch/wgmma.hpp>

#include <gtest/gtest.h>

#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/cosmati.hpp>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "require_device.hpp"
#include "wgmma_places.hpp"

using namespace cosmati;
using namespace wgmma_test;
using detail::wgmma_source;
using GMMA::ScaleIn;

namespace {

std::mt19937 engine(20261127);

/// d = a b + (adds ? c : nothing) by one warpgroup; the operands' images of shared memory are ready made.
template <class Op>
__global__ void one_product(std::uint8_t const* a, std::uint8_t const* b, std::uint32_t const* a_registers,
                            typename Op::ValTypeD const* c, typename Op::ValTypeD* d, std::uint64_t a_bits,
                            std::uint64_t b_bits, int a_bytes, int b_bytes, int adds) {
  auto* const shared = dynamic_shared<std::uint8_t>();
  int const thread = static_cast<int>(threadIdx.x);
  for (int i = thread; i < a_bytes; i += 128) shared[i] = a[i];
  for (int i = thread; i < b_bytes; i += 128) shared[room + i] = b[i];
  fence_proxy_async_shared();
  __syncthreads();
  using D = typename Op::ValTypeD;
  alignas(16) typename Op::DRegisters held;
  constexpr int values = Op::N / 2;
  auto* const sums = reinterpret_cast<D*>(&held[0]);
  auto const at = [&](int v) {
    int const lane = thread % 32, row = thread / 32 * 16 + lane / 4 + 8 * (v / 2 % 2);
    return row * Op::N + 8 * (v / 4) + 2 * (lane % 4) + v % 2;
  };
  for (int v = 0; v < values; ++v) sums[v] = c[at(v)];
  auto const address = [](void const* p) {
    return static_cast<std::uint64_t>((cast_smem_ptr_to_uint(p) & 0x3ffffu) >> 4);
  };
  std::uint64_t const b_descriptor[1] = {b_bits | address(shared + room)};
  warpgroup_arrive();
  GMMA::ScaleOut const out = adds != 0 ? GMMA::ScaleOut::One : GMMA::ScaleOut::Zero;
  if constexpr (Op::source_of_A == wgmma_source::shared) {
    std::uint64_t const a_descriptor[1] = {a_bits | address(shared)};
    wgmma<Op>(held, a_descriptor, b_descriptor, out);
  } else {
    std::uint32_t const registers[4] = {a_registers[4 * thread], a_registers[4 * thread + 1],
                                        a_registers[4 * thread + 2], a_registers[4 * thread + 3]};
    wgmma<Op>(held, registers, b_descriptor, out);
  }
  warpgroup_commit_batch();
  warpgroup_wait<0>();
  for (int v = 0; v < values; ++v) d[at(v)] = sums[v];
}

/// A small number of the type: all sums of products of these are exact.
template <class T>
T small_number() {
  int const x = static_cast<int>(engine() % 9) - 4;
  if constexpr (std::is_unsigned_v<T>)
    return static_cast<T>(x + 4);
  else
    return static_cast<T>(static_cast<float>(x));
}

template <class Op>
void expect_product(LayoutType a_layout, LayoutType b_layout, bool adds = true) {
  COSMATI_REQUIRE_WGMMA();
  using A = typename Op::ValTypeA;
  using B = typename Op::ValTypeB;
  using D = typename Op::ValTypeD;
  constexpr int M = 64, N = Op::N, K = Op::K, bytes = static_cast<int>(sizeof(A));
  std::vector<A> a(std::size_t{M * K});
  std::vector<B> b(std::size_t{N * K});
  std::vector<D> c(std::size_t{M * N});
  for (A& x : a) x = small_number<A>();
  for (B& x : b) x = small_number<B>();
  for (D& x : c) x = small_number<D>();
  placement const in_a = dense(a_layout, Op::major_A, bytes, M, K), in_b = dense(b_layout, Op::major_B, bytes, N, K);
  std::vector<std::uint8_t> a_image(std::size_t{room}, 0xee), b_image(std::size_t{room}, 0xee);
  std::vector<std::uint32_t> registers(4 * 128);
  for (int m = 0; m < M; ++m) {
    for (int k = 0; k < K; ++k) {
      A const* const from = &a[static_cast<std::size_t>(m * K + k)];
      std::memcpy(&a_image[static_cast<std::size_t>(in_a.byte(m, k))], from, sizeof(A));
      // Lane 4 g + t of a warp: rows g and g + 8; columns from 4 / bytes t on, and those 16 bytes further.
      constexpr int each = 4 / bytes;
      int const warp = m / 16, lane = m % 8 * 4 + k / each % 4, r = m / 8 % 2 + 2 * (k / (4 * each));
      auto* const to =
          reinterpret_cast<std::uint8_t*>(&registers[static_cast<std::size_t>(4 * (32 * warp + lane) + r)]);
      std::memcpy(to + k % each * bytes, from, sizeof(A));
    }
  }
  for (int n = 0; n < N; ++n) {
    for (int k = 0; k < K; ++k)
      std::memcpy(&b_image[static_cast<std::size_t>(in_b.byte(n, k))], &b[static_cast<std::size_t>(n * K + k)],
                  sizeof(B));
  }
  device_buffer<std::uint8_t> const dev_a(a_image), dev_b(b_image);
  device_buffer<std::uint32_t> const dev_r(registers);
  device_buffer<D> const dev_c(c);
  device_buffer<D> dev_d(c.size());
  launch(one_product<Op>, {.grid = 1, .block = 128, .shared_bytes = 2 * room}, dev_a.data(), dev_b.data(), dev_r.data(),
         dev_c.data(), dev_d.data(), bits_of(in_a), bits_of(in_b), room, room, adds ? 1 : 0);
  auto const d = dev_d.download();
  float const sign = Op::scale_A == Op::scale_B ? 1.f : -1.f;
  int wrong = 0;
  for (int m = 0; m < M; ++m) {
    for (int n = 0; n < N; ++n) {
      float sum = adds ? static_cast<float>(c[static_cast<std::size_t>(m * N + n)]) : 0.f;
      for (int k = 0; k < K; ++k)
        sum += sign * static_cast<float>(a[static_cast<std::size_t>(m * K + k)]) *
               static_cast<float>(b[static_cast<std::size_t>(n * K + k)]);
      wrong += static_cast<float>(d[static_cast<std::size_t>(m * N + n)]) != sum;
    }
  }
  EXPECT_EQ(wrong, 0) << detail::wgmma_mnemonic<Op>::value << " layouts " << static_cast<int>(a_layout) << ", "
                      << static_cast<int>(b_layout);
}

constexpr LayoutType layouts[] = {LayoutType::INTERLEAVE, LayoutType::B32, LayoutType::B64, LayoutType::B128};
constexpr auto shared = wgmma_source::shared, registers = wgmma_source::registers;

template <int N, class D, class A, class B, wgmma_source from, Major a_major = Major::K, Major b_major = Major::K>
void expect_in_every_layout() {
  for (LayoutType const l : layouts) expect_product<detail::wgmma_async<N, D, A, B, from, a_major, b_major>>(l, l);
}

TEST(Wgmma, HalvesAlongK) {
  expect_in_every_layout<64, float, half_t, half_t, shared>();
  expect_in_every_layout<64, half_t, half_t, half_t, shared>();
  expect_in_every_layout<128, float, bfloat16_t, bfloat16_t, registers>();
}
TEST(Wgmma, HalvesAlongMAndN) {
  expect_in_every_layout<64, float, half_t, half_t, shared, Major::MN, Major::MN>();
  expect_in_every_layout<128, float, bfloat16_t, bfloat16_t, shared, Major::K, Major::MN>();
  expect_in_every_layout<192, float, half_t, half_t, shared, Major::MN, Major::K>();
  expect_in_every_layout<64, float, half_t, half_t, registers, Major::K, Major::MN>();
}
TEST(Wgmma, OtherTypes) {
  expect_in_every_layout<32, float, tfloat32_t, tfloat32_t, shared>();
  expect_in_every_layout<32, float, tfloat32_t, tfloat32_t, registers>();
  expect_in_every_layout<64, float, float_e4m3_t, float_e5m2_t, shared>();
  expect_in_every_layout<64, half_t, float_e5m2_t, float_e4m3_t, registers>();
  expect_in_every_layout<96, std::int32_t, std::int8_t, std::int8_t, shared>();
  expect_in_every_layout<96, std::int32_t, std::uint8_t, std::int8_t, registers>();
}
TEST(Wgmma, EveryKindOfN) {
  expect_product<detail::wgmma_async<8, float, half_t, half_t, shared>>(LayoutType::B128, LayoutType::B128);
  expect_product<detail::wgmma_async<24, half_t, half_t, half_t, shared>>(LayoutType::B32, LayoutType::B64);
  expect_product<detail::wgmma_async<104, float, half_t, half_t, shared>>(LayoutType::B128, LayoutType::B64);
  expect_product<detail::wgmma_async<256, float, half_t, half_t, shared>>(LayoutType::B64, LayoutType::B128);
  expect_product<detail::wgmma_async<16, std::int32_t, std::int8_t, std::uint8_t, shared>>(LayoutType::B128,
                                                                                           LayoutType::INTERLEAVE);
}
TEST(Wgmma, SignsAndOverwriting) {
  expect_product<
      detail::wgmma_async<64, float, half_t, half_t, shared, Major::K, Major::K, ScaleIn::Neg, ScaleIn::One>>(
      LayoutType::B128, LayoutType::B128);
  expect_product<
      detail::wgmma_async<64, float, half_t, half_t, shared, Major::K, Major::K, ScaleIn::Neg, ScaleIn::Neg>>(
      LayoutType::B128, LayoutType::B128);
  expect_product<detail::wgmma_async<64, float, half_t, half_t, shared>>(LayoutType::B128, LayoutType::B128, false);
}

}  // namespace
