// SPDX-License-Identifier: Apache-2.0
/// @file
/// Bulk copies. Tensor copies (`SM90_TMA_...`) come with the atoms of Hopper.
#pragma once
#include <cute/config.hpp>

#include <cosmati/arch/bulk_copy.hpp>
#include <cute/arch/config.hpp>
