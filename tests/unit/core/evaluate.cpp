// SPDX-License-Identifier: Apache-2.0
// From values back to types: a static result is a type of static integers; of run-time operands only what depends on
// them is computed.
#include <gtest/gtest.h>
#include <cosmati/core/evaluate.hpp>

using namespace cosmati;

namespace {

/// Each leaf doubled, in a tuple with the number of leaves.
struct doubled {
  static constexpr detail::operand_forms operands{};
  template <class Num>
  static constexpr flat_tree<Num> apply(flat_tree<Num> const& f) {
    flat_tree<Num> r;
    r.add_open(2);
    flat_tree<Num> twice = f;
    for (int i = 0; i < f.leaves; ++i) twice.shape[i] = f.shape[i] * Num(2);
    r.append(twice);
    r.add_leaf(Num(f.leaves));
    return r;
  }
};
struct is_pair {
  static constexpr detail::operand_forms operands{};
  template <class Num>
  static constexpr bool apply(flat_tree<Num> const& f) {
    return f.rank() == 2;
  }
};
template <class T>
using result_of = decltype(detail::evaluate_tuple<doubled>(std::declval<T>()));

static_assert(std::is_same_v<result_of<_4>, tuple<_8, _1>>);
static_assert(std::is_same_v<result_of<tuple<_1, tuple<_2, tuple<>>>>, tuple<tuple<_2, tuple<_4, tuple<>>>, _2>>);
// 1, 2, 3 and more leaves are lowered apart; beyond an int a leaf is 64 bits wide.
static_assert(std::is_same_v<result_of<tuple<_1>>, tuple<tuple<_2>, _1>>);
static_assert(std::is_same_v<result_of<tuple<_1, _2, _3>>, tuple<tuple<_2, _4, _6>, _3>>);
static_assert(std::is_same_v<result_of<tuple<_1, _2, _3, _4, _5>>, tuple<tuple<_2, _4, _6, _8, _10>, _5>>);
static_assert(decltype(get<0>(result_of<Int<(1 << 30)>>{}))::value == std::int64_t{1} << 31);

TEST(Evaluate, ComputesWhatRunTimeIntegersDecide) {
  auto const r = detail::evaluate_tuple<doubled>(make_tuple(_3{}, make_tuple(21, _5{})));
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(get<0>(get<0>(r)))>, _6>);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(get<1>(get<1>(get<0>(r))))>, _10>);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(get<1>(r))>, _3>);
  EXPECT_EQ(get<0>(get<1>(get<0>(r))), 42);
  EXPECT_EQ(sizeof(r), sizeof(std::int64_t)) << "one product";
}

static_assert(detail::evaluate_bool<is_pair, tuple<_1, _2>> && !detail::evaluate_bool<is_pair, tuple<_1>>);
static_assert(!detail::operation<doubled, tuple<_1>>::is_recorded &&
              detail::operation<doubled, tuple<int>>::is_recorded);

}  // namespace
