// SPDX-License-Identifier: Apache-2.0
/// @file
/// All functions over tuples.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/tuple_apply.hpp>    // IWYU pragma: export
#include <cosmati/core/tuple_edit.hpp>     // IWYU pragma: export
#include <cosmati/core/tuple_fold.hpp>     // IWYU pragma: export
#include <cosmati/core/tuple_nesting.hpp>  // IWYU pragma: export

#include <cosmati/core/macros_end.hpp>
