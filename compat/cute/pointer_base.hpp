// SPDX-License-Identifier: Apache-2.0
/// @file
/// Iterators: `counting_iterator`, `transform_iter`, `raw_pointer_cast`.
#pragma once
#include <cute/config.hpp>

#include <cosmati/tensor/iterator.hpp>
