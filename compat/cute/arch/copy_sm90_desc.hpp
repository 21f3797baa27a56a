// SPDX-License-Identifier: Apache-2.0
/// @file
/// `initialize_barrier`, `wait_barrier`, `set_barrier_transaction_bytes`. Descriptors of tensor copies come with the
/// atoms of Hopper.
#pragma once
#include <cute/config.hpp>

#include <cosmati/arch/mbarrier.hpp>
#include <cute/arch/config.hpp>
