// SPDX-License-Identifier: Apache-2.0
/// @file
/// The atoms of the instructions in <cute/arch/mma_sm90_gmma_ext.hpp>.
#pragma once
#include <cute/config.hpp>

#include <cute/arch/mma_sm90.hpp>
#include <cute/arch/mma_sm90_gmma_ext.hpp>
#include <cute/atom/mma_traits_sm90_gmma.hpp>

#include <cosmati/core/macros_begin.hpp>

namespace COSMATI_NAMESPACE::GMMA {
/// @name C (64, N) of these N, (thread, value) -> element
/// @{
using CLayout_64x24 = CLayout_64xN<24>;
using CLayout_64x40 = CLayout_64xN<40>;
using CLayout_64x48 = CLayout_64xN<48>;
using CLayout_64x56 = CLayout_64xN<56>;
using CLayout_64x72 = CLayout_64xN<72>;
using CLayout_64x80 = CLayout_64xN<80>;
using CLayout_64x88 = CLayout_64xN<88>;
using CLayout_64x104 = CLayout_64xN<104>;
using CLayout_64x112 = CLayout_64xN<112>;
using CLayout_64x120 = CLayout_64xN<120>;
using CLayout_64x136 = CLayout_64xN<136>;
using CLayout_64x144 = CLayout_64xN<144>;
using CLayout_64x152 = CLayout_64xN<152>;
using CLayout_64x160 = CLayout_64xN<160>;
using CLayout_64x168 = CLayout_64xN<168>;
using CLayout_64x176 = CLayout_64xN<176>;
using CLayout_64x184 = CLayout_64xN<184>;
using CLayout_64x200 = CLayout_64xN<200>;
using CLayout_64x208 = CLayout_64xN<208>;
using CLayout_64x216 = CLayout_64xN<216>;
using CLayout_64x224 = CLayout_64xN<224>;
using CLayout_64x232 = CLayout_64xN<232>;
using CLayout_64x240 = CLayout_64xN<240>;
using CLayout_64x248 = CLayout_64xN<248>;
/// @}
}  // namespace COSMATI_NAMESPACE::GMMA

#include <cosmati/core/macros_end.hpp>
