// SPDX-License-Identifier: Apache-2.0
/// @file
/// `__builtin_memcpy` and its like in a program's own code, where g++ instruments it for the simulated device: g++
/// writes copies of more than 16 bytes out after the instrumentation has looked, but calls of functions are seen. The
/// library's own headers, included before or with the words taken back, keep the builtins.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/config.hpp>

#if defined(COSMATI_SIMULATED) && defined(__SANITIZE_THREAD__) && !defined(__clang__)
#include <cstring>
#define __builtin_memcpy(to, from, bytes) ::memcpy(to, from, bytes)
#define __builtin_memmove(to, from, bytes) ::memmove(to, from, bytes)
#define __builtin_memset(to, value, bytes) ::memset(to, value, bytes)
#endif

#include <cosmati/core/macros_end.hpp>
