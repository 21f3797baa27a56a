// SPDX-License-Identifier: Apache-2.0
// Lists of what lanes have learned from other blocks, beside what a map says.
#include "clocks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

using namespace cosmati_sim;

namespace {

struct entry {
  std::size_t until, seen;
  bool met;
  bool operator==(entry const&) const = default;
};
using entries = std::map<sync_variable*, entry>;

sync_variable* variable(unsigned i) { return reinterpret_cast<sync_variable*>(std::uintptr_t{64} * (i + 1)); }

entries entries_of(foreign_references const& list) {
  entries all;
  for (foreign_reference const& f : list) all[f.from] = {f.until, f.seen, f.met};
  return all;
}

foreign_references some(std::mt19937& random, unsigned variables) {
  foreign_references list;
  for (unsigned n = random() % (variables + 1); n != 0; --n) {
    foreign_reference& f = reference_to(list, variable(random() % variables));
    f.until = random() % 10;
    f.seen = random() % 10;
    f.met = random() % 2 != 0;
  }
  return list;
}

bool is_sorted(foreign_references const& list) {
  return std::is_sorted(list.begin(), list.end(), [](auto const& a, auto const& b) { return a.from < b.from; });
}

TEST(ForeignReferences, AreAddedAsToAMap) {
  std::mt19937 random(1);
  for (int n = 0; n < 20000; ++n) {
    unsigned const variables = 1 + random() % 12;
    foreign_references to = some(random, variables);
    foreign_references const from = some(random, variables);
    bool const with_met = n % 2 == 0;
    entries expected = entries_of(to);
    for (foreign_reference const& f : from) {
      entry& e = expected.try_emplace(f.from, entry{0, 0, false}).first->second;
      e.until = std::max(e.until, f.until);
      e.met = e.met || (with_met && f.met);
    }
    add_references(to, from, with_met);
    ASSERT_TRUE(is_sorted(to));
    ASSERT_EQ(to.size(), expected.size());
    ASSERT_EQ(entries_of(to), expected);
  }
}

TEST(ForeignReferences, AreFound) {
  foreign_references list;
  for (unsigned const i : {5u, 1u, 9u, 5u, 0u, 1u}) ++reference_to(list, variable(i)).seen;
  EXPECT_TRUE(is_sorted(list));
  EXPECT_EQ(entries_of(list), (entries{{variable(0), {0, 1, false}},
                                       {variable(1), {0, 2, false}},
                                       {variable(5), {0, 2, false}},
                                       {variable(9), {0, 1, false}}}));
}

}  // namespace
