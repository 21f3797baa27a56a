// SPDX-License-Identifier: Apache-2.0
/// @file
/// `fill` of tensors.
#pragma once
#include <cute/config.hpp>

#include <cosmati/algorithm/fill.hpp>
#include <cute/algorithm/prefer.hpp>
#include <cute/tensor_impl.hpp>
