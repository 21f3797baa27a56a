// SPDX-License-Identifier: Apache-2.0
#include "deferred_bounds.hpp"

#include <sys/mman.h>

#include "access.hpp"
#include "hazards.hpp"
#include "memory.hpp"
#include "sites.hpp"

namespace cosmati_sim {
namespace {

constexpr std::size_t page = 4096;

void close_guard(deferred_bounds const& d) {
  if (d.opened != 0) mprotect(reinterpret_cast<void*>(d.opened), page, PROT_NONE);
}

}  // namespace

bool defer_bounds(worker& w, memory_access const& a, mapped_memory const& hit, access_target const& target,
                  std::string const& sentence) {
  bool const plain = a.kind == a_load && a.instruction == nullptr && a.base == nullptr && a.where.file == nullptr;
  if (!plain || w.clocks == nullptr || note_of_address(w, a.address, a.bytes) != nullptr) return false;
  std::uintptr_t const guard = hit.guarded ? hit.end - page : hit.end;
  if (a.address + a.bytes > hit.end) return false;
  std::uint32_t const number = site_number(w, a.pc);
  program_line const line = line_of_site(number);
  if (line.line == 0) return false;
  std::uintptr_t opened = 0;
  if (a.address + a.bytes > guard) {
    if (mprotect(reinterpret_cast<void*>(guard), page, PROT_READ) != 0) return false;
    opened = guard;
  }
  w.deferred = std::make_unique<deferred_bounds>(
      deferred_bounds{sentence, a.where, number, w.current, target, line.file, line.line, opened});
  return true;
}

void look_behind_deferred(worker& w, memory_access const& a) {
  program_line const line = line_of_site(site_number(w, a.pc, a.where, a.instruction));
  if (w.deferred->lane != w.current || line.line != w.deferred->line || line.file != w.deferred->file) fail_deferred(w);
}

void fail_twice(worker& w, memory_access const& a, access_target const& target, std::string const& sentence) {
  deferred_bounds const d = *w.deferred;
  if (target == d.target) fail_deferred(w);
  forget_deferred(w);
  hazard h = hazard_here(w, hazard_kind::out_of_bounds);
  h.site = d.site_number;
  h.where = d.where;
  h.target = d.target;
  h.message = d.sentence;
  add_hazard(w, std::move(h));
  fail_lane(sentence, hazard_kind::out_of_bounds, a.where, site_number(w, a.pc, a.where, a.instruction), {}, false,
            target);
}

void fail_deferred(worker& w) {
  deferred_bounds const d = *w.deferred;
  forget_deferred(w);
  w.current = d.lane;  // the block ends here
  fail_lane(d.sentence, hazard_kind::out_of_bounds, d.where, d.site_number, {}, false, d.target);
}

void forget_deferred(worker& w) {
  if (w.deferred == nullptr) return;
  close_guard(*w.deferred);
  w.deferred = nullptr;
}

}  // namespace cosmati_sim
