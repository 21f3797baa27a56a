// SPDX-License-Identifier: Apache-2.0
/// @file
/// Descriptors of operands in shared memory.
#pragma once
#include <cute/config.hpp>

#include <cosmati/atom/wgmma_descriptor.hpp>
#include <cute/arch/config.hpp>
