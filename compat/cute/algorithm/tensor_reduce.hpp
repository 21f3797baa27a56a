// SPDX-License-Identifier: Apache-2.0
/// @file
/// `reduce`, `batch_reduce`, `logical_reduce`.
#pragma once
#include <cute/config.hpp>

#include <cosmati/algorithm/reduce.hpp>
#include <cute/algorithm/fill.hpp>
#include <cute/algorithm/functional.hpp>
#include <cute/tensor_impl.hpp>
