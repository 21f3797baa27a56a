// SPDX-License-Identifier: Apache-2.0
// Checks every access of a lane: bounds, alignment, lifetime of the allocation; then passes it to the trace and the
// counters.
#include "access.hpp"

#include <algorithm>
#include <cstring>

#include "cluster.hpp"
#include "counters.hpp"
#include "formatted.hpp"
#include "hazards.hpp"
#include "place.hpp"
#include "polling.hpp"
#include "raw_access.hpp"
#include "scopes.hpp"
#include "sites.hpp"
#include "sync_variables.hpp"
#include "trace_state.hpp"

namespace cosmati_sim {
namespace {

char const* const spaces[] = {"global memory", "shared memory", "a thread's local variables", "the program's globals"};

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
  place const p = find_place(w, a);
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
  place const p = find_place(w, a);
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

int cosmati_sim_is_on_stack(void const* address) {
  stack const& own = *this_worker->lanes[this_worker->current].on;
  auto const at = reinterpret_cast<std::uintptr_t>(address), low = reinterpret_cast<std::uintptr_t>(own.low);
  return at - low < static_cast<std::uintptr_t>(own.high - own.low) ? 1 : 0;
}

void cosmati_sim_prefetch(void const* global) {
  quiet const hush;
  worker& w = *this_worker;
  auto const at = reinterpret_cast<std::uintptr_t>(global);
  int const space = cosmati_sim_is_on_stack(global) != 0 ? space_local
                    : is_shared_memory(w, at)            ? space_shared
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
