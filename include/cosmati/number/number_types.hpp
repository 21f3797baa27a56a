// SPDX-License-Identifier: Apache-2.0
/// @file
/// Includes every number type of the library. Their names as text are in `number/type_names.hpp`, which this header
/// does not include.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/sizeof_bits.hpp>
#include <cosmati/number/bfloat16.hpp>
#include <cosmati/number/complex.hpp>
#include <cosmati/number/float8.hpp>
#include <cosmati/number/float_subbyte.hpp>
#include <cosmati/number/half.hpp>
#include <cosmati/number/integer_subbyte.hpp>
#include <cosmati/number/tfloat32.hpp>
#include <cosmati/number/uint128.hpp>

#include <cosmati/core/macros_end.hpp>
