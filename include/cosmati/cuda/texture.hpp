// SPDX-License-Identifier: Apache-2.0
/// @file
/// CUDA's texture functions for kernels on the simulated device.
///
/// A fetch reads memory: it is checked for bounds, races and unwritten bytes as all reads are. Filters, address modes
/// and conversions are those of the section "Texture Fetching" of CUDA's programming guide.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/texture_types.hpp>
#include <cstdint>
#include <type_traits>

/// The kinds of texture functions, and of surface functions.
enum cosmati_sim_texture_shape {
  cosmati_sim_of_linear,
  cosmati_sim_of_1d,
  cosmati_sim_of_2d,
  cosmati_sim_of_3d,
  cosmati_sim_of_1d_layered,
  cosmati_sim_of_2d_layered,
  cosmati_sim_of_cubemap,
  cosmati_sim_of_cubemap_layered,
  cosmati_sim_of_gather
};
/// The level of detail that a fetch asks for: a number, or the gradients of the coordinates.
struct cosmati_sim_detail {
  float level = 0;
  bool has_gradients = false;
  float dx[3] = {}, dy[3] = {};
};
/// One fetch of a lane.
struct cosmati_sim_fetch {
  cudaTextureObject_t texture;
  cosmati_sim_texture_shape shape;
  float x, y, z;
  int layer;  // or the element of linear memory, or the channel of a gather
  int wants_float;
  char const* name;
  char const* file;
  int line;
  cosmati_sim_detail detail = {};
};
extern "C" {
/// @param out the four channels: the bits of floats, or integers with the sign extended
void cosmati_sim_fetch_texture(cosmati_sim_fetch const* fetch, std::uint32_t* out);
}

namespace cosmati_cuda {
/// The result of a fetch.
template <class T>
T fetch(cosmati_sim_fetch const& f) {
  using scalar = typename texel_traits<T>::scalar;
  constexpr int count = texel_traits<T>::count;
  static_assert((std::is_integral_v<scalar> || std::is_same_v<scalar, float>)&&sizeof(scalar) <= 4 && count != 3,
                "a texture function gives a char, short, int, float, or a vector of 1, 2 or 4 of them");
  std::uint32_t channels[4];
  cosmati_sim_fetch_texture(&f, channels);
  scalar values[count];
  for (int i = 0; i < count; ++i) {
    if constexpr (std::is_same_v<scalar, float>) {
      values[i] = __builtin_bit_cast(float, channels[i]);
    } else {
      values[i] = static_cast<scalar>(channels[i]);
    }
  }
  return __builtin_bit_cast(T, values);
}
inline cosmati_sim_detail at_level(float level) { return {level, false, {}, {}}; }
inline cosmati_sim_detail by_gradients(float dx, float dy) { return {0, true, {dx}, {dy}}; }
inline cosmati_sim_detail by_gradients(float2 dx, float2 dy) { return {0, true, {dx.x, dx.y}, {dy.x, dy.y}}; }
inline cosmati_sim_detail by_gradients(float4 dx, float4 dy) {
  return {0, true, {dx.x, dx.y, dx.z}, {dy.x, dy.y, dy.z}};
}
template <class T>
constexpr int wants_float = std::is_same_v<typename texel_traits<T>::scalar, float>;
}  // namespace cosmati_cuda

// Each function has three forms: it returns the value, it stores the value behind a pointer, and it tells, too, whether
// the memory is resident, which it is. A texture of an array has one level, which each level of detail gives. Without a
// level of detail, a fetch of a mipmapped array reads the first level.
#define COSMATI_ARGUMENTS_(...) __VA_ARGS__
#define COSMATI_SITE_ char const *file = __builtin_FILE(), int line = __builtin_LINE()
#define COSMATI_TEXTURE_(name, shape, parameters, arguments, x, y, z, layer, detail)                              \
  template <class T>                                                                                              \
  T name(cudaTextureObject_t t, COSMATI_ARGUMENTS_ parameters, COSMATI_SITE_) {                                   \
    return cosmati_cuda::fetch<T>({t, cosmati_sim_of_##shape, static_cast<float>(x), static_cast<float>(y),       \
                                   static_cast<float>(z), layer, cosmati_cuda::wants_float<T>, #name, file, line, \
                                   detail});                                                                      \
  }                                                                                                               \
  template <class T>                                                                                              \
  void name(T* out, cudaTextureObject_t t, COSMATI_ARGUMENTS_ parameters, COSMATI_SITE_) {                        \
    *out = name<T>(t, COSMATI_ARGUMENTS_ arguments, file, line);                                                  \
  }
#define COSMATI_TEXTURE_RESIDENT_(name, parameters, arguments)                                             \
  template <class T>                                                                                       \
  T name(cudaTextureObject_t t, COSMATI_ARGUMENTS_ parameters, bool* resident, COSMATI_SITE_) {            \
    *resident = true;                                                                                      \
    return name<T>(t, COSMATI_ARGUMENTS_ arguments, file, line);                                           \
  }                                                                                                        \
  template <class T>                                                                                       \
  void name(T* out, cudaTextureObject_t t, COSMATI_ARGUMENTS_ parameters, bool* resident, COSMATI_SITE_) { \
    *resident = true;                                                                                      \
    *out = name<T>(t, COSMATI_ARGUMENTS_ arguments, file, line);                                           \
  }

/// @name Fetches. Coordinates are in elements, or from 0 to 1 if the texture's are normalized
/// @{
COSMATI_TEXTURE_(tex1Dfetch, linear, (int x), (x), 0, 0, 0, x, {})
COSMATI_TEXTURE_(tex1D, 1d, (float x), (x), x, 0, 0, 0, {})
COSMATI_TEXTURE_(tex1DLod, 1d, (float x, float level), (x, level), x, 0, 0, 0, cosmati_cuda::at_level(level))
COSMATI_TEXTURE_(tex1DGrad, 1d, (float x, float dx, float dy), (x, dx, dy), x, 0, 0, 0,
                 cosmati_cuda::by_gradients(dx, dy))
COSMATI_TEXTURE_(tex2D, 2d, (float x, float y), (x, y), x, y, 0, 0, {})
COSMATI_TEXTURE_RESIDENT_(tex2D, (float x, float y), (x, y))
COSMATI_TEXTURE_(tex2DLod, 2d, (float x, float y, float level), (x, y, level), x, y, 0, 0,
                 cosmati_cuda::at_level(level))
COSMATI_TEXTURE_RESIDENT_(tex2DLod, (float x, float y, float level), (x, y, level))
COSMATI_TEXTURE_(tex2DGrad, 2d, (float x, float y, float2 dx, float2 dy), (x, y, dx, dy), x, y, 0, 0,
                 cosmati_cuda::by_gradients(dx, dy))
COSMATI_TEXTURE_(tex3D, 3d, (float x, float y, float z), (x, y, z), x, y, z, 0, {})
COSMATI_TEXTURE_RESIDENT_(tex3D, (float x, float y, float z), (x, y, z))
COSMATI_TEXTURE_(tex3DLod, 3d, (float x, float y, float z, float level), (x, y, z, level), x, y, z, 0,
                 cosmati_cuda::at_level(level))
COSMATI_TEXTURE_(tex3DGrad, 3d, (float x, float y, float z, float4 dx, float4 dy), (x, y, z, dx, dy), x, y, z, 0,
                 cosmati_cuda::by_gradients(dx, dy))
COSMATI_TEXTURE_(tex1DLayered, 1d_layered, (float x, int layer), (x, layer), x, 0, 0, layer, {})
COSMATI_TEXTURE_(tex1DLayeredLod, 1d_layered, (float x, int layer, float level), (x, layer, level), x, 0, 0, layer,
                 cosmati_cuda::at_level(level))
COSMATI_TEXTURE_(tex2DLayered, 2d_layered, (float x, float y, int layer), (x, y, layer), x, y, 0, layer, {})
COSMATI_TEXTURE_RESIDENT_(tex2DLayered, (float x, float y, int layer), (x, y, layer))
COSMATI_TEXTURE_(tex2DLayeredLod, 2d_layered, (float x, float y, int layer, float level), (x, y, layer, level), x, y, 0,
                 layer, cosmati_cuda::at_level(level))
COSMATI_TEXTURE_(texCubemap, cubemap, (float x, float y, float z), (x, y, z), x, y, z, 0, {})
COSMATI_TEXTURE_(texCubemapLod, cubemap, (float x, float y, float z, float level), (x, y, z, level), x, y, z, 0,
                 cosmati_cuda::at_level(level))
COSMATI_TEXTURE_(texCubemapLayered, cubemap_layered, (float x, float y, float z, int layer), (x, y, z, layer), x, y, z,
                 layer, {})
/// The channel `channel` of the four elements that a linear filter would use: lower left, lower right, upper right,
/// upper left, where y grows downwards.
COSMATI_TEXTURE_(tex2Dgather, gather, (float x, float y, int channel = 0), (x, y, channel), x, y, 0, channel, {})
/// @}

#undef COSMATI_TEXTURE_RESIDENT_
#undef COSMATI_TEXTURE_
#undef COSMATI_SITE_
#undef COSMATI_ARGUMENTS_

#endif

#include <cosmati/core/macros_end.hpp>
