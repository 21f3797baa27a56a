// SPDX-License-Identifier: Apache-2.0
/// @file
/// `clear` of tensors.
#pragma once
#include <cute/config.hpp>

#include <cosmati/algorithm/clear.hpp>
#include <cute/algorithm/fill.hpp>
#include <cute/tensor_impl.hpp>
