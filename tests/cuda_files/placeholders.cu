// SPDX-License-Identifier: Apache-2.0
// Thrust's placeholders: functions of one argument and of several, which algorithms call on the host and the device.
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>
#include <cstdio>

#include "expectations.cuh"

using namespace thrust::placeholders;

void by_algorithms() {
  thrust::device_vector<float> x{1, 2, 3, 4}, y(4, 10.f);
  thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), 2.f * _1 + _2);
  thrust::for_each(x.begin(), x.end(), _1 += 1);
  expect("two arguments", y[0] == 12.f && y[1] == 14.f && y[3] == 18.f);
  expect("an argument that changes", x[0] == 2.f && x[3] == 5.f);
  expect("a sum", thrust::reduce(x.begin(), x.end(), 100.f, _1 + _2 - 1) == 110.f);
  expect("a condition", thrust::count_if(y.begin(), y.end(), !(_1 > 13.f) && _1 != 12.f) == 0);
  thrust::host_vector<int> h{5, 6, 7};
  thrust::transform(h.begin(), h.end(), h.begin(), (_1 << 1) | 1);
  expect("on the host", h[0] == 11 && h[1] == 13 && h[2] == 15);
}

void by_calls() {
  expect("signs and remainders", (-_1 % _2)(7, 4) == -3);
  expect("bits", ((_1 & ~_2) ^ _3)(15, 4, 1) == 10);
  expect("shifts", ((_1 << _2) + 0)(5, 3) == 40);
  expect("comparisons", (_1 <= _2 && _2 < _3)(2, 2, 3) && !(_1 >= _2 || _1 == _2)(1, 2));
  expect("the third argument", (_3 - _1)(1, 50, 9) == 8);
  int x = 6;
  (_1 *= _2)(x, 7);
  (_1 /= 2)(x);
  expect("assignments", x == 21);
}

int main() {
  by_algorithms();
  by_calls();
  std::printf("%d wrong\n", wrong);
  return wrong;
}
