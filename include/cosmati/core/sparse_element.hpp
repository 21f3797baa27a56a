// SPDX-License-Identifier: Apache-2.0
/// @file
/// `sparse_elem<S, T>`: one stored element that stands for S elements of a compressed operand.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/integral_constant.hpp>
#include <cosmati/core/sizeof_bits.hpp>
#include <type_traits>

namespace COSMATI_NAMESPACE {

/// A `T` that a layout counts as `Sparsity` elements. Its memory is `sizeof_bits` of `T`.
template <int Sparsity, class T>
struct sparse_elem {
  static_assert(Sparsity >= 1, "sparse_elem<S, T>: an element stands for at least one");
  static constexpr int sparsity = Sparsity;
  using raw_type = T;

  T elem_;

  COSMATI_HD constexpr explicit sparse_elem(T const& elem = {}) : elem_(elem) {}

  friend COSMATI_HD constexpr bool operator==(sparse_elem const& a, sparse_elem const& b) { return a.elem_ == b.elem_; }
  friend COSMATI_HD constexpr bool operator<(sparse_elem const& a, sparse_elem const& b) { return a.elem_ < b.elem_; }
  friend COSMATI_HD constexpr bool operator>(sparse_elem const& a, sparse_elem const& b) { return b < a; }
  friend COSMATI_HD constexpr bool operator<=(sparse_elem const& a, sparse_elem const& b) { return !(b < a); }
  friend COSMATI_HD constexpr bool operator>=(sparse_elem const& a, sparse_elem const& b) { return !(a < b); }
};

/// @name Whether T is a sparse_elem
/// @{
template <class T>
inline constexpr bool is_sparse_v = false;
template <int S, class T>
inline constexpr bool is_sparse_v<sparse_elem<S, T>> = true;
template <class T>
inline constexpr bool is_sparse_v<T const> = is_sparse_v<T>;
template <class T>
inline constexpr bool is_sparse_v<T&> = is_sparse_v<T>;
template <class T>
inline constexpr bool is_sparse_v<T&&> = is_sparse_v<T>;
/// `is_sparse_v` as a type.
template <class T>
struct is_sparse : bool_constant<is_sparse_v<T>> {};
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
