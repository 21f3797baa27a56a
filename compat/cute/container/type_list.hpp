// SPDX-License-Identifier: Apache-2.0
/// @file
/// `type_list<T...>`.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/type_list.hpp>
