// SPDX-License-Identifier: Apache-2.0
/// @file
/// Thrust's algorithms. They download what is in memory of the device, work on the host, and upload the result.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <algorithm>
#include <cosmati/cuda/stream.hpp>
#include <cosmati/cuda/thrust/device_ptr.hpp>
#include <cosmati/cuda/thrust/functional.hpp>
#include <cosmati/cuda/thrust/iterators.hpp>
#include <cosmati/cuda/thrust/vector.hpp>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

namespace thrust {

/// Where an algorithm works. All work on the host here.
struct execution_policy {
  execution_policy on(cudaStream_t stream) const {
    cudaStreamSynchronize(stream);
    return *this;
  }
  template <class Allocator>
  execution_policy operator()(Allocator const&) const {
    return *this;
  }
};
inline constexpr execution_policy host, device, seq;
namespace cuda {
inline constexpr execution_policy par, par_nosync;
}
namespace omp {
inline constexpr execution_policy par;
}

namespace detail {

template <class Iterator>
using value_of = typename std::iterator_traits<Iterator>::value_type;

template <class T>
inline constexpr bool is_policy = std::is_same_v<std::remove_cvref_t<T>, execution_policy>;

/// The values of a range, on the host.
template <class Iterator>
auto values_of(Iterator first, std::ptrdiff_t count) {
  std::vector<value_of<Iterator>> values;
  values.reserve(static_cast<std::size_t>(count));
  for (; count > 0; --count, ++first) values.push_back(*first);
  return values;
}
template <class T>
auto values_of(device_ptr<T> first, std::ptrdiff_t count) {
  using value = std::remove_cv_t<T>;
  std::vector<value> values(static_cast<std::size_t>(count));
  if (count > 0) cudaMemcpy(values.data(), first.get(), values.size() * sizeof(value), cudaMemcpyDefault);
  return values;
}
template <class Iterator>
auto values_of(Iterator first, Iterator last) {
  return values_of(first, static_cast<std::ptrdiff_t>(last - first));
}

/// Puts values into a range. @return its end
template <class Iterator, class T>
Iterator put(std::vector<T> const& values, Iterator to) {
  for (T const& v : values) {
    *to = v;
    ++to;
  }
  return to;
}
template <class U, class T>
device_ptr<U> put(std::vector<T> const& values, device_ptr<U> to) {
  if constexpr (std::is_same_v<U, T> && !std::is_same_v<T, bool>) {
    if (!values.empty()) cudaMemcpy(to.get(), values.data(), values.size() * sizeof(T), cudaMemcpyDefault);
  } else {
    std::vector<U> converted;
    converted.reserve(values.size());
    for (auto const& v : values) converted.push_back(static_cast<U>(v));
    if (!values.empty()) cudaMemcpy(to.get(), converted.data(), values.size() * sizeof(U), cudaMemcpyDefault);
  }
  return to + static_cast<std::ptrdiff_t>(values.size());
}

}  // namespace detail

template <class In, class Out>
requires(!detail::is_policy<In>) Out copy(In first, In last, Out out) {
  return detail::put(detail::values_of(first, last), out);
}
template <class In, class Out>
requires(!detail::is_policy<In>) Out copy_n(In first, std::ptrdiff_t count, Out out) {
  return detail::put(detail::values_of(first, count), out);
}
template <class In, class Out, class Predicate>
requires(!detail::is_policy<In>) Out copy_if(In first, In last, Out out, Predicate p) {
  auto values = detail::values_of(first, last);
  std::erase_if(values, [&](auto const& v) { return !p(v); });
  return detail::put(values, out);
}
template <class Iterator, class T>
requires(!detail::is_policy<Iterator>) void fill(Iterator first, Iterator last, T const& value) {
  using value_type = detail::value_of<Iterator>;
  detail::put(std::vector<value_type>(static_cast<std::size_t>(last - first), static_cast<value_type>(value)), first);
}
template <class Iterator, class T>
requires(!detail::is_policy<Iterator>) Iterator fill_n(Iterator first, std::size_t count, T const& value) {
  fill(first, first + static_cast<std::ptrdiff_t>(count), value);
  return first + static_cast<std::ptrdiff_t>(count);
}
template <class Iterator, class T = int, class Step = int>
requires(!detail::is_policy<Iterator>) void sequence(Iterator first, Iterator last, T init = 0, Step step = 1) {
  std::vector<detail::value_of<Iterator>> values(static_cast<std::size_t>(last - first));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<detail::value_of<Iterator>>(init + static_cast<T>(i) * step);
  detail::put(values, first);
}
template <class Iterator, class Generator>
requires(!detail::is_policy<Iterator>) void generate(Iterator first, Iterator last, Generator g) {
  std::vector<detail::value_of<Iterator>> values(static_cast<std::size_t>(last - first));
  std::generate(values.begin(), values.end(), g);
  detail::put(values, first);
}
template <class Iterator, class Function>
requires(!detail::is_policy<Iterator>) Iterator for_each(Iterator first, Iterator last, Function f) {
  auto values = detail::values_of(first, last);
  for (auto& v : values) f(v);
  if constexpr (requires { *first = values.front(); }) detail::put(values, first);
  return last;
}

template <class In, class Out, class Function>
requires(!detail::is_policy<In>) Out transform(In first, In last, Out out, Function f) {
  auto const values = detail::values_of(first, last);
  std::vector<detail::value_of<Out>> results;
  results.reserve(values.size());
  for (auto const& v : values) results.push_back(static_cast<detail::value_of<Out>>(f(v)));
  return detail::put(results, out);
}
template <class In, class In2, class Out, class Function>
requires(!detail::is_policy<In>) Out transform(In first, In last, In2 other, Out out, Function f) {
  auto const a = detail::values_of(first, last);
  auto const b = detail::values_of(other, static_cast<std::ptrdiff_t>(a.size()));
  std::vector<detail::value_of<Out>> results;
  results.reserve(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) results.push_back(static_cast<detail::value_of<Out>>(f(a[i], b[i])));
  return detail::put(results, out);
}

template <class In, class T, class Function = plus<>>
requires(!detail::is_policy<In>) T reduce(In first, In last, T init, Function f = {}) {
  for (auto const& v : detail::values_of(first, last)) init = f(init, v);
  return init;
}
template <class In>
requires(!detail::is_policy<In>) auto reduce(In first, In last) { return reduce(first, last, detail::value_of<In>{}); }
template <class In, class Unary, class T, class Binary>
requires(!detail::is_policy<In>) T transform_reduce(In first, In last, Unary f, T init, Binary g) {
  for (auto const& v : detail::values_of(first, last)) init = g(init, f(v));
  return init;
}
template <class In, class In2, class T>
requires(!detail::is_policy<In>) T inner_product(In first, In last, In2 other, T init) {
  auto const a = detail::values_of(first, last);
  auto const b = detail::values_of(other, static_cast<std::ptrdiff_t>(a.size()));
  return std::inner_product(a.begin(), a.end(), b.begin(), init);
}
template <class In, class In2, class T, class Sum, class Product>
requires(!detail::is_policy<In>) T inner_product(In first, In last, In2 other, T init, Sum f, Product g) {
  auto const a = detail::values_of(first, last);
  auto const b = detail::values_of(other, static_cast<std::ptrdiff_t>(a.size()));
  return std::inner_product(a.begin(), a.end(), b.begin(), init, f, g);
}
template <class In, class T>
requires(!detail::is_policy<In>) std::ptrdiff_t count(In first, In last, T const& value) {
  auto const values = detail::values_of(first, last);
  return std::count(values.begin(), values.end(), value);
}
template <class In, class Predicate>
requires(!detail::is_policy<In>) std::ptrdiff_t count_if(In first, In last, Predicate p) {
  auto const values = detail::values_of(first, last);
  return std::count_if(values.begin(), values.end(), p);
}
template <class In, class In2>
requires(!detail::is_policy<In>) bool equal(In first, In last, In2 other) {
  auto const a = detail::values_of(first, last);
  auto const b = detail::values_of(other, static_cast<std::ptrdiff_t>(a.size()));
  return std::equal(a.begin(), a.end(), b.begin());
}

template <class Iterator, class Less = less<>>
requires(!detail::is_policy<Iterator>) void sort(Iterator first, Iterator last, Less before = {}) {
  auto values = detail::values_of(first, last);
  std::stable_sort(values.begin(), values.end(), before);
  detail::put(values, first);
}
template <class Iterator, class Less = less<>>
requires(!detail::is_policy<Iterator>) void stable_sort(Iterator first, Iterator last, Less before = {}) {
  sort(first, last, before);
}
/// Sorts the keys, and puts the values into the same order.
template <class Keys, class Values, class Less = less<>>
requires(!detail::is_policy<Keys>) void sort_by_key(Keys first, Keys last, Values values, Less before = {}) {
  auto const k = detail::values_of(first, last);
  auto const v = detail::values_of(values, static_cast<std::ptrdiff_t>(k.size()));
  std::vector<std::size_t> order(k.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return before(k[a], k[b]); });
  auto sorted_keys = k;
  auto sorted_values = v;
  for (std::size_t i = 0; i < order.size(); ++i) {
    sorted_keys[i] = k[order[i]];
    sorted_values[i] = v[order[i]];
  }
  detail::put(sorted_keys, first);
  detail::put(sorted_values, values);
}
template <class In, class Out, class Function = plus<>>
requires(!detail::is_policy<In>) Out inclusive_scan(In first, In last, Out out, Function f = {}) {
  auto values = detail::values_of(first, last);
  std::partial_sum(values.begin(), values.end(), values.begin(), f);
  return detail::put(values, out);
}
template <class In, class Out, class T = detail::value_of<In>, class Function = plus<>>
requires(!detail::is_policy<In>) Out exclusive_scan(In first, In last, Out out, T init = {}, Function f = {}) {
  auto const values = detail::values_of(first, last);
  std::vector<T> sums;
  sums.reserve(values.size());
  for (auto const& v : values) {
    sums.push_back(init);
    init = f(init, v);
  }
  return detail::put(sums, out);
}
template <class Iterator, class Less = less<>>
requires(!detail::is_policy<Iterator>) Iterator max_element(Iterator first, Iterator last, Less before = {}) {
  auto const values = detail::values_of(first, last);
  return first + (std::max_element(values.begin(), values.end(), before) - values.begin());
}
template <class Iterator, class Less = less<>>
requires(!detail::is_policy<Iterator>) Iterator min_element(Iterator first, Iterator last, Less before = {}) {
  auto const values = detail::values_of(first, last);
  return first + (std::min_element(values.begin(), values.end(), before) - values.begin());
}
template <class Iterator>
requires(!detail::is_policy<Iterator>) std::pair<Iterator, Iterator> minmax_element(Iterator first, Iterator last) {
  return {min_element(first, last), max_element(first, last)};
}
template <class Iterator>
requires(!detail::is_policy<Iterator>) Iterator unique(Iterator first, Iterator last) {
  auto values = detail::values_of(first, last);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return detail::put(values, first);
}
template <class Iterator, class Predicate>
requires(!detail::is_policy<Iterator>) Iterator remove_if(Iterator first, Iterator last, Predicate p) {
  auto values = detail::values_of(first, last);
  std::erase_if(values, p);
  return detail::put(values, first);
}

}  // namespace thrust

#endif

#include <cosmati/core/macros_end.hpp>
