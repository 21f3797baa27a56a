// SPDX-License-Identifier: Apache-2.0
#include <cute/tensor.hpp>

int main() {
  using namespace cute;
  float data[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  auto const tensor = make_tensor(&data[0], make_layout(Shape<_2, _4>{}, LayoutRight{}));
  return tensor(1, 2) == 6 ? 0 : 1;
}
