// SPDX-License-Identifier: Apache-2.0
// The host's functions of texture objects.
#include <string>

#include "cuda_array.hpp"
#include "cuda_state.hpp"
#include "formatted.hpp"
#include "host_hazard.hpp"
#include "texture_objects.hpp"

namespace cosmati_sim {

object_table<texture_object>& textures() {
  static auto* const all = new object_table<texture_object>;
  return *all;
}

texel_memory memory_of_array(cudaArray const& a) {
  texel_memory m;
  m.at = reinterpret_cast<std::uintptr_t>(a.data);
  m.format = a.format;
  m.texel_bytes = bytes_of_element(a.format);
  m.row_bytes = row_bytes_of(a);
  m.width = a.extent.width;
  m.height = rows_of(a);
  m.slices = slices_of(a);
  m.slice_bytes = m.row_bytes * m.height;
  m.layered = (a.flags & cudaArrayLayered) != 0;
  m.cubemap = (a.flags & cudaArrayCubemap) != 0;
  m.may_gather = (a.flags & cudaArrayTextureGather) != 0;
  m.dimensions = a.extent.height == 0 ? 1 : a.extent.depth == 0 || m.layered || m.cubemap ? 2 : 3;
  return m;
}

}  // namespace cosmati_sim

using namespace cosmati_sim;

namespace {

/// What is wrong with a description; no sentence: nothing.
struct objection {
  std::string sentence;
  hazard_kind kind = hazard_kind::invalid_argument;
  cudaError_t error = cudaErrorInvalidValue;
};

objection wrong_format(cudaChannelFormatDesc const& f) {
  return {formatted("there are no elements of {}, {}, {} and {} bits of kind {}", f.x, f.y, f.z, f.w,
                    static_cast<int>(f.f)),
          hazard_kind::invalid_argument, cudaErrorInvalidChannelDescriptor};
}

/// @param memory receives the texture's memory
objection look_at_linear(cudaResourceDesc const& r, texel_memory& memory) {
  auto const& l = r.res.linear;
  memory.linear = true;
  memory.at = reinterpret_cast<std::uintptr_t>(l.devPtr);
  memory.format = l.desc;
  memory.texel_bytes = bytes_of_element(l.desc);
  if (memory.texel_bytes == 0) return wrong_format(l.desc);
  memory.width = l.sizeInBytes / memory.texel_bytes;
  memory.row_bytes = memory.slice_bytes = memory.width * memory.texel_bytes;
  if (l.devPtr == nullptr) return {"the pointer to linear memory is null"};
  std::size_t const alignment = cuda_properties().textureAlignment;
  if (memory.at % alignment != 0) {
    return {formatted("the memory is {} bytes past a multiple of {}, the alignment of textures; begin where cudaMalloc "
                      "begins, and add to the coordinate",
                      memory.at % alignment, alignment),
            hazard_kind::misaligned};
  }
  auto const most = static_cast<std::size_t>(cuda_properties().maxTexture1DLinear);
  if (memory.width > most) return {formatted("{} elements, and a texture has at most {}", memory.width, most)};
  return {};
}

objection look_at_pitched(cudaResourceDesc const& r, texel_memory& memory) {
  auto const& p = r.res.pitch2D;
  cudaDeviceProp const& device = cuda_properties();
  memory.at = reinterpret_cast<std::uintptr_t>(p.devPtr);
  memory.dimensions = 2;
  memory.format = p.desc;
  memory.texel_bytes = bytes_of_element(p.desc);
  if (memory.texel_bytes == 0) return wrong_format(p.desc);
  memory.width = p.width;
  memory.height = p.height;
  memory.row_bytes = p.pitchInBytes;
  memory.slice_bytes = p.pitchInBytes * p.height;
  if (p.devPtr == nullptr) return {"the pointer to pitched memory is null"};
  if (memory.at % device.textureAlignment != 0) {
    return {formatted("the memory is {} bytes past a multiple of {}, the alignment of textures; begin where "
                      "cudaMallocPitch begins, and add to the coordinates",
                      memory.at % device.textureAlignment, device.textureAlignment),
            hazard_kind::misaligned};
  }
  if (p.pitchInBytes % device.texturePitchAlignment != 0 || p.pitchInBytes < p.width * memory.texel_bytes) {
    return {
        formatted("the pitch is {} bytes; it is a multiple of {}, and not below the {} bytes of a row. "
                  "cudaMallocPitch gives such a pitch",
                  p.pitchInBytes, device.texturePitchAlignment, p.width * memory.texel_bytes)};
  }
  auto const most = [&](int i) { return static_cast<std::size_t>(device.maxTexture2DLinear[i]); };
  if (p.width == 0 || p.height == 0 || p.width > most(0) || p.height > most(1) || p.pitchInBytes > most(2)) {
    return {
        formatted("{} by {} elements with a pitch of {} bytes, and a texture has 1 to {} by {} elements, and a pitch "
                  "of at most {} bytes",
                  p.width, p.height, p.pitchInBytes, most(0), most(1), most(2))};
  }
  return {};
}

objection look_at_resource(cudaResourceDesc const& r, texel_memory& memory, std::vector<texel_memory>& levels) {
  switch (r.resType) {
    case cudaResourceTypeArray:
      if (!cuda_array_exists(r.res.array.array)) return {"the array was never made, or has been freed"};
      memory = memory_of_array(*r.res.array.array);
      return {};
    case cudaResourceTypeLinear:
      return look_at_linear(r, memory);
    case cudaResourceTypePitch2D:
      return look_at_pitched(r, memory);
    case cudaResourceTypeMipmappedArray:
      if (!cuda_mipmaps_exist(r.res.mipmap.mipmap)) return {"the mipmapped array was never made, or has been freed"};
      for (cudaArray_t const a : r.res.mipmap.mipmap->levels) levels.push_back(memory_of_array(*a));
      memory = levels.front();
      return {};
  }
  return {formatted("there is no type {} of resources", static_cast<int>(r.resType))};
}

/// Whether fetches give floats.
bool gives_float(texel_memory const& m, cudaTextureDesc const& how) {
  bool const plain_integer = m.format.f == cudaChannelFormatKindSigned || m.format.f == cudaChannelFormatKindUnsigned;
  return !plain_integer || (how.readMode == cudaReadModeNormalizedFloat && m.format.x < 32);
}

objection look_at_description(texel_memory const& m, cudaTextureDesc const& how, bool has_levels) {
  if (has_levels && how.normalizedCoords == 0)
    return {"a texture of a mipmapped array has coordinates from 0 to 1; set normalizedCoords"};
  if (has_levels && how.mipmapFilterMode == cudaFilterModeLinear && !gives_float(m, how)) {
    return {"mipmapFilterMode cudaFilterModeLinear is for textures that give floats, and this one gives integers",
            hazard_kind::invalid_argument, cudaErrorInvalidFilterSetting};
  }
  for (cudaTextureAddressMode const mode : how.addressMode) {
    if (static_cast<unsigned>(mode) > cudaAddressModeBorder)
      return {formatted("there is no address mode {}", static_cast<int>(mode))};
  }
  if (static_cast<unsigned>(how.filterMode) > cudaFilterModeLinear)
    return {formatted("there is no filter mode {}", static_cast<int>(how.filterMode))};
  if (how.filterMode == cudaFilterModeLinear && !m.linear && !gives_float(m, how)) {
    return {
        "cudaFilterModeLinear is for textures that give floats, and this one gives integers; set "
        "cudaFilterModePoint, or cudaReadModeNormalizedFloat for integers of 8 or 16 bits",
        hazard_kind::invalid_argument, cudaErrorInvalidFilterSetting};
  }
  if (how.seamlessCubemap != 0 && !m.cubemap)
    return {"seamlessCubemap is for arrays that were made with cudaArrayCubemap"};
  if (how.seamlessCubemap != 0 && how.filterMode == cudaFilterModeLinear) {
    return {"a linear filter across the faces of a cubemap is not on the simulated device; clear seamlessCubemap",
            hazard_kind::invalid_argument, cudaErrorNotSupported};
  }
  return {};
}

/// The elements of a view's format; no bits if there is no such format here.
cudaChannelFormatDesc format_of(cudaResourceViewFormat format) {
  constexpr int bits_of_group[] = {8, 8, 16, 16, 32, 32, 16, 32};
  int const i = static_cast<int>(format) - cudaResViewFormatUnsignedChar1;
  if (i < 0 || i / 3 > 7) return {};
  int const group = i / 3, size = i % 3, bits = bits_of_group[group];
  return {bits, size > 0 ? bits : 0, size > 1 ? bits : 0, size > 1 ? bits : 0,
          group > 5        ? cudaChannelFormatKindFloat
          : group % 2 == 0 ? cudaChannelFormatKindUnsigned
                           : cudaChannelFormatKindSigned};
}
/// @param levels of the mipmapped array; they become the view's
objection look_at_view_of_levels(cudaResourceViewDesc const& view, texel_memory& memory,
                                 std::vector<texel_memory>& levels) {
  if (view.format != cudaResViewFormatNone || view.firstLayer != 0 || view.lastLayer != 0) {
    return {"a view of a mipmapped array with another format, or some of its layers, is not on the simulated device",
            hazard_kind::invalid_argument, cudaErrorNotSupported};
  }
  if (view.firstMipmapLevel > view.lastMipmapLevel || view.lastMipmapLevel >= levels.size()) {
    return {formatted("the view has the levels {} to {}, and the array 0 to {}", view.firstMipmapLevel,
                      view.lastMipmapLevel, levels.size() - 1)};
  }
  levels = {levels.begin() + view.firstMipmapLevel, levels.begin() + view.lastMipmapLevel + 1};
  memory = levels.front();
  return {};
}
/// @param memory of the array; it becomes the view's
objection look_at_view(cudaResourceDesc const& resource, cudaResourceViewDesc const& view, texel_memory& memory,
                       std::vector<texel_memory>& levels) {
  if (resource.resType == cudaResourceTypeMipmappedArray) return look_at_view_of_levels(view, memory, levels);
  if (resource.resType != cudaResourceTypeArray) return {"a view is one of an array"};
  cudaArray const& array = *resource.res.array.array;
  if (view.width != array.extent.width || view.height != array.extent.height || view.depth != array.extent.depth) {
    return {formatted("the view has {} by {} by {} elements, and the array {} by {} by {}", view.width, view.height,
                      view.depth, array.extent.width, array.extent.height, array.extent.depth)};
  }
  if (view.firstMipmapLevel != 0 || view.lastMipmapLevel != 0) return {"the array has one level, which is number 0"};
  if (view.format != cudaResViewFormatNone) {
    cudaChannelFormatDesc const format = format_of(view.format);
    if (bytes_of_element(format) != memory.texel_bytes) {
      return {formatted("a view of format {} of elements of {} bytes is not on the simulated device; take a format of "
                        "as many bytes that is not compressed",
                        static_cast<int>(view.format), memory.texel_bytes),
              hazard_kind::invalid_argument, cudaErrorNotSupported};
    }
    memory.format = format;
  }
  if (!memory.layered) return {};
  if (view.firstLayer > view.lastLayer || view.lastLayer >= memory.slices)
    return {formatted("the view has the layers {} to {}, and the array 0 to {}", view.firstLayer, view.lastLayer,
                      memory.slices - 1)};
  memory.at += view.firstLayer * memory.slice_bytes;
  memory.slices = view.lastLayer - view.firstLayer + 1;
  return {};
}

/// Reports a call whose object is none.
cudaError_t no_object(char const* function, cudaTextureObject_t object) {
  report_host_hazard(hazard_kind::invalid_argument,
                     formatted("{}: {:#x} {}", function, object,
                               textures().was_there(object) ? "is a texture that has been destroyed"
                                                            : "is no texture of cudaCreateTextureObject"));
  return cuda_result(cudaErrorInvalidValue);
}

}  // namespace

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* out, cudaResourceDesc const* resource,
                                    cudaTextureDesc const* how, cudaResourceViewDesc const* view) {
  if (cudaError_t const lasting = cuda_lasting_error()) return lasting;
  if (out == nullptr || resource == nullptr || how == nullptr) return cuda_result(cudaErrorInvalidValue);
  texture_object object = {{}, *resource, *how, view != nullptr ? *view : cudaResourceViewDesc{}, {}};
  objection why = look_at_resource(*resource, object.memory, object.levels);
  if (why.sentence.empty() && view != nullptr) why = look_at_view(*resource, *view, object.memory, object.levels);
  if (why.sentence.empty()) why = look_at_description(object.memory, *how, !object.levels.empty());
  if (!why.sentence.empty()) {
    report_host_hazard(why.kind, "cudaCreateTextureObject: " + why.sentence);
    return cuda_result(why.error);
  }
  *out = textures().add(object);
  return cuda_result(*out != 0 ? cudaSuccess : cudaErrorMemoryAllocation);
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  if (object == 0 || cuda_is_of_argument()) return cuda_result(cudaSuccess);
  return textures().remove(object) ? cuda_result(cudaSuccess) : no_object("cudaDestroyTextureObject", object);
}
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* out, cudaTextureObject_t object) {
  texture_object const* const found = textures().find(object);
  if (out == nullptr) return cuda_result(cudaErrorInvalidValue);
  if (found == nullptr) return no_object("cudaGetTextureObjectResourceDesc", object);
  *out = found->resource;
  return cuda_result(cudaSuccess);
}
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* out, cudaTextureObject_t object) {
  texture_object const* const found = textures().find(object);
  if (out == nullptr) return cuda_result(cudaErrorInvalidValue);
  if (found == nullptr) return no_object("cudaGetTextureObjectTextureDesc", object);
  *out = found->how;
  return cuda_result(cudaSuccess);
}
cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* out, cudaTextureObject_t object) {
  texture_object const* const found = textures().find(object);
  if (out == nullptr) return cuda_result(cudaErrorInvalidValue);
  if (found == nullptr) return no_object("cudaGetTextureObjectResourceViewDesc", object);
  *out = found->view;
  return cuda_result(cudaSuccess);
}
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(std::size_t* elements, cudaChannelFormatDesc const* format,
                                                 int device) {
  if (device != 0) return cuda_result(cudaErrorInvalidDevice);
  if (elements == nullptr || format == nullptr) return cuda_result(cudaErrorInvalidValue);
  *elements = static_cast<std::size_t>(cuda_properties().maxTexture1DLinear);
  return cuda_result(cudaSuccess);
}
