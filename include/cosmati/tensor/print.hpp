// SPDX-License-Identifier: Apache-2.0
/// @file
/// `print(pointer)`, `print(tensor)`: write the kind and the address; `print_tensor`: writes the elements.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/layout/print.hpp>
#include <cosmati/layout/print_element.hpp>
#include <cosmati/number/number_types.hpp>
#include <cosmati/tensor/swizzle_pointer.hpp>
#include <cosmati/tensor/tensor.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {

/// @name `smem_ptr[32b](0x1000)`
/// @{
/// The kind of a pointer: its swizzle, then the name of its memory.
template <class Sink, class P>
COSMATI_HD void put_kind(Sink& out, P const& p, char const* memory) {
  if constexpr (requires { typename P::swizzle_type; }) {
    put_text(out, typename P::swizzle_type{});
    out.character('_');
    put_kind(out, p.get(), memory);
  } else if constexpr (is_tag<P>) {
    put_kind(out, p.get(),
             memory_space_v<P> == memory_space::gmem   ? "gmem_"
             : memory_space_v<P> == memory_space::smem ? "smem_"
                                                       : "");
  } else if constexpr (requires { p.shift_; }) {
    out.text(memory);
    out.text("subptr");
  } else if constexpr (requires { p.get(); }) {
    put_kind(out, p.get(), memory);
  } else {
    out.text(memory);
    out.text("ptr");
  }
}
template <class Sink, class P>
COSMATI_HD void put_address(Sink& out, P const& p) {
  if constexpr (requires { p.shift_; }) {
    out.address(p.byte_);
    out.character('.');
    out.integer(p.shift_);
  } else if constexpr (requires { p.get(); }) {
    put_address(out, p.get());
  } else {
    out.address(raw_pointer_cast(p));
  }
}
template <class Sink, class P>
requires(
    is_tag<P> || std::is_pointer_v<P> || requires(P const& p) { p.shift_; } || requires { typename P::swizzle_type; } ||
    requires(P const& p) { assume_aligned<1>(p.get()); }) COSMATI_HD void put_text(Sink& out, P const& p) {
  put_kind(out, p, "");
  out.character('[');
  out.integer(sizeof_bits_v<iter_value_t<P>>);
  out.text("b](");
  put_address(out, p);
  out.character(')');
}
template <class Sink, class T>
COSMATI_HD void put_text(Sink& out, counting_iterator<T> const& p) {
  out.text("counting_iter(");
  put_text(out, p.n_);
  out.character(')');
}
template <class Sink, class Coordinate>
COSMATI_HD void put_text(Sink& out, ArithmeticTupleIterator<Coordinate> const& p) {
  out.text("ArithTuple");
  put_text(out, *p);
}
/// @}

template <class Sink, class E, class L>
COSMATI_HD void put_text(Sink& out, Tensor<E, L> const& t) {
  put_text(out, t.data());
  out.text(" o ");
  put_text(out, t.layout());
}

template <class Sink, int bits, bool is_signed>
COSMATI_HD void put_text(Sink& out, integer_subbyte<bits, is_signed> const& x) {
  out.integer(static_cast<int>(x));
}
template <class Sink, class Format>
COSMATI_HD void put_text(Sink& out, minifloat<Format> const& x) {
  out.real(static_cast<double>(static_cast<float>(x)));
}

/// Converts a reference to a packed element to its value. A coordinate stays as it is.
template <class Value, class X>
COSMATI_HD auto element_value(X const& x) {
  if constexpr (std::is_convertible_v<X, Value>)
    return static_cast<Value>(x);
  else
    return x;
}
template <int mode, class T>
COSMATI_HD void print_elements(T const& t) {
  constexpr int n = T::rank;
  if constexpr (n == 1) {
    for (int i = 0; i < static_cast<int>(size(t)); ++i) {
      print_element(element_value<typename T::value_type>(t(i)));
      printf("\n");
    }
  } else if constexpr (n == 2) {
    for (int i = 0; i < static_cast<int>(size<0>(t)); ++i) {
      for (int j = 0; j < static_cast<int>(size<1>(t)); ++j)
        print_element(element_value<typename T::value_type>(t(i, j)));
      printf("\n");
    }
  } else {
    constexpr char rules[] = {'-', '=', '#'};
    for (int k = 0; k < static_cast<int>(size<n - 1>(t)); ++k) {
      if (k != 0) {
        for (int j = 0; j < 5 * static_cast<int>(size<1>(t)); ++j) printf("%c", rules[n - 3 < 2 ? n - 3 : 2]);
        printf("\n");
      }
      print_elements<mode>(t(append<n>(repeat<n - 1>(_), k)));
    }
  }
}
}  // namespace detail

/// Writes the tensor's elements: a row for each coordinate of mode 0, and a table for each coordinate of the modes
/// after mode 1.
/// @param print_type whether a first line has the pointer and layout
template <class E, class L>
COSMATI_HD void print_tensor(Tensor<E, L> const& t, bool print_type = true) {
  if (print_type) {
    print(t);
    printf(":\n");
  }
  detail::print_elements<0>(t);
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
