// SPDX-License-Identifier: Apache-2.0
/// @file
/// The place of `cluster_sync`, `elect_one_sync` and their kin, which come with the atoms of Hopper: until then this
/// header declares nothing.
#pragma once
#include <cute/config.hpp>

#include <cute/arch/config.hpp>
