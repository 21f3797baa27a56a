// SPDX-License-Identifier: Apache-2.0
/// @file
/// Thrust's searches, questions about ranges, and operations of sorted ranges as sets.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <algorithm>
#include <cosmati/cuda/thrust/algorithm.hpp>
#include <cstddef>
#include <utility>
#include <vector>

namespace thrust {

template <class Iterator, class Predicate>
requires(!detail::is_policy<Iterator>) Iterator find_if(Iterator first, Iterator last, Predicate p) {
  detail::work_of_device const work(detail::is_of_device<Iterator>);
  auto const values = detail::values_of(first, last);
  return first + (std::find_if(values.begin(), values.end(), p) - values.begin());
}
template <class Iterator, class Predicate>
requires(!detail::is_policy<Iterator>) Iterator find_if_not(Iterator first, Iterator last, Predicate p) {
  detail::work_of_device const work(detail::is_of_device<Iterator>);
  auto const values = detail::values_of(first, last);
  return first + (std::find_if_not(values.begin(), values.end(), p) - values.begin());
}
template <class Iterator, class T>
requires(!detail::is_policy<Iterator>) Iterator find(Iterator first, Iterator last, T const& value) {
  auto const values = detail::values_of(first, last);
  return first + (std::find(values.begin(), values.end(), value) - values.begin());
}
template <class Iterator, class Predicate>
requires(!detail::is_policy<Iterator>) bool all_of(Iterator first, Iterator last, Predicate p) {
  detail::work_of_device const work(detail::is_of_device<Iterator>);
  auto const values = detail::values_of(first, last);
  return std::all_of(values.begin(), values.end(), p);
}
template <class Iterator, class Predicate>
requires(!detail::is_policy<Iterator>) bool any_of(Iterator first, Iterator last, Predicate p) {
  detail::work_of_device const work(detail::is_of_device<Iterator>);
  auto const values = detail::values_of(first, last);
  return std::any_of(values.begin(), values.end(), p);
}
template <class Iterator, class Predicate>
requires(!detail::is_policy<Iterator>) bool none_of(Iterator first, Iterator last, Predicate p) {
  detail::work_of_device const work(detail::is_of_device<Iterator>);
  auto const values = detail::values_of(first, last);
  return std::none_of(values.begin(), values.end(), p);
}
template <class In, class In2>
requires(!detail::is_policy<In>) std::pair<In, In2> mismatch(In first, In last, In2 other) {
  auto const a = detail::values_of(first, last);
  auto const b = detail::values_of(other, static_cast<std::ptrdiff_t>(a.size()));
  auto const at = std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin();
  return {first + at, other + at};
}
template <class Iterator, class Less = less<>>
requires(!detail::is_policy<Iterator>) bool is_sorted(Iterator first, Iterator last, Less before = {}) {
  detail::work_of_device const work(detail::is_of_device<Iterator>);
  auto const values = detail::values_of(first, last);
  return std::is_sorted(values.begin(), values.end(), before);
}

/// @name Searches in a sorted range: of one value, or of each value of another range
/// @{
template <class Iterator, class T>
requires(!detail::is_policy<Iterator>) Iterator lower_bound(Iterator first, Iterator last, T const& value) {
  auto const values = detail::values_of(first, last);
  return first + (std::lower_bound(values.begin(), values.end(), static_cast<detail::value_of<Iterator>>(value)) -
                  values.begin());
}
template <class Iterator, class Wanted, class Out>
requires(!detail::is_policy<Iterator>) Out
    lower_bound(Iterator first, Iterator last, Wanted begin, Wanted end, Out out) {
  auto const values = detail::values_of(first, last);
  std::vector<detail::value_of<Out>> places;
  for (auto const& v : detail::values_of(begin, end))
    places.push_back(
        static_cast<detail::value_of<Out>>(std::lower_bound(values.begin(), values.end(), v) - values.begin()));
  return detail::put(places, out);
}
template <class Iterator, class T>
requires(!detail::is_policy<Iterator>) Iterator upper_bound(Iterator first, Iterator last, T const& value) {
  auto const values = detail::values_of(first, last);
  return first + (std::upper_bound(values.begin(), values.end(), static_cast<detail::value_of<Iterator>>(value)) -
                  values.begin());
}
template <class Iterator, class Wanted, class Out>
requires(!detail::is_policy<Iterator>) Out
    upper_bound(Iterator first, Iterator last, Wanted begin, Wanted end, Out out) {
  auto const values = detail::values_of(first, last);
  std::vector<detail::value_of<Out>> places;
  for (auto const& v : detail::values_of(begin, end))
    places.push_back(
        static_cast<detail::value_of<Out>>(std::upper_bound(values.begin(), values.end(), v) - values.begin()));
  return detail::put(places, out);
}
template <class Iterator, class T>
requires(!detail::is_policy<Iterator>) bool binary_search(Iterator first, Iterator last, T const& value) {
  auto const values = detail::values_of(first, last);
  return std::binary_search(values.begin(), values.end(), static_cast<detail::value_of<Iterator>>(value));
}
template <class Iterator, class Wanted, class Out>
requires(!detail::is_policy<Iterator>) Out
    binary_search(Iterator first, Iterator last, Wanted begin, Wanted end, Out out) {
  auto const values = detail::values_of(first, last);
  std::vector<detail::value_of<Out>> found;
  for (auto const& v : detail::values_of(begin, end))
    found.push_back(static_cast<detail::value_of<Out>>(std::binary_search(values.begin(), values.end(), v)));
  return detail::put(found, out);
}
/// @}

/// @name Sorted ranges as sets
/// @{
namespace detail {
/// What a function of the standard library makes of two sorted ranges. @param combine (begin, end, begin, end, out)
template <class In, class In2, class Out, class Combine>
Out put_combined(In first, In last, In2 first2, In2 last2, Out out, Combine const& combine) {
  auto const a = values_of(first, last);
  auto const b = values_of(first2, last2);
  std::vector<value_of<Out>> result;
  combine(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return put(result, out);
}
}  // namespace detail
template <class In, class In2, class Out>
requires(!detail::is_policy<In>) Out set_union(In first, In last, In2 first2, In2 last2, Out out) {
  return detail::put_combined(first, last, first2, last2, out, [](auto... ranges) { std::set_union(ranges...); });
}
template <class In, class In2, class Out>
requires(!detail::is_policy<In>) Out set_intersection(In first, In last, In2 first2, In2 last2, Out out) {
  return detail::put_combined(first, last, first2, last2, out,
                              [](auto... ranges) { std::set_intersection(ranges...); });
}
template <class In, class In2, class Out>
requires(!detail::is_policy<In>) Out set_difference(In first, In last, In2 first2, In2 last2, Out out) {
  return detail::put_combined(first, last, first2, last2, out, [](auto... ranges) { std::set_difference(ranges...); });
}
template <class In, class In2, class Out>
requires(!detail::is_policy<In>) Out set_symmetric_difference(In first, In last, In2 first2, In2 last2, Out out) {
  return detail::put_combined(first, last, first2, last2, out,
                              [](auto... ranges) { std::set_symmetric_difference(ranges...); });
}
/// @}

}  // namespace thrust

#endif

#include <cosmati/core/macros_end.hpp>
