// SPDX-License-Identifier: Apache-2.0
/// @file
/// `gemm` of tensors.
#pragma once
#include <cute/config.hpp>

#include <cosmati/algorithm/gemm.hpp>
#include <cute/tensor.hpp>
