// SPDX-License-Identifier: Apache-2.0
/// @file
/// `R<n, d>`.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/ratio.hpp>
