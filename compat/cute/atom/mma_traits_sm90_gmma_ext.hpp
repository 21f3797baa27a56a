// SPDX-License-Identifier: Apache-2.0
/// @file
/// The place of wgmma, which comes with the atoms of Hopper: until then this header declares nothing.
#pragma once
#include <cute/config.hpp>

#include <cute/arch/config.hpp>
#include <cute/tensor_impl.hpp>
