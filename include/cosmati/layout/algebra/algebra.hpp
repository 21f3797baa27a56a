// SPDX-License-Identifier: Apache-2.0
/// @file
/// Includes the whole algebra of layouts, as functions on values.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/algebra/algebra.hpp>
#include <cosmati/layout/algebra/at.hpp>
#include <cosmati/layout/algebra/bijective.hpp>
#include <cosmati/layout/algebra/coalesce.hpp>
#include <cosmati/layout/algebra/codomain.hpp>
#include <cosmati/layout/algebra/common.hpp>
#include <cosmati/layout/algebra/complement.hpp>
#include <cosmati/layout/algebra/composition.hpp>
#include <cosmati/layout/algebra/divide.hpp>
#include <cosmati/layout/algebra/inverse.hpp>
#include <cosmati/layout/algebra/make.hpp>
#include <cosmati/layout/algebra/nullspace.hpp>
#include <cosmati/layout/algebra/product.hpp>
#include <cosmati/layout/algebra/recast.hpp>
#include <cosmati/layout/algebra/unzip.hpp>

#include <cosmati/core/macros_end.hpp>
