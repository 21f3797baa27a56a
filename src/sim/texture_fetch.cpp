// SPDX-License-Identifier: Apache-2.0
// Texture fetches of kernels, by the formulas of the section "Texture Fetching" of CUDA's programming guide.
#include <cosmati/cuda/texture.hpp>
#include <cosmati/number/half.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "access.hpp"
#include "formatted.hpp"
#include "sites.hpp"
#include "texture_objects.hpp"

namespace cosmati_sim {
namespace {

/// The four channels of one element, as the bits of floats or as integers.
using texel = std::array<std::uint32_t, 4>;

float as_float(std::uint32_t bits) { return __builtin_bit_cast(float, bits); }
std::uint32_t bits_of(float v) { return __builtin_bit_cast(std::uint32_t, v); }

[[noreturn]] void refuse(cosmati_sim_fetch const& f, void const* pc, std::string const& why) {
  quiet const hush;
  site const where = {f.file, f.line};
  fail_lane(formatted("{}: {}", f.name, why), hazard_kind::invalid_argument, where,
            site_number(*this_worker, pc, where, f.name));
}

/// A texture, and one fetch from it.
struct sampler {
  texture_object const& texture;
  cosmati_sim_fetch const& fetch;
  void const* pc;
  texel_memory const* level = nullptr;  // of a mipmapped array, if it is not the first one

  texel_memory const& memory() const { return level != nullptr ? *level : texture.memory; }
  bool is_float() const {
    cudaChannelFormatKind const kind = memory().format.f;
    return kind == cudaChannelFormatKindFloat || is_normalized();
  }
  /// Whether integers are read as floats of 0 to 1, or -1 to 1.
  bool is_normalized() const {
    cudaChannelFormatDesc const& f = memory().format;
    if (f.f >= cudaChannelFormatKindUnsignedNormalized8X1) return true;
    return f.f != cudaChannelFormatKindFloat && f.x < 32 && texture.how.readMode == cudaReadModeNormalizedFloat;
  }
  bool is_signed() const {
    cudaChannelFormatKind const kind = memory().format.f;
    return kind == cudaChannelFormatKindSigned || kind >= cudaChannelFormatKindSignedNormalized8X1;
  }

  /// One channel. @param raw its bits @param i its number
  std::uint32_t channel_of(std::uint32_t raw, int i) const {
    int const bits = memory().format.x;
    if (memory().format.f == cudaChannelFormatKindFloat) {
      if (bits == 32) return raw;
      return bits_of(static_cast<float>(__builtin_bit_cast(cosmati::half_t, static_cast<std::uint16_t>(raw))));
    }
    auto const extended = static_cast<std::int32_t>(raw << (32 - bits)) >> (32 - bits);
    if (!is_normalized()) return is_signed() ? static_cast<std::uint32_t>(extended) : raw;
    if (is_signed())
      return bits_of(std::max(-1.f, static_cast<float>(extended) / static_cast<float>((1 << (bits - 1)) - 1)));
    float const v = static_cast<float>(raw) / static_cast<float>((1 << bits) - 1);
    bool const is_color = texture.how.sRGB != 0 && bits == 8 && i < 3;
    if (!is_color) return bits_of(v);
    return bits_of(v <= 0.04045f ? v / 12.92f : std::pow((v + 0.055f) / 1.055f, 2.4f));
  }

  /// The element of these coordinates, which lie in the memory.
  texel load(std::size_t x, std::size_t y, std::size_t slice) const {
    texel_memory const& m = memory();
    std::uintptr_t const at = m.at + slice * m.slice_bytes + y * m.row_bytes + x * m.texel_bytes;
    cosmati_sim_read_only(reinterpret_cast<void const*>(at), m.texel_bytes, fetch.name, fetch.file, fetch.line);
    access_of_text(
        {at, m.texel_bytes, a_load, m.texel_bytes, nullptr, fetch.name, nullptr, nullptr, {fetch.file, fetch.line}, pc},
        false);
    texel out = {};
    quiet const hush;  // what follows is no access of the lane's
    int const bytes = m.format.x / 8, channels = static_cast<int>(m.texel_bytes) / bytes;
    for (int i = 0; i < channels; ++i) {
      std::uint32_t raw = 0;
      std::memcpy(&raw, reinterpret_cast<unsigned char const*>(at) + i * bytes, static_cast<std::size_t>(bytes));
      out[static_cast<std::size_t>(i)] = channel_of(raw, i);
    }
    return out;
  }

  cudaTextureAddressMode mode(int dimension) const {
    if (memory().cubemap) return cudaAddressModeClamp;
    cudaTextureAddressMode const m = texture.how.addressMode[dimension];
    bool const needs_normalized = m == cudaAddressModeWrap || m == cudaAddressModeMirror;
    return needs_normalized && texture.how.normalizedCoords == 0 ? cudaAddressModeClamp : m;
  }
  /// Brings an index into the extent by the address mode. @return false: the texel is the border's
  bool address(std::int64_t& i, std::size_t extent, int dimension) const {
    auto const n = static_cast<std::int64_t>(extent);
    if (i >= 0 && i < n) return true;
    switch (mode(dimension)) {
      case cudaAddressModeWrap:
        i = (i % n + n) % n;
        return true;
      case cudaAddressModeMirror:
        i = (i % (2 * n) + 2 * n) % (2 * n);
        if (i >= n) i = 2 * n - 1 - i;
        return true;
      case cudaAddressModeClamp:
        i = i < 0 ? 0 : n - 1;
        return true;
      case cudaAddressModeBorder:
        break;
    }
    return false;
  }
  texel border() const {
    texel out = {};
    for (std::size_t i = 0; i < 4; ++i) out[i] = bits_of(texture.how.borderColor[i]);
    return out;
  }
  /// The element of these coordinates by the address modes. @param slice first slice, to which z is added
  texel at(std::int64_t x, std::int64_t y, std::int64_t z, std::size_t slice) const {
    texel_memory const& m = memory();
    if (!address(x, m.width, 0) || (m.dimensions > 1 && !address(y, m.height, 1)) ||
        (m.dimensions > 2 && !address(z, m.slices, 2)))
      return border();
    return load(static_cast<std::size_t>(x), static_cast<std::size_t>(y), slice + static_cast<std::size_t>(z));
  }
};

/// The lower index of a coordinate, and the weight of the upper one: 9 bits of fixed point, 8 of which are the
/// fraction.
struct place_on_axis {
  std::int64_t low = 0;
  float weight = 0;
};

std::int64_t floor_of(float v) {
  if (!(v > -1e9f)) return v != v ? 0 : -1000000000;
  return v < 1e9f ? static_cast<std::int64_t>(std::floor(v)) : 1000000000;
}
/// @param extent 0: the texture has no such axis
place_on_axis place(float v, std::size_t extent, bool normalized, bool linear) {
  if (extent == 0) return {};
  if (normalized) v *= static_cast<float>(extent);
  if (!linear) return {floor_of(v), 0};
  float const b = v - 0.5f;
  std::int64_t const low = floor_of(b);
  float const fraction = b - static_cast<float>(low);
  bool const in_range = fraction >= 0 && fraction <= 1;  // neither infinite nor NaN
  return {low, in_range ? std::round(fraction * 256.f) / 256.f : 0.f};
}

/// @param linear whether the filter is linear, @param slice the layer or face
texel sample(sampler const& s, float const* v, bool normalized, bool linear, std::size_t slice) {
  texel_memory const& m = s.memory();
  std::size_t const extents[] = {m.width, m.dimensions > 1 ? m.height : 0, m.dimensions > 2 ? m.slices : 0};
  place_on_axis p[3];
  for (int i = 0; i < 3; ++i) p[i] = place(v[i], extents[i], normalized, linear);
  if (!linear) return s.at(p[0].low, p[1].low, p[2].low, slice);
  float sum[4] = {};
  for (int corner = 0; corner < 8; ++corner) {
    float weight = 1;
    std::int64_t at[3];
    for (int i = 0; i < 3; ++i) {
      int const upper = corner >> i & 1;
      at[i] = p[i].low + upper;
      weight *= upper != 0 ? p[i].weight : 1 - p[i].weight;
    }
    if (weight == 0) continue;  // a texel without weight is not read
    texel const t = s.at(at[0], at[1], at[2], slice);
    for (std::size_t i = 0; i < 4; ++i) sum[i] += weight * as_float(t[i]);
  }
  return {bits_of(sum[0]), bits_of(sum[1]), bits_of(sum[2]), bits_of(sum[3])};
}

texel gather(sampler const& s, float const* v) {
  bool const normalized = s.texture.how.normalizedCoords != 0;
  std::int64_t const x = place(v[0], s.memory().width, normalized, true).low;
  std::int64_t const y = place(v[1], s.memory().height, normalized, true).low;
  auto const channel = static_cast<std::size_t>(s.fetch.layer);
  return {s.at(x, y + 1, 0, 0)[channel], s.at(x + 1, y + 1, 0, 0)[channel], s.at(x + 1, y, 0, 0)[channel],
          s.at(x, y, 0, 0)[channel]};
}

/// The face of a cubemap in the direction of a vector, and the coordinates there from 0 to 1.
std::size_t face_of(float const* v, float* out) {
  float const x = v[0], y = v[1], z = v[2], ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  float major = az, s = z >= 0 ? x : -x, t = -y;
  std::size_t face = z >= 0 ? 4 : 5;
  if (ax >= ay && ax >= az) {
    major = ax, s = x >= 0 ? -z : z, t = -y, face = x >= 0 ? 0 : 1;
  } else if (ay >= az) {
    major = ay, s = x, t = y >= 0 ? z : -z, face = y >= 0 ? 2 : 3;
  }
  out[0] = (s / major + 1) / 2;
  out[1] = (t / major + 1) / 2;
  out[2] = 0;
  return face;
}

/// The function for a texture of this memory.
char const* function_for(texel_memory const& m) {
  if (m.linear) return "tex1Dfetch";
  if (m.cubemap) return m.layered ? "texCubemapLayered" : "texCubemap";
  if (m.layered) return m.dimensions == 1 ? "tex1DLayered" : "tex2DLayered";
  return m.dimensions == 1 ? "tex1D" : m.dimensions == 2 ? "tex2D" : "tex3D";
}
bool is_function_for(texel_memory const& m, cosmati_sim_texture_shape shape) {
  switch (shape) {
    case cosmati_sim_of_linear:
      return m.linear;
    case cosmati_sim_of_1d:  // public programs read arrays of one row so, too
      return !m.linear && !m.layered && !m.cubemap && (m.dimensions == 1 || (m.dimensions == 2 && m.height == 1));
    case cosmati_sim_of_2d:
    case cosmati_sim_of_3d:
      return !m.linear && !m.layered && !m.cubemap && m.dimensions == shape - cosmati_sim_of_1d + 1;
    case cosmati_sim_of_1d_layered:
    case cosmati_sim_of_2d_layered:
      return m.layered && !m.cubemap && m.dimensions == shape - cosmati_sim_of_1d_layered + 1;
    case cosmati_sim_of_cubemap:
    case cosmati_sim_of_cubemap_layered:
      return m.cubemap && m.layered == (shape == cosmati_sim_of_cubemap_layered);
    case cosmati_sim_of_gather:
      return m.may_gather && !m.layered && !m.cubemap && m.dimensions == 2;
  }
  return false;
}

texture_object const& find_texture(cosmati_sim_fetch const& f, void const* pc) {
  texture_object const* const found = textures().find(f.texture);
  if (found == nullptr) {
    refuse(f, pc,
           textures().was_there(f.texture)
               ? "the texture has been destroyed; call cudaDestroyTextureObject when its kernels are done"
               : formatted("{:#x} is no texture; give what cudaCreateTextureObject returned", f.texture));
  }
  return *found;
}

void check(sampler const& s) {
  cosmati_sim_fetch const& f = s.fetch;
  if (!is_function_for(s.memory(), f.shape)) {
    if (f.shape == cosmati_sim_of_gather)
      refuse(f, s.pc, "the texture is not one of a 2D array that was made with cudaArrayTextureGather");
    refuse(f, s.pc, formatted("the texture is one for {}", function_for(s.memory())));
  }
  if (f.shape == cosmati_sim_of_gather && (f.layer < 0 || f.layer > 3))
    refuse(f, s.pc, formatted("there is no channel {}; a channel is 0 to 3", f.layer));
  if ((f.wants_float != 0) == s.is_float()) return;
  if (f.wants_float == 0)
    refuse(f, s.pc,
           "the texture gives floats, and the kernel reads integers; read a float, or change the texture's readMode");
  refuse(f, s.pc,
         formatted("the texture gives integers of {} bits, and the kernel reads floats; read integers{}",
                   s.memory().format.x,
                   s.memory().format.x < 32 ? ", or make the texture with cudaReadModeNormalizedFloat" : ""));
}

std::size_t layer_of(int layer, std::size_t layers) {
  return layer < 0 ? 0 : std::min(static_cast<std::size_t>(layer), layers - 1);
}

/// The fetch from one level.
texel fetch_level(sampler const& s) {
  texel_memory const& m = s.memory();
  bool const normalized = s.texture.how.normalizedCoords != 0;
  bool const linear = s.texture.how.filterMode == cudaFilterModeLinear;
  cosmati_sim_fetch const& f = s.fetch;
  float const v[3] = {f.x, f.y, f.z};
  texel result = {};
  if (f.shape == cosmati_sim_of_linear) {
    // Beyond the end, a fetch of linear memory gives zeros.
    if (f.layer >= 0 && static_cast<std::size_t>(f.layer) < m.width)
      result = s.load(static_cast<std::size_t>(f.layer), 0, 0);
  } else if (f.shape == cosmati_sim_of_gather) {
    result = gather(s, v);
  } else if (m.cubemap) {
    float in_face[3];
    std::size_t const face = face_of(v, in_face);
    result = sample(s, in_face, true, linear, (m.layered ? layer_of(f.layer, m.slices / 6) * 6 : 0) + face);
  } else {
    result = sample(s, v, normalized, linear, m.layered ? layer_of(f.layer, m.slices) : 0);
  }
  return result;
}

/// The level of detail, by the formulas of the section "Texture Fetching" and of OpenGL: the logarithm of the longer
/// gradient in elements, with the bias, within the clamps and the levels.
float level_of_detail(sampler const& s) {
  cosmati_sim_detail const& d = s.fetch.detail;
  texel_memory const& m = s.memory();
  float level = d.level;
  if (d.has_gradients) {
    float const extents[3] = {static_cast<float>(m.width), m.dimensions > 1 ? static_cast<float>(m.height) : 0.f,
                              m.dimensions > 2 ? static_cast<float>(m.slices) : 0.f};
    float x = 0, y = 0;
    for (int i = 0; i < 3; ++i) {
      x += d.dx[i] * extents[i] * d.dx[i] * extents[i];
      y += d.dy[i] * extents[i] * d.dy[i] * extents[i];
    }
    level = std::log2(std::max(x, y)) / 2;
  }
  cudaTextureDesc const& how = s.texture.how;
  level = std::min(std::max(level + how.mipmapLevelBias, how.minMipmapLevelClamp), how.maxMipmapLevelClamp);
  return level > 0 ? std::min(level, static_cast<float>(s.texture.levels.size() - 1)) : 0.f;
}

/// The fetch from the nearest level, or from two levels with weights of 8 bits.
texel fetch_levels(sampler const& s) {
  float const level = level_of_detail(s);
  bool const linear = s.texture.how.mipmapFilterMode == cudaFilterModeLinear;
  float const low = std::floor(linear ? level : level + 0.5f);
  float const weight = linear ? std::round((level - low) * 256) / 256 : 0;
  auto const fetch_from = [&](std::size_t i) {
    sampler of_level = s;
    of_level.level = &s.texture.levels[i];
    return fetch_level(of_level);
  };
  auto const index = static_cast<std::size_t>(low);
  texel result = fetch_from(index);
  if (weight == 0) return result;
  texel const upper = fetch_from(index + 1);
  for (std::size_t i = 0; i < 4; ++i)
    result[i] = bits_of((1 - weight) * as_float(result[i]) + weight * as_float(upper[i]));
  return result;
}

}  // namespace
}  // namespace cosmati_sim

using namespace cosmati_sim;

void cosmati_sim_fetch_texture(cosmati_sim_fetch const* f, std::uint32_t* out) {
  void const* const pc = __builtin_return_address(0);
  sampler const s = {find_texture(*f, pc), *f, pc};
  check(s);
  texel const result = s.texture.levels.empty() ? fetch_level(s) : fetch_levels(s);
  std::copy(result.begin(), result.end(), out);
}
