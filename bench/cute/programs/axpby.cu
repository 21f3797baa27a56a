// SPDX-License-Identifier: Apache-2.0
// y = alpha x + beta y of half-precision fragments.
#include "../harness.hpp"

using namespace cute;

template <class TiledCopy>
__global__ void scaled_sum(half_t const* x, half_t* y, half_t alpha, half_t beta, TiledCopy tiled_copy) {
  auto rows = Layout<Shape<_64, _64>, Stride<_64, _1>>{};
  auto gX = make_tensor(make_gmem_ptr(x + 4096 * blockIdx.x), rows);
  auto gY = make_tensor(make_gmem_ptr(y + 4096 * blockIdx.x), rows);
  auto thread = tiled_copy.get_slice(static_cast<int>(threadIdx.x));
  auto from = thread.partition_S(gX);
  auto to = thread.partition_D(gY);
  auto rX = make_fragment_like(from);
  auto rY = make_fragment_like(to);
  copy(tiled_copy, from, rX);
  copy(tiled_copy, to, rY);
  axpby(alpha, rX, beta, rY);
  copy(tiled_copy, rY, to);
}

int main() {
  constexpr int tiles = 16384;
  bench::array<half_t> x(std::size_t{tiles} * 4096, 7), y(std::size_t{tiles} * 4096, 8);
  std::vector<half_t> const before = y.host;
  half_t const alpha(0.5f), beta(0.25f);
  auto tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{},
                                    Layout<Shape<_16, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _8>>{});
  return bench::run(
      "axpby", [&] { scaled_sum<<<tiles, 128>>>(x.data, y.data, alpha, beta, tiled_copy); },
      [&] {
        return bench::near(y.download(), 1e-3, [&](std::size_t i) {
          return 0.5 * static_cast<double>(static_cast<float>(x.host[i])) +
                 0.25 * static_cast<double>(static_cast<float>(before[i]));
        });
      });
}
