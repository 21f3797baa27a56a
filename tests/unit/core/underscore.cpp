// SPDX-License-Identifier: Apache-2.0
#include <cosmati/core/underscore.hpp>

#include <gtest/gtest.h>

using namespace cosmati;

namespace {

TEST(Underscore, IsFoundInTuples) {
  static_assert(is_underscore_v<Underscore> && is_underscore_v<X const&> && !is_underscore_v<Int<0>> &&
                !is_underscore_v<int>);
  static_assert(has_underscore<Underscore>::value && has_underscore<tuple<_1, tuple<int, Underscore>> const&>::value);
  static_assert(!has_underscore<tuple<_1, tuple<int, _0>>>::value && !has_underscore<tuple<>>::value);
  static_assert(all_underscore<tuple<Underscore, tuple<Underscore, X>>>::value);
  static_assert(!all_underscore<tuple<Underscore, _0>>::value && all_underscore<tuple<>>::value);
  static_assert(std::is_same_v<decltype(_), Underscore const>);
}

}  // namespace
