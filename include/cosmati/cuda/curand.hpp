// SPDX-License-Identifier: Apache-2.0
/// @file
/// What CUDA's curand_kernel.h provides for XORWOW and Philox: uniform, normal and log-normal numbers. The bits and the
/// uniform numbers are CUDA's. Normal ones differ in the last bits, because GPUs approximate sines and logarithms.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#define CURAND_KERNEL_H_
#include <cmath>
#include <cosmati/cuda/curand_philox.hpp>
#include <cosmati/cuda/curand_xorwow.hpp>
#include <cosmati/cuda/words.hpp>
#include <type_traits>

namespace cosmati_cuda {

template <class State>
concept curand_state = std::is_same_v<State, curandStateXORWOW_t> || std::is_same_v<State, curandStatePhilox4_32_10_t>;

/// A number above 0 and at most 1.
inline float uniform_of(unsigned x) { return static_cast<float>(x) * 0x1p-32f + 0x1p-33f; }
/// The same with 53 bits of two words.
inline unsigned long long bits53_of(unsigned x, unsigned y) {
  return static_cast<unsigned long long>(x) ^ static_cast<unsigned long long>(y) << 21;
}
inline double uniform_of(unsigned x, unsigned y) { return static_cast<double>(bits53_of(x, y)) * 0x1p-53 + 0x1p-54; }

/// Two normal numbers of two uniform ones (Box and Muller).
inline float2 normal_of(unsigned x, unsigned y) {
  float const turn = 0x1p-32f * 6.2831855f, angle = static_cast<float>(y) * turn + turn / 2;
  float const radius = std::sqrt(-2 * std::log(uniform_of(x)));
  return {std::sin(angle) * radius, std::cos(angle) * radius};
}
inline double2 normal_of(uint4 x) {
  double const half_turns = static_cast<double>(bits53_of(x.z, x.w)) * 0x1p-52 + 0x1p-53;
  double const radius = std::sqrt(-2 * std::log(uniform_of(x.x, x.y)));
  return {sinpi(half_turns) * radius, cospi(half_turns) * radius};
}
/// The four next words. XORWOW gives them one by one.
template <class State>
uint4 four_words(State* state) {
  if constexpr (std::is_same_v<State, curandStatePhilox4_32_10_t>) {
    return curand4(state);
  } else {
    unsigned const x = curand(state), y = curand(state), z = curand(state), w = curand(state);
    return uint4{x, y, z, w};
  }
}
inline float log_normal_of(float v, float mean, float deviation) { return std::exp(mean + deviation * v); }
inline double log_normal_of(double v, double mean, double deviation) { return std::exp(mean + deviation * v); }

}  // namespace cosmati_cuda

/// @name Uniform numbers above 0 and at most 1
/// @{
template <cosmati_cuda::curand_state State>
float curand_uniform(State* state) {
  return cosmati_cuda::uniform_of(curand(state));
}
inline double curand_uniform_double(curandStateXORWOW_t* state) {
  unsigned const x = curand(state), y = curand(state);
  return cosmati_cuda::uniform_of(x, y);
}
/// Philox gives only 32 bits of them here, and 53 in curand_uniform2_double.
inline double curand_uniform_double(curandStatePhilox4_32_10_t* state) {
  return static_cast<double>(curand(state)) * 0x1p-32 + 0x1p-32;
}
inline float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
  uint4 const x = curand4(state);
  return {cosmati_cuda::uniform_of(x.x), cosmati_cuda::uniform_of(x.y), cosmati_cuda::uniform_of(x.z),
          cosmati_cuda::uniform_of(x.w)};
}
inline double2 curand_uniform2_double(curandStatePhilox4_32_10_t* state) {
  uint4 const x = curand4(state);
  return {cosmati_cuda::uniform_of(x.x, x.y), cosmati_cuda::uniform_of(x.z, x.w)};
}
inline double4 curand_uniform4_double(curandStatePhilox4_32_10_t* state) {
  double2 const a = curand_uniform2_double(state), b = curand_uniform2_double(state);
  return {a.x, a.y, b.x, b.y};
}
/// @}

/// @name Normal numbers of mean 0 and deviation 1
/// Of each pair that is computed, the second number is kept for the next call.
/// @{
template <cosmati_cuda::curand_state State>
float curand_normal(State* state) {
  if (state->boxmuller_flag != 0) {
    state->boxmuller_flag = 0;
    return state->boxmuller_extra;
  }
  unsigned const x = curand(state), y = curand(state);
  float2 const pair = cosmati_cuda::normal_of(x, y);
  state->boxmuller_extra = pair.y;
  state->boxmuller_flag = 1;
  return pair.x;
}
template <cosmati_cuda::curand_state State>
float2 curand_normal2(State* state) {
  unsigned const x = curand(state), y = curand(state);
  return cosmati_cuda::normal_of(x, y);
}
inline float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
  uint4 const x = curand4(state);
  float2 const a = cosmati_cuda::normal_of(x.x, x.y), b = cosmati_cuda::normal_of(x.z, x.w);
  return {a.x, a.y, b.x, b.y};
}
template <cosmati_cuda::curand_state State>
double2 curand_normal2_double(State* state) {
  return cosmati_cuda::normal_of(cosmati_cuda::four_words(state));
}
template <cosmati_cuda::curand_state State>
double curand_normal_double(State* state) {
  if (state->boxmuller_flag_double != 0) {
    state->boxmuller_flag_double = 0;
    return state->boxmuller_extra_double;
  }
  double2 const pair = curand_normal2_double(state);
  state->boxmuller_extra_double = pair.y;
  state->boxmuller_flag_double = 1;
  return pair.x;
}
inline double4 curand_normal4_double(curandStatePhilox4_32_10_t* state) {
  double2 const a = curand_normal2_double(state), b = curand_normal2_double(state);
  return {a.x, a.y, b.x, b.y};
}
/// @}

/// @name Numbers whose logarithms are normal
/// @{
template <cosmati_cuda::curand_state State>
float curand_log_normal(State* state, float mean, float deviation) {
  return cosmati_cuda::log_normal_of(curand_normal(state), mean, deviation);
}
template <cosmati_cuda::curand_state State>
float2 curand_log_normal2(State* state, float mean, float deviation) {
  float2 const v = curand_normal2(state);
  return {cosmati_cuda::log_normal_of(v.x, mean, deviation), cosmati_cuda::log_normal_of(v.y, mean, deviation)};
}
inline float4 curand_log_normal4(curandStatePhilox4_32_10_t* state, float mean, float deviation) {
  float4 const v = curand_normal4(state);
  return {cosmati_cuda::log_normal_of(v.x, mean, deviation), cosmati_cuda::log_normal_of(v.y, mean, deviation),
          cosmati_cuda::log_normal_of(v.z, mean, deviation), cosmati_cuda::log_normal_of(v.w, mean, deviation)};
}
template <cosmati_cuda::curand_state State>
double curand_log_normal_double(State* state, double mean, double deviation) {
  return cosmati_cuda::log_normal_of(curand_normal_double(state), mean, deviation);
}
template <cosmati_cuda::curand_state State>
double2 curand_log_normal2_double(State* state, double mean, double deviation) {
  double2 const v = curand_normal2_double(state);
  return {cosmati_cuda::log_normal_of(v.x, mean, deviation), cosmati_cuda::log_normal_of(v.y, mean, deviation)};
}
/// @}

#endif

#include <cosmati/core/macros_end.hpp>
