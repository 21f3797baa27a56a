// SPDX-License-Identifier: Apache-2.0
/// @file
/// `initialize_barrier`, `wait_barrier`, `set_barrier_transaction_bytes`, `TmaDescriptor`, and how kernels change one.
#pragma once
#include <cute/config.hpp>

#include <cosmati/arch/mbarrier.hpp>
#include <cosmati/arch/tensor_copy.hpp>
#include <cosmati/arch/tensor_map_update.hpp>
#include <cute/arch/config.hpp>
