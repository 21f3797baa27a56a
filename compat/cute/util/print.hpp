// SPDX-License-Identifier: Apache-2.0
/// @file
/// `print` of integers and texts.
#pragma once
#include <cute/config.hpp>

#include <cosmati/layout/print.hpp>
