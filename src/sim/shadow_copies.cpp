// SPDX-License-Identifier: Apache-2.0
// Claims of asynchronous copies and mbarriers on bytes of shadow memory.
#include <algorithm>
#include <bit>

#include "async.hpp"
#include "cluster.hpp"
#include "hazards.hpp"
#include "shadow_cells.hpp"

namespace cosmati_sim {
namespace {

/// Whether the bytes may be accessed through the asynchronous proxy after this access, as far as the lane knows: a
/// proxy fence lies in between. @param only_read whether an arrival at an mbarrier suffices. A copy that begins after
/// the arrival cannot change a value that was loaded before it, and CUTLASS releases its stages in this way.
bool is_bridged(worker& w, record const& r, unsigned space, bool only_read = false) {
  if (r.run != w.run || r.has(by_async_proxy) || r.has(by_mbarrier)) return true;
  for (std::uint32_t bits = r.lanes; bits != 0; bits &= bits - 1) {
    unsigned const lane = r.warp() * 32 + static_cast<unsigned>(std::countr_zero(bits));
    if (w.clocks->bridges(w.current, lane, r.time, space)) continue;
    if (!only_read || !w.clocks->bridges(w.current, lane, r.time, released)) return false;
  }
  return true;
}

template <class Body>
void each_group(worker const& w, shadow_region& region, std::uintptr_t at, std::size_t bytes, Body body) {
  bool const locked = !region.shared_memory && !w.alone;
  std::size_t index = (at - region.low) >> 4;
  unsigned offset = static_cast<unsigned>(at & 15);
  while (bytes != 0) {
    unsigned const n = bytes < 16 - offset ? static_cast<unsigned>(bytes) : 16 - offset;
    group& g = region.groups[index];
    if (locked) lock_group(g);
    body(index, offset, n);
    if (locked) unlock_group(g);
    bytes -= n;
    ++index;
    offset = 0;
  }
}

memory_access detail_of(async_copy const& c, std::uintptr_t at, std::size_t bytes, int kind) {
  return {at, bytes, kind, 0, nullptr, c.name, nullptr, nullptr, c.where, nullptr};
}

/// The bytes of a group of the target into which a copy, in lines of 16 bytes, writes written source bytes.
std::uint16_t written_by(async_copy const& c, shadow_region const& target, std::size_t index) {
  shadow_region const* const source = c.from_shadow;
  if (source == nullptr || source->counts_as_written || (c.to - c.from) % 16 != 0) return 0xffff;
  std::uintptr_t const begin = c.from + (target.low + 16 * index - c.to);
  return source->written[(begin - source->low) >> 4];
}

/// Ends the claim of a copy of the running block on the group's bytes.
void drop_claim(slow_access const& s, extra_kind kind, unsigned copy) {
  if (s.g.more == nullptr) return;
  std::erase_if(s.g.more->list, [&](extra const& e) {
    return e.kind == kind && e.copy == copy &&
           (is_of_another_block(copy) ? is_run_of_cluster(s.w, e.what.run) : e.what.run == s.w.run);
  });
}

}  // namespace

void copy_will_write(worker& w, shadow_region& region, std::uintptr_t at, std::size_t bytes, unsigned index,
                     async_copy const& c, memory_access const* detail) {
  bool const proxy = c.kind != copy_kind::cp_async && !c.generic_proxy;
  int const kind = c.reduces.element_bytes != 0 ? an_atomic : a_store;
  memory_access const plain = detail_of(c, at, bytes, kind);
  seen_access const seen = {at, bytes, kind, nullptr, detail != nullptr ? detail : &plain, c.site_number};
  bool const reduces = kind == an_atomic;
  record const me = record_of(w, c.site_number, reduces ? by_atomic : 0);
  unsigned const space = region.shared_memory ? proxy_shared : proxy_global;
  each_group(w, region, at, bytes, [&](std::size_t i, unsigned offset, unsigned n) {
    slow_access s{w, region, region.groups[i], i, offset, n, me, seen};
    s.split_if_needed();
    if (reduces) s.check_written();
    s.each_cell([&](cell& x, std::uint16_t) {
      if (reduces && s.both_atomic(x.written)) return;
      if (x.written.run >= s.horizon && !s.mine(x.written) && !is_known(w, region, x.written)) {
        report_conflict(w, region, seen, x.written, true, c.name);
      } else if (proxy && x.written.run >= s.horizon && !is_bridged(w, x.written, space)) {
        report_unfenced(w, region, seen, x.written, true);
      }
      if (x.read.run >= s.horizon && !s.mine(x.read) && !is_known(w, region, x.read)) {
        report_conflict(w, region, seen, x.read, false, c.name);
      } else if (proxy && x.read.run >= s.horizon && !is_bridged(w, x.read, space, true)) {
        report_unfenced(w, region, seen, x.read, false);
      }
    });
    s.check_list();
    s.prune();
    if (!region.counts_as_written && w.may_read_unwritten)
      region.written[i] =
          static_cast<std::uint16_t>((region.written[i] & ~s.mask()) | (s.mask() & written_by(c, region, i)));
    else if (!region.counts_as_written)
      region.written[i] |= s.mask();
    s.more().list.push_back({me, s.mask(), reduces ? extra_kind::copy_reduces : extra_kind::copy_writes, index});
  });
}

void copy_will_read(worker& w, shadow_region& region, std::uintptr_t at, std::size_t bytes, unsigned index,
                    async_copy const& c, bool in_flight, memory_access const* detail) {
  bool const proxy = c.kind != copy_kind::cp_async;
  memory_access const plain = detail_of(c, at, bytes, 0);
  seen_access const seen = {at, bytes, 0, nullptr, detail != nullptr ? detail : &plain, c.site_number};
  record const me = record_of(w, c.site_number, proxy ? by_async_proxy : 0);
  unsigned const space = region.shared_memory ? proxy_shared : proxy_global;
  each_group(w, region, at, bytes, [&](std::size_t i, unsigned offset, unsigned n) {
    slow_access s{w, region, region.groups[i], i, offset, n, me, seen};
    s.split_if_needed();
    s.check_written();
    s.each_cell([&](cell& x, std::uint16_t) {
      if (x.written.run < s.horizon) return;
      if (!s.mine(x.written) && !is_known(w, region, x.written)) {
        report_conflict(w, region, seen, x.written, true);
      } else if (proxy && !is_bridged(w, x.written, space)) {
        report_unfenced(w, region, seen, x.written, true);
      }
    });
    s.check_list();
    if (in_flight) {
      s.more().list.push_back({me, s.mask(), extra_kind::copy_reads, index});
    } else {
      s.prune();
      s.update();
      s.tidy();
    }
  });
}

void copy_has_written(worker& w, shadow_region& region, std::uintptr_t at, std::size_t bytes, unsigned index,
                      record const& by) {
  seen_access const seen = {at, bytes, 1, nullptr, nullptr, by.site()};
  each_group(w, region, at, bytes, [&](std::size_t i, unsigned offset, unsigned n) {
    slow_access s{w, region, region.groups[i], i, offset, n, by, seen};
    drop_claim(s, by.has(by_atomic) ? extra_kind::copy_reduces : extra_kind::copy_writes, index);
    s.each_cell([&](cell& x, std::uint16_t cell_bytes) {
      if (by.has(by_atomic) && x.written.has(by_atomic) && x.written.run != by.run && x.written.run >= s.horizon)
        s.add(x.written, cell_bytes, extra_kind::reduced);
      x.written = by;
      x.read.run = 0;
    });
    s.tidy();
  });
}

void copy_has_read(worker& w, shadow_region& region, std::uintptr_t at, std::size_t bytes, unsigned index,
                   record const& by) {
  seen_access const seen = {at, bytes, 0, nullptr, nullptr, by.site()};
  each_group(w, region, at, bytes, [&](std::size_t i, unsigned offset, unsigned n) {
    slow_access s{w, region, region.groups[i], i, offset, n, by, seen};
    drop_claim(s, extra_kind::copy_reads, index);
    s.update();
    s.tidy();
  });
}

void shadow_mbarrier(worker& w, shadow_region& region, std::uintptr_t at, bool live, std::uint32_t site) {
  record const me = record_of(w, site);
  each_group(w, region, at, 8, [&](std::size_t i, unsigned offset, unsigned n) {
    seen_access const seen = {at, 8, 1, nullptr, nullptr, site};
    slow_access s{w, region, region.groups[i], i, offset, n, me, seen};
    if (live) {
      if (!region.counts_as_written) region.written[i] |= s.mask();
      s.more().list.push_back({me, s.mask(), extra_kind::mbarrier, 0});
    } else if (s.g.more != nullptr) {
      std::erase_if(s.g.more->list,
                    [&](extra const& e) { return e.kind == extra_kind::mbarrier && (e.bytes & s.mask()) != 0; });
      s.each_cell([&](cell& x, std::uint16_t) { x.written = me; });
      s.tidy();
    }
  });
}

}  // namespace cosmati_sim
