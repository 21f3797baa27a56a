// SPDX-License-Identifier: Apache-2.0
/// @file
/// `complex<T>`.
#pragma once
#include <cute/config.hpp>

#include <cosmati/number/complex.hpp>
