// SPDX-License-Identifier: Apache-2.0
/// @file
/// The place of TMA's tensor copies, which come with the atoms of Hopper: until then this header declares nothing.
#pragma once
#include <cute/config.hpp>

#include <cute/arch/config.hpp>
#include <cute/arch/copy_sm90_desc.hpp>
#include <cute/swizzle_layout.hpp>
