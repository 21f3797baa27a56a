// SPDX-License-Identifier: Apache-2.0
/// @file
/// `Tensor`, its makers and views; `local_tile`, `local_partition`.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/macros_begin.hpp>

#include <cosmati/tensor/engine.hpp>
#include <cosmati/tensor/local_tile.hpp>
#include <cosmati/tensor/print.hpp>
#include <cosmati/tensor/tensor.hpp>
#include <cute/container/array_aligned.hpp>
#include <cute/layout_composed.hpp>
#include <cute/pointer.hpp>
#include <cute/pointer_swizzle.hpp>
#include <cute/util/type_traits.hpp>

namespace COSMATI_NAMESPACE {

/// `make_tensor<T>` as a type of function objects. A program that wants tensors of a T of its own made otherwise
/// specialises it, and calls it.
template <class T>
struct MakeTensor {
  template <class... X>
  COSMATI_HD constexpr auto operator()(X const&... x) const {
    if constexpr (has_dereference<typename detail::element<0, X...>::type>::value)
      return make_tensor(x...);
    else
      return make_tensor<T>(x...);
  }
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
