// SPDX-License-Identifier: Apache-2.0
/// @file
/// Copies in flight and mbarriers of the block that a host thread runs.
///
/// A copy's bytes land late, as late as is legal, unless the seed says otherwise; whether another thread may look at
/// them is a matter of waits and barriers only, never of when they landed.
#pragma once

#include <deque>

#include "clocks.hpp"
#include "shadow.hpp"

namespace cosmati_sim {

/// `matrix_read`: what a warpgroup matrix instruction reads of shared memory until its group is waited for.
enum class copy_kind : std::uint8_t { cp_async, bulk_load, bulk_store, matrix_read };

/// What a copy does to the 32-bit floating-point numbers that it moves.
enum class value_change : std::uint8_t { none, flush, round_to_tf32, flush_and_round_to_tf32 };

struct async_copy {
  copy_kind kind = copy_kind::cp_async;
  bool used = false;    // else the slot is free
  bool landed = false;  // the bytes are where they belong
  bool source_read = false;
  bool committed = false;
  std::uint64_t serial = 0;  // which copy of the block it is
  unsigned lane = 0;
  unsigned bytes = 0, source_bytes = 0;
  std::uintptr_t to = 0, from = 0;
  std::uint64_t* barrier = nullptr;
  site where;
  char const* name = nullptr;
  std::uint32_t site_number = 0;
  shadow_region* to_shadow = nullptr;
  shadow_region* from_shadow = nullptr;
  bool read_is_over = false;  // for its thread
  std::uint64_t phase = 0;    // of its mbarrier, when it began
  // Site of a wait that a commit before it would have made to cover this copy; 0: none. Or, while the copy is not
  // committed, of any wait.
  std::uint32_t waited_before_commit = 0;
  bool wait_was_for_it = false;
  record arrived;          // by an arrival at an mbarrier, before its thread waited for it
  unsigned event = 0;      // of the block's time line
  std::vector<char> held;  // source bytes that were read and not yet written
  std::uint64_t fill = 0;  // one element of what comes behind the source bytes
  unsigned fill_bytes = 1;
  value_change change = value_change::none;
};

/// One thread's groups, as indices of copies.
struct copy_groups {
  std::vector<unsigned> open;
  std::deque<std::vector<unsigned>> committed;
  bool arrives_at_mbarrier = false;  // the thread has used cp.async.mbarrier.arrive
  bool empty() const { return open.empty() && committed.empty(); }
};
/// An arrival that waits for copies of its thread.
struct pending_arrival {
  std::uint64_t* barrier = nullptr;
  unsigned lane = 0;
  std::vector<std::pair<unsigned, std::uint64_t>> copies;  // index and serial number
  moment waited = 0;  // the thread's, when it waited itself for some of the copies; 0: it has not
  site where;
};

struct mbarrier {
  std::uint64_t* at = nullptr;
  std::uint32_t count = 0, pending = 0;
  std::int64_t tx = 0;
  std::uint64_t phase = 0;  // how many have completed
  site where;               // of its init
  unsigned lane = 0;        // that initialised it
  unsigned polls = 0;       // test_wait in vain since something happened to it
  // Hazards.
  shadow_region* shadow = nullptr;
  record made;                    // its init
  bool init_fenced = false;       // fence.mbarrier_init by the thread that made it
  gathering arrivals, completed;  // what arrivals brought; the same when the last phase completed
  std::uint32_t actor = 0;        // 0: none yet
  moment transactions = 0;        // its time as an actor: how many copies it has completed
  site expected_at;               // the last expect_tx
  std::uint32_t stale = 0;        // the site of the last wait that found a phase which had completed before
  std::uint64_t stale_since = 0;  // copies of the block issued until then
  std::uint32_t repeated = 0;     // the site of the last wait for a phase that its lane had waited for before
  unsigned repeated_by = 0;       // that lane
  std::vector<std::pair<unsigned, std::uint64_t>> seen;  // lanes and the last phase that each has seen complete
};

/// Sums of a warpgroup matrix instruction that their registers do not hold yet.
struct pending_sums {
  void* registers = nullptr;
  std::vector<char> value;
  std::uint64_t group = 0;  // the newest that adds to them
};
/// One thread's warpgroup matrix instructions.
struct matrix_groups {
  std::uint64_t open = 0;  // number of the group that is not committed
  std::vector<pending_sums> sums;
  std::vector<std::pair<std::uint64_t, unsigned>> reads;  // group, index of a copy
  bool empty() const { return sums.empty() && reads.empty(); }
};

struct async_state {
  std::vector<async_copy> copies;
  std::vector<unsigned> free_copies;
  std::deque<unsigned> floating;  // bulk loads that have not landed, oldest first
  std::deque<pending_arrival> arrivals;
  std::vector<copy_groups> cp_async, bulk;  // of each lane
  std::vector<matrix_groups> matrices;      // of each lane
  std::vector<mbarrier> barriers;
  std::uint64_t issued = 0;  // counts copies of this block: what chance depends on
};

/// A wait for all but `pending` groups has come while copies are open: which copies would it have covered, had they
/// been committed?
void note_open_copies(async_state& a, copy_groups const& g, std::size_t pending, std::uint32_t site);

/// When copies land: by COSMATI_SIM_SEED, 0 late, 1 at once, others by chance.
std::uint64_t sim_seed();

/// The block's state; made on first use.
async_state& async_of(worker& w);
void async_block_begins(worker& w);
/// All lanes have exited: what is still in flight lands.
void async_block_ends(worker& w);
/// No lane can run: lands something that could wake one. @return whether there was something
bool land_something(worker& w);

unsigned new_copy(worker& w, async_copy&& copy);
void free_copy(async_state& a, unsigned index);
/// The lane exits: nothing may still read its block's shared memory.
void lane_ends(worker& w);
/// The copy is over for the running lane, which waited for it: what it did counts as the lane's own.
void copy_is_over(worker& w, unsigned index, bool only_read);
/// Reads what the copy has to read and writes its bytes, unless that was done.
void land(worker& w, async_copy& copy);
void read_source(async_copy& copy);
/// True when chance or the seed lets the copy land now. @param moment 0 at its issue, 1 at its commit
bool lands_early(worker const& w, async_state const& a, async_copy const& copy, int moment);

/// An mbarrier that has not held up the running lane, which asked for the same phase twice; or null.
mbarrier const* passed_too_early(worker const& w);
/// The live barrier at this address, or null.
mbarrier* find_mbarrier(worker& w, std::uint64_t const* at);
/// The same; an error of the lane that names `doing` when there is none.
mbarrier& need_mbarrier(worker& w, std::uint64_t const* at, char const* doing, site where);
/// The lane uses a barrier: its init has to be known.
void check_init_is_known(worker& w, mbarrier& b, char const* doing, site where);
/// The record of a copy that this barrier completes: the barrier is its actor.
record transaction_of(worker& w, mbarrier& b, std::uint32_t site);
/// No lane: the arrival of copies.
inline constexpr unsigned no_lane = ~0u;
/// `complete_tx`: part of a bulk load's landing.
void mbarrier_complete_tx(worker& w, std::uint64_t* at, unsigned bytes, site where);
/// An asynchronous copy will signal the barrier: its init has to be visible to the asynchronous proxy.
void mbarrier_serves_proxy(worker& w, mbarrier& b, site where);
/// @param bytes that the thread expects beside
void mbarrier_arrives(worker& w, mbarrier& b, unsigned count, unsigned lane, site where, unsigned bytes = 0);
/// "pending 3 of 4, 128 bytes of transactions outstanding, phase 2".
std::string describe_mbarrier(worker& w, std::uint64_t const* at);

}  // namespace cosmati_sim
