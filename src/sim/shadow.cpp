// SPDX-License-Identifier: Apache-2.0
// The slow path of an access to shadow memory: conflicts, cells of single bytes, lists of readers.
#include "shadow.hpp"

#include <sched.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "async.hpp"
#include "hazards.hpp"
#include "polling.hpp"
#include "scheduler.hpp"
#include "scopes.hpp"
#include "shadow_cells.hpp"
#include "stream_order.hpp"
#include "sync_variables.hpp"

namespace cosmati_sim {

void wait_for_group(group& g) {
  for (unsigned tries = 1; g.lock.exchange(1, std::memory_order_acquire) != 0; ++tries) {
    if (tries % 64 == 0) sched_yield();
  }
}

bool is_known(worker& w, shadow_region const& region, record const& r, std::uintptr_t at) {
  if (r.run < horizon_of(w, region)) return true;
  if (r.run < w.first_run) return !runs_beside(*w.running, r.run);
  if (r.run != w.run) return knows_other_block(w, r, at);
  if (r.has(by_mbarrier)) return knows(w, r.lanes, r.time);
  if (r.time <= w.clocks->base) return true;
  for (std::uint32_t bits = r.lanes; bits != 0; bits &= bits - 1) {
    unsigned const lane = r.warp() * 32 + static_cast<unsigned>(std::countr_zero(bits));
    if (lane != w.current && !knows(w, lane, r.time)) return false;
  }
  return true;
}

namespace {

/// Above this length, a list of reads of other threads' memory drops entries of blocks that are over.
constexpr std::size_t most_extras = 256;
/// The limit of lanes between the two halves of an update. They are few, because a lane runs until it waits.
constexpr std::ptrdiff_t most_overwritten = 64;

}  // namespace

extras& slow_access::more() {
  if (g.more == nullptr) {
    region.has_lists = true;
    g.more = new extras;
  }
  return *g.more;
}

void slow_access::split_if_needed() {
  if (((offset | n) & 3u) == 0) return;
  extras& m = more();
  if (m.bytes != nullptr) return;
  region.part(index);
  m.bytes = std::make_unique<std::array<cell, 16>>();
  for (unsigned i = 0; i < 16; ++i) (*m.bytes)[i] = region.cell_of(index, i / 4);
}

void slow_access::suspect(record const& other, std::uint16_t bytes) {
  constexpr std::size_t most_suspects = 256;
  if (w.suspects.size() >= most_suspects) return;
  suspicion s;
  s.access = seen.at;
  s.access_bytes = seen.bytes;
  s.at = region.low + 16 * index + static_cast<unsigned>(std::countr_zero(bytes));
  s.bytes = static_cast<unsigned>(std::popcount(bytes));
  if (other.run != w.run) wait_for_bytes(w, other.run, s.at, s.bytes);
  std::memcpy(s.old, reinterpret_cast<void const*>(s.at), s.bytes);
  s.other[0] = other.time, s.other[1] = other.run, s.other[2] = other.lanes, s.other[3] = other.meta;
  s.absent = 0;
  s.site = seen.site;
  s.phrase = phrase_of(w, seen);
  s.region = &region;
  w.suspects.push_back(std::move(s));
  w.repeats = {};  // the next access takes the slow path, which resolves the suspicion
}

/// Atomics do not conflict. Volatile accesses do within a warp, because its lanes do not run in step.
bool slow_access::both_atomic(record const& r) const {
  return atomic && r.has(by_atomic) && !scopes_miss(w, seen, r) &&
         !(is_volatile(seen.kind) && r.run == me.run && r.warp() == me.warp());
}

/// Whether a read that nothing orders with this store may be half of an update: its lane, in another block, may store
/// next.
bool slow_access::may_be_half(record const& read) const { return !atomic && read.run != w.run; }

void slow_access::keep_half(record const& read, std::uint16_t bytes) {
  if (!may_be_half(read)) return;
  auto& list = more().list;
  bool const is_listed = std::any_of(list.begin(), list.end(), [&](extra const& e) {
    return e.kind == extra_kind::overwritten && e.bytes == bytes && e.what == read;
  });
  if (!is_listed) list.push_back({read, bytes, extra_kind::overwritten, 0});
}

void slow_access::check_cells() {
  each_cell([&](cell& c, std::uint16_t bytes) {
    record const &written = c.written, &read = c.read;
    auto const conflicts_with_read = [&] {
      return writes && read.run >= horizon && !both_atomic(read) && !mine(read) && !is_known(w, region, read, seen.at);
    };
    if (written.run >= horizon && !both_atomic(written) && !mine(written) && !is_known(w, region, written, seen.at)) {
      if (writes && !atomic && !written.has(by_atomic) && !written.has(by_mbarrier)) {
        suspect(written, bytes);
        if (conflicts_with_read()) keep_half(read, bytes);
      } else {
        bool const update = read.run == written.run && read.lanes == written.lanes && read.site() == seen.site;
        report_conflict(w, region, seen, written, true, nullptr, update);
      }
    } else if (conflicts_with_read()) {
      report_conflict(w, region, seen, read, false);
      keep_half(read, bytes);
    }
  });
}

void slow_access::check_list() {
  if (g.more == nullptr) return;
  for (extra& e : g.more->list) {
    if ((e.bytes & mask()) == 0 || e.what.run < horizon) continue;
    switch (e.kind) {
      case extra_kind::read:
        if (writes && !both_atomic(e.what) && !mine(e.what) && !is_known(w, region, e.what, seen.at)) {
          report_conflict(w, region, seen, e.what, false);
          if (may_be_half(e.what) && (e.bytes & ~mask()) == 0) e.kind = extra_kind::overwritten;
        }
        break;
      case extra_kind::overwritten:
        break;
      case extra_kind::reduced:
        if (!atomic && !mine(e.what) && !is_known(w, region, e.what, seen.at))
          report_conflict(w, region, seen, e.what, true);
        break;
      case extra_kind::copy_reduces:
      case extra_kind::copy_reads:
        if (e.kind == extra_kind::copy_reads ? !writes : atomic) break;
        [[fallthrough]];
      case extra_kind::copy_writes:
        if (is_of_another_block(e.copy)) {
          report_copy_between_blocks(w, region, seen, e);
          break;
        }
        // For a copy of another thread without order to this access, the missing barrier is the first cause.
        if (e.what.run == w.run &&
            (mine(e.what) || is_known(w, region, e.what) || !waits_by_groups(w, w.async->copies[e.copy]))) {
          report_in_flight(w, region, seen, e);
        } else {
          report_conflict(w, region, seen, e.what, e.kind != extra_kind::copy_reads);
        }
        break;
      case extra_kind::mbarrier:
        report_touched_mbarrier(w, region, seen, e.what);
    }
  }
}

void slow_access::find_own_reads() {
  if (!writes || atomic || g.more == nullptr || g.more->list.empty()) return;
  each_cell([&](cell& c, std::uint16_t bytes) {
    if (mine(c.read)) return;
    auto const& list = g.more->list;
    auto const own_read = std::find_if(list.rbegin(), list.rend(), [&](extra const& e) {
      return (e.kind == extra_kind::read || e.kind == extra_kind::overwritten) && (e.bytes & bytes) == bytes &&
             mine(e.what);
    });
    if (own_read != list.rend()) c.read = own_read->what;
  });
}

void slow_access::prune() {
  if (g.more == nullptr) return;
  auto& list = g.more->list;
  auto overwritten =
      std::count_if(list.begin(), list.end(), [](extra const& e) { return e.kind == extra_kind::overwritten; });
  std::erase_if(list, [&](extra const& e) {
    if (e.what.run < horizon) return true;
    if (e.kind == extra_kind::overwritten)  // the oldest go first
      return overwritten-- > most_overwritten || (writes && mine(e.what) && (e.bytes & ~mask()) == 0);
    if (e.kind == extra_kind::reduced) return writes && !atomic && (e.bytes & ~mask()) == 0;
    if (e.kind != extra_kind::read) return false;
    if (e.what.run == w.run && !e.what.has(by_mbarrier) && e.what.time <= w.clocks->base && region.shared_memory)
      return true;
    return writes && (e.bytes & ~mask()) == 0;
  });
}

void slow_access::tidy() {
  if (g.more != nullptr) {
    if (g.more->bytes != nullptr && ((offset | n) & 3u) == 0) {
      auto const& bytes = *g.more->bytes;
      bool equal = true;
      for (unsigned i = 0; equal && i < 16; ++i) equal = bytes[i] == bytes[i / 4 * 4];
      if (equal) {
        g.apart = true;
        for (unsigned i = 0; i < 4; ++i) region.cell_of(index, i) = bytes[4 * i];
        g.more->bytes = nullptr;
      }
    }
    if (!g.more->list.empty() || g.more->bytes != nullptr) return;
    delete g.more;
    g.more = nullptr;
  }
  if (g.apart) region.unite(index);
}

void slow_access::add(record const& what, std::uint16_t bytes, extra_kind kind) {
  auto& list = more().list;
  for (extra& e : list) {
    if (e.kind == kind && e.bytes == bytes && e.what.run == what.run && e.what.time == what.time &&
        ((e.what.meta ^ what.meta) & 0xffu) == 0) {
      e.what.lanes |= what.lanes;
      return;
    }
  }
  if (list.size() < most_extras) list.push_back({what, bytes, kind, 0});
}

void slow_access::update() {
  each_cell([&](cell& c, std::uint16_t bytes) {
    if (writes) {
      // An atomic on the same place also comes after all earlier atomics. What its lane has read before was its first
      // step.
      if (seen.kind == an_atomic && c.read.run == me.run && (c.read.lanes & me.lanes) != 0 && !c.read.has(by_atomic) &&
          c.read.warp() == me.warp() && c.read.time == me.time)
        w.first_steps.insert(c.read.site());
      // A lane's store and its next atomic belong together. Others that change the place must come after the store.
      bool const store_stays = seen.kind == an_atomic && mine(c.written) && c.written.time == me.time &&
                               !c.written.has(by_atomic) && !c.written.has(by_async_proxy);
      if (!store_stays) c.written = me;
      if (atomic || !mine(c.read)) c.read.run = 0;
      return;
    }
    if (c.read.run == me.run && c.read.time == me.time && ((c.read.meta ^ me.meta) & 0xffu) == 0) {
      c.read.lanes |= me.lanes;
    } else if (c.read.run < horizon || mine(c.read) || is_known(w, region, c.read, seen.at)) {
      c.read = me;
    } else {
      add(me, bytes, extra_kind::read);
    }
  });
}

void slow_access::check_written() {
  if (region.counts_as_written) return;
  std::uint16_t const missing = static_cast<std::uint16_t>(mask() & ~region.written[index]);
  if (missing == 0 || (!writes && w.may_read_unwritten)) return;
  if (!writes || seen.kind == an_atomic)
    report_unwritten(w, region, seen, static_cast<unsigned>(std::popcount(missing)));
  region.written[index] |= mask();
}

namespace {

/// The lane is about to read memory that nobody has written. The other lanes run until they wait. If one of them brings
/// the bytes, perhaps by an asynchronous copy, this lane should have waited for it. The group is not locked.
void let_others_write(worker& w, shadow_region const& region, std::size_t index, std::uint16_t bytes,
                      seen_access const& seen) {
  if (region.counts_as_written || (region.written[index] & bytes) == bytes || seen.kind == a_store ||
      seen.kind == a_volatile_store || !w.sees_everything || w.may_read_unwritten)
    return;
  if (w.lanes[w.current].state != lane_state::ready || is_old(w, hazard_kind::uninitialized, seen.site, 0)) return;
  quiet const hush;
  let_others_run(w);
}

/// The slow path, for the bytes [offset, offset + n) of one group. It is not inline: inside the fast path it made an
/// ldmatrix 3 % slower.
[[gnu::noinline]] void shadow_slowly(worker& w, shadow_region& region, std::size_t index, unsigned offset, unsigned n,
                                     record const& me, seen_access const& seen) {
  quiet const hush;
  slow_access s{w, region, region.groups[index], index, offset, n, me, seen};
  s.check_written();
  s.split_if_needed();
  s.check_cells();
  s.check_list();
  s.find_own_reads();
  s.prune();
  s.update();
  s.tidy();
}

}  // namespace

void shadow_access(worker& w, shadow_region& region, std::uintptr_t at, std::size_t bytes, int kind, void const* pc,
                   memory_access const* detail) {
  // When g++ copies a structure, it announces the store, then the load, and then moves the bytes.
  if (kind != a_load) {
    w.announced.close();
    if (!w.suspects.empty()) resolve_suspects(w);
  }
  if (!is_atomic(kind)) w.clocks->close_look();  // otherwise the look is this access's own
  std::uint32_t const site = detail != nullptr && detail->where.file != nullptr
                                 ? site_number(w, pc, detail->where, detail->instruction)
                                 : site_number(w, pc);
  shadow_actor const a(w, horizon_of(w, region), site, is_atomic(kind) ? by_atomic : 0);
  bool locked = !region.shared_memory && !w.alone;
  std::size_t index = (at - region.low) >> 4;
  auto offset = static_cast<unsigned>(at & 15);
  for (std::size_t left = bytes; left != 0; ++index, offset = 0) {
    unsigned const n = left < 16 - offset ? static_cast<unsigned>(left) : 16 - offset;
    left -= n;
    if (locked) lock_group(region.groups[index]);
    bool const plain = kind <= a_store && ((offset | n) & 3u) == 0;
    if (!plain || !shadow_quickly(region, index, offset, n, kind, a)) {
      seen_access const seen = {at, bytes, kind, pc, detail, site};
      if (!locked) {
        let_others_write(w, region, index, static_cast<std::uint16_t>(((1u << n) - 1) << offset), seen);
        locked = !region.shared_memory && !w.alone;  // other host threads may have joined in the meantime
        if (locked) lock_group(region.groups[index]);
      }
      shadow_slowly(w, region, index, offset, n, a.me(), seen);
    }
    if (locked) {
      if (kind == a_store) w.announced.open_part(at, region.low + 16 * index + offset + n, left == 0);
      unlock_group(region.groups[index]);
    }
  }
}

bool holds_nothing(void const* value, std::size_t bytes) {
  auto const* const from = static_cast<char const*>(value);
  for (std::size_t i = 0; i + 4 <= bytes; i += 4) {
    std::uint32_t word;
    std::memcpy(&word, from + i, 4);
    for (std::uint32_t times = 1; times <= 64; ++times) {
      if (word - times * 0x7FFD7FFDu + 0x2000 < 0x4000) return true;
    }
  }
  std::uint16_t half = 0;
  if (bytes == 2) std::memcpy(&half, from, 2);
  return half == 0x7FFD;
}

void suspect_absent(worker& w, shadow_region& region, std::uintptr_t at, std::size_t bytes, std::uint32_t site) {
  suspicion s = {};
  s.access = s.at = at;
  s.access_bytes = s.bytes = bytes;
  s.site = site;
  s.absent = w.lanes[w.current].absent;
  s.region = &region;
  w.suspects.push_back(std::move(s));
  w.repeats = {};
}

void resolve_suspects(worker& w) {
  quiet const hush;
  std::vector<suspicion> suspects;
  suspects.swap(w.suspects);
  for (suspicion const& s : suspects) {
    if (s.absent != 0) {
      if (holds_nothing(reinterpret_cast<void const*>(s.at), s.bytes)) report_absent(w, s);
      continue;
    }
    record const other = {s.other[0], s.other[1], s.other[2], s.other[3]};
    if (std::memcmp(s.old, reinterpret_cast<void const*>(s.at), s.bytes) == 0) continue;
    struct context {
      std::string const& phrase;
    } const c = {s.phrase};
    memory_access const detail = {s.access,
                                  s.access_bytes,
                                  a_store,
                                  0,
                                  nullptr,
                                  nullptr,
                                  [](void const* p, char* out, std::size_t size) {
                                    std::snprintf(out, size, "%s", static_cast<context const*>(p)->phrase.c_str());
                                  },
                                  &c,
                                  {},
                                  nullptr};
    report_conflict(w, *s.region, {s.access, s.access_bytes, detail.kind, nullptr, &detail, s.site}, other, true);
  }
}

}  // namespace cosmati_sim
