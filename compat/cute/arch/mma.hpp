// SPDX-License-Identifier: Apache-2.0
/// @file
/// `UniversalFMA`.
#pragma once
#include <cute/config.hpp>

#include <cosmati/arch/mma.hpp>
#include <cosmati/atom/mma_traits.hpp>
#include <cute/numeric/complex.hpp>
#include <cute/numeric/real.hpp>
