// SPDX-License-Identifier: Apache-2.0
/// @file
/// Thrust's copies of elements that are kept or replaced, its partitions into two outputs, and what asks how a range is
/// partitioned.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <algorithm>
#include <cosmati/cuda/thrust/algorithm.hpp>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace thrust {

/// @name Copies with a stencil: element i counts if the predicate accepts stencil[i]
/// @{
template <class In, class Stencil, class Out, class Predicate>
requires(!detail::is_policy<In>) Out copy_if(In first, In last, Stencil stencil, Out out, Predicate p) {
  detail::work_of_device const work(detail::is_of_device<In>);
  auto const values = detail::values_of(first, last);
  auto const asked = detail::values_of(stencil, static_cast<std::ptrdiff_t>(values.size()));
  std::vector<detail::value_of<In>> kept;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (p(asked[i])) kept.push_back(values[i]);
  }
  return detail::put(kept, out);
}
template <class In, class Stencil, class Out, class Predicate>
requires(!detail::is_policy<In>) Out remove_copy_if(In first, In last, Stencil stencil, Out out, Predicate p) {
  return thrust::copy_if(first, last, stencil, out, [&](auto const& s) { return !p(s); });
}
template <class Iterator, class Stencil, class Predicate>
requires(!detail::is_policy<Iterator>) Iterator remove_if(Iterator first, Iterator last, Stencil stencil, Predicate p) {
  return thrust::remove_copy_if(first, last, stencil, first, p);
}
template <class Iterator, class Stencil, class Predicate, class T>
requires(!detail::is_policy<Iterator>) void replace_if(Iterator first, Iterator last, Stencil stencil, Predicate p,
                                                       T const& value) {
  detail::work_of_device const work(detail::is_of_device<Iterator>);
  auto values = detail::values_of(first, last);
  auto const asked = detail::values_of(stencil, static_cast<std::ptrdiff_t>(values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (p(asked[i])) values[i] = value;
  }
  detail::put(values, first);
}
/// out[i] = in[map[i]]; the other elements of the output stay.
template <class Map, class Stencil, class In, class Out, class Predicate>
requires(!detail::is_policy<Map>) Out gather_if(Map first, Map last, Stencil stencil, In in, Out out, Predicate p) {
  detail::work_of_device const work(detail::is_of_device<In>);
  auto const map = detail::values_of(first, last);
  auto const asked = detail::values_of(stencil, static_cast<std::ptrdiff_t>(map.size()));
  for (std::size_t i = 0; i < map.size(); ++i) {
    if (p(asked[i]))
      detail::put(std::vector<detail::value_of<In>>{in[static_cast<std::ptrdiff_t>(map[i])]},
                  out + static_cast<std::ptrdiff_t>(i));
  }
  return out + static_cast<std::ptrdiff_t>(map.size());
}
template <class Map, class Stencil, class In, class Out>
requires(!detail::is_policy<Map>) Out gather_if(Map first, Map last, Stencil stencil, In in, Out out) {
  return thrust::gather_if(first, last, stencil, in, out, [](auto const& s) { return static_cast<bool>(s); });
}
/// @}

template <class In, class Out, class Predicate>
requires(!detail::is_policy<In>) Out remove_copy_if(In first, In last, Out out, Predicate p) {
  detail::work_of_device const work(detail::is_of_device<In>);
  auto values = detail::values_of(first, last);
  std::erase_if(values, p);
  return detail::put(values, out);
}
template <class In, class Out, class T>
requires(!detail::is_policy<In>) Out remove_copy(In first, In last, Out out, T const& value) {
  return thrust::remove_copy_if(first, last, out, [&](auto const& v) { return v == value; });
}
template <class In, class Out, class Predicate, class T>
requires(!detail::is_policy<In>) Out replace_copy_if(In first, In last, Out out, Predicate p, T const& value) {
  detail::work_of_device const work(detail::is_of_device<In>);
  auto values = detail::values_of(first, last);
  std::replace_if(values.begin(), values.end(), p, static_cast<detail::value_of<In>>(value));
  return detail::put(values, out);
}
template <class In, class Out, class T>
requires(!detail::is_policy<In>) Out replace_copy(In first, In last, Out out, T const& old_value, T const& new_value) {
  return thrust::replace_copy_if(
      first, last, out, [&](auto const& v) { return v == old_value; }, new_value);
}
template <class First, class Second>
requires(!detail::is_policy<First>) Second swap_ranges(First first, First last, Second other) {
  auto const a = detail::values_of(first, last);
  auto const b = detail::values_of(other, static_cast<std::ptrdiff_t>(a.size()));
  detail::put(b, first);
  return detail::put(a, other);
}
template <class Iterator, class Generator>
requires(!detail::is_policy<Iterator>) Iterator generate_n(Iterator first, std::ptrdiff_t count, Generator g) {
  thrust::generate(first, first + count, g);
  return first + count;
}

/// @name Of each run of elements that `same` takes for equal, the first one stays
/// @{
template <class In, class Out, class Equal>
requires(!detail::is_policy<In>) Out unique_copy(In first, In last, Out out, Equal same) {
  detail::work_of_device const work(detail::is_of_device<In>);
  auto values = detail::values_of(first, last);
  values.erase(std::unique(values.begin(), values.end(), same), values.end());
  return detail::put(values, out);
}
template <class Iterator, class Equal>
requires(!detail::is_policy<Iterator>) Iterator unique(Iterator first, Iterator last, Equal same) {
  return thrust::unique_copy(first, last, first, same);
}
template <class In, class Equal = equal_to<>>
requires(!detail::is_policy<In>) std::ptrdiff_t unique_count(In first, In last, Equal same = {}) {
  detail::work_of_device const work(detail::is_of_device<In>);
  auto values = detail::values_of(first, last);
  return std::unique(values.begin(), values.end(), same) - values.begin();
}
/// @}

/// The elements that the predicate accepts go to the first output, the others to the second one.
/// @return the ends of both
template <class In, class Out, class Out2, class Predicate>
requires(!detail::is_policy<In>) std::pair<Out, Out2> stable_partition_copy(In first, In last, Out accepted,
                                                                            Out2 others, Predicate p) {
  return {thrust::remove_copy_if(first, last, accepted, [&](auto const& v) { return !p(v); }),
          thrust::remove_copy_if(first, last, others, p)};
}
template <class In, class Out, class Out2, class Predicate>
requires(!detail::is_policy<In>) std::pair<Out, Out2> partition_copy(In first, In last, Out accepted, Out2 others,
                                                                     Predicate p) {
  return thrust::stable_partition_copy(first, last, accepted, others, p);
}
template <class Iterator, class Predicate>
requires(!detail::is_policy<Iterator>) Iterator partition_point(Iterator first, Iterator last, Predicate p) {
  detail::work_of_device const work(detail::is_of_device<Iterator>);
  auto const values = detail::values_of(first, last);
  return first + (std::partition_point(values.begin(), values.end(), p) - values.begin());
}
template <class Iterator, class Predicate>
requires(!detail::is_policy<Iterator>) bool is_partitioned(Iterator first, Iterator last, Predicate p) {
  detail::work_of_device const work(detail::is_of_device<Iterator>);
  auto const values = detail::values_of(first, last);
  return std::is_partitioned(values.begin(), values.end(), p);
}

/// @name In any order
/// @{
template <class Iterator, class Engine>
requires(!detail::is_policy<Iterator>) void shuffle(Iterator first, Iterator last, Engine&& engine) {
  auto values = detail::values_of(first, last);
  for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[engine() % i]);
  detail::put(values, first);
}
template <class In, class Out, class Engine>
requires(!detail::is_policy<In>) Out shuffle_copy(In first, In last, Out out, Engine&& engine) {
  auto const end = thrust::copy(first, last, out);
  thrust::shuffle(out, end, engine);
  return end;
}
/// @}

/// @name Into memory without objects
/// @{
template <class In, class Out>
requires(!detail::is_policy<In>) Out uninitialized_copy(In first, In last, Out out) {
  return thrust::copy(first, last, out);
}
template <class In, class Out>
requires(!detail::is_policy<In>) Out uninitialized_copy_n(In first, std::ptrdiff_t count, Out out) {
  return thrust::copy_n(first, count, out);
}
template <class Iterator, class T>
requires(!detail::is_policy<Iterator>) void uninitialized_fill(Iterator first, Iterator last, T const& value) {
  thrust::fill(first, last, value);
}
template <class Iterator, class T>
requires(!detail::is_policy<Iterator>) Iterator
    uninitialized_fill_n(Iterator first, std::size_t count, T const& value) {
  return thrust::fill_n(first, count, value);
}
/// @}

}  // namespace thrust

#endif

#include <cosmati/core/macros_end.hpp>
