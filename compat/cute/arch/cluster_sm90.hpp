// SPDX-License-Identifier: Apache-2.0
/// @file
/// `elect_one_sync`. `cluster_sync` and its kin come with the atoms of Hopper.
#pragma once
#include <cute/config.hpp>

#include <cosmati/arch/warp.hpp>
#include <cute/arch/config.hpp>
