// SPDX-License-Identifier: Apache-2.0
/// @file
/// Tensor copies as copy atoms (TMA, sm_90), with the mbarriers and bulk groups that go with them. Opt-in:
/// cosmati/cosmati.hpp leaves it out.
#pragma once
#include <cosmati/core/macros_begin.hpp>

// IWYU pragma: begin_exports
#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/arch/mbarrier.hpp>
#include <cosmati/arch/tensor_copy.hpp>
#include <cosmati/arch/warp.hpp>
#include <cosmati/tma/make_tma_copy.hpp>
#include <cosmati/tma/make_tma_copy_sm90.hpp>
#include <cosmati/tma/tma_atom.hpp>
#include <cosmati/tma/tma_partition.hpp>
// IWYU pragma: end_exports

#include <cosmati/core/macros_end.hpp>
