// SPDX-License-Identifier: Apache-2.0
/// @file
/// Swizzled layouts that wait for their pointer, `smem_ptr_flag`; a swizzle of the pointer as one of the layout.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/sparse_element.hpp>
#include <cosmati/tensor/flagged_tensor.hpp>
#include <cosmati/tensor/swizzle_tensor.hpp>
#include <cute/arch/util.hpp>
#include <cute/layout_composed.hpp>
#include <cute/pointer_sparse.hpp>
#include <cute/pointer_swizzle.hpp>
#include <cute/tensor_impl.hpp>

namespace COSMATI_NAMESPACE {

/// A tensor of `sparse_elem` whose pointer swizzles addresses.
template <class Iterator, class SwizzleFn, int sparsity, int bits, class L>
COSMATI_HD constexpr auto make_tensor(
    Iterator const& p, ComposedLayout<SwizzleFn, smem_sparse_ptr_flag_bits<sparsity, bits>, L> const& layout) {
  using T = iter_value_t<Iterator>;
  static_assert(is_smem<Iterator>::value && is_sparse<T>::value,
                "make_tensor(pointer, layout): the layout is for sparse_elem in shared memory; write "
                "make_sparse_ptr<S>(make_smem_ptr<sparse_elem<S, T>>(pointer))");
  static_assert(T::sparsity == sparsity && sizeof_bits_v<typename T::raw_type> == bits,
                "make_tensor(pointer, layout): the layout is for elements of another sparsity or another size");
  return make_tensor(make_swizzle_ptr(p, layout.layout_a()), layout.layout_b());
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
