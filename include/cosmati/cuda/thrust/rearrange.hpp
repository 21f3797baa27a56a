// SPDX-License-Identifier: Apache-2.0
/// @file
/// Thrust's algorithms that move elements: gathers, scatters, partitions, replacements.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <algorithm>
#include <cosmati/cuda/thrust/algorithm.hpp>
#include <cstddef>
#include <utility>
#include <vector>

namespace thrust {

/// out[i] = in[map[i]]
template <class Map, class In, class Out>
requires(!detail::is_policy<Map>) Out gather(Map first, Map last, In in, Out out) {
  auto const map = detail::values_of(first, last);
  std::vector<detail::value_of<In>> values;
  values.reserve(map.size());
  for (auto const& i : map) values.push_back(in[static_cast<std::ptrdiff_t>(i)]);
  return detail::put(values, out);
}
/// out[map[i]] = in[i]
template <class In, class Map, class Out>
requires(!detail::is_policy<In>) void scatter(In first, In last, Map map, Out out) {
  auto const values = detail::values_of(first, last);
  auto const places = detail::values_of(map, static_cast<std::ptrdiff_t>(values.size()));
  for (std::size_t i = 0; i < values.size(); ++i)
    detail::put(std::vector<detail::value_of<In>>{values[i]}, out + static_cast<std::ptrdiff_t>(places[i]));
}
/// As scatter, for the elements whose stencil is not zero.
template <class In, class Map, class Stencil, class Out>
requires(!detail::is_policy<In>) void scatter_if(In first, In last, Map map, Stencil stencil, Out out) {
  auto const values = detail::values_of(first, last);
  auto const places = detail::values_of(map, static_cast<std::ptrdiff_t>(values.size()));
  auto const wanted = detail::values_of(stencil, static_cast<std::ptrdiff_t>(values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (wanted[i])
      detail::put(std::vector<detail::value_of<In>>{values[i]}, out + static_cast<std::ptrdiff_t>(places[i]));
  }
}
template <class Iterator>
requires(!detail::is_policy<Iterator>) void reverse(Iterator first, Iterator last) {
  auto values = detail::values_of(first, last);
  std::reverse(values.begin(), values.end());
  detail::put(values, first);
}
template <class In, class Out>
requires(!detail::is_policy<In>) Out reverse_copy(In first, In last, Out out) {
  auto values = detail::values_of(first, last);
  std::reverse(values.begin(), values.end());
  return detail::put(values, out);
}
template <class Iterator, class Predicate>
requires(!detail::is_policy<Iterator>) Iterator stable_partition(Iterator first, Iterator last, Predicate p) {
  detail::work_of_device const work(detail::is_of_device<Iterator>);
  auto values = detail::values_of(first, last);
  auto const middle = std::stable_partition(values.begin(), values.end(), p) - values.begin();
  detail::put(values, first);
  return first + middle;
}
template <class Iterator, class Predicate>
requires(!detail::is_policy<Iterator>) Iterator partition(Iterator first, Iterator last, Predicate p) {
  return thrust::stable_partition(first, last, p);
}
template <class Iterator, class T>
requires(!detail::is_policy<Iterator>) void replace(Iterator first, Iterator last, T const& old_value,
                                                    T const& new_value) {
  auto values = detail::values_of(first, last);
  std::replace(values.begin(), values.end(), static_cast<detail::value_of<Iterator>>(old_value),
               static_cast<detail::value_of<Iterator>>(new_value));
  detail::put(values, first);
}
template <class Iterator, class Predicate, class T>
requires(!detail::is_policy<Iterator>) void replace_if(Iterator first, Iterator last, Predicate p, T const& value) {
  detail::work_of_device const work(detail::is_of_device<Iterator>);
  auto values = detail::values_of(first, last);
  std::replace_if(values.begin(), values.end(), p, static_cast<detail::value_of<Iterator>>(value));
  detail::put(values, first);
}
/// Element i becomes f(i).
template <class Iterator, class Function>
requires(!detail::is_policy<Iterator>) void tabulate(Iterator first, Iterator last, Function f) {
  detail::work_of_device const work(detail::is_of_device<Iterator>);
  std::vector<detail::value_of<Iterator>> values;
  for (std::ptrdiff_t i = 0; i < last - first; ++i) values.push_back(static_cast<detail::value_of<Iterator>>(f(i)));
  detail::put(values, first);
}
/// Transforms the elements whose stencil the predicate accepts; the others of the output stay.
template <class In, class Stencil, class Out, class Function, class Predicate>
requires(!detail::is_policy<In>) Out
    transform_if(In first, In last, Stencil stencil, Out out, Function f, Predicate p) {
  detail::work_of_device const work(detail::is_of_device<In>);
  auto const values = detail::values_of(first, last);
  auto const asked = detail::values_of(stencil, static_cast<std::ptrdiff_t>(values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (p(asked[i]))
      detail::put(std::vector<detail::value_of<Out>>{static_cast<detail::value_of<Out>>(f(values[i]))},
                  out + static_cast<std::ptrdiff_t>(i));
  }
  return out + static_cast<std::ptrdiff_t>(values.size());
}
template <class Iterator, class T>
requires(!detail::is_policy<Iterator>) Iterator remove(Iterator first, Iterator last, T const& value) {
  auto values = detail::values_of(first, last);
  std::erase(values, value);
  return detail::put(values, first);
}
template <class In, class Out>
requires(!detail::is_policy<In>) Out unique_copy(In first, In last, Out out) {
  auto values = detail::values_of(first, last);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return detail::put(values, out);
}
/// Both ranges are sorted, and so is the output.
template <class In, class In2, class Out, class Less = less<>>
requires(!detail::is_policy<In>) Out merge(In first, In last, In2 first2, In2 last2, Out out, Less before = {}) {
  detail::work_of_device const work(detail::is_of_device<In>);
  auto const a = detail::values_of(first, last);
  auto const b = detail::values_of(first2, last2);
  std::vector<detail::value_of<Out>> merged;
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(merged), before);
  return detail::put(merged, out);
}

}  // namespace thrust

#endif

#include <cosmati/core/macros_end.hpp>
