// SPDX-License-Identifier: Apache-2.0
/// @file
/// The types of pointers to functions of CUDA's driver interface.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/driver.hpp>

using PFN_cuTensorMapEncodeTiled_v12000 = decltype(&cuTensorMapEncodeTiled);
using PFN_cuTensorMapEncodeTiled = PFN_cuTensorMapEncodeTiled_v12000;
using PFN_cuTensorMapEncodeIm2col_v12000 = decltype(&cuTensorMapEncodeIm2col);
using PFN_cuTensorMapEncodeIm2col = PFN_cuTensorMapEncodeIm2col_v12000;
using PFN_cuGetErrorString_v6000 = decltype(&cuGetErrorString);
using PFN_cuGetErrorString = PFN_cuGetErrorString_v6000;

#endif

#include <cosmati/core/macros_end.hpp>
