// SPDX-License-Identifier: Apache-2.0
// A copy that is wrong by its layouts, refused by assert_verified with the numbers of the case.
// expect: verify:
// expect 1: tiles_reach_beyond_the_tensor<1, 32, 36>::first_by<1, 4>|mode=1, tile=32, extent=36.*thread=1, value=4
// expect 2: tiles_reach_beyond_the_tensor<0, 16, 20>::first_by<32, 4>|mode=0, tile=16, extent=20.*thread=32, value=4
// expect 2: give bounds to verify and copy, or choose a tile that divides EXTENT
// expect 3: element_is_written_twice<\d+, \d+>::also_by<\d+, \d+, 24>|thread=\d+, value=\d+.*offset=24
// expect 4: vector_is_not_in_a_row<(true|1), 4>::but_value<1, 16>|needed=4.*value=1, distance=16
// expect 5: vector_is_not_aligned<(false|0), 4, 34>::of<8, 0>|vector=4, offset=34.*thread=8, value=0
// expect 6: source_and_destination_shapes_differ<0, 16, 32>|mode=0, source=16, destination=32
// expect 7: bounds_exceed_the_tensor<1, 33, 32>|mode=1, bound=33, extent=32
// expect-lines < 24
// expect-bytes < 3000
#include <cosmati/analysis/verify.hpp>
#include <cosmati/cosmati.hpp>
using namespace cosmati;

template <int m, int n, int pitch = n>
using rows = Layout<Shape<Int<m>, Int<n>>, Stride<Int<pitch>, _1>>;
using Bounds = Shape<_16, Int<COSMATI_FAIL == 7 ? 33 : 31>>;
#if COSMATI_FAIL == 1
using Source = rows<16, 36>;
using Destination = rows<16, 36>;
#elif COSMATI_FAIL == 2
using Source = rows<20, 32>;
using Destination = rows<20, 32>;
#elif COSMATI_FAIL == 3
using Source = rows<16, 32>;
using Destination = rows<16, 32, 24>;
#elif COSMATI_FAIL == 4
using Source = Layout<Shape<_16, _32>>;
using Destination = rows<16, 32>;
#elif COSMATI_FAIL == 5
using Source = rows<16, 32>;
using Destination = rows<16, 32, 34>;
#elif COSMATI_FAIL == 6
using Source = rows<16, 32>;
using Destination = rows<32, 32>;
#else
using Source = rows<16, 32>;
using Destination = rows<16, 32, 36>;
#endif

constexpr auto tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{},
                                            Layout<Shape<_16, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _4>>{});
bool checked() {
#if COSMATI_FAIL == 0 || COSMATI_FAIL == 7
  return assert_verified(tiled_copy, in_global(Source{}), in_shared(Destination{}), Bounds{});
#else
  return assert_verified(tiled_copy, in_global(Source{}), in_shared(Destination{}));
#endif
}
