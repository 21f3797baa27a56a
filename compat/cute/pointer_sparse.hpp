// SPDX-License-Identifier: Apache-2.0
/// @file
/// `sparse_elem`, the element type of compressed operands; `sparse_ptr`, which counts the elements they stand for.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/sparse_element.hpp>
#include <cute/numeric/integral_ratio.hpp>
#include <cute/pointer_base.hpp>

namespace COSMATI_NAMESPACE {

/// Steps by elements, of which `sparsity` share a `sparse_elem`; a step is a multiple of it.
template <int sparsity, class Iterator>
struct sparse_ptr : iter_adaptor<Iterator, sparse_ptr<sparsity, Iterator>> {
  using reference = iter_reference_t<Iterator>;
  using element_type = iter_element_t<Iterator>;
  using value_type = iter_value_t<Iterator>;
  static_assert(is_sparse<value_type>::value, "sparse_ptr<S, P>: P points to sparse_elem<S, T>");

  COSMATI_HD constexpr sparse_ptr(Iterator p = {}) : iter_adaptor<Iterator, sparse_ptr>(p) {}  // NOLINT
  template <class Step>
  COSMATI_HD constexpr sparse_ptr operator+(Step const& n) const {
    assert(n % sparsity == 0);
    return {this->get() + n / sparsity};
  }
  template <class Step>
  COSMATI_HD constexpr reference operator[](Step const& n) const {
    return *(this->get() + n / sparsity);
  }
};
template <class P>
struct is_sparse_ptr : std::false_type {};
template <class P>
struct is_sparse_ptr<P const> : is_sparse_ptr<P> {};
template <class P>
requires(!std::is_const_v<P> && requires { typename P::iterator; }) struct is_sparse_ptr<P>
    : is_sparse_ptr<typename P::iterator> {
};
template <int sparsity, class Iterator>
struct is_sparse_ptr<sparse_ptr<sparsity, Iterator>> : std::true_type {};

/// Of sparsity 1 the iterator itself.
template <int sparsity, class Iterator>
COSMATI_HD constexpr auto make_sparse_ptr(Iterator const& p) {
  if constexpr (sparsity == 1)
    return p;
  else
    return sparse_ptr<sparsity, Iterator>{p};
}
template <class NewT, int sparsity, class Iterator>
COSMATI_HD constexpr auto recast_ptr(sparse_ptr<sparsity, Iterator> const& p) {
  return recast_ptr<NewT>(p.get());
}
template <int sparsity, class Iterator>
COSMATI_HD void print(sparse_ptr<sparsity, Iterator> const& p) {
  printf("sparse<%d>_", sparsity);
  print(p.get());
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
