// SPDX-License-Identifier: Apache-2.0
/// @file
/// `stmatrix`; bulk copies.
#pragma once
#include <cute/config.hpp>

#include <cosmati/arch/stmatrix.hpp>
#include <cute/arch/copy.hpp>
#include <cute/arch/copy_sm90_desc.hpp>
#include <cute/arch/copy_sm90_tma.hpp>
