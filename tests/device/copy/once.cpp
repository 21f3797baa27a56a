// SPDX-License-Identifier: Apache-2.0
// Repeated sources, each element loaded once.
#include <cosmati/kernel/copy/once.hpp>

#include "../random_copies.hpp"
#include "../require_device.hpp"

using namespace cosmati;
using namespace random_copies;

namespace {

TEST(CopyOnce, LoadsOnceWhatIsRepeated) {
  COSMATI_REQUIRE_DEVICE();
  random_copies::strides draw(17);
  std::mt19937 random(17);
  int once = 0;
  for (int n = 0; n < 300 && !testing::Test::HasFailure(); ++n) {
    copy_problem p = draw.problem(1 << draw.below(5), 20000);
    for (int m = 1 + draw.below(p.rank); m < p.rank; m += 1 + draw.below(3)) p.mode[m].source = 0;
    p.source_offset = draw.below(17) - random_copies::span(p, true).low;
    auto const shift = [&] { return static_cast<std::size_t>(draw.one_in(2) ? 0 : draw.below(16)); };
    random_copies::expect_copied_by(p, shift(), shift(), random, [&](copy_plans const& plans) {
      random_copies::every_plan all(plans.problem);
      std::erase_if(all.list, [](copy_plan const& plan) { return !plan.launch.once; });
      if (all.list.empty()) return plans.plan[0];
      ++once;
      return all.list[random() % all.list.size()];
    });
  }
  EXPECT_GE(once, 50);
  // More places than a grid has rows; each thread then takes several places.
  copy_problem few;
  few.element_bytes = 4;
  few.push(3, 1, 1);
  few.push(70000, 0, 5);
  random_copies::expect_copied_by(few, 0, 0, random, [&](copy_plans const& plans) {
    EXPECT_EQ(plans.problem.mode[1].source, 0);
    copy_plan plan;
    plan.vector = 4;
    plan.launch = {.threads = 64, .once = true};
    return plan;
  });
}

/// How `copy_once` divides a problem with elements of `bytes` bytes.
constexpr once_windows windows_of(int bytes, std::initializer_list<copy_mode> modes, int threads) {
  copy_problem p;
  p.element_bytes = bytes;
  for (copy_mode const& m : modes) p.push(m.extent, m.source, m.target);
  return once_windows::of(p, threads);
}

TEST(CopyOnce, BlocksGoOnToWhatIsRepeated) {
  COSMATI_REQUIRE_DEVICE();
  // Three floats at 70000 adjacent places. 344 places are 258 windows of 16 bytes, more than a block's 256 threads, and
  // end at a boundary of windows.
  constexpr once_windows few = windows_of(4, {{3, 1, 1}, {70000, 0, 3}}, 256);
  static_assert(few.together == 344 && few.left == 70000 % 344 && few.in_run && few.run_modes == 2);
  static_assert(few.run_length == 1032 && few.windows == 258 && !few.turns && few.places == 204);
  static_assert(few.place[0].extent == 204 && few.place[0].target == 1032 && few.slots() == 258);
  // An eighth of the places at most, in whole windows; no places where a run has a window for each thread.
  constexpr once_windows eighth = windows_of(4, {{3, 1, 1}, {70, 0, 3}, {5, 3, 210}}, 256);
  static_assert(eighth.together == 8 && eighth.places == 9 && eighth.loaded.rank == 3 && eighth.slots() == 35);
  constexpr once_windows none = windows_of(4, {{3, 1, 1}, {1000, 4, 3}, {70000, 0, 3000}}, 256);
  static_assert(none.together == 1 && none.run_modes == 2 && none.places == 70000 && none.windows == 750);
  // As many of few places as do not turn, where runs are short.
  constexpr once_windows half = windows_of(4, {{3, 1, 1}, {11, 0, 3}}, 256);
  static_assert(half.together == 4 && half.left == 3 && half.places == 3 && !half.turns);
  // Places with gaps between them are separate slots.
  constexpr once_windows gaps = windows_of(4, {{3, 1, 1}, {70, 0, 4}}, 256);
  static_assert(gaps.together == 8 && !gaps.in_run && gaps.windows == 1 && gaps.slots() == 8 && gaps.slots_inside == 1);
  // Where runs differ in their alignment to 16 bytes, a run may have one more window, and its windows turn.
  constexpr once_windows turning = windows_of(1, {{100, 1, 1}, {7, 0, 101}}, 64);
  static_assert(turning.turns && turning.windows == 8 && turning.places == 7);
  // A first mode with gaps is copied element by element.
  static_assert(windows_of(1, {{100, 1, 2}, {7, 0, 200}}, 64).run_length == 1);
  // The number of slots stays below 2^31.
  constexpr once_windows large = windows_of(4, {{3, 1, 1}, {70000, 0, 3}, {1 << 28, 3, 210000}}, 256);
  static_assert(large.together == 1 && large.fit());
  static_assert(!windows_of(4, {{3, 1, 1}, {70, 0, 3}, {1 << 30, 3, 210}}, 256).fit());
  // One full round of the multiprocessors, and no more shares than that, because each share loads the source.
  static_assert(few.places_each(256, 132) == 1 && none.places_each(256, 132) == 199);

  std::mt19937 random(5);
  random_copies::strides draw(5);
  int once = 0;
  for (int n = 0; n < 200 && !testing::Test::HasFailure(); ++n) {
    // Few elements; places that do not all fill the last slot; then modes that are not repeated, or are repeated again.
    copy_problem p;
    p.element_bytes = 1 << draw.below(5);
    int const inner = 1 + draw.below(20), between = draw.one_in(2) ? 1 + draw.below(4) : 1,
              places = 16 + draw.below(300);
    bool const again = draw.one_in(2);
    p.push(inner, draw.one_in(2) ? 1 : 7, 1);
    p.push(between, 150, inner + 1);
    p.push(places, 0, (inner + 1) * between);
    p.push(1 + draw.below(5), again ? 0 : 1000, (inner + 1) * between * (places + 1));
    p.push(1 + draw.below(3), 5000, (inner + 1) * between * (places + 1) * 5);
    random_copies::expect_copied_by(p, 0, draw.below(16), random, [&](copy_plans const& plans) {
      random_copies::every_plan all(plans.problem);
      std::erase_if(all.list, [](copy_plan const& plan) { return !plan.launch.once; });
      once += !all.list.empty();
      return all.list.empty() ? plans.plan[0] : all.list[random() % all.list.size()];
    });
  }
  EXPECT_GE(once, 150);
}

}  // namespace
