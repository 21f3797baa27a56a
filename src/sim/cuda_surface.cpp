// SPDX-License-Identifier: Apache-2.0
// Surface objects, and the reads and writes of kernels.
#include <cosmati/cuda/surface.hpp>

#include <algorithm>
#include <cstring>
#include <string>

#include "access.hpp"
#include "cuda_array.hpp"
#include "cuda_state.hpp"
#include "formatted.hpp"
#include "host_hazard.hpp"
#include "sites.hpp"
#include "texture_objects.hpp"

namespace cosmati_sim {

object_table<surface_object>& surfaces() {
  static auto* const all = new object_table<surface_object>;
  return *all;
}

namespace {

[[noreturn]] void refuse(cosmati_sim_surface_access const& a, void const* pc, hazard_kind kind,
                         std::string const& why) {
  quiet const hush;
  site const where = {a.file, a.line};
  fail_lane(formatted("{}: {}", a.name, why), kind, where, site_number(*this_worker, pc, where, a.name));
}

bool is_function_for(texel_memory const& m, cosmati_sim_texture_shape shape) {
  switch (shape) {
    case cosmati_sim_of_1d:  // public programs read arrays of one row so, too
      return !m.layered && !m.cubemap && (m.dimensions == 1 || (m.dimensions == 2 && m.height == 1));
    case cosmati_sim_of_2d:
    case cosmati_sim_of_3d:
      return !m.layered && !m.cubemap && m.dimensions == shape - cosmati_sim_of_1d + 1;
    case cosmati_sim_of_1d_layered:
    case cosmati_sim_of_2d_layered:
      return m.layered && !m.cubemap && m.dimensions == shape - cosmati_sim_of_1d_layered + 1;
    case cosmati_sim_of_cubemap:
      return m.cubemap && !m.layered;
    case cosmati_sim_of_cubemap_layered:
      return m.cubemap && m.layered;
    default:
      return false;
  }
}
char const* function_for(texel_memory const& m, bool writes) {
  char const* const reads_and_writes[][2] = {{"surf1Dread", "surf1Dwrite"},
                                             {"surf2Dread", "surf2Dwrite"},
                                             {"surf3Dread", "surf3Dwrite"},
                                             {"surf1DLayeredread", "surf1DLayeredwrite"},
                                             {"surf2DLayeredread", "surf2DLayeredwrite"},
                                             {"surfCubemapread", "surfCubemapwrite"},
                                             {"surfCubemapLayeredread", "surfCubemapLayeredwrite"}};
  int const i = m.cubemap ? (m.layered ? 6 : 5) : m.layered ? m.dimensions + 2 : m.dimensions - 1;
  return reads_and_writes[i][writes ? 1 : 0];
}

surface_object const& find_surface(cosmati_sim_surface_access const& a, void const* pc) {
  surface_object const* const found = surfaces().find(a.surface);
  if (found == nullptr) {
    refuse(a, pc, hazard_kind::invalid_argument,
           surfaces().was_there(a.surface)
               ? "the surface has been destroyed; call cudaDestroySurfaceObject when its kernels are done"
               : formatted("{:#x} is no surface; give what cudaCreateSurfaceObject returned", a.surface));
  }
  if (!is_function_for(found->memory, a.shape)) {
    refuse(a, pc, hazard_kind::invalid_argument,
           formatted("the surface is one for {}", function_for(found->memory, a.writes != 0)));
  }
  return *found;
}

/// A coordinate, and the first that lies outside.
struct bounded {
  char const* name;
  long long value, end;
  bool inside() const { return value >= 0 && value < end; }
};

/// The byte of the access; 0 if the boundary mode drops it.
std::uintptr_t find_byte(cosmati_sim_surface_access const& a, texel_memory const& m, void const* pc) {
  auto const end = [](std::size_t n) { return static_cast<long long>(n); };
  auto const bytes = static_cast<long long>(a.bytes);
  if (a.x % bytes != 0) {
    refuse(
        a, pc, hazard_kind::misaligned,
        formatted("x is byte {}, which is no multiple of the {} bytes of the element; multiply the column by its size",
                  a.x, a.bytes));
  }
  bounded c[] = {{"x", a.x, end(m.row_bytes) - bytes + 1},
                 {"y", a.y, end(m.height)},
                 {m.cubemap   ? "the face"
                  : m.layered ? "the layer"
                              : "z",
                  a.z, end(m.slices)}};
  for (bounded& one : c) {
    if (one.inside()) continue;
    if (a.mode == cudaBoundaryModeZero) return 0;
    if (a.mode == cudaBoundaryModeTrap) {
      bool const is_x = &one == &c[0];
      refuse(a, pc, hazard_kind::out_of_bounds,
             formatted("{} is {}{}, and the surface has 0 to {}; cudaBoundaryModeTrap ends the kernel", one.name,
                       is_x ? "byte " : "", one.value, is_x ? end(m.row_bytes) - 1 : one.end - 1));
    }
    one.value = one.value < 0 ? 0 : one.end - 1;
    if (&one == &c[0]) one.value -= one.value % bytes;
  }
  return m.at + static_cast<std::size_t>(c[2].value) * m.slice_bytes +
         static_cast<std::size_t>(c[1].value) * m.row_bytes + static_cast<std::size_t>(c[0].value);
}

/// Reports a call whose object is none.
cudaError_t no_object(char const* function, cudaSurfaceObject_t object) {
  report_host_hazard(hazard_kind::invalid_argument,
                     formatted("{}: {:#x} {}", function, object,
                               surfaces().was_there(object) ? "is a surface that has been destroyed"
                                                            : "is no surface of cudaCreateSurfaceObject"));
  return cuda_result(cudaErrorInvalidValue);
}

}  // namespace
}  // namespace cosmati_sim

using namespace cosmati_sim;

void cosmati_sim_access_surface(cosmati_sim_surface_access const* a, void* value) {
  void const* const pc = __builtin_return_address(0);
  std::uintptr_t const at = find_byte(*a, find_surface(*a, pc).memory, pc);
  if (at == 0) return;  // what is read there is zero already
  if (a->writes == 0) cosmati_sim_read_only(reinterpret_cast<void const*>(at), a->bytes, a->name, a->file, a->line);
  access_of_text({at,
                  a->bytes,
                  a->writes != 0 ? a_store : a_load,
                  a->bytes,
                  nullptr,
                  a->name,
                  nullptr,
                  nullptr,
                  {a->file, a->line},
                  pc},
                 false);
  quiet const hush;  // what follows is no access of the lane's
  if (a->writes != 0) {
    std::memcpy(reinterpret_cast<void*>(at), value, a->bytes);
  } else {
    std::memcpy(value, reinterpret_cast<void const*>(at), a->bytes);
  }
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* out, cudaResourceDesc const* resource) {
  if (cudaError_t const lasting = cuda_lasting_error()) return lasting;
  if (out == nullptr || resource == nullptr) return cuda_result(cudaErrorInvalidValue);
  std::string why;
  if (resource->resType != cudaResourceTypeArray) {
    why = "a surface is one of an array: set resType to cudaResourceTypeArray";
  } else if (!cuda_array_exists(resource->res.array.array)) {
    why = "the array was never made, or has been freed";
  } else if ((resource->res.array.array->flags & cudaArraySurfaceLoadStore) == 0) {
    why = "the array was made without the flag cudaArraySurfaceLoadStore";
  }
  if (!why.empty()) {
    report_host_hazard(hazard_kind::invalid_argument, "cudaCreateSurfaceObject: " + why);
    return cuda_result(cudaErrorInvalidValue);
  }
  *out = surfaces().add({memory_of_array(*resource->res.array.array), *resource});
  return cuda_result(*out != 0 ? cudaSuccess : cudaErrorMemoryAllocation);
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  if (object == 0 || cuda_is_of_argument()) return cuda_result(cudaSuccess);
  return surfaces().remove(object) ? cuda_result(cudaSuccess) : no_object("cudaDestroySurfaceObject", object);
}
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* out, cudaSurfaceObject_t object) {
  surface_object const* const found = surfaces().find(object);
  if (out == nullptr) return cuda_result(cudaErrorInvalidValue);
  if (found == nullptr) return no_object("cudaGetSurfaceObjectResourceDesc", object);
  *out = found->resource;
  return cuda_result(cudaSuccess);
}
