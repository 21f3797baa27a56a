// SPDX-License-Identifier: Apache-2.0
/// @file
/// `prefetch`: a hint that a tensor will be read soon. It never changes what a program computes.
#pragma once

#include <cosmati/tensor/tensor.hpp>

namespace COSMATI_NAMESPACE {

/// @name prefetch
/// Copies without an instruction of their own for it, as all of layer `atom`, have nothing to do.
/// @{
template <class Engine, class Layout>
COSMATI_HD constexpr void prefetch(Tensor<Engine, Layout> const&) {}
template <class Policy, class Engine, class Layout>
COSMATI_HD constexpr void prefetch(Policy const&, Tensor<Engine, Layout> const&) {}
/// @}

}  // namespace COSMATI_NAMESPACE
