// SPDX-License-Identifier: Apache-2.0
/// @file
/// `ldmatrix`, `movmatrix`.
#pragma once
#include <cute/config.hpp>

#include <cosmati/arch/ldmatrix.hpp>
#include <cosmati/arch/movmatrix.hpp>
#include <cute/arch/copy.hpp>
