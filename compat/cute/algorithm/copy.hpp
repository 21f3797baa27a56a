// SPDX-License-Identifier: Apache-2.0
/// @file
/// `copy`, `copy_if`, `copy_aligned`.
#pragma once
#include <cute/config.hpp>

#include <cosmati/algorithm/copy.hpp>
#include <cosmati/algorithm/copy_if.hpp>
