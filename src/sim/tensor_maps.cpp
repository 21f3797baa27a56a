// SPDX-License-Identifier: Apache-2.0
// Descriptors of tensor copies: their fields, changes by kernels (tensormap.replace), and the fences of the tensormap
// proxy, without which copies may use a descriptor as it was.

#include "tensor_map.hpp"

#include <map>
#include <mutex>
#include <unordered_map>

#include "access.hpp"
#include "formatted.hpp"
#include "hazards.hpp"
#include "sites.hpp"

namespace cosmati_sim {
namespace {

char const replace_name[] = "tensormap.replace";
char const copy_name[] = "tensormap.cp_fenceproxy";
char const acquire_name[] = "fence.proxy.tensormap::generic.acquire";

/// The changes of one descriptor in global memory during a launch.
struct changes {
  std::uint32_t launch = 0;      // the number of its first block
  std::uint64_t newest = 0;      // the number of the newest change
  std::uint64_t released = 0;    // that of the newest change that was released
  std::uint32_t changed_by = 0;  // the block that made the newest change
  site changed_at, released_at;
  std::unordered_map<std::uint32_t, std::uint64_t> acquired;  // for each block: the newest change that it has acquired
};

std::mutex guard;
std::map<std::uintptr_t, changes> all_changes;  // by the descriptor's address

/// The changes of the running launch; those of earlier ones are forgotten. @pre `guard` is held
changes& changes_of(worker const& w, std::uintptr_t at) {
  changes& c = all_changes[at];
  if (c.launch != w.first_run) {
    c = {};
    c.launch = w.first_run;
  }
  return c;
}

void review(worker& w, site where, site other, std::string text) {
  if (w.clocks == nullptr || !is_news(w, hazard_kind::missing_proxy_fence, where.number, other.number)) return;
  hazard h = hazard_here(w, hazard_kind::missing_proxy_fence);
  h.review = true;
  h.site = where.number;
  h.other_site = other.number;
  h.where = where;
  h.other_where = other;
  h.message = std::move(text);
  add_hazard(w, std::move(h));
}

void look_for_fences(worker& w, char const* name, std::uintptr_t at, site where) {
  std::lock_guard const lock(guard);
  auto const found = all_changes.find(at);
  if (found == all_changes.end() || found->second.launch != w.first_run) return;
  changes const& c = found->second;
  if (c.newest == 0) return;
  if (c.released < c.newest) {
    review(w, where, c.changed_at,
           formatted("{} at \1 uses a descriptor that was changed at \2 and not released to the tensormap proxy: the "
                     "copy may use the old one; call tma_descriptor_fence_release() behind the change, or change a "
                     "copy in shared memory and call tma_descriptor_cp_fence_release",
                     name));
    return;
  }
  auto const acquired = c.acquired.find(w.run);
  if (acquired == c.acquired.end() || acquired->second < c.newest) {
    review(w, where, c.changed_at,
           formatted("{} at \1 uses a descriptor that was changed at \2, and this block has not acquired it since: the "
                     "copy may use the old one; call tma_descriptor_fence_acquire(descriptor) before the copy",
                     name));
  }
}

/// What is wrong with a new value of a field; empty: nothing. Numbers of tensor_map_field.
std::string mistake_in(int field, int mode, std::uint64_t value) {
  constexpr std::uint64_t most_bytes = std::uint64_t{1} << 40;
  switch (field) {
    case 0:
      return value % 16 == 0 ? "" : formatted("the address {:#x} is no multiple of 16", value);
    case 1:
      return value < 5 ? "" : formatted("rank is {}; tensors of 1 to 5 modes are possible", value + 1);
    case 2:
      return value >= 1 && value <= 256
                 ? ""
                 : formatted("the box has {} elements of mode {}; 1 to 256 are possible", value, mode);
    case 3:
      return value >= 1 ? "" : formatted("mode {} has 0 elements; 1 to 2^32 - 1 are possible", mode);
    case 4:
      return value % 16 == 0 && value < most_bytes  // 0 along modes of one element, and behind the rank
                 ? ""
                 : formatted("mode {} has a stride of {} bytes; multiples of 16 below 2^40 are possible", mode + 1,
                             static_cast<std::int64_t>(value));
    case 5:
      return value >= 1 && value <= 8 ? "" : formatted("step {} along mode {}; 1 to 8 are possible", value, mode);
    default:
      return "";
  }
}

bool is_device_memory(std::uintptr_t at) { return at - device_memory.low < device_memory.bytes; }

/// Checks that a descriptor can be in this place: in global memory or, for changes, in shared memory.
void check_place(worker& w, char const* name, void const* t, bool in_shared, site where) {
  auto const at = reinterpret_cast<std::uintptr_t>(t);
  if (is_device_memory(at) && at % 64 != 0)
    fail_lane(formatted("{} ({}): the descriptor is at {:#x}, which is no multiple of 64; let descriptors "
                        "in memory begin at multiples of 64",
                        name, to_text(where), at),
              hazard_kind::misaligned, where);
  bool const shared = is_shared_memory(w, at);
  if (shared && !in_shared)
    fail_lane(formatted("{} ({}): the descriptor is in shared memory; it must be in global memory, where "
                        "tma_descriptor_cp_fence_release copies it, or a kernel's parameter",
                        name, to_text(where)),
              hazard_kind::wrong_space, where);
}

}  // namespace

tensor_map unpacked(cosmati_sim_tensor_map const& t) {
  tensor_map u;
  u.data = t.data;
  for (int i = 0; i < 5; ++i) {
    u.extent[i] = std::int64_t{t.last[i]} + 1;
    u.stride[i] = t.stride[i];
    u.box[i] = t.box[i];
    u.step[i] = t.step[i];
  }
  u.rank = t.rank;
  u.element_bytes = t.element_bytes;
  u.type = t.type;
  u.swizzle = t.swizzle;
  u.fill = t.fill;
  u.interleave = t.interleave;
  u.pixels = t.pixels;
  for (int i = 0; i < 3; ++i) {
    u.lower[i] = t.lower[i];
    u.upper[i] = t.upper[i];
  }
  return u;
}

tensor_map descriptor_for(worker& w, char const* name, cosmati_sim_tensor_map const* t, site where) {
  auto const at = reinterpret_cast<std::uintptr_t>(t);
  bool const in_memory = is_device_memory(at) || is_shared_memory(w, at);
  if (in_memory) {
    check_place(w, name, t, false, where);
    look_for_fences(w, name, at, where);
  }
  tensor_map const u = unpacked(*t);
  if (u.rank < 1 || u.rank > 5 || u.element_bytes < 1 || u.element_bytes > 8) {
    fail_lane(
        formatted("{} ({}): the memory holds no descriptor; make one by make_tma_descriptor", name, to_text(where)),
        hazard_kind::invalid_argument, where);
  }
  return u;
}

}  // namespace cosmati_sim

using namespace cosmati_sim;

extern "C" {

void cosmati_sim_tensor_map_replace(cosmati_sim_tensor_map const* tensor, int field, int mode, std::uint64_t value,
                                    char const* file, int line) {
  quiet const hush;
  worker& w = running_lane(replace_name);
  site const where = site_here(w, file, line, __builtin_return_address(0), replace_name);
  auto const at = reinterpret_cast<std::uintptr_t>(tensor);
  if (!is_device_memory(at) && !is_shared_memory(w, at))
    fail_lane(formatted("{} ({}): the descriptor is in neither shared nor global memory, where kernels can change it; "
                        "copy it to one of these first",
                        replace_name, to_text(where)),
              hazard_kind::wrong_space, where);
  check_place(w, replace_name, tensor, true, where);
  std::string const mistake = mistake_in(field, mode, value);
  if (!mistake.empty())
    fail_lane(formatted("{} ({}): {}", replace_name, to_text(where), mistake), hazard_kind::invalid_argument, where);
  if (!is_device_memory(at)) return;
  std::lock_guard const lock(guard);
  changes& c = changes_of(w, at);
  ++c.newest;
  c.changed_by = w.run;
  c.changed_at = where;
}

void cosmati_sim_tensor_map_copied(cosmati_sim_tensor_map const* global, cosmati_sim_tensor_map const* shared,
                                   char const* file, int line) {
  quiet const hush;
  worker& w = running_lane(copy_name);
  site const where = site_here(w, file, line, __builtin_return_address(0), copy_name);
  auto const at = reinterpret_cast<std::uintptr_t>(global);
  check_place(w, copy_name, global, false, where);
  if (!is_device_memory(at) || !is_shared_memory(w, reinterpret_cast<std::uintptr_t>(shared)))
    fail_lane(formatted("{} ({}): it copies a descriptor from shared to global memory; give these in the order global, "
                        "shared",
                        copy_name, to_text(where)),
              hazard_kind::wrong_space, where);
  if (w.current % 32 != 0) return;  // the warp's lanes copy together
  std::lock_guard const lock(guard);
  changes& c = changes_of(w, at);
  c.released = ++c.newest;
  c.changed_by = w.run;
  c.changed_at = c.released_at = where;
}

void cosmati_sim_tensor_map_release(char const* file, int line) {
  quiet const hush;
  worker& w = running_lane("fence.proxy.tensormap::generic.release");
  site const where = site_here(w, file, line, __builtin_return_address(0), "fence.proxy.tensormap::generic.release");
  std::lock_guard const lock(guard);
  for (auto& [at, c] : all_changes) {
    if (c.launch != w.first_run || c.changed_by != w.run || c.released == c.newest) continue;
    c.released = c.newest;
    c.released_at = where;
  }
}

void cosmati_sim_tensor_map_acquire(cosmati_sim_tensor_map const* global, char const* file, int line) {
  quiet const hush;
  worker& w = running_lane(acquire_name);
  site const where = site_here(w, file, line, __builtin_return_address(0), acquire_name);
  check_place(w, acquire_name, global, false, where);
  std::lock_guard const lock(guard);
  changes& c = changes_of(w, reinterpret_cast<std::uintptr_t>(global));
  c.acquired[w.run] = c.released;
}

}  // extern "C"
