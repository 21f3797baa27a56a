// SPDX-License-Identifier: Apache-2.0
/// @file
/// The library's number types and CUDA's, which tests compare.
#pragma once

#include <cosmati/number/number_types.hpp>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"  // in cuda_fp4.h
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>
#pragma GCC diagnostic pop
