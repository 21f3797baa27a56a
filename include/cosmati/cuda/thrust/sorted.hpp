// SPDX-License-Identifier: Apache-2.0
/// @file
/// Thrust's merges and sets of sorted keys with their values, its functions of sorted ranges with an order of the
/// program, and unique keys.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <algorithm>
#include <cosmati/cuda/thrust/algorithm.hpp>
#include <cosmati/cuda/thrust/search.hpp>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace thrust {

namespace detail {

/// Keys with their values, on the host.
template <class Keys, class Values>
auto pairs_of(Keys first, Keys last, Values values) {
  auto const k = values_of(first, last);
  auto const v = values_of(values, static_cast<std::ptrdiff_t>(k.size()));
  std::vector<std::pair<value_of<Keys>, value_of<Values>>> pairs;
  pairs.reserve(k.size());
  for (std::size_t i = 0; i < k.size(); ++i) pairs.emplace_back(k[i], v[i]);
  return pairs;
}
/// @return the ends of both outputs
template <class Pairs, class OutKeys, class OutValues>
std::pair<OutKeys, OutValues> put_pairs(Pairs const& pairs, OutKeys out_keys, OutValues out_values) {
  std::vector<value_of<OutKeys>> keys;
  std::vector<value_of<OutValues>> values;
  for (auto const& [k, v] : pairs) {
    keys.push_back(static_cast<value_of<OutKeys>>(k));
    values.push_back(static_cast<value_of<OutValues>>(v));
  }
  return {put(keys, out_keys), put(values, out_values)};
}
/// What a function of the standard library makes of two sorted lists of pairs.
template <class Pairs, class OutKeys, class OutValues, class Less, class Combine>
std::pair<OutKeys, OutValues> combine_pairs(Pairs const& a, Pairs const& b, OutKeys out_keys, OutValues out_values,
                                            Less before, Combine const& combine) {
  Pairs result;
  combine(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result),
          [&](auto const& x, auto const& y) { return before(x.first, y.first); });
  return put_pairs(result, out_keys, out_values);
}

}  // namespace detail

/// @name Merges and sets of sorted keys. A value comes with its key; of equal keys, the first list's come first
/// @{
template <class Keys, class Keys2, class Values, class Values2, class OutKeys, class OutValues, class Less = less<>>
requires(!detail::is_policy<Keys>) std::pair<OutKeys, OutValues> merge_by_key(Keys first, Keys last, Keys2 first2,
                                                                              Keys2 last2, Values values,
                                                                              Values2 values2, OutKeys out_keys,
                                                                              OutValues out_values, Less before = {}) {
  detail::work_of_device const work(detail::is_of_device<Keys>);
  return detail::combine_pairs(detail::pairs_of(first, last, values), detail::pairs_of(first2, last2, values2),
                               out_keys, out_values, before, [](auto... x) { std::merge(x...); });
}
template <class Keys, class Keys2, class Values, class Values2, class OutKeys, class OutValues, class Less = less<>>
requires(!detail::is_policy<Keys>) std::pair<OutKeys, OutValues> set_union_by_key(Keys first, Keys last, Keys2 first2,
                                                                                  Keys2 last2, Values values,
                                                                                  Values2 values2, OutKeys out_keys,
                                                                                  OutValues out_values,
                                                                                  Less before = {}) {
  detail::work_of_device const work(detail::is_of_device<Keys>);
  return detail::combine_pairs(detail::pairs_of(first, last, values), detail::pairs_of(first2, last2, values2),
                               out_keys, out_values, before, [](auto... x) { std::set_union(x...); });
}
template <class Keys, class Keys2, class Values, class Values2, class OutKeys, class OutValues, class Less = less<>>
requires(!detail::is_policy<Keys>) std::pair<OutKeys, OutValues> set_difference_by_key(
    Keys first, Keys last, Keys2 first2, Keys2 last2, Values values, Values2 values2, OutKeys out_keys,
    OutValues out_values, Less before = {}) {
  detail::work_of_device const work(detail::is_of_device<Keys>);
  return detail::combine_pairs(detail::pairs_of(first, last, values), detail::pairs_of(first2, last2, values2),
                               out_keys, out_values, before, [](auto... x) { std::set_difference(x...); });
}
template <class Keys, class Keys2, class Values, class Values2, class OutKeys, class OutValues, class Less = less<>>
requires(!detail::is_policy<Keys>) std::pair<OutKeys, OutValues> set_symmetric_difference_by_key(
    Keys first, Keys last, Keys2 first2, Keys2 last2, Values values, Values2 values2, OutKeys out_keys,
    OutValues out_values, Less before = {}) {
  detail::work_of_device const work(detail::is_of_device<Keys>);
  return detail::combine_pairs(detail::pairs_of(first, last, values), detail::pairs_of(first2, last2, values2),
                               out_keys, out_values, before, [](auto... x) { std::set_symmetric_difference(x...); });
}
/// The second list has keys only, because the values are the first one's.
template <class Keys, class Keys2, class Values, class OutKeys, class OutValues, class Less = less<>>
requires(!detail::is_policy<Keys>) std::pair<OutKeys, OutValues> set_intersection_by_key(
    Keys first, Keys last, Keys2 first2, Keys2 last2, Values values, OutKeys out_keys, OutValues out_values,
    Less before = {}) {
  detail::work_of_device const work(detail::is_of_device<Keys>);
  auto const a = detail::pairs_of(first, last, values);
  auto b = a;
  b.clear();
  for (auto const& k : detail::values_of(first2, last2)) b.emplace_back(k, detail::value_of<Values>{});
  return detail::combine_pairs(a, b, out_keys, out_values, before, [](auto... x) { std::set_intersection(x...); });
}
/// @}

/// @name Sorted ranges as sets, in an order of the program
/// @{
template <class In, class In2, class Out, class Less>
requires(!detail::is_policy<In>) Out set_union(In first, In last, In2 first2, In2 last2, Out out, Less before) {
  detail::work_of_device const work(detail::is_of_device<In>);
  return detail::put_combined(first, last, first2, last2, out, [&](auto... x) { std::set_union(x..., before); });
}
template <class In, class In2, class Out, class Less>
requires(!detail::is_policy<In>) Out set_intersection(In first, In last, In2 first2, In2 last2, Out out, Less before) {
  detail::work_of_device const work(detail::is_of_device<In>);
  return detail::put_combined(first, last, first2, last2, out, [&](auto... x) { std::set_intersection(x..., before); });
}
template <class In, class In2, class Out, class Less>
requires(!detail::is_policy<In>) Out set_difference(In first, In last, In2 first2, In2 last2, Out out, Less before) {
  detail::work_of_device const work(detail::is_of_device<In>);
  return detail::put_combined(first, last, first2, last2, out, [&](auto... x) { std::set_difference(x..., before); });
}
template <class In, class In2, class Out, class Less>
requires(!detail::is_policy<In>) Out
    set_symmetric_difference(In first, In last, In2 first2, In2 last2, Out out, Less before) {
  detail::work_of_device const work(detail::is_of_device<In>);
  return detail::put_combined(first, last, first2, last2, out,
                              [&](auto... x) { std::set_symmetric_difference(x..., before); });
}
/// @}

template <class Iterator, class Less = less<>>
requires(!detail::is_policy<Iterator>) Iterator is_sorted_until(Iterator first, Iterator last, Less before = {}) {
  detail::work_of_device const work(detail::is_of_device<Iterator>);
  auto const values = detail::values_of(first, last);
  return first + (std::is_sorted_until(values.begin(), values.end(), before) - values.begin());
}
template <class Iterator, class T, class Less = less<>>
requires(!detail::is_policy<Iterator>) std::pair<Iterator, Iterator> equal_range(Iterator first, Iterator last,
                                                                                 T const& value, Less before = {}) {
  detail::work_of_device const work(detail::is_of_device<Iterator>);
  auto const values = detail::values_of(first, last);
  auto const found =
      std::equal_range(values.begin(), values.end(), static_cast<detail::value_of<Iterator>>(value), before);
  return {first + (found.first - values.begin()), first + (found.second - values.begin())};
}
template <class Keys, class Values, class Less = less<>>
requires(!detail::is_policy<Keys>) void stable_sort_by_key(Keys first, Keys last, Values values, Less before = {}) {
  thrust::sort_by_key(first, last, values, before);
}

/// @name The first key of each run of equal keys, and its value. @return the ends of both outputs
/// @{
template <class Keys, class Values, class OutKeys, class OutValues, class Equal = equal_to<>>
requires(!detail::is_policy<Keys>) std::pair<OutKeys, OutValues> unique_by_key_copy(Keys first, Keys last,
                                                                                    Values values, OutKeys out_keys,
                                                                                    OutValues out_values,
                                                                                    Equal same = {}) {
  detail::work_of_device const work(detail::is_of_device<Keys>);
  auto pairs = detail::pairs_of(first, last, values);
  auto const end =
      std::unique(pairs.begin(), pairs.end(), [&](auto const& x, auto const& y) { return same(x.first, y.first); });
  pairs.erase(end, pairs.end());
  return detail::put_pairs(pairs, out_keys, out_values);
}
template <class Keys, class Values, class Equal>
requires(!detail::is_policy<Keys>) std::pair<Keys, Values> unique_by_key(Keys first, Keys last, Values values,
                                                                         Equal same) {
  return thrust::unique_by_key_copy(first, last, values, first, values, same);
}
/// @}

}  // namespace thrust

#endif

#include <cosmati/core/macros_end.hpp>
