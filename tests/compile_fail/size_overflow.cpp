// SPDX-License-Identifier: Apache-2.0
// A shape of 2^63 elements and more: no integer holds its size. With one extent fewer it does (COSMATI_FAIL=0).
// expect: size_exceeds_64_bits
// expect: check its extents
// expect 1: 1099511627776|Long, Long
// expect 2: 4294967296|Wide, Wide
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
#else
static_assert(size(Shape<Long, Int<4194304>>{}) == C<(1LL << 62)>{});
static_assert(size(Shape<_1, Shape<Wide, Int<1 << 30>>>{}) == C<(1LL << 62)>{});
static_assert(size(Shape<_0, Long>{}) == C<0LL>{});
#endif
