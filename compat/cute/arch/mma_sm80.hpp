// SPDX-License-Identifier: Apache-2.0
/// @file
/// The matrix instructions of sm_80.
#pragma once
#include <cute/config.hpp>

#include <cosmati/arch/mma.hpp>
#include <cosmati/atom/mma_complex.hpp>
#include <cosmati/atom/mma_sm80.hpp>
#include <cute/arch/mma.hpp>
