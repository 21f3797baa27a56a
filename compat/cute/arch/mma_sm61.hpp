// SPDX-License-Identifier: Apache-2.0
/// @file
/// The matrix instructions of sm_61.
#pragma once
#include <cute/config.hpp>

#include <cosmati/arch/mma.hpp>
#include <cosmati/atom/mma_sm61.hpp>
#include <cute/arch/mma.hpp>
