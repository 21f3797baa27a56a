// SPDX-License-Identifier: Apache-2.0
/// @file
/// `sparse_elem`, the element type of compressed operands.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/sparse_element.hpp>
#include <cute/pointer.hpp>
