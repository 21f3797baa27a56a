// SPDX-License-Identifier: Apache-2.0
/// @file
/// `R<n, d>`.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/ratio.hpp>
#include <cosmati/layout/print.hpp>
#include <cosmati/layout/stream.hpp>
#include <cute/numeric/integral_constant.hpp>

namespace COSMATI_NAMESPACE::detail {

/// `_2/_3`, not reduced.
template <class Sink, auto n, auto d>
COSMATI_HD void put_text(Sink& out, R<n, d>) {
  put_text(out, C<n>{});
  out.character('/');
  put_text(out, C<d>{});
}

}  // namespace COSMATI_NAMESPACE::detail

namespace COSMATI_NAMESPACE {
/// CuTe's text, `__2/_3`; that of `print` has one underscore less.
template <class Traits, auto n, auto d>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, R<n, d>) {
  return out << '_' << C<n>{} << '/' << C<d>{};
}
}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
