// SPDX-License-Identifier: Apache-2.0
/// @file
/// The traits of the instructions in <cute/arch/mma_sm90_gmma_sparse_ext.hpp>.
#pragma once
#include <cute/config.hpp>

#include <cute/arch/mma_sm90.hpp>
#include <cute/arch/mma_sm90_gmma_sparse_ext.hpp>
#include <cute/atom/mma_traits_sm90_gmma_sparse.hpp>
