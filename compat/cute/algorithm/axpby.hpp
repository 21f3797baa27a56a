// SPDX-License-Identifier: Apache-2.0
/// @file
/// `axpby` of tensors.
#pragma once
#include <cute/config.hpp>

#include <cosmati/algorithm/axpby.hpp>
#include <cute/tensor_impl.hpp>
