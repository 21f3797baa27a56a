// SPDX-License-Identifier: Apache-2.0
/// @file
/// `cooperative_gemm` of tensors.
#pragma once
#include <cute/config.hpp>

#include <cosmati/algorithm/cooperative_gemm.hpp>
#include <cute/tensor.hpp>
