// SPDX-License-Identifier: Apache-2.0
/// @file
/// `__builtin_memcpy` and similar builtins in a program's own code, which g++ instruments for the simulated device. g++
/// expands copies of more than 16 bytes after the instrumentation, so that they would be missed; calls of functions are
/// instrumented. The library's own headers keep the builtins: they are included before, or restore the words.
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
