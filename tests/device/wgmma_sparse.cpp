// SPDX-License-Identifier: Apache-2.0
// Sparse warpgroup matrix instructions on either device: one product of each kind, with A in shared memory and in
// registers, both selectors and random metadata, compared with sums by loops over the whole A. Layouts and metadata
// are written by PTX's formulas.
#include <gtest/gtest.h>

#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/arch/wgmma.hpp>
#include <cosmati/atom/mma_sm90_gmma_sparse.hpp>
#include <cosmati/cosmati.hpp>
#include <cstring>
#include <random>
#include <vector>

#include "require_device.hpp"
#include "wgmma_places.hpp"

using namespace cosmati;
using namespace wgmma_test;
using detail::wgmma_source;
using GMMA::SparseSel;

namespace {

std::mt19937 engine(20261127);

/// d = a b + c by one warpgroup; the operands' images of shared memory are ready made.
template <class Op>
__global__ void one_product(std::uint8_t const* a, std::uint8_t const* b, std::uint32_t const* a_registers,
                            std::uint32_t const* e, typename Op::ValTypeD const* c, typename Op::ValTypeD* d,
                            std::uint64_t a_bits, std::uint64_t b_bits, int bytes) {
  auto* const shared = dynamic_shared<std::uint8_t>();
  int const thread = static_cast<int>(threadIdx.x);
  for (int i = thread; i < bytes; i += 128) {
    shared[i] = a[i];
    shared[room + i] = b[i];
  }
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
  if constexpr (Op::source_of_A == wgmma_source::shared) {
    std::uint64_t const a_descriptor[1] = {a_bits | address(shared)};
    wgmma_sparse<Op>(held, a_descriptor, b_descriptor, e[thread]);
  } else {
    std::uint32_t const registers[4] = {a_registers[4 * thread], a_registers[4 * thread + 1],
                                        a_registers[4 * thread + 2], a_registers[4 * thread + 3]};
    wgmma_sparse<Op>(held, registers, b_descriptor, e[thread]);
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

/// A (64, K) with its stored elements and every thread's metadata, by section 9.7.15.6 of the PTX ISA.
template <class Op>
struct sparse_a {
  using A = typename Op::ValTypeA;
  static constexpr int K = Op::K, stored_K = K / 2, bits = static_cast<int>(8 * sizeof(A));
  std::vector<float> whole = std::vector<float>(std::size_t{64 * K});
  std::vector<A> stored = std::vector<A>(std::size_t{64 * stored_K});
  std::vector<std::uint32_t> metadata;  // of the threads

  explicit sparse_a(int selector) : metadata(128, 0x44444444u) {  // others must not count
    for (int m = 0; m < 64; ++m) {
      if (bits == 32) {
        for (int k = 0; k < K; k += 2) {
          int const place = static_cast<int>(engine() % 2);
          put(m, k / 2, k + place);
          set_bits(m, k / 2 * 4, place == 0 ? 0x4u : 0xeu, selector);
        }
      } else {
        for (int k = 0; k < K; k += 4) {
          int const one = static_cast<int>(engine() % 4), other = (one + 1 + static_cast<int>(engine() % 3)) % 4;
          int const first = one < other ? one : other, second = one < other ? other : one;
          put(m, k / 2, k + first);
          put(m, k / 2 + 1, k + second);
          set_bits(m, k, static_cast<std::uint32_t>(first | second << 2), selector);
        }
      }
    }
  }
  void put(int m, int stored_k, int k) {
    A const x = small_number<A>();
    stored[static_cast<std::size_t>(m * stored_K + stored_k)] = x;
    whole[static_cast<std::size_t>(m * K + k)] = static_cast<float>(x);
  }
  /// Four bits of a row's metadata, which begin at bit `at` of its K bits, or of 32 for 16-bit types and tf32.
  void set_bits(int m, int at, std::uint32_t four, int selector) {
    int const warp = m / 16, g = m % 8, half = m / 8 % 2;
    int thread = 0, shift = 0;
    if (bits == 8) {  // lane 4 g + t: t mod 2 is the half of the rows, t / 2 that of the columns
      thread = 32 * warp + 4 * g + half + at / 32 * 2;
      shift = at % 32;
    } else {  // lane 4 g + 2 selector + p: p is the half of the columns; rows g below rows g + 8
      thread = 32 * warp + 4 * g + 2 * selector + at / 16;
      shift = 16 * half + at % 16;
    }
    std::uint32_t& e = metadata[static_cast<std::size_t>(thread)];
    e = (e & ~(0xfu << shift)) | four << shift;
  }
};

template <class Op>
void expect_product(LayoutType a_layout, LayoutType b_layout) {
  COSMATI_REQUIRE_WGMMA();
  using A = typename Op::ValTypeA;
  using B = typename Op::ValTypeB;
  using D = typename Op::ValTypeD;
  constexpr int M = 64, N = Op::N, K = Op::K, stored_K = K / 2, bytes = static_cast<int>(sizeof(A));
  sparse_a<Op> const a(static_cast<int>(Op::selector));
  std::vector<B> b(std::size_t{N * K});
  std::vector<D> c(std::size_t{M * N});
  for (B& x : b) x = small_number<B>();
  for (D& x : c) x = small_number<D>();
  placement const in_a = dense(a_layout, Op::major_A, bytes, M, stored_K),
                  in_b = dense(b_layout, Op::major_B, bytes, N, K);
  std::vector<std::uint8_t> a_image(std::size_t{room}, 0xee), b_image(std::size_t{room}, 0xee);
  std::vector<std::uint32_t> registers(4 * 128);
  for (int m = 0; m < M; ++m) {
    for (int k = 0; k < stored_K; ++k) {
      A const* const from = &a.stored[static_cast<std::size_t>(m * stored_K + k)];
      std::memcpy(&a_image[static_cast<std::size_t>(in_a.byte(m, k))], from, sizeof(A));
      // As a whole A of half the columns: lane 4 g + t of a warp has rows g and g + 8.
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
  device_buffer<std::uint32_t> const dev_r(registers), dev_e(a.metadata);
  device_buffer<D> const dev_c(c);
  device_buffer<D> dev_d(c.size());
  launch(one_product<Op>, {.grid = 1, .block = 128, .shared_bytes = 2 * room}, dev_a.data(), dev_b.data(), dev_r.data(),
         dev_e.data(), dev_c.data(), dev_d.data(), bits_of(in_a), bits_of(in_b), room);
  auto const d = dev_d.download();
  float const sign = Op::scale_A == Op::scale_B ? 1.f : -1.f;
  int wrong = 0;
  for (int m = 0; m < M; ++m) {
    for (int n = 0; n < N; ++n) {
      float sum = static_cast<float>(c[static_cast<std::size_t>(m * N + n)]);
      for (int k = 0; k < K; ++k)
        sum += sign * a.whole[static_cast<std::size_t>(m * K + k)] *
               static_cast<float>(b[static_cast<std::size_t>(n * K + k)]);
      wrong += static_cast<float>(d[static_cast<std::size_t>(m * N + n)]) != sum;
    }
  }
  EXPECT_EQ(wrong, 0) << detail::wgmma_mnemonic<Op>::value << " layouts " << static_cast<int>(a_layout) << ", "
                      << static_cast<int>(b_layout);
}

constexpr auto shared = wgmma_source::shared, registers = wgmma_source::registers;
constexpr auto one = GMMA::ScaleIn::One, negative = GMMA::ScaleIn::Neg;

/// A's layouts with those of B, whose rows have 64 bytes along K.
template <class Op>
void expect_in_every_layout() {
  expect_product<Op>(LayoutType::INTERLEAVE, LayoutType::INTERLEAVE);
  expect_product<Op>(LayoutType::B32, LayoutType::B64);
  expect_product<Op>(LayoutType::B64, LayoutType::B128);
  expect_product<Op>(LayoutType::B128, LayoutType::B128);
}

TEST(WgmmaSparse, HalvesAlongK) {
  using namespace GMMA::SPARSE;
  expect_in_every_layout<GMMA_64x64x32_F32F16F16_SS<Major::K, Major::K>>();
  expect_in_every_layout<GMMA_64x64x32_F16F16F16_SS<Major::K, Major::K, one, one, SparseSel::One>>();
  expect_in_every_layout<GMMA_64x32x32_F32BF16BF16_RS<Major::K, Major::K, one, one, SparseSel::One>>();
}
TEST(WgmmaSparse, HalvesAlongMAndN) {
  using namespace GMMA::SPARSE;
  expect_in_every_layout<GMMA_64x64x32_F32F16F16_SS<Major::MN, Major::MN>>();
  expect_in_every_layout<GMMA_64x128x32_F32BF16BF16_RS<Major::K, Major::MN>>();
}
TEST(WgmmaSparse, OtherTypes) {
  using namespace GMMA::SPARSE;
  expect_in_every_layout<GMMA_64x32x16_F32TF32TF32_SS_TN<>>();
  expect_in_every_layout<GMMA_64x32x16_F32TF32TF32_RS_TN<one, one, SparseSel::One>>();
  expect_in_every_layout<GMMA_64x16x64_F32E4M3E5M2_SS_TN<>>();
  expect_in_every_layout<GMMA_64x64x64_F16E5M2E4M3_RS_TN<>>();
  expect_in_every_layout<GMMA_64x96x64_S32S8S8_SS_TN<>>();
  expect_in_every_layout<GMMA_64x32x64_S32U8S8_RS_TN_SATURATE<>>();
}
TEST(WgmmaSparse, SignsAndSizes) {
  using namespace GMMA::SPARSE;
  expect_product<GMMA_64x8x32_F32F16F16_SS<Major::K, Major::K, negative, one>>(LayoutType::B128, LayoutType::B128);
  expect_product<GMMA_64x256x32_F32F16F16_SS<Major::K, Major::K, one, negative>>(LayoutType::B128, LayoutType::B128);
  expect_product<detail::wgmma_sparse_async<24, std::int32_t, std::uint8_t, std::uint8_t, shared>>(LayoutType::B64,
                                                                                                   LayoutType::B64);
  expect_product<detail::wgmma_sparse_async<104, half_t, half_t, half_t, registers>>(LayoutType::B128, LayoutType::B64);
}

}  // namespace
