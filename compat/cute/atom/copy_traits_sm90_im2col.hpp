// SPDX-License-Identifier: Apache-2.0
/// @file
/// Tensor copies of the mode im2col: `make_im2col_tma_copy`. A program that uses it includes this header.
#pragma once
#include <cute/config.hpp>

#include <cosmati/tma/im2col.hpp>
#include <cute/arch/copy_sm90_tma.hpp>
#include <cute/tensor.hpp>
