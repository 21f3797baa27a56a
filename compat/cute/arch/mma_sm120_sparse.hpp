// SPDX-License-Identifier: Apache-2.0
/// @file
/// The place of CuTe's header, until Cosmati has the sparse matrix instructions.
#pragma once
#error \
    "cosmati: <cute/arch/mma_sm120_sparse.hpp>: the sparse matrix instructions of sm_100 and later are not in Cosmati yet; leave this include out, or compile this file with CuTe's headers"
