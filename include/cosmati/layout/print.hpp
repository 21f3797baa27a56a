// SPDX-License-Identifier: Apache-2.0
/// @file
/// `print(x)`: writes integers, tuples, layouts and swizzles exactly as CuTe does, on the host and in kernels.
///
/// `_8` is static, `8` is not: `(_8,n):(_1,_8)`. tensor/print.hpp and tiled/print.hpp add pointers, tensors, atoms and
/// tiled copies.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/layout/smem_ptr_flag.hpp>
#include <cstdio>

namespace COSMATI_NAMESPACE {

namespace detail {

/// The standard output, which exists in device code too.
struct standard_output {
  COSMATI_HD void text(char const* s) { printf("%s", s); }
  COSMATI_HD void character(char c) { printf("%c", c); }
  COSMATI_HD void integer(long long x) { printf("%lld", x); }
  COSMATI_HD void address(void const* p) { printf("%p", p); }
  COSMATI_HD void real(double x) { printf("%f", x); }
};

/// @name Output to any object with the members of standard_output
/// @{
template <class Sink, class T>
requires(std::is_integral_v<T>) COSMATI_HD void put_text(Sink& out, T x) {
  if constexpr (std::is_same_v<T, char>)
    out.character(x);
  else
    out.integer(static_cast<long long>(x));
}
template <class Sink, class T>
requires(std::is_floating_point_v<T>) COSMATI_HD void put_text(Sink& out, T x) { out.real(static_cast<double>(x)); }
template <class Sink, auto v>
COSMATI_HD void put_text(Sink& out, C<v>) {
  out.character('_');
  out.integer(static_cast<long long>(v));
}
template <class Sink>
COSMATI_HD void put_text(Sink& out, Underscore) {
  out.character('_');
}
template <class Sink, class T, int... modes>
COSMATI_HD void put_text(Sink& out, ScaledBasis<T, modes...> const& x) {
  constexpr int n = static_cast<int>(sizeof...(modes));
  constexpr int list[] = {modes..., 0};
  put_text(out, basis_value(x));
  for (int k = n - 1; k >= 0; --k) {
    out.character('@');
    out.integer(list[k]);
  }
}
template <class Sink, class S, class D>
COSMATI_HD void put_text(Sink& out, Layout<S, D> const& l);
template <class Sink, class A, class O, class B>
COSMATI_HD void put_text(Sink& out, ComposedLayout<A, O, B> const& l);
template <class Sink, class... T>
COSMATI_HD void put_text(Sink& out, tuple<T...> const& t) {
  out.character('(');
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    ((k == 0 ? void() : out.character(','), put_text(out, get<k>(t))), ...);
  }
  (std::make_index_sequence<sizeof...(T)>{});
  out.character(')');
}
template <class Sink, int B, int M, int S>
COSMATI_HD void put_text(Sink& out, Swizzle<B, M, S>) {
  out.text("Sw<");
  out.integer(B);
  out.character(',');
  out.integer(M);
  out.character(',');
  out.integer(S);
  out.character('>');
}
template <class Sink, class S, class D>
COSMATI_HD void put_text(Sink& out, Layout<S, D> const& l) {
  put_text(out, l.shape());
  out.character(':');
  put_text(out, l.stride());
}
template <class Sink, class A, class O, class B>
COSMATI_HD void put_text(Sink& out, ComposedLayout<A, O, B> const& l) {
  put_text(out, l.layout_a());
  out.text(" o ");
  put_text(out, l.offset());
  out.text(" o ");
  put_text(out, l.layout_b());
}
/// @}

template <class T>
concept printable = requires(standard_output& out, T const& x) {
  put_text(out, x);
};

COSMATI_HD constexpr int digits_of(long long x) {
  int n = 1;
  for (; x >= 10 || x <= -10; x /= 10) ++n;
  return n;
}
COSMATI_HD inline void put_blanks(int n) {
  for (int k = 0; k < n; ++k) printf(" ");
}

}  // namespace detail

/// @name print
/// @{
/// Writes the text of x without a newline.
template <class T, class = std::enable_if_t<!std::is_array_v<T> && !std::is_same_v<T, char*> &&
                                            !std::is_same_v<T, char const*> && (refusal<T> || detail::printable<T>)>>
COSMATI_HD void print(T const& x) {
  if constexpr (!refusal<T>) {
    detail::standard_output out;
    put_text(out, x);
  }
}
/// Writes as printf does.
template <class... T>
COSMATI_HD void print(char const* format, T const&... x) {
  printf(format, x..., 0);
}
/// @}

/// Writes the table of a layout's offsets, with one row for each coordinate of mode 0. The offsets of a layout that
/// waits for its pointer are those of elements behind an aligned pointer.
template <class L>
requires(detail::is_flagged<L>) COSMATI_HD void print_layout(L const& l) {
  print_layout(as_position_independent_swizzle_layout(l));
}
template <class L>
requires(detail::is_layout_of<L> && !detail::is_flagged<L>) COSMATI_HD void print_layout(L const& l) {
  static_assert(L::rank <= 2,
                "print_layout: a table has two modes; group_modes<first, last>(layout) makes fewer of more");
  auto const at = [&](int i, int j) {
    if constexpr (L::rank == 2)
      return static_cast<long long>(l(i, j));
    else
      return static_cast<long long>(l(i));
  };
  int const rows = static_cast<int>(size<0>(l));
  int columns = 1;
  if constexpr (L::rank == 2) columns = static_cast<int>(size<1>(l));
  long long largest = 0;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) largest = at(i, j) > largest ? at(i, j) : largest;
  }
  int const width = detail::digits_of(largest + 1) + 2;
  auto const rule = [&] {
    detail::put_blanks(4);
    for (int j = 0; j < columns; ++j) {
      printf("+");
      for (int k = 0; k < width; ++k) printf("-");
    }
    printf("+\n");
  };
  print(l);
  printf("\n");
  detail::put_blanks(4);
  for (int j = 0; j < columns; ++j) {
    detail::put_blanks(width - detail::digits_of(j));
    printf("%d ", j);
  }
  printf("\n");
  for (int i = 0; i < rows; ++i) {
    rule();
    detail::put_blanks(2 - detail::digits_of(i));
    printf("%d  ", i);
    for (int j = 0; j < columns; ++j) {
      printf("| ");
      detail::put_blanks(width - 2 - detail::digits_of(at(i, j)) - (at(i, j) < 0 ? 1 : 0));
      printf("%lld ", at(i, j));
    }
    printf("|\n");
  }
  rule();
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
