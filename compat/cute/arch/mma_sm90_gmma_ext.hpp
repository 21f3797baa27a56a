// SPDX-License-Identifier: Apache-2.0
/// @file
/// The instructions of every N are in <cute/arch/mma_sm90_gmma.hpp>.
#pragma once
#include <cute/config.hpp>

#include <cute/arch/mma_sm90_gmma.hpp>
