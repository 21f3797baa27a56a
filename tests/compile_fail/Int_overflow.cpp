// SPDX-License-Identifier: Apache-2.0
// Arithmetic of static integers that leaves their type. In 64 bits (COSMATI_FAIL=0) it fits.
// expect: Int overflow
// expect: 64-bit constant, such as C<(65536|1)LL>\{\} instead of Int
// expect 1: Int_product<65536, 65536>|Int_product<a, b> \[with a=65536, b=65536\]
// expect 2: Int_product<46341, 46341>|Int_product<a, b> \[with a=46341, b=46341\]
// expect 3: Int_sum<2147483647, 1>|Int_sum<a, b> \[with a=2147483647, b=1\]
// expect 4: Int_difference<-2147483647, 2>|Int_difference<a, b> \[with a=-2147483647, b=2\]
// expect 5: Int_shift<3, 30>|Int_shift<a, b> \[with a=3, b=30\]
// expect 6: Int_difference<0, -2147483648>|Int_difference<a, b> \[with a=0, b=-2147483648\]
// expect-lines < 20
// expect-bytes < 2000
#include <cosmati/cosmati.hpp>
using namespace cosmati;

template <class Side>
__global__ void corner(float* p, Side side) {
  auto pixels = side * side;
  auto tensor = make_tensor(make_gmem_ptr(p), make_shape(pixels, _2{}));
  tensor(threadIdx.x, 0) = 1.f;
}

void start(float* p) {
#if COSMATI_FAIL == 1
  launch(corner<Int<65536>>, {.grid = 1, .block = 1}, p, Int<65536>{});
#elif COSMATI_FAIL == 2
  launch(corner<Int<46341>>, {.grid = 1, .block = 1}, p, Int<46341>{});
#else
  launch(corner<C<65536LL>>, {.grid = 1, .block = 1}, p, C<65536LL>{});
  launch(corner<Int<46340>>, {.grid = 1, .block = 1}, p, Int<46340>{});
#endif
}

#if COSMATI_FAIL == 3
auto sum = Int<2147483647>{} + _1{};
#elif COSMATI_FAIL == 4
auto difference = Int<-2147483647>{} - _2{};
#elif COSMATI_FAIL == 5
auto shifted = _3{} << Int<30>{};
#elif COSMATI_FAIL == 6
auto negative = -Int<-2147483647 - 1>{};
#else
auto sum = Int<2147483646>{} + _1{};
auto difference = Int<-2147483647>{} - _1{};
auto shifted = _1{} << Int<30>{};
auto negative = -Int<-2147483647>{};
auto large = C<2147483647LL>{} + _1{};
// Sizes of layouts take 64 bits where they need them.
static_assert(size(Layout<Shape<Int<65536>, Int<65536>>>{}) == C<4294967296LL>{});
static_assert(sizeof(decltype(large)::value) == 8);
#endif
