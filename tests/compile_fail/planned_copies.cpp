// SPDX-License-Identifier: Apache-2.0
// Types of a planned copy, of elements that are not as large as the plan's.
// expect 1: make_planned_copy<how, T>: the plan is for elements of another size.*planned_for_other_elements<BYTES PLANNED, BYTES OF T>
// expect 1: planned_for_other_elements<4, 2>|planned=4, given=2
// expect 2: planned_for_other_elements<4, 8>|planned=4, given=8
// flags nvcc: -arch=sm_90a
// expect-lines < 20
// expect-bytes < 2000
#include <cosmati/kernel/tiled_plan/planned_copy.hpp>
using namespace cosmati;

inline constexpr tiled_copy_plan plan =
    plan_copy(Layout<Shape<_256, _256>>{}, Layout<Shape<_256, _256>, Stride<_256, _1>>{}, 4, 128).plan[0];

void types() {
#if COSMATI_FAIL == 1
  auto const in = make_planned_copy<plan.in, half_t>();
#elif COSMATI_FAIL == 2
  auto const in = make_planned_copy<plan.in, double>();
#else
  auto const in = make_planned_copy<plan.in, float>();
#endif
  static_cast<void>(in);
}
