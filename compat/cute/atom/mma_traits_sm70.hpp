// SPDX-License-Identifier: Apache-2.0
/// @file
/// The traits of the matrix instructions of sm_70.
#pragma once
#include <cute/config.hpp>

#include <cosmati/atom/mma_traits.hpp>
#include <cute/arch/mma_sm70.hpp>
#include <cute/atom/mma_traits.hpp>
#include <cute/tensor_impl.hpp>
