// SPDX-License-Identifier: Apache-2.0
// What operations took for granted of run-time integers: each check passes what is right, and names the numbers of what
// is not.
#include <gtest/gtest.h>
#include <cosmati/layout/make_layout.hpp>
#include <cosmati/layout/operations.hpp>
#include <cosmati/layout/run_time_checks.hpp>

#include "sim/message.hpp"

using namespace cosmati;
using algebra::run_time_check;

namespace {

static_assert(detail::run_time_integers_are_checked, "on the simulated device");

void look(run_time_check::kind what, long long a, long long b, long long extent = 2) {
  run_time_check check;
  check.what = what;
  detail::check_integers(check, a, b, extent);
}

TEST(RunTimeChecks, OfIntegers) {
  EXPECT_NO_THROW(look(run_time_check::groups, 8, 4));
  EXPECT_NO_THROW(look(run_time_check::groups, -2, 4));
  EXPECT_NO_THROW(look(run_time_check::groups, 0, 4));
  EXPECT_MESSAGE(look(run_time_check::groups, 6, 4), "no groups of 4 elements can be made of a mode of stride 6");
  EXPECT_NO_THROW(look(run_time_check::whole_groups, -8, 4));
  EXPECT_MESSAGE(look(run_time_check::whole_groups, 2, 4), "groups of 4 elements meet a stride of 2");
  EXPECT_NO_THROW(look(run_time_check::parts, 2, 4));
  EXPECT_MESSAGE(look(run_time_check::parts, -1, 4, 5), "a mode of 5 elements has stride -1");
  EXPECT_NO_THROW(look(run_time_check::tiles, 12, 4));
  EXPECT_MESSAGE(look(run_time_check::tiles, 12, 5),
                 "a mode of the block has 5 elements, which does not divide the target's 12");
  EXPECT_MESSAGE(look(run_time_check::tiles, 12, 0), "has 0 elements");
  EXPECT_NO_THROW(look(run_time_check::reach, 4, 4));
  EXPECT_MESSAGE(look(run_time_check::reach, 3, 4), "a mode of stride 3 begins below 4");
}

TEST(RunTimeChecks, AnExtentOf1BreaksNothing) {
  for (auto const what : {run_time_check::groups, run_time_check::whole_groups, run_time_check::parts,
                          run_time_check::tiles, run_time_check::reach})
    EXPECT_NO_THROW(look(what, 1, 3, 1));
}

// 8 elements of a layout (4, 6):(n, 1), by strides that a mode of 4 divides or does not.
TEST(RunTimeChecks, OfCompositions) {
  int const extent = 4, stride = 3;
  auto const left = make_layout(make_shape(extent, 6), make_stride(6, 1));
  EXPECT_NO_THROW(static_cast<void>(composition(left, make_layout(2, 2))));
  EXPECT_MESSAGE(static_cast<void>(composition(left, make_layout(4, stride))),
                 "at run time a right stride leaves 3 to step over a left mode of extent 4");
  EXPECT_MESSAGE(static_cast<void>(composition(left, make_layout(6, 1))),
                 "at run time 6 elements of a right mode remain where a left mode offers 4");
}

TEST(RunTimeChecks, OfComplementsAndRecasts) {
  int const stride = 2;
  EXPECT_NO_THROW(static_cast<void>(upcast<4>(make_layout(make_shape(8), make_stride(4 * stride)))));
  EXPECT_MESSAGE(static_cast<void>(upcast<4>(make_layout(make_shape(8), make_stride(3 * stride)))),
                 "no groups of 4 elements can be made of a mode of stride 6");
}

}  // namespace
