// SPDX-License-Identifier: Apache-2.0
/// @file
/// Bulk copies, and the operations of tensor copies.
#pragma once
#include <cute/config.hpp>

#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/arch/tensor_operations.hpp>
#include <cosmati/atom/tma.hpp>
#include <cute/arch/config.hpp>
#include <cute/arch/copy_sm90.hpp>
