// SPDX-License-Identifier: Apache-2.0
// copy_if: a predicate for each element, or for each vector, decides what is copied. Nothing else is accessed.
#include <cosmati/cosmati.hpp>

#include "executed.hpp"
#include "show.hpp"
using namespace cosmati;

using M = Layout<Shape<_32, _64>, Stride<_64, _1>>;

// Copies the lower triangle, j <= i, element by element or vector by vector.
template <bool by_vector, class TiledCopy>
__global__ void triangle(float const* in, float* out, TiledCopy tiled_copy) {
  auto thread = tiled_copy.get_slice(threadIdx.x);
  auto s =
      thread.partition_S(make_tensor(make_gmem_ptr(in), M{}));  // ((4,1),2,1): vector, rest of rows, rest of columns
  auto d = thread.partition_D(make_tensor(make_gmem_ptr(out), M{}));
  auto at = thread.partition_S(make_identity_tensor(shape(M{})));  // the coordinates of the same elements
  if constexpr (by_vector) {
    auto lower = make_tensor<bool>(make_shape(size<1>(s), size<2>(s)));
    for (int m = 0; m < size<1>(s); ++m) lower(m, 0) = get<1>(at(0, m, 0)) <= get<0>(at(0, m, 0));
    copy_if(tiled_copy, lower, s, d);
  } else {
    auto lower = make_tensor<bool>(shape(s));
    for (int i = 0; i < size(s); ++i) lower(i) = get<1>(at(i)) <= get<0>(at(i));
    copy_if(tiled_copy, lower, s, d);
  }
}

int main() {
  example::expectations expect;
  std::vector<float> host(32 * 64, 1.f);
  device_buffer<float> in(host);
  auto const tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{},
                                          Layout<Shape<_16, _16>, Stride<_16, _1>>{}, Layout<Shape<_1, _4>>{});
  using TC = std::remove_const_t<decltype(tiled_copy)>;
  for (bool const by_vector : {false, true}) {
    device_buffer<float> out(host.size());
    out.clear();
    auto const text = example::executed([&] {
      if (by_vector)
        launch(triangle<true, TC>, {.grid = 1, .block = 256}, in.data(), out.data(), tiled_copy);
      else
        launch(triangle<false, TC>, {.grid = 1, .block = 256}, in.data(), out.data(), tiled_copy);
    });
    auto const result = out.download();
    for (int i = 0; i < 32; ++i) {
      for (int j = 0; j < 64; ++j) {
        int const first = by_vector ? j / 4 * 4 : j;  // a vector follows its first element
        expect(result[M{}(i, j)] == (first <= i ? 1.f : 0.f), "what has a predicate that holds, and nothing else");
      }
    }
    std::printf("%s: %s\n", by_vector ? "a predicate a vector" : "a predicate an element", text.c_str());
  }
  return expect.failed;
}
