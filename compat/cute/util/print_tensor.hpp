// SPDX-License-Identifier: Apache-2.0
/// @file
/// `print_tensor`, `operator<<` of tensors.
#pragma once
#include <cute/config.hpp>

#include <cosmati/tensor/print.hpp>
#include <cosmati/tensor/stream.hpp>
#include <cute/tensor_impl.hpp>
