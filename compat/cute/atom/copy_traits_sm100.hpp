// SPDX-License-Identifier: Apache-2.0
/// @file
/// The place of CuTe's header, until Cosmati has the copy traits.
#pragma once
#if !__has_include_next(<cute/atom/copy_traits_sm100.hpp>)  // headers of CUTLASS include it
#error \
    "cosmati: <cute/atom/copy_traits_sm100.hpp>: the copy traits of sm_100 and later are not in Cosmati yet; leave this include out, or compile this file with CuTe's headers"
#endif
