// SPDX-License-Identifier: Apache-2.0
/// @file
/// What CUDA's cuda_runtime.h provides, for `cosmati sim` of CUDA files: the words of kernels and the host's functions.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/device.hpp>
#include <cosmati/cuda/error.hpp>
#include <cosmati/cuda/function.hpp>
#include <cosmati/cuda/launch.hpp>
#include <cosmati/cuda/memory.hpp>
#include <cosmati/cuda/stream.hpp>
#include <cosmati/cuda/words.hpp>
#include <cosmati/runtime/cuda_words.hpp>

#define CUDART_CB
#define CUDARTAPI
#define CUDART_VERSION 13000
#define CUDA_VERSION 13000

#endif

#include <cosmati/core/macros_end.hpp>
