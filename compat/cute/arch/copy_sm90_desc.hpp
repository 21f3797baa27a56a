// SPDX-License-Identifier: Apache-2.0
/// @file
/// `initialize_barrier`, `wait_barrier`, `set_barrier_transaction_bytes`, and `TmaDescriptor`.
#pragma once
#include <cute/config.hpp>

#include <cosmati/arch/mbarrier.hpp>
#include <cosmati/arch/tensor_copy.hpp>
#include <cute/arch/config.hpp>
