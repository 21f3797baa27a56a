// SPDX-License-Identifier: Apache-2.0
// The width of a copy: an atom moves what it names; `copy` without an atom moves the widest vector that is proved.
#include <cosmati/cosmati.hpp>
#include <cstring>

#include "executed.hpp"
#include "show.hpp"
using namespace cosmati;

using Threads = Layout<Shape<_8, _16>, Stride<_16, _1>>;
using Values = Layout<Shape<_1, _4>>;

// 16 x 64 floats, cut by the same tiled copy each time; `how` does the copying.
template <class How, class StrideM, class StrideN>
__global__ void widths(float const* in, float* out, How how, StrideM m, StrideN n) {
  auto layout = make_layout(Shape<_16, _64>{}, make_stride(m, n));
  auto tiled_copy = make_tiled_copy(Copy_Atom<AutoVectorizingCopy, float>{}, Threads{}, Values{});
  auto thread = tiled_copy.get_slice(threadIdx.x);
  auto s = thread.partition_S(make_tensor(make_gmem_ptr(in), layout));
  auto d = thread.partition_D(make_tensor(make_gmem_ptr(out), layout));
  if constexpr (std::is_same_v<How, Underscore>)
    copy(s, d);
  else
    copy(how, s, d);
}

example::expectations expect;

template <class How, class StrideM, class StrideN>
void run(char const* name, How how, StrideM m, StrideN n, char const* wanted) {
  auto const layout = make_layout(Shape<_16, _64>{}, make_stride(m, n));
  std::vector<float> host(int(cosize(layout)));
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = float(i);
  device_buffer<float> in(host), out(host.size());
  out.clear();
  auto const text = example::executed(
      [&] { launch(widths<How, StrideM, StrideN>, {.grid = 1, .block = 128}, in.data(), out.data(), how, m, n); });
  auto const result = out.download();
  for (int i = 0; i < int(size(layout)); ++i) {
    int const at = int(layout(i));
    expect(result[at] == host[at], name);
  }
  std::printf("%-38s %s\n", name, text.c_str());
  expect(text.empty() || text == wanted, wanted);
}

int main() {
  char const* const by_16 = "256 loads of 16 bytes, 256 stores of 16 bytes";
  char const* const by_8 = "512 loads of 8 bytes, 512 stores of 8 bytes";
  char const* const by_4 = "1024 loads of 4 bytes, 1024 stores of 4 bytes";

  // An atom is an instruction: it is executed as named, or it is an error.
  run("UniversalCopy<uint128_t>", Copy_Atom<UniversalCopy<uint128_t>, float>{}, _64{}, _1{}, by_16);
  run("UniversalCopy<uint64_t>", Copy_Atom<UniversalCopy<uint64_t>, float>{}, _64{}, _1{}, by_8);
  run("UniversalCopy<float>", Copy_Atom<UniversalCopy<float>, float>{}, _64{}, _1{}, by_4);

  // Without an atom, the layout must prove that vectors are contiguous and aligned. The address is trusted if both
  // layouts are static, and tested otherwise.
  run("copy", _, _64{}, _1{}, by_16);
  run("copy, values 16 apart", _, _1{}, _16{}, by_4);
  run("copy, run-time row stride", _, 64, _1{}, by_4);

  // A policy is a promise about addresses and run-time strides.
  run("AutoVectorizingCopy, run-time stride", AutoVectorizingCopy{}, 64, _1{}, by_16);
  run("... WithAssumedAlignment<64>", AutoVectorizingCopyWithAssumedAlignment<64>{}, 64, _1{}, by_8);
  return expect.failed;
}
