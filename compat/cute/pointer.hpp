// SPDX-License-Identifier: Apache-2.0
/// @file
/// `gmem_ptr`, `smem_ptr`, `rmem_ptr`, `recast_ptr`.
#pragma once
#include <cute/config.hpp>

#include <cosmati/tensor/pointer.hpp>
#include <cute/container/array_subbyte.hpp>
#include <cute/pointer_base.hpp>
