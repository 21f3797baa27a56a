// SPDX-License-Identifier: Apache-2.0
/// @file
/// The place of CuTe's header, until Cosmati has the cluster functions.
#pragma once
#error \
    "cosmati: <cute/arch/cluster_sm100.hpp>: the cluster functions of sm_100 and later are not in Cosmati yet; leave this include out, or compile this file with CuTe's headers"
