// SPDX-License-Identifier: Apache-2.0
/// @file
/// Sequences of static integers: `seq<0, 2, 1>`, `make_seq<N>`, `make_range<B, E>`, `tuple_seq<T>`, and reversed ones.
///
/// A sequence is also a tuple of static integers: `get<1>(seq<4, 7>{})` is `_7`.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/tuple.hpp>

namespace COSMATI_NAMESPACE {

using std::integer_sequence;
using std::make_integer_sequence;

namespace detail {
template <auto begin, class Seq>
struct shifted_sequence;
template <class T, T begin, T... i>
struct shifted_sequence<begin, std::integer_sequence<T, i...>> {
  using type = std::integer_sequence<T, static_cast<T>(begin + i)...>;
};
template <class Seq>
struct reversed_sequence;
template <class T, T... i>
struct reversed_sequence<std::integer_sequence<T, i...>> {
  using type = std::integer_sequence<T, static_cast<T>(static_cast<T>(sizeof...(i)) - 1 - i)...>;
};
}  // namespace detail

/// Begin, ..., End - 1. The sequence is empty if End <= Begin.
template <class T, T Begin, T End>
using make_integer_range =
    typename detail::shifted_sequence<Begin, std::make_integer_sequence<T, (Begin < End ? End - Begin : 0)>>::type;
/// N - 1, ..., 0.
template <class T, T N>
using make_integer_sequence_reverse = typename detail::reversed_sequence<std::make_integer_sequence<T, N>>::type;

/// @name Of int
/// @{
template <int... i>
using int_sequence = std::integer_sequence<int, i...>;
template <int N>
using make_int_sequence = std::make_integer_sequence<int, N>;
template <int N>
using make_int_rsequence = make_integer_sequence_reverse<int, N>;
template <int Begin, int End>
using make_int_range = make_integer_range<int, Begin, End>;
/// @}

/// @name Of size_t
/// @{
template <std::size_t... i>
using index_sequence = std::integer_sequence<std::size_t, i...>;
template <std::size_t N>
using make_index_sequence = std::make_integer_sequence<std::size_t, N>;
template <std::size_t N>
using make_index_rsequence = make_integer_sequence_reverse<std::size_t, N>;
template <std::size_t Begin, std::size_t End>
using make_index_range = make_integer_range<std::size_t, Begin, End>;
/// @}

/// @name Short names
/// @{
template <int... i>
using seq = int_sequence<i...>;
template <int N>
using make_seq = make_int_sequence<N>;
template <int N>
using make_rseq = make_int_rsequence<N>;
template <int Begin, int End>
using make_range = make_int_range<Begin, End>;
/// One index for each element of a tuple. For any other type it is `seq<0>`.
template <class T>
using tuple_seq = make_seq<tuple_size_v<T>>;
template <class T>
using tuple_rseq = make_rseq<tuple_size_v<T>>;
/// @}

namespace detail {
template <class T>
struct sequence_of;
template <class T, T... i>
struct sequence_of<std::integer_sequence<T, i...>> {
  using type = seq<static_cast<int>(i)...>;
};
template <template <class...> class Tuple, class... T>
struct sequence_of<Tuple<T...>> {
  using type = seq<static_cast<int>(T::value)...>;
};
}  // namespace detail
/// A tuple of static integers, as a `seq`.
template <class T>
using to_seq_t = typename detail::sequence_of<T>::type;

/// @name A sequence as a tuple
/// @{
namespace detail {
template <class T, T... i>
inline constexpr bool is_tuple_of<std::integer_sequence<T, i...>> = true;
}  // namespace detail
template <class T, T... i>
inline constexpr int tuple_size_v<std::integer_sequence<T, i...>> = sizeof...(i);
template <std::size_t K, class T, T... i>
struct tuple_element<K, std::integer_sequence<T, i...>> : detail::element<static_cast<int>(K), C<i>...> {};
template <std::size_t K, class T, T... i>
COSMATI_HD constexpr auto get(std::integer_sequence<T, i...>) {
  static_assert(K < sizeof...(i), "get<K>: the sequence has fewer elements than K + 1");
  return typename detail::element<static_cast<int>(K), C<i>...>::type{};
}
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
