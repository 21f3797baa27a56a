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

/// Where an algorithm works. All work on the host here; those of the device may use its memory.
struct execution_policy {
  bool of_device = false;
  execution_policy on(cudaStream_t stream) const {
    cudaStreamSynchronize(stream);
    return *this;
  }
  template <class Allocator>
  execution_policy operator()(Allocator const&) const {
    return *this;
  }
};
inline constexpr execution_policy host, device{true}, seq{true};
namespace cuda {
inline constexpr execution_policy par{true}, par_nosync{true};
}
namespace omp {
inline constexpr execution_policy par;
}

namespace detail {

template <class Iterator>
using value_of = typename std::iterator_traits<Iterator>::value_type;

template <class T>
inline constexpr bool is_policy = std::is_same_v<std::remove_cvref_t<T>, execution_policy>;

/// Whether an algorithm with this iterator works on the device if no policy says where.
template <class T>
inline constexpr bool is_of_device = false;
template <class T>
inline constexpr bool is_of_device<device_ptr<T>> = true;
template <class T>
inline constexpr bool is_of_device<counting_iterator<T>> = true;
template <class F, class Iterator>
inline constexpr bool is_of_device<transform_iterator<F, Iterator>> = is_of_device<Iterator>;
template <class Values, class Places>
inline constexpr bool is_of_device<permutation_iterator<Values, Places>> = is_of_device<Values>;
template <class... Iterators>
inline constexpr bool is_of_device<zip_iterator<std::tuple<Iterators...>>> = (is_of_device<Iterators> || ...);

/// While one lives, functions that an algorithm of the device calls may access memory of the device.
struct work_of_device {
  explicit work_of_device(bool on_device) : change(on_device ? 1 : 0) {
    ::cosmati_cuda::cosmati_sim_device_work(change);
  }
  work_of_device(work_of_device const&) = delete;
  work_of_device& operator=(work_of_device const&) = delete;
  ~work_of_device() { ::cosmati_cuda::cosmati_sim_device_work(-change); }
  int change;
};

/// What a function of for_each gets: a reference to the element itself.
template <class Iterator>
decltype(auto) element_of(Iterator const& at) {
  return *at;
}
template <class T>
T& element_of(device_ptr<T> at) {
  return *at.get();
}
template <class... Iterators>
auto element_of(zip_iterator<std::tuple<Iterators...>> const& at) {
  return std::apply([](auto const&... i) { return std::tuple<decltype(element_of(i))...>(element_of(i)...); },
                    at.iterators());
}

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
/// A raw pointer may point to memory of the device.
template <class T>
requires(std::is_trivially_copyable_v<T>) auto values_of(T* first, std::ptrdiff_t count) {
  std::vector<std::remove_cv_t<T>> values;
  if (::cosmati_cuda::cosmati_sim_is_device_memory(first) != 0) {
    for (auto const& v : values_of(device_ptr<T>(first), count)) values.push_back(v);
  } else {
    values.assign(first, first + count);
  }
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
device_ptr<U> put(std::vector<T> const& values, device_ptr<U> to);
template <class U, class T>
requires(std::is_trivially_copyable_v<U>) U* put(std::vector<T> const& values, U* to) {
  if (::cosmati_cuda::cosmati_sim_is_device_memory(to) != 0) {
    put(values, device_ptr<U>(to));
    return to + values.size();
  }
  for (auto const& v : values) *to++ = static_cast<U>(v);
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
  detail::work_of_device const work(detail::is_of_device<In>);
  auto values = detail::values_of(first, last);
  std::erase_if(values, [&](auto const& v) { return !p(v); });
  return detail::put(values, out);
}
template <class Iterator, class T>
requires(!detail::is_policy<Iterator>) void fill(Iterator first, Iterator last, T const& value) {
  detail::work_of_device const work(detail::is_of_device<Iterator>);
  using value_type = detail::value_of<Iterator>;
  detail::put(std::vector<value_type>(static_cast<std::size_t>(last - first), static_cast<value_type>(value)), first);
}
template <class Iterator, class T>
requires(!detail::is_policy<Iterator>) Iterator fill_n(Iterator first, std::size_t count, T const& value) {
  thrust::fill(first, first + static_cast<std::ptrdiff_t>(count), value);
  return first + static_cast<std::ptrdiff_t>(count);
}
template <class Iterator, class T = int, class Step = int>
requires(!detail::is_policy<Iterator>) void sequence(Iterator first, Iterator last, T init = 0, Step step = 1) {
  detail::work_of_device const work(detail::is_of_device<Iterator>);
  std::vector<detail::value_of<Iterator>> values(static_cast<std::size_t>(last - first));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<detail::value_of<Iterator>>(init + static_cast<T>(i) * step);
  detail::put(values, first);
}
template <class Iterator, class Generator>
requires(!detail::is_policy<Iterator>) void generate(Iterator first, Iterator last, Generator g) {
  detail::work_of_device const work(detail::is_of_device<Iterator>);
  std::vector<detail::value_of<Iterator>> values(static_cast<std::size_t>(last - first));
  std::generate(values.begin(), values.end(), g);
  detail::put(values, first);
}
template <class Iterator, class Function>
requires(!detail::is_policy<Iterator>) Iterator for_each(Iterator first, Iterator last, Function f) {
  detail::work_of_device const work(detail::is_of_device<Iterator>);
  for (auto left = last - first; left > 0; --left, ++first) f(detail::element_of(first));
  return last;
}
template <class Iterator, class Function>
requires(!detail::is_policy<Iterator>) Iterator for_each_n(Iterator first, std::ptrdiff_t count, Function f) {
  return thrust::for_each(first, first + count, f);
}

template <class In, class Out, class Function>
requires(!detail::is_policy<In>) Out transform(In first, In last, Out out, Function f) {
  detail::work_of_device const work(detail::is_of_device<In>);
  auto const values = detail::values_of(first, last);
  std::vector<detail::value_of<Out>> results;
  results.reserve(values.size());
  for (auto const& v : values) results.push_back(static_cast<detail::value_of<Out>>(f(v)));
  return detail::put(results, out);
}
template <class In, class In2, class Out, class Function>
requires(!detail::is_policy<In>) Out transform(In first, In last, In2 other, Out out, Function f) {
  detail::work_of_device const work(detail::is_of_device<In>);
  auto const a = detail::values_of(first, last);
  auto const b = detail::values_of(other, static_cast<std::ptrdiff_t>(a.size()));
  std::vector<detail::value_of<Out>> results;
  results.reserve(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) results.push_back(static_cast<detail::value_of<Out>>(f(a[i], b[i])));
  return detail::put(results, out);
}

template <class In, class T, class Function = plus<>>
requires(!detail::is_policy<In>) T reduce(In first, In last, T init, Function f = {}) {
  detail::work_of_device const work(detail::is_of_device<In>);
  for (auto const& v : detail::values_of(first, last)) init = f(init, v);
  return init;
}
template <class In>
requires(!detail::is_policy<In>) auto reduce(In first, In last) {
  return thrust::reduce(first, last, detail::value_of<In>{});
}
template <class In, class Unary, class T, class Binary>
requires(!detail::is_policy<In>) T transform_reduce(In first, In last, Unary f, T init, Binary g) {
  detail::work_of_device const work(detail::is_of_device<In>);
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
  detail::work_of_device const work(detail::is_of_device<In>);
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
  detail::work_of_device const work(detail::is_of_device<In>);
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
  detail::work_of_device const work(detail::is_of_device<Iterator>);
  auto values = detail::values_of(first, last);
  std::stable_sort(values.begin(), values.end(), before);
  detail::put(values, first);
}
template <class Iterator, class Less = less<>>
requires(!detail::is_policy<Iterator>) void stable_sort(Iterator first, Iterator last, Less before = {}) {
  thrust::sort(first, last, before);
}
/// Sorts the keys, and puts the values into the same order.
template <class Keys, class Values, class Less = less<>>
requires(!detail::is_policy<Keys>) void sort_by_key(Keys first, Keys last, Values values, Less before = {}) {
  detail::work_of_device const work(detail::is_of_device<Keys>);
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
  detail::work_of_device const work(detail::is_of_device<In>);
  auto values = detail::values_of(first, last);
  std::partial_sum(values.begin(), values.end(), values.begin(), f);
  return detail::put(values, out);
}
template <class In, class Out, class T = detail::value_of<In>, class Function = plus<>>
requires(!detail::is_policy<In>) Out exclusive_scan(In first, In last, Out out, T init = {}, Function f = {}) {
  detail::work_of_device const work(detail::is_of_device<In>);
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
  detail::work_of_device const work(detail::is_of_device<Iterator>);
  auto const values = detail::values_of(first, last);
  return first + (std::max_element(values.begin(), values.end(), before) - values.begin());
}
template <class Iterator, class Less = less<>>
requires(!detail::is_policy<Iterator>) Iterator min_element(Iterator first, Iterator last, Less before = {}) {
  detail::work_of_device const work(detail::is_of_device<Iterator>);
  auto const values = detail::values_of(first, last);
  return first + (std::min_element(values.begin(), values.end(), before) - values.begin());
}
template <class Iterator>
requires(!detail::is_policy<Iterator>) std::pair<Iterator, Iterator> minmax_element(Iterator first, Iterator last) {
  return {thrust::min_element(first, last), thrust::max_element(first, last)};
}
template <class Iterator>
requires(!detail::is_policy<Iterator>) Iterator unique(Iterator first, Iterator last) {
  auto values = detail::values_of(first, last);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return detail::put(values, first);
}
template <class Iterator, class Predicate>
requires(!detail::is_policy<Iterator>) Iterator remove_if(Iterator first, Iterator last, Predicate p) {
  detail::work_of_device const work(detail::is_of_device<Iterator>);
  auto values = detail::values_of(first, last);
  std::erase_if(values, p);
  return detail::put(values, first);
}

}  // namespace thrust

#endif

#include <cosmati/core/macros_end.hpp>
