// SPDX-License-Identifier: Apache-2.0
// A coordinate of several modes beside an integer: one sentence; one of one mode is compared by it.
// expect 1: an ArithmeticTuple is a coordinate
// expect 2: an ArithmeticTuple is a coordinate
// expect 3: one side is an integer and the other a tuple of several modes
// expect 4: one side is an integer and the other a tuple of several modes
#include <cosmati/cosmati.hpp>
using namespace cosmati;

static_assert(elem_less(make_coord(3), 4) && !elem_less(make_coord(4), 4) && elem_less(3, make_coord(4)));
static_assert(elem_leq(make_coord(4), 4) && !elem_leq(5, make_coord(4)) && elem_gtr(5, make_coord(make_coord(4))));
static_assert(decltype(elem_less(make_coord(Int<3>{}), Int<4>{}))::value);
static_assert(make_arithmetic_tuple(3) < 4 && 4 > make_arithmetic_tuple(3) && make_arithmetic_tuple(4) == 4);

bool compared() {
  [[maybe_unused]] auto const places = make_identity_tensor(make_shape(4, 8));
#if COSMATI_FAIL == 1
  return places(5) < 4;
#elif COSMATI_FAIL == 2
  return 7 == places(2, 1);
#elif COSMATI_FAIL == 3
  return elem_less(make_coord(1, 2), 4);
#elif COSMATI_FAIL == 4
  return elem_geq(4, make_coord(1, 2, 3));
#else
  return elem_less(places(5), shape(places)) && get<0>(places(5)) < 4;
#endif
}
