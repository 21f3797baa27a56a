// SPDX-License-Identifier: Apache-2.0
/// @file
/// Tensors of tuples.
#pragma once
#include <cute/config.hpp>

#include <cosmati/tensor/zip_tensor.hpp>
#include <cute/tensor_impl.hpp>
