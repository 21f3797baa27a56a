// SPDX-License-Identifier: Apache-2.0
/// @file
/// `print_tensor`, `print_tensor_os`, `operator<<` of tensors.
#pragma once
#include <cute/config.hpp>

#include <cosmati/tensor/print.hpp>
#include <cosmati/tensor/stream.hpp>
#include <cute/tensor_impl.hpp>

#include <cosmati/core/macros_begin.hpp>

#include <cute/pointer_flagged.hpp>

namespace COSMATI_NAMESPACE {

/// The same text as `out << tensor`.
template <class Engine, class L>
std::ostream& print_tensor_os(std::ostream& out, Tensor<Engine, L> const& tensor) {
  return out << tensor;
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
