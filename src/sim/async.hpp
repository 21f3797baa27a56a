// SPDX-License-Identifier: Apache-2.0
/// @file
/// Copies in flight and mbarriers of the block that a host thread runs.
///
/// The bytes of a copy arrive as late as is legal, unless the seed says otherwise. Whether another thread may access
/// them depends on waits and barriers only, never on the time of arrival.
#pragma once

#include <array>
#include <deque>

#include "clocks.hpp"
#include "shadow.hpp"

namespace cosmati_sim {

/// `matrix_read`: what a warpgroup matrix instruction reads of shared memory until its group is waited for.
enum class copy_kind : std::uint8_t { cp_async, bulk_load, bulk_store, matrix_read };

/// What a copy does to the 32-bit floating-point numbers that it moves.
enum class value_change : std::uint8_t { none, round_to_tf32 };

/// What a copy does to each element of its destination, instead of overwriting it.
struct reduction {
  unsigned element_bytes = 0;  // 0: it overwrites
  int operation = 0;           // of tma_reduction
  int type = 0;                // of tensor_map_type
};
/// Changes the elements at `to`, each by one atomic step. @param from as many
void reduce(reduction const& how, char* to, char const* from, unsigned bytes);

struct async_copy {
  copy_kind kind = copy_kind::cp_async;
  bool used = false;    // whether the slot is in use
  bool landed = false;  // the bytes are at the destination
  bool source_read = false;
  bool committed = false;
  bool generic_proxy = false;  // whether it accesses memory as ordinary stores do, though later
  std::uint64_t serial = 0;    // the index of the copy in the block
  unsigned lane = 0;
  unsigned bytes = 0, source_bytes = 0;
  std::uintptr_t to = 0, from = 0;
  std::uint64_t* barrier = nullptr;
  site where;
  char const* name = nullptr;
  std::uint32_t site_number = 0;
  shadow_region* to_shadow = nullptr;
  shadow_region* from_shadow = nullptr;
  bool read_is_over = false;  // whether its read is over for its thread
  std::uint64_t phase = 0;    // the phase of its mbarrier when the copy began
  // The site of a wait that would have covered this copy if it had been committed before; 0 if there is none. While the
  // copy is not committed, it is the site of any wait.
  std::uint32_t waited_before_commit = 0;
  bool wait_was_for_it = false;
  std::uint32_t of_block = 0;  // bits that a claim of it has beside its index: the block whose mbarrier it signals; 0:
                               // the block that has begun it
  record arrived;              // an arrival at an mbarrier by this copy, before its thread waited for the copy
  unsigned event = 0;          // the event in the block's time line
  std::vector<char> held;      // source bytes that were read but not yet written
  std::uint64_t fill = 0;      // one element of what comes behind the source bytes
  unsigned fill_bytes = 1;
  value_change change = value_change::none;
  reduction reduces;
};

/// The groups of one thread, as indices of copies.
struct copy_groups {
  std::vector<unsigned> open;
  std::deque<std::vector<unsigned>> committed;
  bool arrives_at_mbarrier = false;  // whether the thread has used cp.async.mbarrier.arrive
  bool empty() const { return open.empty() && committed.empty(); }
};
/// An arrival that waits for copies of its thread.
struct pending_arrival {
  std::uint64_t* barrier = nullptr;
  unsigned lane = 0;
  std::vector<std::pair<unsigned, std::uint64_t>> copies;  // index and serial number
  moment waited = 0;  // the thread's time when it waited for some of the copies itself; 0 if it has not
  site where;
};

struct mbarrier {
  std::uint64_t* at = nullptr;
  std::uint32_t count = 0, pending = 0;
  std::int64_t tx = 0;
  std::uint64_t phase = 0;  // the number of completed phases
  site where;               // the site of its init
  unsigned lane = 0;        // the lane that initialised it
  unsigned polls = 0;       // unsuccessful test_waits since its last change
  // Data for hazards.
  shadow_region* shadow = nullptr;
  record made;               // the record of its init
  bool init_fenced = false;  // whether the initialising thread executed fence.mbarrier_init
  moment announced = 0;      // the phase of the cluster's barrier behind which everybody knows of the init; 0: none
  std::size_t foreign = 0;   // what arrivals of other blocks have published
  gathering arrivals, completed;  // the clocks that arrivals brought, now and when the last phase completed
  std::uint32_t actor = 0;        // 0: no actor yet
  moment transactions = 0;        // the number of completed copies, which is the actor's time
  site expected_at;               // the site of the last expect_tx
  std::uint32_t stale = 0;        // the site of the last wait for a phase that was already complete
  std::uint64_t stale_since = 0;  // the number of copies that the block had issued by then
  std::uint32_t repeated = 0;     // the site of the last wait for a phase that its lane had already waited for
  unsigned repeated_by = 0;       // the lane of that wait
  std::vector<std::pair<unsigned, std::uint64_t>> seen;  // each lane with the last phase that it has seen complete

  /// Whether it has served and stands between two phases.
  bool rests() const { return phase != 0 && pending == count && tx == 0; }
};

/// Sums of a warpgroup matrix instruction that their registers do not hold yet.
struct pending_sums {
  void* registers = nullptr;
  std::vector<char> value;
  std::uint64_t group = 0;   // the newest that adds to them
  unsigned float_bytes = 0;  // of a sum of floating point; 0: integers
  bool written = false;      // by the program, between two instructions that add to them
};
/// One thread's warpgroup matrix instructions.
struct matrix_groups {
  std::uint64_t open = 0;  // number of the group that is not committed
  std::vector<pending_sums> sums;
  std::vector<std::pair<std::uint64_t, unsigned>> reads;  // group, index of a copy
  bool ever_fenced = false;                               // wgmma.fence has been executed
  bool fenced = false;                                    // since the last wait, too
  std::vector<std::array<std::uint32_t, 4>> fenced_a;     // the registers of A that instructions behind a fence had
  bool empty() const { return sums.empty() && reads.empty(); }
};

struct async_state {
  std::vector<async_copy> copies;
  std::vector<unsigned> free_copies;
  std::deque<unsigned> floating;  // bulk loads in flight, oldest first
  std::deque<pending_arrival> arrivals;
  std::vector<copy_groups> cp_async, bulk;  // the groups of each lane
  std::vector<matrix_groups> matrices;      // of each lane
  std::vector<mbarrier> barriers;
  std::uint64_t issued = 0;  // the number of copies of this block, which chance depends on
};

/// Handles a wait for all but `pending` groups while copies are open: notes the copies that it would have covered if
/// they had been committed.
void note_open_copies(async_state& a, copy_groups const& g, std::size_t pending, std::uint32_t site);

/// COSMATI_SIM_SEED decides when copies complete: 0 late, 1 at once, others by chance.
std::uint64_t sim_seed();

/// The state of the block. It is made on first use.
async_state& async_of(worker& w);
void async_block_begins(worker& w);
/// Completes all copies in flight, after all lanes have exited.
void async_block_ends(worker& w);
/// Completes a copy that could wake a lane, if no lane can run. @return whether there was one
bool land_something(worker& w);

unsigned new_copy(worker& w, async_copy&& copy);
void free_copy(async_state& a, unsigned index);
/// Checks, when a lane exits, that nothing still reads its block's shared memory.
void lane_ends(worker& w);
/// Ends a copy for the running lane, which waited for it. The copy's accesses count as the lane's own.
void copy_is_over(worker& w, unsigned index, bool only_read);
/// Reads the source of the copy and writes its bytes, unless that has been done.
void land(worker& w, async_copy& copy);
void read_source(async_copy& copy);
/// Whether chance or the seed lets the copy complete now. @param moment 0 at its issue, 1 at its commit
bool lands_early(worker const& w, async_state const& a, async_copy const& copy, int moment);

/// An mbarrier that did not delay the running lane, because the lane asked for the same phase twice; or null.
mbarrier const* passed_too_early(worker const& w);
/// The live barrier at this address, or null.
mbarrier* find_mbarrier(worker& w, std::uint64_t const* at);
/// The live barrier at this address. If there is none, it is an error of the lane that names `doing`.
mbarrier& need_mbarrier(worker& w, std::uint64_t const* at, char const* doing, site where);
/// Checks that the lane, which uses a barrier, knows of its init.
void check_init_is_known(worker& w, mbarrier& b, char const* doing, site where);
/// The record of a copy that this barrier completes. The barrier is the actor.
record transaction_of(worker& w, mbarrier& b, std::uint32_t site);
/// Stands for the arrival of copies, which no lane makes.
inline constexpr unsigned no_lane = ~0u;
/// `complete_tx`, a part of the completion of a bulk load.
void mbarrier_complete_tx(worker& w, std::uint64_t* at, unsigned bytes, site where);
/// Checks that the barrier's init is visible to the asynchronous proxy, because an asynchronous copy will signal it.
void mbarrier_serves_proxy(worker& w, mbarrier& b, site where);
/// @param bytes the bytes that the thread also expects
void mbarrier_arrives(worker& w, mbarrier& b, unsigned count, unsigned lane, site where, unsigned bytes = 0);
/// Ends the running phase, if nothing is missing. @param owner the block that has the barrier
void complete_phase_if_due(worker& owner, mbarrier& b);
void add_transactions(mbarrier& b, std::int64_t bytes, char const* doing, site where);
/// Ends the running lane, which uses an mbarrier wrongly.
[[noreturn]] void misuse_of_mbarrier(site where, char const* doing, std::string const& text);
/// The live barrier at this place in another block of the cluster.
mbarrier& need_mbarrier_of(worker& w, worker& owner, std::uint64_t const* at, char const* doing, site where);
/// Gives "pending 3 of 4, 128 bytes of transactions outstanding, phase 2".
std::string describe_mbarrier(worker& w, std::uint64_t const* at);

}  // namespace cosmati_sim
