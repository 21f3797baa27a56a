// SPDX-License-Identifier: Apache-2.0
/// @file
/// `std::cout << x` for static integers, tuples, bases, swizzles, layouts and composed layouts. The text is that of
/// `print`. This header is opt-in: kernels never include it. The program includes <ostream> or <iostream> itself.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/tuple/transform.hpp>
#include <cosmati/layout/print.hpp>
#include <iosfwd>

namespace COSMATI_NAMESPACE {

namespace detail {
/// A stream as the destination of `put_text`. It is a template, so that <iosfwd> is enough here. `put_text` is a device
/// function too, and devices have no streams.
template <class Stream>
struct stream_sink {
  Stream& out;
  COSMATI_ANY_FUNCTION COSMATI_HD void text(char const* s) { put(s); }
  COSMATI_ANY_FUNCTION COSMATI_HD void character(char c) { put(c); }
  COSMATI_ANY_FUNCTION COSMATI_HD void integer(long long x) { put(x); }
  COSMATI_ANY_FUNCTION COSMATI_HD void address(void const* p) { put(p); }
  COSMATI_ANY_FUNCTION COSMATI_HD void real(double x) { put(x); }

 private:
  template <class T>
  void put(T const& x) {
    out << x;
  }
};
}  // namespace detail

template <auto v>
std::ostream& operator<<(std::ostream& out, C<v> const& x) {
  detail::stream_sink<std::ostream> sink{out};
  detail::put_text(sink, x);
  return out;
}
template <std::same_as<Underscore> U>
std::ostream& operator<<(std::ostream& out, U const& x) {
  detail::stream_sink<std::ostream> sink{out};
  detail::put_text(sink, x);
  return out;
}
template <class T, int... modes>
std::ostream& operator<<(std::ostream& out, ScaledBasis<T, modes...> const& x) {
  detail::stream_sink<std::ostream> sink{out};
  detail::put_text(sink, x);
  return out;
}
template <class... T>
std::ostream& operator<<(std::ostream& out, tuple<T...> const& t) {
  detail::stream_sink<std::ostream> sink{out};
  detail::put_text(sink, t);
  return out;
}
template <int Bits, int Base, int Shift>
std::ostream& operator<<(std::ostream& out, Swizzle<Bits, Base, Shift> const& s) {
  detail::stream_sink<std::ostream> sink{out};
  detail::put_text(sink, s);
  return out;
}
template <class S, class D>
std::ostream& operator<<(std::ostream& out, Layout<S, D> const& l) {
  detail::stream_sink<std::ostream> sink{out};
  detail::put_text(sink, l);
  return out;
}
template <class A, class O, class B>
std::ostream& operator<<(std::ostream& out, ComposedLayout<A, O, B> const& l) {
  detail::stream_sink<std::ostream> sink{out};
  detail::put_text(sink, l);
  return out;
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
