// SPDX-License-Identifier: Apache-2.0
#include <cosmati/core/integer_sequence.hpp>

#include <gtest/gtest.h>

namespace {

using namespace cosmati;

TEST(integer_sequence, of_a_range_and_reversed) {
  static_assert(std::is_same_v<make_seq<3>, seq<0, 1, 2>> && std::is_same_v<make_seq<0>, seq<>>);
  static_assert(std::is_same_v<make_range<2, 5>, int_sequence<2, 3, 4>> && std::is_same_v<make_range<5, 2>, seq<>>);
  static_assert(std::is_same_v<make_int_range<-1, 1>, seq<-1, 0>>);
  static_assert(std::is_same_v<make_rseq<3>, seq<2, 1, 0>> && std::is_same_v<make_rseq<0>, seq<>>);
  static_assert(std::is_same_v<make_index_range<1, 3>, index_sequence<1, 2>>);
  static_assert(std::is_same_v<make_index_rsequence<2>, std::index_sequence<1, 0>>);
}

TEST(integer_sequence, of_a_tuple) {
  static_assert(std::is_same_v<tuple_seq<tuple<int, _2>>, seq<0, 1>> && std::is_same_v<tuple_seq<tuple<>>, seq<>>);
  static_assert(std::is_same_v<tuple_rseq<tuple<int, _2, _3> const&>, seq<2, 1, 0>>);
  static_assert(std::is_same_v<tuple_seq<int>, seq<0>>);
  static_assert(std::is_same_v<to_seq_t<tuple<_4, _7>>, seq<4, 7>> && std::is_same_v<to_seq_t<seq<3, 1>>, seq<3, 1>>);
}

TEST(integer_sequence, is_a_tuple_of_static_integers) {
  static_assert(std::is_same_v<decltype(get<1>(seq<4, 7>{})), _7> && tuple_size_v<seq<4, 7>> == 2);
  static_assert(std::is_same_v<tuple_element_t<0, seq<4, 7>>, _4> && is_tuple_v<seq<>>);
  static_assert(get<5>(seq<9, 8, 7, 6, 5, 4>{}) == 4);
}

}  // namespace
