// SPDX-License-Identifier: Apache-2.0
/// @file
/// `cp.async`, its groups and waits.
#pragma once
#include <cute/config.hpp>

#include <cosmati/arch/cp_async.hpp>
#include <cute/arch/copy.hpp>
