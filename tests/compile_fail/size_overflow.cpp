// SPDX-License-Identifier: Apache-2.0
// A shape of 2^63 elements and more: no integer holds its size; or its strides. With one extent fewer it does
// (COSMATI_FAIL=0).
// expect: exceeds_64_bits
// expect: check its extents
// expect 1: 1099511627776|Long, Long
// expect 2: 4294967296|Wide, Wide
// expect 3: stride_exceeds_64_bits<1000000000000000L?, 100000L?, .*C<100000>|stride=1000000000000000L, extent=100000L
// expect 4: stride_exceeds_64_bits<1099511627776L?, 1073741824L?, .*C<1099511627776|stride=1099511627776L, extent=1073741824L
// expect-lines < 25
// expect-bytes < 3000
#include <cosmati/cosmati.hpp>
using namespace cosmati;

using Long = C<(1LL << 40)>;
using Wide = C<(1LL << 32)>;

#if COSMATI_FAIL == 1
auto elements = size(Shape<Long, Long>{});
#elif COSMATI_FAIL == 2
auto elements = size(Shape<_2, Shape<Wide, Wide>>{});
#elif COSMATI_FAIL == 3
using Hundred = Int<100000>;
auto layout = make_layout(Shape<Hundred, Hundred, Shape<Hundred, Hundred>, Hundred>{});
#elif COSMATI_FAIL == 4
auto layout_of(int n) { return make_layout(make_shape(n, Int<1 << 30>{}, Long{}), LayoutRight{}); }
int elements = static_cast<int>(size(layout_of(3)));
#else
static_assert(get<1>(make_layout(Shape<_2, Shape<Int<1 << 20>, Long>>{}).stride<1>()) == C<(1LL << 21)>{});
[[maybe_unused]] auto layout_of(int n) { return make_layout(make_shape(n, Int<1 << 20>{}, Long{}), LayoutRight{}); }
static_assert(size(Shape<Long, Int<4194304>>{}) == C<(1LL << 62)>{});
static_assert(size(Shape<_1, Shape<Wide, Int<1 << 30>>>{}) == C<(1LL << 62)>{});
static_assert(size(Shape<_0, Long>{}) == C<0LL>{});
#endif
