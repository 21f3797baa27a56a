// SPDX-License-Identifier: Apache-2.0
/// @file
/// Functions over tuples.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/tuple/elements.hpp>
#include <cosmati/core/tuple/flatten.hpp>
#include <cosmati/core/tuple/fold.hpp>
#include <cosmati/core/tuple/slice.hpp>
#include <cosmati/core/tuple/transform.hpp>
#include <cute/algorithm/functional.hpp>
#include <cute/container/tuple.hpp>
#include <cute/container/type_list.hpp>
#include <cute/numeric/integer_sequence.hpp>
#include <cute/numeric/integral_constant.hpp>
#include <cute/util/type_traits.hpp>
