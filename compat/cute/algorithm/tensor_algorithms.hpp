// SPDX-License-Identifier: Apache-2.0
/// @file
/// `for_each` and `transform` of tensors.
#pragma once
#include <cute/config.hpp>

#include <cosmati/algorithm/for_each.hpp>
#include <cosmati/algorithm/transform.hpp>
#include <cute/tensor_impl.hpp>
