// SPDX-License-Identifier: Apache-2.0
/// @file
/// As much of CuTe's header as its public SIMT and Ampere tutorials use, over this library; compiled with
/// `-DCOSMATI_NAMESPACE=cute`.
#pragma once

#include <cosmati/cosmati.hpp>
#include <cosmati/layout/print.hpp>
#include <cosmati/mma.hpp>
#include <cosmati/tensor/print.hpp>

#define CUTE_UNROLL _Pragma("unroll")
#define CUTE_NO_UNROLL _Pragma("unroll 1")
#define CUTE_HOST_DEVICE __forceinline__ __host__ __device__
#define CUTE_DEVICE __forceinline__ __device__
#define CUTE_STATIC_ASSERT static_assert
#define CUTE_STATIC_ASSERT_V(x, ...) static_assert(decltype(x)::value, ##__VA_ARGS__)
#define CUTE_CHECK_ERROR(status) (void)(status)
#define CUTE_CHECK_LAST() (void)cudaGetLastError()
