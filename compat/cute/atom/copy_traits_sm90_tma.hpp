// SPDX-License-Identifier: Apache-2.0
/// @file
/// The traits of bulk copies. Tensor copies (`make_tma_copy`, ...) come with the atoms of Hopper.
#pragma once
#include <cute/config.hpp>

#include <cosmati/atom/bulk_copy.hpp>
#include <cute/arch/copy_sm90_tma.hpp>
#include <cute/atom/copy_traits.hpp>
#include <cute/tensor.hpp>
