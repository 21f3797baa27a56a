// SPDX-License-Identifier: Apache-2.0
// Elements of fewer than 8 bits are packed. Copies move them in whole bytes, as wide as their layout allows.
#include <cosmati/cosmati.hpp>

#include "show.hpp"
using namespace cosmati;

template <class TiledCopy>
__global__ void four_bits(uint4_t const* in, uint4_t* out, TiledCopy tiled_copy) {
  auto layout = Layout<Shape<_32, _64>, Stride<_64, _1>>{};  // 64 elements a row: 32 bytes
  auto thread = tiled_copy.get_slice(threadIdx.x);
  copy(tiled_copy, thread.partition_S(make_tensor(make_gmem_ptr(in), layout)),
       thread.partition_D(make_tensor(make_gmem_ptr(out), layout)));
}

int main() {
  example::expectations expect;

  // A tensor of 4-bit elements over plain bytes: element i is in byte i / 2, the low half first.
  std::uint8_t bytes[] = {0x10, 0x32, 0x54, 0x76};
  auto const t = make_tensor(make_gmem_ptr<uint4_t>(bytes), Layout<Shape<_2, _4>>{});
  for (int i = 0; i < size(t); ++i) expect(int(uint4_t(t(i))) == i, "element i is i");
  t(1, 3) = uint4_t(9);
  expect(bytes[3] == 0x96, "writing element (1,3) leaves its neighbour alone");

  // The same memory as bytes. The layout then counts bytes.
  example::show("recast", recast<std::uint8_t>(t).layout());

  // 16 bytes are 32 such elements. Threads never share a byte.
  std::vector<std::uint8_t> host(32 * 64 / 2);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = std::uint8_t(7 * i + 3);
  device_buffer<std::uint8_t> in(host), out(host.size());
  auto const tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, uint4_t>{},
                                          Layout<Shape<_32, _2>, Stride<_2, _1>>{}, Layout<Shape<_1, _32>>{});
  launch(four_bits<std::remove_const_t<decltype(tiled_copy)>>, {.grid = 1, .block = 64},
         reinterpret_cast<uint4_t const*>(in.data()), reinterpret_cast<uint4_t*>(out.data()), tiled_copy);
  expect(out.download() == host, "the copy's bytes");
  return expect.failed;
}
