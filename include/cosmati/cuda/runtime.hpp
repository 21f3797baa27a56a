// SPDX-License-Identifier: Apache-2.0
/// @file
/// What CUDA's cuda_runtime.h provides, for `cosmati sim` of CUDA files: the words of kernels and the host's functions.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
// CUDA's default is C++17, which has no std::lerp. Programs, and CUDA's samples, define a lerp of floats.
#if !defined(_GLIBCXX_CMATH) && !defined(_LIBCPP_CMATH)
#pragma push_macro("lerp")
#define lerp cosmati_lerp_of_cpp20
#include <math.h>
#include <cmath>
#pragma pop_macro("lerp")
#endif

#include <limits.h>  // CUDA's driver_types.h has it, and programs use CHAR_MIN and INT_MAX

#include <cosmati/cuda/array.hpp>
#include <cosmati/cuda/cluster_occupancy.hpp>
#include <cosmati/cuda/device.hpp>
#include <cosmati/cuda/entry_point.hpp>
#include <cosmati/cuda/error.hpp>
#include <cosmati/cuda/function.hpp>
#include <cosmati/cuda/graph.hpp>
#include <cosmati/cuda/graph_nodes.hpp>
#include <cosmati/cuda/launch.hpp>
#include <cosmati/cuda/library_types.hpp>
#include <cosmati/cuda/memory.hpp>
#include <cosmati/cuda/nv_atomic.hpp>
#include <cosmati/cuda/pool.hpp>
#include <cosmati/cuda/ptx.hpp>
#include <cosmati/cuda/stream.hpp>
#include <cosmati/cuda/surface.hpp>
#include <cosmati/cuda/texture.hpp>
#include <cosmati/cuda/words.hpp>
#include <cosmati/runtime/cuda_words.hpp>

#define CUDART_CB
#define CUDARTAPI
// Programs ask by these guards whether CUDA's headers were included. A toolkit's headers are empty after them.
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define __TEXTURE_TYPES_H__
#define __SURFACE_TYPES_H__
#define __CHANNEL_DESCRIPTOR_H__
#define __TEXTURE_INDIRECT_FUNCTIONS_H__
#define __SURFACE_INDIRECT_FUNCTIONS_H__
#define __VECTOR_TYPES_H__
#define __VECTOR_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_HPP__
#define __DEVICE_TYPES_H__
#define __HOST_DEFINES_H__
#define __BUILTIN_TYPES_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__

#define CUDART_VERSION 13000
#define CUDA_VERSION 13000

#endif

#include <cosmati/core/macros_end.hpp>
