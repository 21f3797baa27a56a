// SPDX-License-Identifier: Apache-2.0
// The sentences of the checks of shadow memory.

#include <algorithm>
#include <bit>
#include <cstring>

#include "async.hpp"
#include "barrier_advice.hpp"
#include "cluster.hpp"
#include "formatted.hpp"
#include "hazards.hpp"
#include "memory.hpp"
#include "report.hpp"
#include "scopes.hpp"
#include "shadow_cells.hpp"
#include "stream_order.hpp"
#include "symbols.hpp"
#include "sync_variables.hpp"
#include "unwritten_values.hpp"

namespace cosmati_sim {
namespace {

char const* const verbs[] = {"load", "store", "atomic", "atomic load", "load", "store"};

/// The first lane of a record that the current lane does not know of.
unsigned culprit(worker& w, record const& r) {
  if (r.has(by_mbarrier)) return 0;
  unsigned const first = r.warp() * 32 + static_cast<unsigned>(std::countr_zero(r.lanes));
  if (r.run != w.run) return first;
  for (std::uint32_t bits = r.lanes; bits != 0; bits &= bits - 1) {
    unsigned const lane = r.warp() * 32 + static_cast<unsigned>(std::countr_zero(bits));
    if (lane != w.current && !knows(w, lane, r.time)) return lane;
  }
  return first;
}

std::string name_of_lane(worker const& w, record const& r, unsigned lane) {
  if (r.run < w.first_run) return kernel_of_run(r.run);
  index3 const b = w.running->block;
  std::string text = "thread " + to_text(index3{lane % b.x, lane / b.x % b.y, lane / b.x / b.y});
  if (r.run != w.run) {
    std::uint64_t const block = block_of_run(*w.running, r.run);
    index3 const g = w.running->grid;
    text += " of block " + to_text(index3{static_cast<unsigned>(block % g.x), static_cast<unsigned>(block / g.x % g.y),
                                          static_cast<unsigned>(block / g.x / g.y)});
  }
  return text;
}

/// Gives "load (ldmatrix.x4) of 16 bytes at byte 128 of dynamic shared memory".
std::string what(worker const& w, shadow_region const& region, seen_access const& seen) {
  std::string place;
  auto const shared = reinterpret_cast<std::uintptr_t>(w.shared_low);
  if (region.shared_memory && seen.at - shared < max_shared_bytes) {
    place = formatted("at byte {} of dynamic shared memory", seen.at - shared);
  } else if (cluster_place const p = region.shared_memory ? find_in_cluster(w, seen.at) : cluster_place{};
             p.owner != nullptr) {
    place = formatted(
        "at {}, shared memory of {}",
        p.own - shared < max_shared_bytes ? formatted("byte {}", p.own - shared) : formatted("{:#x}", seen.at),
        name_of_block(*p.owner));
  } else if (region.shared_memory) {
    place = formatted("at {:#x}, static shared memory", seen.at);
  } else if (seen.at - device_memory.low < device_memory.bytes) {
    place = formatted("at byte {} of global memory at {:#x}", seen.at - region.low, region.low);
  } else {
    module_variable const v = find_module_variable(seen.at);
    place = v.low != 0 ? formatted("at byte {} of {}", seen.at - v.low, variable_name(v.name))
                       : formatted("at {:#x}", seen.at);
  }
  std::string const name =
      seen.detail != nullptr && seen.detail->instruction != nullptr ? formatted(" ({})", seen.detail->instruction) : "";
  return formatted("{}{} of {} byte{} {}", verbs[seen.kind], name, seen.bytes, seen.bytes == 1 ? "" : "s", place);
}

/// Starts the report of a hazard of this access, or does nothing if the same was reported.
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

std::string clocks_of(worker& w, record const& other, unsigned lane) {
  if (other.run < w.first_run) return "no event, and no waiting of the host, lies between the two launches";
  if (other.run != w.run) return "no synchronisation leads from one block to the other";
  auto& c = *w.clocks;
  return formatted("thread {}'s clock was {} then, this thread knows it up to {}", lane, other.time,
                   std::max(c.look_at(w.current).hb.latest(w.current, lane, c.count()), learned_of(w, lane)));
}

/// A lane of the other's warp that has published the moment of its access to the running lane, probably at an mbarrier,
/// although the other lanes of the warp were not known to be done. ~0 if there is none.
unsigned who_releases(worker& w, record const& r) {
  for (unsigned i = r.warp() * 32; i < r.warp() * 32 + 32 && i < w.lanes_in_block; ++i) {
    if (knows(w, i, r.time)) return i;
  }
  return ~0u;
}

}  // namespace

hazard hazard_of(job const& j, record const& by) {
  hazard h;
  h.block = block_of_run(j, by.run);
  h.block_index = {static_cast<unsigned>(h.block % j.grid.x), static_cast<unsigned>(h.block / j.grid.x % j.grid.y),
                   static_cast<unsigned>(h.block / j.grid.x / j.grid.y)};
  unsigned const thread = by.warp() * 32 + static_cast<unsigned>(std::countr_zero(by.lanes | 1u << 31));
  h.thread = {thread % j.block.x, thread / j.block.x % j.block.y, thread / j.block.x / j.block.y};
  h.site = by.site();
  return h;
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

bool waits_by_groups(worker const& w, async_copy const& c) {
  return c.kind == copy_kind::bulk_store || c.kind == copy_kind::matrix_read ||
         (c.kind == copy_kind::cp_async && !w.async->cp_async[c.lane].arrives_at_mbarrier);
}

void report_read_only(worker& w, shadow_region const& region, seen_access const& seen, record const& written) {
  hazard h;
  if (!begin_report(w, hazard_kind::race, seen, written.site(), h)) return;
  unsigned const lane =
      written.has(by_mbarrier) ? 0 : written.warp() * 32 + static_cast<unsigned>(std::countr_zero(written.lanes));
  end_report(
      w, std::move(h),
      formatted("{} goes through the read-only cache to what {} wrote (\2) in the same launch, and the cache may "
                "hold what was there before, whatever orders the two",
                what(w, region, seen), name_of_lane(w, written, lane)),
      "read by a plain load what the kernel writes, or read it in a later launch");
}

void report_unwritten(worker& w, shadow_region const& region, seen_access const& seen, unsigned missing) {
  hazard h;
  if (!w.sees_everything || !begin_report(w, hazard_kind::uninitialized, seen, 0, h)) return;
  if (report_is_wanted()) poison_was_read = true;
  end_report(w, std::move(h),
             formatted("{} reads {} that nobody has written", what(w, region, seen),
                       missing == seen.bytes ? "memory" : formatted("{} bytes", missing)),
             region.shared_memory ? "write it first, and put a barrier between" : "upload, clear or write it first");
}

void report_in_flight(worker& w, shadow_region const& region, seen_access const& seen, extra const& e) {
  async_copy const& c = w.async->copies[e.copy];
  hazard_kind kind = hazard_kind::missing_wait;
  std::string fix, why;
  std::uint32_t third = 0;
  bool const reads = e.kind == extra_kind::copy_reads;
  char const* const wait = c.kind == copy_kind::cp_async      ? "cp.async.wait_group"
                           : c.kind == copy_kind::bulk_store  ? "cp.async.bulk.wait_group"
                           : c.kind == copy_kind::matrix_read ? "wgmma.wait_group"
                                                              : "mbarrier.wait";
  if (c.kind == copy_kind::bulk_load) {
    mbarrier const* const b = find_mbarrier(w, c.barrier);
    if (b != nullptr && b->stale != 0 && b->stale_since >= c.serial) {
      kind = hazard_kind::mbarrier;
      third = b->stale;
      why = "; the wait on its mbarrier at \3 was for a parity whose phase had completed before the copy began";
      fix = "flip the parity after each phase, and begin with parity 0";
    } else {
      fix = formatted("wait for the phase of its mbarrier ({}) first",
                      b != nullptr ? describe_mbarrier(w, c.barrier) : "which is gone");
    }
  } else if (c.kind == copy_kind::cp_async && !c.committed && !waits_by_groups(w, c)) {
    fix =
        "wait for the phase of the mbarrier that the copies arrive at: barrier.arrive_and_wait(), or "
        "barrier.wait(barrier.arrive()), and for PTX's an mbarrier.try_wait";
  } else if (c.waited_before_commit != 0 && (!c.committed || c.wait_was_for_it)) {
    kind = hazard_kind::missing_commit;
    third = c.waited_before_commit;
    why = "; the wait at \3 did not cover it, for it was not committed then";
    fix = formatted("commit the group after the copy and before the wait");
  } else if (!c.committed) {
    why = "; its group is not committed";
    fix = formatted("commit the group, then {}{}", wait, region.shared_memory ? " and a barrier" : "");
  } else {
    fix = formatted("{} by thread {} (at most as many groups may stay in flight as were committed after this one){}",
                    wait, c.lane, region.shared_memory ? ", then a barrier" : "");
  }
  hazard h;
  if (!begin_report(w, kind, seen, e.what.site(), h)) return;
  h.third_site = third;
  end_report(w, std::move(h),
             formatted("{} {} {} in flight ({}, begun by {}, \2){}", what(w, region, seen),
                       reads                  ? "overwrites the source of"
                       : !is_write(seen.kind) ? "reads what has not arrived from"
                                              : "overwrites the destination of",
                       c.kind == copy_kind::matrix_read ? "a matrix instruction" : "a copy", c.name,
                       name_of_lane(w, e.what, c.lane), why),
             fix);
}

void report_copy_between_blocks(worker& w, shadow_region const& region, seen_access const& seen, extra const& e) {
  hazard h;
  if (!begin_report(w, hazard_kind::missing_wait, seen, e.what.site(), h)) return;
  end_report(
      w, std::move(h),
      formatted("{} {} a copy between blocks of the cluster that is in flight (begun by {}, \2)", what(w, region, seen),
                e.kind == extra_kind::copy_reads ? "overwrites the source of"
                : is_write(seen.kind)            ? "overwrites the destination of"
                                                 : "reads what has not arrived from",
                name_of_lane(w, e.what, culprit(w, e.what))),
      "wait for the phase of the mbarrier that it signals; who fills a stage again first waits for an mbarrier on "
      "which "
      "those arrive that have read it");
}

/// An access by `other` that nothing orders with the one that is seen.
struct unordered_access {
  record const& other;
  char const* issuer;  ///< the instruction that copies for this thread, or null
  bool same_block, same_warp;
  unsigned lane;           ///< of `other`
  unsigned releaser;       ///< the lane that releases what the others of its warp use, or ~0u
  mbarrier const* passed;  ///< whose wait passed at once, or null

  hazard_kind kind(worker const& w, seen_access const& seen) const {
    if (passed != nullptr) return hazard_kind::mbarrier;
    if (releaser != ~0u) return hazard_kind::missing_barrier;
    if (issuer != nullptr && same_block && w.async->barriers.size() > 1) return hazard_kind::race;
    // Threads that do the same thing to the same place: no barrier orders that.
    return same_block && other.site() != seen.site ? hazard_kind::missing_barrier : hazard_kind::race;
  }
};

static unordered_access unordered(worker& w, seen_access const& seen, record const& other, char const* issuer) {
  bool const same_block = other.run == w.run;
  unsigned const lane = culprit(w, other);
  bool const same_warp = same_block && lane / 32 == w.current / 32;
  return {other,
          issuer,
          same_block,
          same_warp,
          lane,
          same_block && !same_warp ? who_releases(w, other) : ~0u,
          same_block && is_write(seen.kind) ? passed_too_early(w) : nullptr};
}

/// Whether the four warps of a warpgroup make the access together: then a barrier of one warp orders too little.
static bool is_of_warpgroup(seen_access const& seen) {
  return seen.detail != nullptr && seen.detail->instruction != nullptr &&
         std::strncmp(seen.detail->instruction, "wgmma", 5) == 0;
}

/// How to order the two accesses.
static std::string fix_of(worker& w, seen_access const& seen, unordered_access const& u, hazard_kind kind) {
  if (u.passed != nullptr) return "flip the parity each time the ring of stages has gone round";
  if (u.releaser != ~0u)
    return formatted(
        "thread {} of the same warp releases what the others use: put __syncwarp() between their accesses "
        "and the release, which comes behind",
        u.releaser);
  if (kind == hazard_kind::missing_barrier && u.issuer == nullptr && is_of_warpgroup(seen))
    return barrier_advice::words(true);
  if (kind == hazard_kind::missing_barrier)
    return u.issuer != nullptr ? formatted("put a barrier between, before the {}", u.issuer) : "\4";
  if (u.same_block)
    return u.issuer != nullptr ? "wait until all threads are done with the bytes before they are copied over"
                               : "let one thread do it, or use an atomic";
  if (is_run_of_cluster(w, u.other.run) && w.cluster != nullptr)
    return "put cluster_sync() between, or let one block arrive at an mbarrier of the other, which waits for it";
  if (u.other.run < w.first_run)
    return "let the stream wait for an event that is recorded behind the first kernel (event.record(a), "
           "b.wait(event)), synchronize the first stream, or use one stream";
  if (scopes_miss(w, seen, u.other))
    return "an atomic with _block in its name is one among its own block's threads: use the one without, or "
           "__threadfence() and an atomic that orders the blocks";
  if (lacks_fence(w))
    return "this thread has seen a flag by a volatile load and has executed no fence since: put __threadfence() behind "
           "the load, before what the flag guards";
  return "blocks are not ordered: use atomics, or publish with __threadfence() and an atomic, or launch twice";
}

void report_conflict(worker& w, shadow_region const& region, seen_access const& seen, record const& other,
                     bool other_writes, char const* issuer, bool update) {
  hazard h;
  if (other.run == w.run && other.has(by_mbarrier)) {
    if (!begin_report(w, hazard_kind::missing_wait, seen, other.site(), h)) return;
    end_report(w, std::move(h),
               formatted("{} touches what a copy (\2) wrote, and this thread has not waited for the copy's "
                         "mbarrier",
                         what(w, region, seen)),
               "every thread that uses the data waits for the phase, or comes to a barrier after one that did");
    return;
  }
  unordered_access const u = unordered(w, seen, other, issuer);
  hazard_kind const kind = u.kind(w, seen);
  if (kind == hazard_kind::missing_barrier && !u.same_warp) {
    for (hazard& known : w.hazards)
      known.across_warps |= known.kind == kind && known.site == seen.site && known.other_site == other.site();
  }
  if (!begin_report(w, kind, seen, other.site(), h)) return;
  h.across_warps = !u.same_warp;
  h.same_place = u.same_block && kind == hazard_kind::race && other.site() == seen.site;
  h.update = update && kind == hazard_kind::missing_barrier;
  h.may_be_first_step = (seen.kind == a_load && other.has(by_atomic)) || (seen.kind == an_atomic && !other_writes);
  char const* const verb = other.has(by_atomic) ? "changed with an atomic or volatile access"
                           : other_writes       ? "wrote"
                                                : "read";
  char const* const doing = is_write(seen.kind) ? "overwrites" : "reads";
  std::string why;
  if (u.passed != nullptr) {
    h.third_site = u.passed->repeated;
    why =
        "; the wait at \3 was for a phase that this thread had waited for before, so that it passed at once and the "
        "stage is overtaken";
  }
  end_report(w, std::move(h),
             formatted("{} {} what {} {} (\2), and nothing orders the two: {}{}", what(w, region, seen), doing,
                       name_of_lane(w, other, u.lane), verb, clocks_of(w, other, u.lane), why),
             fix_of(w, seen, u, kind));
}

void report_unfenced(worker& w, shadow_region const& region, seen_access const& seen, record const& other,
                     bool other_writes) {
  hazard h;
  if (!begin_report(w, hazard_kind::missing_proxy_fence, seen, other.site(), h)) return;
  unsigned lane = other.warp() * 32 + static_cast<unsigned>(std::countr_zero(other.lanes));
  unsigned const space = region.shared_memory ? proxy_shared : proxy_global;
  auto& clocks = *w.clocks;
  for (std::uint32_t bits = other.lanes; bits != 0; bits &= bits - 1) {
    unsigned const l = other.warp() * 32 + static_cast<unsigned>(std::countr_zero(bits));
    if (!clocks.bridges(w.current, l, other.time, space)) lane = l;
  }
  h.review = !other_writes;
  end_report(
      w, std::move(h),
      formatted("{} through the asynchronous proxy of what {} {} (\2) through the generic one, with no proxy fence: "
                "thread {}'s clock was {} then, its last fence that is known here was at {}",
                what(w, region, seen), name_of_lane(w, other, lane), other_writes ? "wrote" : "read", lane, other.time,
                clocks.look_at(w.current).bridge[space].latest(w.current, lane, clocks.count())),
      other_writes ? "each thread that wrote executes fence.proxy.async after it wrote and before the barrier"
                   : "PTX's text asks for fence.proxy.async by each reader before the barrier; or release the stage as "
                     "CUTLASS does, by an arrival at an mbarrier that is waited for before the copy");
}

void report_absent(worker& w, suspicion const& s) {
  hazard h;
  seen_access const seen = {s.access, s.access_bytes, a_store, nullptr, nullptr, s.site};
  if (!begin_report(w, hazard_kind::uninitialized, seen, s.absent, h)) return;
  h.suspected = report_is_wanted();  // an integer may have this value on purpose
  end_report(
      w, std::move(h),
      formatted("{} holds what the shuffle at \2 took from a lane that did not execute it: its value is undefined",
                what(w, *s.region, seen)),
      "let every lane that is read from come to the shuffle, or drop what it gives for the others");
}

void report_touched_mbarrier(worker& w, shadow_region const& region, seen_access const& seen, record const& made) {
  hazard h;
  if (!begin_report(w, hazard_kind::mbarrier, seen, made.site(), h)) return;
  mbarrier const* const b = find_mbarrier(w, reinterpret_cast<std::uint64_t const*>(seen.at));
  h.review = b != nullptr && b->rests();  // programs write zero before they initialise again
  end_report(w, std::move(h),
             formatted("{} touches a live mbarrier (initialised at \2) as if it were memory", what(w, region, seen)),
             "leave its eight bytes to the mbarrier functions, or mbarrier.inval it first");
}

}  // namespace cosmati_sim
