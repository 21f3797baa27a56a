// SPDX-License-Identifier: Apache-2.0
/// @file
/// CUDA's surface functions for kernels on the simulated device. They are checked as all reads and writes are.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/texture.hpp>
#include <type_traits>

/// One read or write of a lane. `x` is in bytes, and `z` is the slice, layer or face.
struct cosmati_sim_surface_access {
  cudaSurfaceObject_t surface;
  cosmati_sim_texture_shape shape;
  int x, y, z;
  cudaSurfaceBoundaryMode mode;
  int writes;
  unsigned bytes;
  char const* name;
  char const* file;
  int line;
};
extern "C" {
void cosmati_sim_access_surface(cosmati_sim_surface_access const* access, void* value);
}

namespace cosmati_cuda {
template <class T>
T access_surface(cosmati_sim_surface_access const& a, T value) {
  static_assert(std::is_trivially_copyable_v<T> &&
                    (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16),
                "a surface function moves 1, 2, 4, 8 or 16 bytes");
  cosmati_sim_access_surface(&a, &value);
  return value;
}
}  // namespace cosmati_cuda

#define COSMATI_ARGUMENTS_(...) __VA_ARGS__
#define COSMATI_SITE_ \
  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, char const *file = __builtin_FILE(), int line = __builtin_LINE()
#define COSMATI_SURFACE_(name, shape, parameters, arguments, y, z)                                                  \
  template <class T>                                                                                                \
  T name##read(cudaSurfaceObject_t s, COSMATI_ARGUMENTS_ parameters, COSMATI_SITE_) {                               \
    return cosmati_cuda::access_surface<T>(                                                                         \
        {s, cosmati_sim_of_##shape, x, y, z, mode, 0, static_cast<unsigned>(sizeof(T)), #name "read", file, line},  \
        T{});                                                                                                       \
  }                                                                                                                 \
  template <class T>                                                                                                \
  void name##read(T* out, cudaSurfaceObject_t s, COSMATI_ARGUMENTS_ parameters, COSMATI_SITE_) {                    \
    *out = name##read<T>(s, COSMATI_ARGUMENTS_ arguments, mode, file, line);                                        \
  }                                                                                                                 \
  template <class T>                                                                                                \
  void name##write(T value, cudaSurfaceObject_t s, COSMATI_ARGUMENTS_ parameters, COSMATI_SITE_) {                  \
    cosmati_cuda::access_surface<T>(                                                                                \
        {s, cosmati_sim_of_##shape, x, y, z, mode, 1, static_cast<unsigned>(sizeof(T)), #name "write", file, line}, \
        value);                                                                                                     \
  }

/// @name Reads and writes of surfaces. `x` is in bytes
/// @{
COSMATI_SURFACE_(surf1D, 1d, (int x), (x), 0, 0)
COSMATI_SURFACE_(surf2D, 2d, (int x, int y), (x, y), y, 0)
COSMATI_SURFACE_(surf3D, 3d, (int x, int y, int z), (x, y, z), y, z)
COSMATI_SURFACE_(surf1DLayered, 1d_layered, (int x, int layer), (x, layer), 0, layer)
COSMATI_SURFACE_(surf2DLayered, 2d_layered, (int x, int y, int layer), (x, y, layer), y, layer)
COSMATI_SURFACE_(surfCubemap, cubemap, (int x, int y, int face), (x, y, face), y, face)
COSMATI_SURFACE_(surfCubemapLayered, cubemap_layered, (int x, int y, int layer_face), (x, y, layer_face), y, layer_face)
/// @}

#undef COSMATI_SURFACE_
#undef COSMATI_SITE_
#undef COSMATI_ARGUMENTS_

#endif

#include <cosmati/core/macros_end.hpp>
