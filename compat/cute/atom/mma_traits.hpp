// SPDX-License-Identifier: Apache-2.0
/// @file
/// `MMA_Traits` of `UniversalFMA`; the concept of traits.
#pragma once
#include <cute/config.hpp>

#include <cute/arch/mma.hpp>
