// SPDX-License-Identifier: Apache-2.0
// Finds the memory that an access hits: an allocation, shared memory, a stack, or variables of the program.
#include "place.hpp"

#include <algorithm>
#include <cstring>

#include "cluster.hpp"
#include "formatted.hpp"
#include "hazards.hpp"
#include "sites.hpp"
#include "symbols.hpp"

namespace cosmati_sim {
namespace {

char const* const kinds[] = {"load", "store", "atomic", "atomic load", "load", "store"};

std::string phrase_of(worker const& w, memory_access const& a) {
  char phrase[600] = {};
  if (a.describe != nullptr) {
    a.describe(a.context, phrase, sizeof phrase);
  } else if (note const* const n = note_of(w, a); n != nullptr && n->describe != nullptr) {
    n->describe(n->context, phrase, sizeof phrase);
  }
  return phrase;
}

/// Gives "; tensor A ... at (3,1); at kernel.cpp:41".
std::string remarks(worker const& w, memory_access const& a) {
  std::string text, phrase = phrase_of(w, a);
  if (!phrase.empty()) text += formatted("; {}", phrase);
  program_line const line = line_of_site(site_number(*this_worker, a.pc, a.where, a.instruction));
  if (line.line != 0) text += formatted("; {}", line_text(line));
  return text;
}

std::string what(memory_access const& a) {
  std::string const name = a.instruction != nullptr ? formatted(" ({})", a.instruction) : "";
  return formatted("{}{} of {} byte{} at {:#x}", kinds[a.kind], name, a.bytes, a.bytes == 1 ? "" : "s", a.address);
}

/// Gives "12 bytes past the end of X", "4 bytes before X" or "4 of its bytes past the end of X".
std::string out_of(memory_access const& a, std::uintptr_t low, std::size_t bytes, std::string const& thing) {
  if (a.address < low) return formatted("is out of bounds: {} bytes before {}", low - a.address, thing);
  std::uintptr_t const high = low + bytes;
  if (a.address >= high) {
    return a.address == high ? formatted("is out of bounds: just past the end of {}", thing)
                             : formatted("is out of bounds: {} bytes past the end of {}", a.address - high, thing);
  }
  std::uintptr_t const beyond = a.address + a.bytes - high;
  return formatted("is out of bounds: its last {} {} past the end of {}",
                   beyond == 1 ? std::string("byte") : formatted("{} bytes", beyond), beyond == 1 ? "is" : "are",
                   thing);
}

std::string name_of(thread_local_variable const& s) {
  return formatted("__shared__ {} ({} bytes)", variable_name(s.name), s.bytes);
}

shadow_region* prepared(shadow_region* region) {
  if (region != nullptr && !region->ready()) region->prepare();
  return region;
}

access_target target_of(memory_access const& a, allocation const& of) { return {traced_kind(a.kind), of.number, {}}; }
access_target target_of(memory_access const& a, thread_local_variable const& of) {
  return {traced_kind(a.kind), 0, of.name};
}

/// Ends the lane, now or at the end of the source line. @param hit the memory that the access hit; none if nobody may
/// read it
/// @param why why it is out of bounds of its target
place outside_of(worker const& w, memory_access const& a, mapped_memory const& hit, access_target const& target,
                 std::string const& why) {
  std::string const sentence = formatted("{} {}{}", what(a), why, remarks(w, a));
  if (w.deferred != nullptr) fail_twice(*this_worker, a, target, sentence);
  if (!defer_bounds(*this_worker, a, hit, target, sentence)) wrong(w, a, why, hazard_kind::out_of_bounds, target);
  return {a.address, a.bytes, space_other};
}
/// @param hit the allocation whose pages the access hit @param of the one that it was probably meant for
place outside_of(worker const& w, memory_access const& a, allocation const& hit, allocation const& of) {
  return outside_of(w, a, {hit.low + hit.pages_bytes, true}, target_of(a, of),
                    out_of(a, of.low, of.bytes, name_of(of)));
}
/// @param hit the region of shared arrays that the access hit; null if its lane may not go on
place outside_of(worker const& w, memory_access const& a, shadow_region const* hit, thread_local_variable const& of) {
  return outside_of(w, a, {hit != nullptr ? hit->low + 16 * hit->count : 0}, target_of(a, of),
                    out_of(a, reinterpret_cast<std::uintptr_t>(of.low), of.bytes, name_of(of)));
}

place find_global(worker const& w, memory_access const& a) {
  auto const& table = *w.running->allocations;
  allocation const* const found = find_allocation(table, a.address);
  if (found == nullptr) {
    auto const after = std::upper_bound(table.begin(), table.end(), a.address,
                                        [](std::uintptr_t x, allocation const& y) { return x < y.low; });
    if (after != table.end() && (after == table.begin() || after->low - a.address < 4097)) {
      return outside_of(w, a, mapped_memory(), target_of(a, *after),
                        out_of(a, after->low, after->bytes, name_of(*after)));
    }
    if (after == table.begin()) wrong(w, a, "is out of bounds: there is no allocation");
    allocation const& before = *(after - 1);
    return outside_of(w, a, mapped_memory(), target_of(a, before),
                      out_of(a, before.low, before.bytes, name_of(before)));
  }
  if (found->freed) {
    return outside_of(w, a, mapped_memory(), target_of(a, *found),
                      formatted("uses {} after it was freed", name_of(*found)));
  }
  // The address is in the guard page and nearer to the next allocation. The access probably missed that one's start.
  std::uintptr_t const high = found->low + found->bytes;
  if (a.address >= high) {
    allocation const* const next = found + 1;
    if (next != table.data() + table.size() && next->low - a.address < a.address - high) {
      return outside_of(w, a, *found, *next);
    }
  }
  if (a.address >= high || a.bytes > high - a.address) return outside_of(w, a, *found, *found);
  return {found->low, found->bytes, space_global, w.clocks != nullptr ? prepared(found->shadow.get()) : nullptr};
}

place find_thread_local(worker const& w, memory_access const& a, shadow_region* shadow) {
  auto const& all = w.thread_locals;
  auto const low_of = [](thread_local_variable const& v) { return reinterpret_cast<std::uintptr_t>(v.low); };
  auto const after = std::upper_bound(all.begin(), all.end(), a.address,
                                      [&](std::uintptr_t x, thread_local_variable const& y) { return x < low_of(y); });
  if (after == all.begin()) return {a.address, a.bytes, space_other};
  thread_local_variable const& v = *(after - 1);
  std::uintptr_t const low = low_of(v), offset = a.address - low;
  if (offset < v.bytes) {
    if (v.shared && belongs_to_another_kernel(v, *w.running)) {
      thread_local_variable const* neighbour = nullptr;  // most likely the access left the array before
      for (auto const* p = &v; p-- != all.data() && neighbour == nullptr;) {
        if (p->shared && !belongs_to_another_kernel(*p, *w.running)) neighbour = p;
      }
      if (neighbour != nullptr) return outside_of(w, a, shadow, *neighbour);
      wrong(w, a, formatted("is out of bounds: {} belongs to another kernel", name_of(v)));
    }
    if (v.shared && a.bytes > v.bytes - offset) return outside_of(w, a, shadow, v);
    // Kernels write no thread-local variable, with two exceptions: the one of the library's headers, and the byte that
    // g++ keeps for an array of a class with a defaulted constructor. Any other write has left the array before.
    auto const of_the_compiler = [&] {
      return std::strcmp(v.name, "cosmati_sim_active") == 0 || (a.bytes == 1 && std::strncmp(v.name, "_ZGV", 4) == 0);
    };
    if (!v.shared && is_write(a.kind) && (a.instruction != nullptr || !of_the_compiler())) {
      for (auto const* p = &v; p-- != all.data();) {
        if (!p->shared || belongs_to_another_kernel(*p, *w.running)) continue;
        if (a.address - low_of(*p) < p->bytes + 4096) return outside_of(w, a, shadow, *p);
        break;
      }
    }
    return {low, v.bytes, v.shared ? space_shared : space_other, v.shared ? shadow : nullptr};
  }
  // The address is between variables.
  bool const before_next = after != all.end() && low_of(*after) - a.address < offset - v.bytes;
  if (before_next && after->shared) return outside_of(w, a, shadow, *after);
  if (v.shared) return outside_of(w, a, shadow, v);
  return {a.address, a.bytes, space_other};
}

/// The shared memory of another block of the cluster, if the access hit such.
place find_other_block(worker const& w, memory_access const& a) {
  cluster_place const found = find_in_cluster(w, a.address);
  if (found.owner == nullptr) return {};
  if (std::string const why = wrong_time(*this_worker, *found.owner); !why.empty())
    wrong(w, a, why, hazard_kind::missing_barrier);
  memory_access own = a;
  own.address = found.own;
  auto const shared = reinterpret_cast<std::uintptr_t>(w.shared_low);
  place p = {shared, w.shared_bytes, space_shared};
  if (found.own - shared >= max_shared_bytes) {
    p = find_thread_local(w, own, nullptr);
  } else if (found.own - shared >= w.shared_bytes || a.bytes > w.shared_bytes - (found.own - shared)) {
    wrong(
        w, own,
        out_of(own, shared, w.shared_bytes,
               formatted("the {} bytes of dynamic shared memory of {}", w.shared_bytes, name_of_block(*found.owner))));
  }
  p.low += a.address - found.own;
  p.shadow = found.shadow;
  p.owner = found.owner;
  return p;
}

}  // namespace

[[noreturn]] void wrong(worker const& w, memory_access const& a, std::string const& why, hazard_kind kind,
                        access_target const& target) {
  if (w.deferred != nullptr) fail_deferred(*this_worker);
  std::uint32_t const site = site_number(*this_worker, a.pc, a.where, a.instruction);
  fail_lane(formatted("{} {}{}", what(a), why, remarks(w, a)), kind, a.where, site, phrase_of(w, a), false, target);
}

std::string name_of(allocation const& a) {
  return formatted("allocation {} ({:#x}, {} bytes)", a.number, a.low, a.bytes);
}
place find_place(worker const& w, memory_access const& a) {
  lane const& l = w.lanes[w.current];
  auto const stack_low = reinterpret_cast<std::uintptr_t>(l.on->low);
  auto const stack_high = reinterpret_cast<std::uintptr_t>(l.on->high);
  if (a.address - stack_low < stack_high - stack_low) return {stack_low, stack_high - stack_low, space_local};
  static std::uintptr_t const arena_low = device_arena_low(), arena_high = device_arena_high();
  if (a.address - arena_low < arena_high - arena_low) return find_global(w, a);
  auto const shared = reinterpret_cast<std::uintptr_t>(w.shared_low);
  if (a.address + 4096 - shared < max_shared_bytes + 2 * 4096) {
    if (a.address - shared >= w.shared_bytes || a.bytes > w.shared_bytes - (a.address - shared)) {
      mapped_memory const hit = {a.address >= shared ? shared + max_shared_bytes : 0};
      return outside_of(w, a, hit, {traced_kind(a.kind), 0, {}},
                        out_of(a, shared, w.shared_bytes,
                               formatted("the block's {} bytes of dynamic shared memory", w.shared_bytes)));
    }
    return {shared, w.shared_bytes, space_shared, w.clocks != nullptr ? w.dynamic_shadow.get() : nullptr};
  }
  for (std::size_t i = 0; i < w.tls_ranges.size(); ++i) {
    worker::range const& tls = w.tls_ranges[i];
    if (a.address - tls.low < tls.high - tls.low) {
      return find_thread_local(w, a, w.clocks != nullptr ? w.tls_shadows[i].get() : nullptr);
    }
  }
  if (w.cluster != nullptr) {
    if (place const p = find_other_block(w, a); p.owner != nullptr) return p;
  }
  job const& j = *w.running;
  auto const arguments = reinterpret_cast<std::uintptr_t>(j.request->arguments);
  if (a.address - arguments < j.request->arguments_bytes) return {arguments, j.request->arguments_bytes, space_other};
  if (a.address < 65536) wrong(w, a, "goes through a null pointer");
  for (auto const& s : w.stacks) {
    if (a.address - reinterpret_cast<std::uintptr_t>(s->low) < static_cast<std::size_t>(s->high - s->low)) {
      wrong(w, a, "reaches into the local variables of another thread");
    }
  }
  if (a.address - j.host_stack_low < j.host_stack_high - j.host_stack_low) {
    wrong(w, a,
          "goes to the host: a local variable of the thread that launched the kernel; copy it to memory of cudaMalloc "
          "or a device_buffer");
  }
  for (auto const& r : j.host_ranges) {
    if (a.address - r.low < r.high - r.low && !is_module_memory(a.address)) {
      wrong(w, a, "goes to memory of the host; use memory of cudaMalloc or a device_buffer");
    }
  }
  if (module_variable const v = find_module_variable(a.address); v.low != 0) {
    if (a.bytes > v.bytes - (a.address - v.low)) {
      wrong(w, a, out_of(a, v.low, v.bytes, formatted("{} ({} bytes)", variable_name(v.name), v.bytes)));
    }
    return {v.low, v.bytes, space_other, w.clocks != nullptr ? v.shadow : nullptr};
  }
  return {a.address, a.bytes, space_other};  // constants, or memory that lanes allocated
}

}  // namespace cosmati_sim
