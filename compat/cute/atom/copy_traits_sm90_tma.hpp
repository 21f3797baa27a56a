// SPDX-License-Identifier: Apache-2.0
/// @file
/// Bulk copies and tensor copies as atoms: `make_tma_copy`, `make_tma_atom`, `tma_partition`, multicast and
/// reductions, and `make_tma_copy_A_sm90` and its like. <cute/atom/copy_traits_sm90_im2col.hpp> has im2col.
#pragma once
#include <cute/config.hpp>

#include <cosmati/atom/bulk_copy.hpp>
#include <cosmati/tma.hpp>
#include <cute/arch/copy_sm90_tma.hpp>
#include <cute/atom/copy_traits.hpp>
#include <cute/atom/copy_traits_sm90_tma_swizzle.hpp>
#include <cute/tensor.hpp>
