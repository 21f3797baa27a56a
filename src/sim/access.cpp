// SPDX-License-Identifier: Apache-2.0
// Checks every access of a lane: bounds, alignment, lifetime of the allocation; then passes it to the trace and the
// counters.
#include "access.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "cluster.hpp"
#include "counters.hpp"
#include "formatted.hpp"
#include "hazards.hpp"
#include "polling.hpp"
#include "raw_access.hpp"
#include "scopes.hpp"
#include "sites.hpp"
#include "symbols.hpp"
#include "sync_variables.hpp"
#include "trace_state.hpp"

namespace cosmati_sim {
namespace {

char const* const kinds[] = {"load", "store", "atomic", "atomic load", "load", "store"};

char const* const spaces[] = {"global memory", "shared memory", "a thread's local variables", "the program's globals"};

note const* note_of(worker const& w, memory_access const& a) { return note_of_address(w, a.address, a.bytes); }

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

[[noreturn]] void wrong(worker const& w, memory_access const& a, std::string const& why,
                        hazard_kind kind = hazard_kind::out_of_bounds, access_target const& target = {}) {
  if (w.deferred != nullptr) fail_deferred(*this_worker);
  std::uint32_t const site = site_number(*this_worker, a.pc, a.where, a.instruction);
  fail_lane(formatted("{} {}{}", what(a), why, remarks(w, a)), kind, a.where, site, phrase_of(w, a), false, target);
}

/// Gives "12 bytes past the end of X", "4 bytes before X" or "4 of its bytes past the end of X".
std::string out_of(memory_access const& a, std::uintptr_t low, std::size_t bytes, std::string const& thing) {
  if (a.address < low) return formatted("is out of bounds: {} bytes before {}", low - a.address, thing);
  std::uintptr_t const high = low + bytes;
  if (a.address >= high) {
    return a.address == high ? formatted("is out of bounds: just past the end of {}", thing)
                             : formatted("is out of bounds: {} bytes past the end of {}", a.address - high, thing);
  }
  return formatted("is out of bounds: its last {} bytes are past the end of {}", a.address + a.bytes - high, thing);
}

std::string name_of(allocation const& a) {
  return formatted("allocation {} ({:#x}, {} bytes)", a.number, a.low, a.bytes);
}
std::string name_of(thread_local_variable const& s) {
  return formatted("__shared__ {} ({} bytes)", variable_name(s.name), s.bytes);
}

/// The memory that the access hit.
struct place {
  std::uintptr_t low;
  std::size_t bytes;
  int space;
  shadow_region* shadow = nullptr;
  worker* owner = nullptr;  // the other block of the cluster whose shared memory it is
};

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
    bool const of_the_compiler =
        std::strcmp(v.name, "cosmati_sim_active") == 0 || (a.bytes == 1 && std::strncmp(v.name, "_ZGV", 4) == 0);
    if (!v.shared && is_write(a.kind) && (a.instruction != nullptr || !of_the_compiler)) {
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

/// Finds the memory that the access hit. It does not return if the memory may not be accessed.
place find(worker const& w, memory_access const& a) {
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
    wrong(w, a, "goes to the host: a local variable of the thread that launched the kernel; use a device_buffer");
  }
  for (auto const& r : j.host_ranges) {
    if (a.address - r.low < r.high - r.low && !is_module_memory(a.address)) {
      wrong(w, a, "goes to memory of the host; use a device_buffer");
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

/// Whether an instruction for one kind of memory may access this space. @param name may be null
inline bool may_go_to(char const* name, int space) {
  int const needed = name != nullptr ? space_of_instruction(name) : -1;
  return needed < 0 || space == needed || (needed == space_global && space == space_other);
}

[[noreturn]] void in_wrong_space(worker const& w, memory_access const& a, int space, int needed) {
  bool const barrier = a.instruction != nullptr && std::strncmp(a.instruction, "mbarrier", 8) == 0;
  char const* const remedy =
      needed == space_global ? "give it an address in global memory, and keep make_gmem_ptr for such"
      : barrier              ? "an mbarrier is a __shared__ variable"
      : a.kind == a_load     ? "copy what it reads to shared memory first, and keep make_smem_ptr for addresses there"
                             : "give it an address in shared memory, and keep make_smem_ptr for such";
  wrong(w, a, formatted("goes to {}, it must go to {}; {}", spaces[space], spaces[needed], remedy),
        hazard_kind::wrong_space);
}

void check(worker& w, memory_access const& a, place const& p) {
  if (!may_go_to(a.instruction, p.space)) in_wrong_space(w, a, p.space, space_of_instruction(a.instruction));
  if (a.alignment > 1 && a.address % a.alignment != 0 && p.space != space_local && p.space != space_other) {
    wrong(w, a,
          formatted("is misaligned: it needs an address that is a multiple of {}, this one is {} bytes past one, "
                    "{} bytes into {}",
                    a.alignment, a.address % a.alignment, a.address - p.low,
                    p.space == space_global ? name_of(*find_allocation(*w.running->allocations, a.address))
                                            : std::string("shared memory")),
          hazard_kind::misaligned);
  }
  void const* from = a.base;
  if (note const* const n = from == nullptr ? note_of(w, a) : nullptr) {
    from = n->base;
    if (n->outside && n->mode >= 0)
      wrong(w, a,
            formatted("is out of bounds: coordinate {} of mode {}, whose extent is {}: outside of its tensor, though "
                      "inside of memory; let each coordinate stay below the extent of its mode",
                      n->coordinate, n->mode, n->extent));
    if (n->outside) wrong(w, a, "is out of bounds: outside of its tensor, though inside of memory");
  }
  if (from != nullptr && (p.space == space_global || p.space == space_shared)) {
    auto const base = reinterpret_cast<std::uintptr_t>(from);
    // The access may not leave the tensor's memory for a neighbour's.
    if (base - p.low > p.bytes) {
      wrong(w, a, formatted("leaves its tensor's memory: the tensor begins at {:#x}, in another allocation", base));
    }
  }
  bool const remembered = p.space == space_global || p.space == space_shared || p.shadow != nullptr;
  if (w.watches_stores) [[unlikely]] {
    if (is_write(a.kind) && p.space != space_local) note_store(w, a.address, a.bytes);
  } else if (remembered && p.owner == nullptr) {  // a stack belongs to one lane only
    w.hits[w.next_hit] = {p.low, p.bytes, p.space, p.shadow};
    w.next_hit = (w.next_hit + 1) % w.hits.size();
  }
  if (w.running->tracing) {
    trace_access(w, a.address, a.bytes, traced_kind(a.kind), p.space, p.low, a.instruction);
  }
  if (w.counters != nullptr)
    count_access(w, a.address, a.bytes, counted_as(a.kind), p.space, p.low, a.instruction, a.pc);
}

/// @param raw whether the library knows only what the compiler's hook tells
/// @param released whether it is an atomic that publishes the lane's earlier accesses
void check(worker& w, memory_access const& a, bool raw, bool released) {
  if (a.bytes == 0) return;
  ++w.endless.accesses;
  if (w.deferred != nullptr) [[unlikely]]
    look_behind_deferred(w, a);
  place const p = find(w, a);
  if (w.endless.suspicious && a.kind == a_load && p.space != space_local) [[unlikely]]
    take_turn(w, a.address, a.pc, a.where);
  check(w, a, p);
  if (p.shadow == nullptr) return;
  if (p.owner != nullptr) note_foreign_use(w, *p.owner, site_number(w, a.pc, a.where, a.instruction));
  if (is_atomic(a.kind)) {
    bool const of_block = a.kind == an_atomic && note_block_scope(a.instruction);
    atomic_orders(w, a.address, released, is_volatile(a.kind), of_block);
  }
  shadow_access(w, *p.shadow, a.address, a.bytes, a.kind, a.pc, raw ? nullptr : &a);
  if (w.lanes[w.current].absent != 0 && a.kind == a_store && a.bytes <= 16)
    suspect_absent(w, *p.shadow, a.address, a.bytes, site_number(w, a.pc, a.where, a.instruction));
}

/// Returns the recently hit memory that contains this access, if nothing speaks against it.
inline __attribute__((always_inline)) worker::hit const* found_before(worker const& w, std::uintptr_t at,
                                                                      std::size_t bytes, std::size_t alignment,
                                                                      void const* base) {
  if (cosmati_sim_active != lane_runs || (alignment > 1 && (at & (alignment - 1)) != 0)) return nullptr;
  auto const from = reinterpret_cast<std::uintptr_t>(base);
  for (auto const& h : w.hits) {
    if (h.holds(at, bytes) && (base == nullptr || from - h.low <= h.bytes)) return &h;
  }
  return nullptr;
}

}  // namespace

note const* note_of_address(worker const& w, std::uintptr_t address, std::size_t bytes) {
  for (unsigned i = 0; i < w.notes.size(); ++i) {
    note const& n = w.notes[(w.next_note + w.notes.size() - 1 - i) % w.notes.size()];
    if (n.bytes == 0 || n.lane != w.current) continue;
    if (address - n.address < n.bytes || n.address - address < bytes) return &n;
  }
  return nullptr;
}

bool is_shared_memory(worker const& w, std::uintptr_t at) {
  if (at - reinterpret_cast<std::uintptr_t>(w.shared_low) < max_shared_bytes) return true;
  return std::any_of(w.tls_ranges.begin(), w.tls_ranges.end(),
                     [at](worker::range const& r) { return at - r.low < r.high - r.low; });
}

void shadow_of_shared_begins(worker& w) {
  if (w.dynamic_shadow == nullptr) {
    w.dynamic_shadow =
        std::make_unique<shadow_region>(reinterpret_cast<std::uintptr_t>(w.shared_low), max_shared_bytes, true);
    w.dynamic_shadow->prepare();
    for (worker::range const& r : w.tls_ranges) {
      w.tls_shadows.push_back(std::make_unique<shadow_region>(r.low, r.high - r.low, true));
      w.tls_shadows.back()->prepare();
    }
  }
  w.dynamic_shadow->forget(w.dynamic_shadow->low, w.running->request->shared_bytes);
  for (std::size_t i = 0; i < w.tls_ranges.size(); ++i) {
    for (thread_local_variable const& v : w.thread_locals) {
      auto const low = reinterpret_cast<std::uintptr_t>(v.low);
      if (v.shared && low - w.tls_ranges[i].low < w.tls_ranges[i].high - w.tls_ranges[i].low)
        w.tls_shadows[i]->forget(low, v.bytes);
    }
  }
}

shadow_region* check_side(memory_access const& a, int space) {
  worker& w = *this_worker;
  if (w.clocks != nullptr) w.clocks->close_look();
  place const p = find(w, a);
  if (p.space != space && (space == space_shared || p.space != space_other)) {
    in_wrong_space(w, a, p.space, space);
  }
  check(w, a, p);
  return p.shadow;
}

void raw_access_beyond_stack(void const* address, std::size_t bytes, int kind, std::size_t alignment, void const* pc,
                             bool released) {
  worker& w = *this_worker;
  auto const at = reinterpret_cast<std::uintptr_t>(address);
  if (is_atomic(kind)) {
    take_turn(w, at, pc);
  } else if (worker::hit const* const h = found_before(w, at, bytes, alignment, nullptr); h != nullptr) {
    if (h->shadow != nullptr && !shadow_access_quickly(w, *h->shadow, at, bytes, kind, site_number(w, pc)))
      shadow_access(w, *h->shadow, at, bytes, kind, pc, nullptr);
    return;
  }
  quiet hush;
  check(w,
        {reinterpret_cast<std::uintptr_t>(address), bytes, kind, alignment, nullptr, nullptr, nullptr, nullptr, {}, pc},
        true, released);
  if (w.deferred != nullptr) [[unlikely]]
    hush.restore_with(watch_closely);  // all accesses up to the end of the line are looked at
}

void access_of_text(memory_access const& a, bool released) {
  worker& w = *this_worker;
  if (is_atomic(a.kind)) {
    take_turn(w, a.address, a.pc, a.where);
  } else if (worker::hit const* const h = found_before(w, a.address, a.bytes, a.alignment, a.base);
             h != nullptr && may_go_to(a.instruction, h->space)) {
    if (h->shadow == nullptr) return;
    std::uint32_t const site =
        a.where.file != nullptr ? site_number(w, a.pc, a.where, a.instruction) : site_number(w, a.pc);
    if (!shadow_access_quickly(w, *h->shadow, a.address, a.bytes, a.kind, site))
      return shadow_access(w, *h->shadow, a.address, a.bytes, a.kind, a.pc, &a);
    if (a.bytes == 16 && a.alignment <= 16)
      remember_access(w, *h->shadow, h->low, h->bytes, site, {a.pc, nullptr, a.where.file, a.where.line, a.kind});
    return;
  }
  quiet const hush;
  check(w, a, false, released);
}

}  // namespace cosmati_sim

using namespace cosmati_sim;

extern "C" {

/// Handles the accesses that cosmati_sim_access does not handle itself.
[[gnu::noinline]] static void access_slowly(memory_access const& a) { access_of_text(a, false); }

void cosmati_sim_access(void const* address, std::size_t bytes, int kind, std::size_t alignment, void const* base,
                        char const* instruction, cosmati_sim_describe describe, void const* context, char const* file,
                        int line) {
  worker& w = *this_worker;
  auto const at = reinterpret_cast<std::uintptr_t>(address);
  void const* const pc = __builtin_return_address(0);
  if (bytes == 16 && (at & 15) == 0 && cosmati_sim_active == lane_runs) {
    worker::repeated const& r = w.repeated_at(pc, kind);
    if (r.pc == pc && r.frame == w.lanes[w.current].frame && r.kind == kind && r.line == line && r.file == file &&
        at - r.low <= r.last && (base == nullptr || reinterpret_cast<std::uintptr_t>(base) - r.low <= r.last + 16) &&
        repeat_access(w, r, at))
      return;
  }
  access_slowly({at, bytes, kind, alignment, base, instruction, describe, context, {file, line}, pc});
}

void cosmati_sim_prefetch(void const* global) {
  quiet const hush;
  worker& w = *this_worker;
  auto const at = reinterpret_cast<std::uintptr_t>(global);
  lane const& l = w.lanes[w.current];
  auto const stack_low = reinterpret_cast<std::uintptr_t>(l.on->low);
  int const space = at - stack_low < reinterpret_cast<std::uintptr_t>(l.on->high) - stack_low ? space_local
                    : is_shared_memory(w, at)                                                 ? space_shared
                                                                                              : space_global;
  if (space != space_global) {
    in_wrong_space(
        w, {at, 128, a_load, 1, nullptr, "prefetch.global.L2", nullptr, nullptr, {}, __builtin_return_address(0)},
        space, space_global);
  }
}

void cosmati_sim_note(void const* address, std::size_t bytes, void const* base, cosmati_sim_describe describe,
                      void const* context, std::size_t context_bytes) {
  quiet hush;
  worker& w = *this_worker;
  note& n = w.notes[w.next_note];
  w.next_note = (w.next_note + 1) % w.notes.size();
  n.address = reinterpret_cast<std::uintptr_t>(address);
  n.bytes = bytes;
  n.base = base;
  n.describe = describe;
  n.lane = w.current;
  n.outside = false;
  if (context_bytes <= sizeof n.context && context != nullptr) std::memcpy(n.context, context, context_bytes);
  if (base == nullptr) return;
  // The address has left its tensor's memory, perhaps for a neighbour's. From now on this lane's accesses take the slow
  // path, which looks at the note.
  for (auto const& h : w.hits) {
    if (h.holds(reinterpret_cast<std::uintptr_t>(base), 1) && !h.holds(n.address, bytes))
      hush.restore_with(watch_closely);
  }
}

void cosmati_sim_note_outside(int mode, long long coordinate, long long extent) {
  quiet hush;
  worker& w = *this_worker;
  note& n = w.notes[(w.next_note + w.notes.size() - 1) % w.notes.size()];
  n.outside = true;
  n.mode = mode;
  n.coordinate = coordinate;
  n.extent = extent;
  hush.restore_with(watch_closely);
}

}  // extern "C"
