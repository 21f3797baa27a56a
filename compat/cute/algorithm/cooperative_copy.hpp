// SPDX-License-Identifier: Apache-2.0
/// @file
/// `cooperative_copy` of tensors.
#pragma once
#include <cute/config.hpp>

#include <cosmati/algorithm/cooperative_copy.hpp>
#include <cute/tensor.hpp>
