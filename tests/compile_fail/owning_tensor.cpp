// SPDX-License-Identifier: Apache-2.0
// A tensor that owns its elements has its size in its type.
// expect: a tensor that owns its elements needs a layout of static integers
// expect 1: owning_tensor_needs_a_static_layout<.*tuple<int, .*C<4>|L=cosmati::Layout<cosmati::tuple<int, cosmati::_4>
// expect 2: owning_tensor_needs_a_static_layout<.*C<8>, int>|L=cosmati::Layout<cosmati::tuple<cosmati::_8, int>
// expect-lines < 20
// expect-bytes < 2000
#include <cosmati/cosmati.hpp>
using namespace cosmati;

void start(float* p, [[maybe_unused]] int rows) {
#if COSMATI_FAIL == 1
  auto held = make_tensor<float>(make_shape(rows, _4{}));
#elif COSMATI_FAIL == 2
  auto held = make_tensor<float>(make_layout(make_shape(_8{}, rows)));
#else
  auto held = make_tensor<float>(make_shape(_8{}, _4{}));
#endif
  held(0, 0) = 1.f;
  auto other = make_tensor_like(held);
  copy(make_tensor(p, Shape<_8, _4>{}), other);
  p[0] = other(1);
}
