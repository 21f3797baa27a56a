// SPDX-License-Identifier: Apache-2.0
/// @file
/// `cast_smem_ptr_to_uint`; calls with the elements of arrays: `detail::explode`.
#pragma once
#include <cute/config.hpp>

#include <cosmati/arch/target.hpp>
#include <cosmati/core/integer_sequence.hpp>
