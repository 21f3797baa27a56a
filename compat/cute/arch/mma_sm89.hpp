// SPDX-License-Identifier: Apache-2.0
/// @file
/// The matrix instructions of sm_89.
#pragma once
#include <cute/config.hpp>

#include <cosmati/arch/mma.hpp>
#include <cosmati/atom/mma_sm89.hpp>
#include <cute/arch/mma.hpp>
