// SPDX-License-Identifier: Apache-2.0
/// @file
/// The place of CuTe's header, until Cosmati has the matrix instructions.
#pragma once
#if !__has_include_next(<cute/atom/mma_traits_sm100.hpp>)  // headers of CUTLASS include it
#error \
    "cosmati: <cute/atom/mma_traits_sm100.hpp>: the matrix instructions of sm_100 and later are not in Cosmati yet; leave this include out, or compile this file with CuTe's headers"
#endif
