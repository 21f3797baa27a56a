// SPDX-License-Identifier: Apache-2.0
// Streaming loads and stores: as functions of every width, and as atoms of a tiled copy.
#include <cosmati/arch/streaming.hpp>
#include <cosmati/cosmati.hpp>

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "require_device.hpp"

using namespace cosmati;

namespace {

template <int bytes>
__global__ void move(unsigned char const* in, unsigned char* out) {
  store_streaming<bytes>(out + threadIdx.x * bytes, load_streaming<bytes>(in + threadIdx.x * bytes));
}
template <int bytes>
__global__ void move_hinted(unsigned char const* in, unsigned char* out, l2_hint hint) {
  store_words<bytes>(out + threadIdx.x * bytes, load_words<bytes>(in + threadIdx.x * bytes, hint));
}
template <int bytes>
void expect_moved() {
  std::vector<unsigned char> host(64 * bytes);
  std::iota(host.begin(), host.end(), static_cast<unsigned char>(1));
  device_buffer<unsigned char> in(host), out(host.size());
  launch(move<bytes>, {.grid = 1, .block = 64}, in.data(), out.data());
  EXPECT_EQ(out.download(), host) << bytes << " bytes";
  for (l2_hint const hint : {l2_hint::none, l2_hint::evict_last}) {
    out.clear();
    launch(move_hinted<bytes>, {.grid = 1, .block = 64}, in.data(), out.data(), hint);
    EXPECT_EQ(out.download(), host) << bytes << " bytes";
  }
}
TEST(Streaming, EveryWidth) {
  COSMATI_REQUIRE_DEVICE();
  expect_moved<1>();
  expect_moved<2>();
  expect_moved<4>();
  expect_moved<8>();
  expect_moved<16>();
}

template <class T, class S>
__global__ void through_registers(T const* in, T* out) {
  auto const layout = make_layout(Shape<_16, _128>{}, Stride<_128, _1>{});
  auto const gIn = make_tensor(make_gmem_ptr(in), layout);
  auto const gOut = make_tensor(make_gmem_ptr(out), layout);
  constexpr int vector = static_cast<int>(sizeof(S) / sizeof(T));
  using Threads = Layout<Shape<_4, _8>, Stride<_8, _1>>;
  using Values = Layout<Shape<_1, C<vector>>>;
  auto const load = make_tiled_copy(Copy_Atom<StreamingLoad<S>, T>{}, Threads{}, Values{});
  auto const store = make_tiled_copy(Copy_Atom<StreamingStore<S>, T>{}, Threads{}, Values{});
  auto const from = load.get_slice(threadIdx.x).partition_S(gIn);
  auto to = store.get_slice(threadIdx.x).partition_D(gOut);
  auto held = make_fragment_like(from);
  copy(load, from, held);
  copy(store, held, to);
}
template <class T, class S>
void expect_through_registers() {
  std::vector<T> host(16 * 128);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<T>(i);
  device_buffer<T> in(host), out(host.size());
  launch(through_registers<T, S>, {.grid = 1, .block = 32}, in.data(), out.data());
  EXPECT_EQ(out.download(), host);
}
TEST(Streaming, Atoms) {
  COSMATI_REQUIRE_DEVICE();
  expect_through_registers<float, std::uint32_t>();
  expect_through_registers<float, uint128_t>();
  expect_through_registers<std::uint16_t, std::uint64_t>();
  expect_through_registers<std::uint8_t, uint128_t>();
}
#if defined(COSMATI_SIMULATED)
TEST(Streaming, AStoreOutsideItsBufferIsFound) {
  device_buffer<unsigned char> in(64 * 4), out(63 * 4);
  in.clear();
  try {
    launch(move<4>, {.grid = 1, .block = 64}, in.data(), out.data());
    ADD_FAILURE() << "no error";
  } catch (error const& e) {
    EXPECT_NE(std::string(e.what()).find("st.global.cs.b32"), std::string::npos) << e.what();
  }
}
TEST(Streaming, AHintedLoadOutsideItsBufferIsFound) {
  device_buffer<unsigned char> in(63 * 4), out(64 * 4);
  in.clear();
  EXPECT_THROW(launch(move_hinted<4>, {.grid = 1, .block = 64}, in.data(), out.data(), l2_hint::evict_last), error);
}
#endif

}  // namespace
