// SPDX-License-Identifier: Apache-2.0
/// @file
/// `prefetch` of tensors.
#pragma once
#include <cute/config.hpp>

#include <cosmati/algorithm/prefetch.hpp>
#include <cute/tensor.hpp>
