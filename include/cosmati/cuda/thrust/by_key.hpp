// SPDX-License-Identifier: Apache-2.0
/// @file
/// Thrust's scans and reductions by key, scans of transformed elements, and differences of neighbours.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <algorithm>
#include <cosmati/cuda/thrust/algorithm.hpp>
#include <cstddef>
#include <utility>
#include <vector>

namespace thrust {

/// The keys of each run of equal keys, and the reduction of its values. @return the ends of both outputs
template <class Keys, class Values, class OutKeys, class OutValues, class Equal = equal_to<>, class Function = plus<>>
requires(!detail::is_policy<Keys>) std::pair<OutKeys, OutValues> reduce_by_key(Keys first, Keys last, Values values,
                                                                               OutKeys out_keys, OutValues out_values,
                                                                               Equal same = {}, Function f = {}) {
  detail::work_of_device const work(detail::is_of_device<Keys>);
  auto const k = detail::values_of(first, last);
  auto const v = detail::values_of(values, static_cast<std::ptrdiff_t>(k.size()));
  std::vector<detail::value_of<Keys>> run_keys;
  std::vector<detail::value_of<Values>> sums;
  for (std::size_t i = 0; i < k.size(); ++i) {
    if (i > 0 && same(k[i - 1], k[i])) {
      sums.back() = f(sums.back(), v[i]);
    } else {
      run_keys.push_back(k[i]);
      sums.push_back(v[i]);
    }
  }
  return {detail::put(run_keys, out_keys), detail::put(sums, out_values)};
}
template <class Keys, class Values, class Out, class Equal = equal_to<>, class Function = plus<>>
requires(!detail::is_policy<Keys>) Out
    inclusive_scan_by_key(Keys first, Keys last, Values values, Out out, Equal same = {}, Function f = {}) {
  detail::work_of_device const work(detail::is_of_device<Keys>);
  auto const k = detail::values_of(first, last);
  auto v = detail::values_of(values, static_cast<std::ptrdiff_t>(k.size()));
  for (std::size_t i = 1; i < k.size(); ++i) {
    if (same(k[i - 1], k[i])) v[i] = f(v[i - 1], v[i]);
  }
  return detail::put(v, out);
}
template <class Keys, class Values, class Out, class T = detail::value_of<Values>, class Equal = equal_to<>,
          class Function = plus<>>
requires(!detail::is_policy<Keys>) Out exclusive_scan_by_key(Keys first, Keys last, Values values, Out out, T init = {},
                                                             Equal same = {}, Function f = {}) {
  detail::work_of_device const work(detail::is_of_device<Keys>);
  auto const k = detail::values_of(first, last);
  auto const v = detail::values_of(values, static_cast<std::ptrdiff_t>(k.size()));
  std::vector<T> sums;
  T sum = init;
  for (std::size_t i = 0; i < k.size(); ++i) {
    if (i > 0 && !same(k[i - 1], k[i])) sum = init;
    sums.push_back(sum);
    sum = f(sum, v[i]);
  }
  return detail::put(sums, out);
}
/// Keeps the first key of each run of equal keys, and its value.
template <class Keys, class Values>
requires(!detail::is_policy<Keys>) std::pair<Keys, Values> unique_by_key(Keys first, Keys last, Values values) {
  auto const k = detail::values_of(first, last);
  auto const v = detail::values_of(values, static_cast<std::ptrdiff_t>(k.size()));
  std::vector<detail::value_of<Keys>> kept_keys;
  std::vector<detail::value_of<Values>> kept;
  for (std::size_t i = 0; i < k.size(); ++i) {
    if (i > 0 && k[i - 1] == k[i]) continue;
    kept_keys.push_back(k[i]);
    kept.push_back(v[i]);
  }
  return {detail::put(kept_keys, first), detail::put(kept, values)};
}
template <class In, class Out, class Unary, class Function>
requires(!detail::is_policy<In>) Out transform_inclusive_scan(In first, In last, Out out, Unary u, Function f) {
  detail::work_of_device const work(detail::is_of_device<In>);
  auto const values = detail::values_of(first, last);
  std::vector<detail::value_of<Out>> sums;
  for (auto const& v : values) {
    auto const next = static_cast<detail::value_of<Out>>(u(v));
    sums.push_back(sums.empty() ? next : static_cast<detail::value_of<Out>>(f(sums.back(), next)));
  }
  return detail::put(sums, out);
}
template <class In, class Out, class Unary, class T, class Function>
requires(!detail::is_policy<In>) Out transform_exclusive_scan(In first, In last, Out out, Unary u, T init, Function f) {
  detail::work_of_device const work(detail::is_of_device<In>);
  std::vector<T> sums;
  for (auto const& v : detail::values_of(first, last)) {
    sums.push_back(init);
    init = f(init, u(v));
  }
  return detail::put(sums, out);
}
/// out[0] = in[0], out[i] = f(in[i], in[i - 1])
template <class In, class Out, class Function = minus<>>
requires(!detail::is_policy<In>) Out adjacent_difference(In first, In last, Out out, Function f = {}) {
  detail::work_of_device const work(detail::is_of_device<In>);
  auto const values = detail::values_of(first, last);
  std::vector<detail::value_of<Out>> results;
  for (std::size_t i = 0; i < values.size(); ++i)
    results.push_back(static_cast<detail::value_of<Out>>(i == 0 ? values[0] : f(values[i], values[i - 1])));
  return detail::put(results, out);
}

}  // namespace thrust

#endif

#include <cosmati/core/macros_end.hpp>
