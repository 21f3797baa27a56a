// SPDX-License-Identifier: Apache-2.0
// What the short way of an access does not settle: conflicts, cells of single bytes, lists of readers, copies in
// flight.
#include "shadow.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <mutex>

#include "async.hpp"
#include "hazards.hpp"
#include "memory.hpp"
#include "symbols.hpp"
#include "sync_variables.hpp"

namespace cosmati_sim {
namespace {

void* zeroed_pages(std::size_t bytes) {
  void* const p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) {
    std::fprintf(stderr, "cosmati: the host refuses %zu bytes for the shadow of simulated memory\n", bytes);
    std::abort();
  }
  return p;
}

std::mutex preparing;

}  // namespace

shadow_region::shadow_region(std::uintptr_t at, std::size_t bytes, bool shared)
    : low(at / 16 * 16), count((at + bytes + 15) / 16 - at / 16), shared_memory(shared) {}

shadow_region::~shadow_region() {
  if (groups != nullptr) {
    // Pages that were never touched hold no lists.
    for (std::size_t i = 0; i < count && has_lists; ++i) delete groups[i].more;
    munmap(static_cast<void*>(groups), count * sizeof(group));
  }
  if (written != nullptr) munmap(written, count * sizeof *written);
}

void shadow_region::map_written() {
  if (written != nullptr) return;
  auto* const bits = static_cast<std::uint16_t*>(zeroed_pages(count * sizeof(std::uint16_t)));
  written = bits;
}

void shadow_region::prepare() {
  std::lock_guard const lock(preparing);
  map_written();
  if (groups == nullptr) groups = static_cast<group*>(zeroed_pages(count * sizeof(group)));
}

void shadow_region::set_written(std::uintptr_t at, std::size_t bytes) {
  if (bytes == 0 || counts_as_written) return;
  std::size_t first = at - low, last = first + bytes;  // bytes
  if (written == nullptr) {
    std::lock_guard const lock(preparing);
    if (first == 0 && last + 15 >= count * 16) {
      counts_as_written = true;
      return;
    }
    map_written();
  }
  for (; first < last && (first & 15) != 0; ++first)
    written[first >> 4] |= static_cast<std::uint16_t>(1u << (first & 15));
  std::memset(written + (first >> 4), 0xff, last > first ? (last - first) / 16 * 2 : 0);
  first += last > first ? (last - first) / 16 * 16 : 0;
  for (; first < last; ++first) written[first >> 4] |= static_cast<std::uint16_t>(1u << (first & 15));
}

void shadow_region::forget(std::uintptr_t at, std::size_t bytes) {
  std::memset(written + (at - low) / 16, 0, ((at - low) % 16 + bytes + 15) / 16 * 2);
}

bool is_known(worker& w, shadow_region const& region, record const& r) {
  if (r.run < horizon_of(w, region)) return true;
  if (r.run != w.run) return knows_other_block(w, r);
  if (r.has(by_mbarrier)) return w.clocks->knows(w.current, r.lanes, r.time);
  if (r.time <= w.clocks->base) return true;
  for (std::uint32_t bits = r.lanes; bits != 0; bits &= bits - 1) {
    unsigned const lane = r.warp() * 32 + static_cast<unsigned>(std::countr_zero(bits));
    if (lane != w.current && !w.clocks->knows(w.current, lane, r.time)) return false;
  }
  return true;
}

namespace {

char const* const verbs[] = {"load", "store", "atomic", "atomic load", "load", "store"};

/// Whether the bytes may be touched through the asynchronous proxy after this access, as far as the lane knows.
bool is_bridged(worker& w, record const& r, unsigned space) {
  if (r.run != w.run || r.has(by_async_proxy) || r.has(by_mbarrier)) return true;
  for (std::uint32_t bits = r.lanes; bits != 0; bits &= bits - 1) {
    unsigned const lane = r.warp() * 32 + static_cast<unsigned>(std::countr_zero(bits));
    if (!w.clocks->bridges(w.current, lane, r.time, space)) return false;
  }
  return true;
}

/// The first lane of a record that the current one does not know of.
unsigned culprit(worker& w, record const& r) {
  if (r.has(by_mbarrier)) return 0;
  unsigned const first = r.warp() * 32 + static_cast<unsigned>(std::countr_zero(r.lanes));
  if (r.run != w.run) return first;
  for (std::uint32_t bits = r.lanes; bits != 0; bits &= bits - 1) {
    unsigned const lane = r.warp() * 32 + static_cast<unsigned>(std::countr_zero(bits));
    if (lane != w.current && !w.clocks->knows(w.current, lane, r.time)) return lane;
  }
  return first;
}

std::string name_of_lane(worker const& w, record const& r, unsigned lane) {
  index3 const b = w.running->block;
  std::string text = "thread " + to_text(index3{lane % b.x, lane / b.x % b.y, lane / b.x / b.y});
  if (r.run != w.run) {
    std::uint64_t const block = r.run - w.first_run;
    index3 const g = w.running->grid;
    text += " of block " + to_text(index3{static_cast<unsigned>(block % g.x), static_cast<unsigned>(block / g.x % g.y),
                                          static_cast<unsigned>(block / g.x / g.y)});
  }
  return text;
}

std::string phrase_of(worker const& w, seen_access const& seen) {
  char phrase[600] = {};
  if (seen.detail != nullptr && seen.detail->describe != nullptr) {
    seen.detail->describe(seen.detail->context, phrase, sizeof phrase);
  } else if (note const* const n = note_of_address(w, seen.at, seen.bytes); n != nullptr && n->describe != nullptr) {
    n->describe(n->context, phrase, sizeof phrase);
  }
  return phrase;
}

/// "load (ldmatrix.x4) of 16 bytes at byte 128 of dynamic shared memory".
std::string what(worker const& w, shadow_region const& region, seen_access const& seen) {
  std::string place;
  auto const shared = reinterpret_cast<std::uintptr_t>(w.shared_low);
  if (region.shared_memory && seen.at - shared < max_shared_bytes) {
    place = fmt::format("at byte {} of dynamic shared memory", seen.at - shared);
  } else if (region.shared_memory) {
    place = fmt::format("at {:#x}, static shared memory", seen.at);
  } else if (seen.at - device_memory.low < device_memory.bytes) {
    place = fmt::format("at byte {} of global memory at {:#x}", seen.at - region.low, region.low);
  } else {
    module_variable const v = find_module_variable(seen.at);
    place = v.low != 0 ? fmt::format("at byte {} of {}", seen.at - v.low, variable_name(v.name))
                       : fmt::format("at {:#x}", seen.at);
  }
  std::string const name = seen.detail != nullptr && seen.detail->instruction != nullptr
                               ? fmt::format(" ({})", seen.detail->instruction)
                               : "";
  return fmt::format("{}{} of {} byte{} {}", verbs[seen.kind], name, seen.bytes, seen.bytes == 1 ? "" : "s", place);
}

/// A hazard of this access, or nothing when its like was reported.
bool begin_report(worker& w, hazard_kind kind, seen_access const& seen, std::uint32_t other_site, hazard& h) {
  if (!is_news(w, kind, seen.site, other_site)) return false;
  h = hazard_here(w, kind);
  h.site = seen.site;
  h.other_site = other_site;
  describe_into(h, phrase_of(w, seen));
  return true;
}
void end_report(worker& w, hazard&& h, std::string const& sentence, std::string const& fix) {
  h.message = sentence;
  if (!h.tensor.empty()) {
    h.message += "; " + h.tensor;
    if (!h.coord.empty()) h.message += " at " + h.coord;
  }
  h.message += "; \1; " + fix;
  add_hazard(w, std::move(h));
}

void report_unwritten(worker& w, shadow_region const& region, seen_access const& seen, unsigned missing) {
  hazard h;
  if (!w.sees_everything || !begin_report(w, hazard_kind::uninitialized, seen, 0, h)) return;
  end_report(w, std::move(h),
             fmt::format("{} reads {} that nobody has written", what(w, region, seen),
                         missing == seen.bytes ? "memory" : fmt::format("{} bytes", missing)),
             region.shared_memory ? "write it first, and put a barrier between" : "upload, clear or write it first");
}

std::string clocks_of(worker& w, record const& other, unsigned lane) {
  if (other.run != w.run) return "no synchronisation leads from one block to the other";
  auto const& c = *w.clocks;
  unsigned const lanes = static_cast<unsigned>(c.lanes.size());
  return fmt::format("thread {}'s clock was {} then, this thread knows it up to {}", lane, other.time,
                     c.lanes[w.current].hb.latest(w.current, lane, lanes));
}

/// Its thread waits for the copy, and then there is a barrier; else all wait for an mbarrier.
bool waits_by_groups(worker const& w, async_copy const& c) {
  return c.kind == copy_kind::bulk_store ||
         (c.kind == copy_kind::cp_async && !w.async->cp_async[c.lane].arrives_at_mbarrier);
}

/// The lane has to wait for this copy, or its issuer has to.
void report_in_flight(worker& w, shadow_region const& region, seen_access const& seen, extra const& e) {
  async_copy const& c = w.async->copies[e.copy];
  hazard_kind kind = hazard_kind::missing_wait;
  std::string fix, why;
  std::uint32_t third = 0;
  bool const reads = e.kind == extra_kind::copy_reads;
  char const* const wait = c.kind == copy_kind::cp_async     ? "cp.async.wait_group"
                           : c.kind == copy_kind::bulk_store ? "cp.async.bulk.wait_group"
                                                             : "mbarrier.wait";
  if (c.kind == copy_kind::bulk_load) {
    mbarrier const* const b = find_mbarrier(w, c.barrier);
    if (b != nullptr && b->stale != 0 && b->stale_since >= c.serial) {
      kind = hazard_kind::mbarrier;
      third = b->stale;
      why = "; the wait on its mbarrier at \3 was for a parity whose phase had completed before the copy began";
      fix = "flip the parity after each phase, and begin with parity 0";
    } else {
      fix = fmt::format("wait for the phase of its mbarrier ({}) first",
                        b != nullptr ? describe_mbarrier(w, c.barrier) : "which is gone");
    }
  } else if (c.waited_before_commit != 0 && (!c.committed || c.wait_was_for_it)) {
    kind = hazard_kind::missing_commit;
    third = c.waited_before_commit;
    why = "; the wait at \3 did not cover it, for it was not committed then";
    fix = fmt::format("commit the group after the copy and before the wait");
  } else if (!c.committed) {
    why = "; its group is not committed";
    fix = fmt::format("commit the group, then {}{}", wait, region.shared_memory ? " and a barrier" : "");
  } else {
    fix = fmt::format("{} by thread {} (at most as many groups may stay in flight as were committed after this one){}",
                      wait, c.lane, region.shared_memory ? ", then a barrier" : "");
  }
  hazard h;
  if (!begin_report(w, kind, seen, e.what.site(), h)) return;
  h.third_site = third;
  end_report(w, std::move(h),
             fmt::format("{} {} a copy in flight ({}, begun by {}, \2){}", what(w, region, seen),
                         reads                  ? "overwrites the source of"
                         : !is_write(seen.kind) ? "reads what has not arrived from"
                                                : "overwrites the destination of",
                         c.name, name_of_lane(w, e.what, c.lane), why),
             fix);
}

void report_conflict(worker& w, shadow_region const& region, seen_access const& seen, record const& other,
                     bool other_writes, char const* issuer = nullptr, bool update = false) {
  bool const same_block = other.run == w.run;
  if (same_block && other.has(by_mbarrier)) {
    hazard h;
    if (!begin_report(w, hazard_kind::missing_wait, seen, other.site(), h)) return;
    end_report(w, std::move(h),
               fmt::format("{} touches what a bulk copy (\2) wrote, and this thread has not waited for the copy's "
                           "mbarrier",
                           what(w, region, seen)),
               "every thread that uses the data waits for the phase, or comes to a barrier after one that did");
    return;
  }
  // Threads that do the same thing to the same place: no barrier orders that.
  hazard_kind kind = same_block && other.site() != seen.site ? hazard_kind::missing_barrier : hazard_kind::race;
  if (issuer != nullptr && same_block && w.async->barriers.size() > 1) kind = hazard_kind::race;
  hazard h;
  unsigned const lane = culprit(w, other);
  if (!begin_report(w, kind, seen, other.site(), h)) return;
  h.update = update && kind == hazard_kind::missing_barrier;
  h.may_be_first_step = (seen.kind == a_load && other.has(by_atomic)) || (seen.kind == an_atomic && !other_writes);
  char const* const verb = other.has(by_atomic) ? "changed with an atomic" : other_writes ? "wrote" : "read";
  char const* const doing = is_write(seen.kind) ? "overwrites" : "reads";
  bool const same_warp = same_block && lane / 32 == w.current / 32;
  std::string fix;
  if (kind == hazard_kind::missing_barrier) {
    fix = same_warp ? "put __syncwarp() (or __syncthreads()) between the two" : "put __syncthreads() between the two";
    if (issuer != nullptr) fix = fmt::format("put a barrier between, before the {}", issuer);
  } else if (same_block) {
    fix = issuer != nullptr ? "wait until all threads are done with the bytes before they are copied over"
                            : "let one thread do it, or use an atomic";
  } else {
    fix = "blocks are not ordered: use atomics, or publish with __threadfence() and an atomic, or launch twice";
  }
  end_report(w, std::move(h),
             fmt::format("{} {} what {} {} (\2), and nothing orders the two: {}", what(w, region, seen), doing,
                         name_of_lane(w, other, lane), verb, clocks_of(w, other, lane)),
             fix);
}

/// What makes a list of what somebody reads from somebody else's memory long is not kept for blocks that are over.
constexpr std::size_t most_extras = 256;

struct slow {
  worker& w;
  shadow_region& region;
  group& g;
  unsigned offset, n;
  record const& me;
  seen_access const& seen;
  bool writes = is_write(seen.kind), atomic = is_atomic(seen.kind);
  std::uint32_t horizon = horizon_of(w, region);

  std::uint16_t mask() const { return static_cast<std::uint16_t>(((1u << n) - 1) << offset); }

  extras& more() {
    if (g.more == nullptr) {
      region.has_lists = true;
      g.more = new extras;
    }
    return *g.more;
  }
  void split() {
    extras& m = more();
    if (m.bytes != nullptr) return;
    m.bytes = std::make_unique<std::array<cell, 16>>();
    for (unsigned i = 0; i < 16; ++i) (*m.bytes)[i] = g.cells[i / 4];
  }
  template <class Body>
  void each_cell(Body body) {
    if (g.more != nullptr && g.more->bytes != nullptr) {
      for (unsigned i = offset; i < offset + n; ++i) body((*g.more->bytes)[i], static_cast<std::uint16_t>(1u << i));
    } else {
      for (unsigned i = offset / 4; i < (offset + n) / 4; ++i) {
        body(g.cells[i], static_cast<std::uint16_t>(15u << (4 * i)));
      }
    }
  }
  bool mine(record const& r) const {
    return r.run == me.run && r.lanes == me.lanes && ((r.meta ^ me.meta) & (31u | by_mbarrier)) == 0;
  }

  void suspect(record const& other) {
    if (!is_news(w, hazard_kind::none, seen.site, other.site())) return;
    suspicion s;
    s.at = seen.at;
    s.bytes = std::min<std::size_t>(seen.bytes, sizeof s.old);
    std::memcpy(s.old, reinterpret_cast<void const*>(seen.at), s.bytes);
    s.other[0] = other.run, s.other[1] = other.time, s.other[2] = other.lanes, s.other[3] = other.meta;
    s.site = seen.site;
    s.phrase = phrase_of(w, seen);
    s.region = &region;
    w.suspects.push_back(std::move(s));
  }

  /// Atomics do not disturb each other. Volatile accesses do, within a warp: its lanes do not run in step.
  bool both_atomic(record const& r) const {
    return atomic && r.has(by_atomic) && !(is_volatile(seen.kind) && r.run == me.run && r.warp() == me.warp());
  }
  void check_cells() {
    each_cell([&](cell& c, std::uint16_t) {
      record const &written = c.written, &read = c.read;
      if (written.run >= horizon && !both_atomic(written) && !mine(written) && !is_known(w, region, written)) {
        if (writes && !atomic && !written.has(by_atomic) && !written.has(by_mbarrier)) {
          suspect(written);
        } else {
          bool const update = read.run == written.run && read.lanes == written.lanes && read.site() == seen.site;
          report_conflict(w, region, seen, written, true, nullptr, update);
        }
      } else if (writes && read.run >= horizon && !both_atomic(read) && !mine(read) && !is_known(w, region, read)) {
        report_conflict(w, region, seen, read, false);
      }
    });
  }
  void check_list() {
    if (g.more == nullptr) return;
    for (extra const& e : g.more->list) {
      if ((e.bytes & mask()) == 0 || e.what.run < horizon) continue;
      switch (e.kind) {
        case extra_kind::read:
          if (writes && !both_atomic(e.what) && !mine(e.what) && !is_known(w, region, e.what))
            report_conflict(w, region, seen, e.what, false);
          break;
        case extra_kind::copy_reads:
          if (!writes) break;
          [[fallthrough]];
        case extra_kind::copy_writes:
          // Of a copy that another thread began, unordered with this: a barrier is what is missing first.
          if (e.what.run == w.run &&
              (mine(e.what) || is_known(w, region, e.what) || !waits_by_groups(w, w.async->copies[e.copy]))) {
            report_in_flight(w, region, seen, e);
          } else {
            report_conflict(w, region, seen, e.what, e.kind == extra_kind::copy_writes);
          }
          break;
        case extra_kind::mbarrier: {
          hazard h;
          if (!begin_report(w, hazard_kind::mbarrier, seen, e.what.site(), h)) break;
          end_report(
              w, std::move(h),
              fmt::format("{} touches a live mbarrier (initialised at \2) as if it were memory", what(w, region, seen)),
              "leave its eight bytes to the mbarrier functions, or mbarrier.inval it first");
        }
      }
    }
  }
  /// What nobody can meet any more, or what this access stands for from now on, is dropped.
  void prune() {
    if (g.more == nullptr) return;
    std::erase_if(g.more->list, [&](extra const& e) {
      if (e.what.run < horizon) return true;
      if (e.kind != extra_kind::read) return false;
      if (e.what.run == w.run && !e.what.has(by_mbarrier) && e.what.time <= w.clocks->base && region.shared_memory)
        return true;
      return writes && (e.bytes & ~mask()) == 0;
    });
  }
  void drop_empty_list() {
    if (g.more != nullptr && g.more->list.empty() && g.more->bytes == nullptr) {
      delete g.more;
      g.more = nullptr;
    }
  }
  void add(record const& what, std::uint16_t bytes, extra_kind kind) {
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

  void update() {
    each_cell([&](cell& c, std::uint16_t bytes) {
      if (writes) {
        // Who comes after an atomic on the same place comes after all atomics before it, too; and what its lane has
        // read before it was its first step.
        if (seen.kind == an_atomic && c.read.run == me.run && (c.read.lanes & me.lanes) != 0 &&
            !c.read.has(by_atomic) && c.read.warp() == me.warp() && c.read.time == me.time)
          w.first_steps.insert(c.read.site());
        c.written = me;
        if (atomic || !mine(c.read)) c.read.run = 0;
        return;
      }
      if (c.read.run == me.run && c.read.time == me.time && ((c.read.meta ^ me.meta) & 0xffu) == 0) {
        c.read.lanes |= me.lanes;
      } else if (c.read.run < horizon || mine(c.read) || is_known(w, region, c.read)) {
        c.read = me;
      } else {
        add(me, bytes, extra_kind::read);
      }
    });
  }

  void check_written(std::size_t index) {
    if (region.counts_as_written) return;
    std::uint16_t const missing = static_cast<std::uint16_t>(mask() & ~region.written[index]);
    if (missing == 0) return;
    if (!writes || seen.kind == an_atomic)
      report_unwritten(w, region, seen, static_cast<unsigned>(std::popcount(missing)));
    region.written[index] |= mask();
  }
};

}  // namespace

void shadow_slowly(worker& w, shadow_region& region, group& g, std::size_t index, unsigned offset, unsigned n,
                   record const& me, seen_access const& seen) {
  quiet const hush;
  slow s{w, region, g, offset, n, me, seen};
  s.check_written(index);
  if (((offset | n) & 3u) != 0) s.split();
  s.check_cells();
  s.check_list();
  s.prune();
  s.update();
  s.drop_empty_list();
}

void resolve_suspects(worker& w) {
  quiet const hush;
  std::vector<suspicion> suspects;
  suspects.swap(w.suspects);
  for (suspicion const& s : suspects) {
    record const other = {s.other[0], s.other[1], s.other[2], s.other[3]};
    forget_news(w, hazard_kind::none, s.site, other.site());
    if (std::memcmp(s.old, reinterpret_cast<void const*>(s.at), s.bytes) == 0) continue;
    struct context {
      std::string const& phrase;
    } const c = {s.phrase};
    memory_access const detail = {s.at,
                                  s.bytes,
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
    report_conflict(w, *s.region, {s.at, s.bytes, detail.kind, nullptr, &detail, s.site}, other, true);
  }
}

// Copies
// ---------------------------------------------------------------------------------------------------------------

namespace {

void report_unfenced(worker& w, shadow_region const& region, seen_access const& seen, record const& other,
                     bool other_writes, async_copy const& c) {
  hazard h;
  if (!begin_report(w, hazard_kind::missing_proxy_fence, seen, other.site(), h)) return;
  unsigned lane = other.warp() * 32 + static_cast<unsigned>(std::countr_zero(other.lanes));
  unsigned const space = region.shared_memory ? proxy_shared : proxy_global;
  auto const& clocks = *w.clocks;
  for (std::uint32_t bits = other.lanes; bits != 0; bits &= bits - 1) {
    unsigned const l = other.warp() * 32 + static_cast<unsigned>(std::countr_zero(bits));
    if (!clocks.bridges(w.current, l, other.time, space)) lane = l;
  }
  h.review = !other_writes;
  end_report(
      w, std::move(h),
      fmt::format(
          "{} through the asynchronous proxy of what {} {} (\2) through the generic one, with no proxy fence: "
          "thread {}'s clock was {} then, its last fence that is known here was at {}",
          what(w, region, seen), name_of_lane(w, other, lane), other_writes ? "wrote" : "read", lane, other.time,
          clocks.lanes[w.current].bridge[space].latest(w.current, lane, static_cast<unsigned>(clocks.lanes.size()))),
      other_writes ? "each thread that wrote executes fence.proxy.async after it wrote and before the barrier"
                   : "PTX asks for fence.proxy.async by each reader before the barrier here too; hardware is not known "
                     "to fail without it when the reads are long past");
  (void)c;
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
    body(g, index, offset, n);
    if (locked) unlock_group(g);
    bytes -= n;
    ++index;
    offset = 0;
  }
}

memory_access detail_of(async_copy const& c, std::uintptr_t at, std::size_t bytes, int kind) {
  return {at, bytes, kind, 0, nullptr, c.name, nullptr, nullptr, c.where, nullptr};
}

}  // namespace

void copy_will_write(worker& w, shadow_region& region, std::uintptr_t at, std::size_t bytes, unsigned index,
                     async_copy const& c, memory_access const* detail) {
  bool const proxy = c.kind != copy_kind::cp_async;
  memory_access const plain = detail_of(c, at, bytes, 1);
  seen_access const seen = {at, bytes, 1, nullptr, detail != nullptr ? detail : &plain, c.site_number};
  record const me = record_of(w, c.site_number);
  unsigned const space = region.shared_memory ? proxy_shared : proxy_global;
  each_group(w, region, at, bytes, [&](group& g, std::size_t i, unsigned offset, unsigned n) {
    slow s{w, region, g, offset, n, me, seen};
    if (((offset | n) & 3u) != 0) s.split();
    s.each_cell([&](cell& x, std::uint16_t) {
      if (x.written.run >= s.horizon && !s.mine(x.written) && !is_known(w, region, x.written)) {
        report_conflict(w, region, seen, x.written, true, c.name);
      } else if (proxy && x.written.run >= s.horizon && !is_bridged(w, x.written, space)) {
        report_unfenced(w, region, seen, x.written, true, c);
      }
      if (x.read.run >= s.horizon && !s.mine(x.read) && !is_known(w, region, x.read)) {
        report_conflict(w, region, seen, x.read, false, c.name);
      } else if (proxy && x.read.run >= s.horizon && !is_bridged(w, x.read, space)) {
        report_unfenced(w, region, seen, x.read, false, c);
      }
    });
    s.check_list();
    s.prune();
    if (!region.counts_as_written) region.written[i] |= s.mask();
    s.more().list.push_back({me, s.mask(), extra_kind::copy_writes, index});
  });
}

void copy_will_read(worker& w, shadow_region& region, std::uintptr_t at, std::size_t bytes, unsigned index,
                    async_copy const& c, bool in_flight) {
  bool const proxy = c.kind != copy_kind::cp_async;
  memory_access const detail = detail_of(c, at, bytes, 0);
  seen_access const seen = {at, bytes, 0, nullptr, &detail, c.site_number};
  record const me = record_of(w, c.site_number, proxy ? by_async_proxy : 0);
  unsigned const space = region.shared_memory ? proxy_shared : proxy_global;
  each_group(w, region, at, bytes, [&](group& g, std::size_t i, unsigned offset, unsigned n) {
    slow s{w, region, g, offset, n, me, seen};
    if (((offset | n) & 3u) != 0) s.split();
    s.check_written(i);
    s.each_cell([&](cell& x, std::uint16_t) {
      if (x.written.run < s.horizon) return;
      if (!s.mine(x.written) && !is_known(w, region, x.written)) {
        report_conflict(w, region, seen, x.written, true);
      } else if (proxy && !is_bridged(w, x.written, space)) {
        report_unfenced(w, region, seen, x.written, true, c);
      }
    });
    s.check_list();
    if (in_flight) {
      s.more().list.push_back({me, s.mask(), extra_kind::copy_reads, index});
    } else {
      s.prune();
      s.update();
      s.drop_empty_list();
    }
  });
}

void copy_has_written(worker& w, shadow_region& region, std::uintptr_t at, std::size_t bytes, unsigned index,
                      record const& by) {
  seen_access const seen = {at, bytes, 1, nullptr, nullptr, by.site()};
  each_group(w, region, at, bytes, [&](group& g, std::size_t, unsigned offset, unsigned n) {
    slow s{w, region, g, offset, n, by, seen};
    if (g.more != nullptr) {
      std::erase_if(g.more->list,
                    [index](extra const& e) { return e.kind == extra_kind::copy_writes && e.copy == index; });
    }
    s.each_cell([&](cell& x, std::uint16_t) {
      x.written = by;
      x.read.run = 0;
    });
    s.drop_empty_list();
  });
}

void copy_has_read(worker& w, shadow_region& region, std::uintptr_t at, std::size_t bytes, unsigned index,
                   record const& by) {
  seen_access const seen = {at, bytes, 0, nullptr, nullptr, by.site()};
  each_group(w, region, at, bytes, [&](group& g, std::size_t, unsigned offset, unsigned n) {
    slow s{w, region, g, offset, n, by, seen};
    if (g.more != nullptr) {
      std::erase_if(g.more->list,
                    [index](extra const& e) { return e.kind == extra_kind::copy_reads && e.copy == index; });
    }
    s.update();
    s.drop_empty_list();
  });
}

void shadow_mbarrier(worker& w, shadow_region& region, std::uintptr_t at, bool live, std::uint32_t site) {
  record const me = record_of(w, site);
  each_group(w, region, at, 8, [&](group& g, std::size_t i, unsigned offset, unsigned n) {
    seen_access const seen = {at, 8, 1, nullptr, nullptr, site};
    slow s{w, region, g, offset, n, me, seen};
    if (live) {
      if (!region.counts_as_written) region.written[i] |= s.mask();
      s.more().list.push_back({me, s.mask(), extra_kind::mbarrier, 0});
    } else if (g.more != nullptr) {
      std::erase_if(g.more->list,
                    [&](extra const& e) { return e.kind == extra_kind::mbarrier && (e.bytes & s.mask()) != 0; });
      s.each_cell([&](cell& x, std::uint16_t) { x.written = me; });
      s.drop_empty_list();
    }
  });
}

}  // namespace cosmati_sim
