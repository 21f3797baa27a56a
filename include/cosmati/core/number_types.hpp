// SPDX-License-Identifier: Apache-2.0
/// @file
/// Every number type of the library. Their names as text are in `core/type_names.hpp`, which this leaves out.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/bfloat16.hpp>
#include <cosmati/core/complex.hpp>
#include <cosmati/core/float8.hpp>
#include <cosmati/core/float_subbyte.hpp>
#include <cosmati/core/half.hpp>
#include <cosmati/core/integer_subbyte.hpp>
#include <cosmati/core/sizeof_bits.hpp>
#include <cosmati/core/tfloat32.hpp>
#include <cosmati/core/uint128.hpp>

#include <cosmati/core/macros_end.hpp>
