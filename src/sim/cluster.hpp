// SPDX-License-Identifier: Apache-2.0
/// @file
/// Clusters of blocks. Each block of a cluster has a host thread, and with it shared memory and `__shared__` variables
/// of its own. Only one block of a cluster runs at a time: when none of its lanes can run, the next block takes its
/// turn. What happens is therefore the same each time, and a block may change another one's state.
#pragma once

#include <condition_variable>
#include <mutex>

#include "access.hpp"
#include "clocks.hpp"
#include "shadow.hpp"

namespace cosmati_sim {

inline constexpr unsigned most_cluster_blocks = 16;

struct cluster_group;

/// The last access of a lane of another block to a block's shared memory.
struct foreign_use {
  record what;  // its run is 0 if there was none
  unsigned lane = 0;
};

/// The part of a host thread in a cluster, while it runs a block of one.
struct cluster_member {
  cluster_group* group = nullptr;
  unsigned rank = 0;
  std::condition_variable turn;
  bool ended = false;
  bool all_begun = false;  // whether every lane knows that all blocks have begun

  // The barrier of the cluster, as bits of the block's lanes.
  std::uint64_t arrived[max_lanes / 64] = {};  // lanes that have arrived at the phase that is not complete
  std::uint64_t passed[max_lanes / 64] = {};  // lanes that have not waited for the complete phase at which they arrived
  unsigned arrivals = 0;                      // the number of running lanes that have arrived
  unsigned syncing = 0;                       // those that will not do anything before they wait
  bool met_all = false;                       // whether all lanes of the block met when the last phase completed
  gathering coming, met;                      // what the block's lanes have published, now and in the last phase
  unsigned actor = 0;                         // the number of the barrier among the block's actors; 0: none yet
  moment phase = 0;                           // the number of complete phases

  std::vector<foreign_use> uses;  // of each lane of each block
};

/// The host threads that run one cluster after the other.
struct cluster_group {
  unsigned size = 0;
  worker* of[most_cluster_blocks] = {};
  std::mutex mutex;
  std::condition_variable all_here;
  unsigned here = 0;  // members that wait for the others, between two clusters
  std::uint64_t rounds = 0;
  std::uint64_t cluster = 0;  // the number of the cluster; ~0 after the last one
  unsigned turn = 0;          // the rank of the block that runs
  unsigned ended = 0;
  bool failed = false;
  unsigned parked = 0;  // of `waiting_blocks::parked`, the blocks of this group
};

/// The groups of a launch. A host thread that takes part gets the next free place.
struct cluster_groups {
  unsigned blocks = 1;  // of a cluster
  std::vector<std::unique_ptr<cluster_group>> all;
  std::atomic<unsigned> taken{0};
};

/// The number of blocks of a cluster of this launch.
unsigned blocks_of_cluster(job const& j);
/// The linear index of a block, from its cluster's number and its rank there.
std::uint64_t block_of_cluster(job const& j, std::uint64_t cluster, unsigned rank);
/// The number, among the runs of its launch, of the block that this worker is about to run: the blocks of a cluster
/// follow each other.
std::uint64_t run_of_block(worker const& w, std::uint64_t block);
/// The linear index of the block of a run of this launch.
std::uint64_t block_of_run(job const& j, std::uint32_t run);
/// Whether the run is that of a block of the running cluster.
bool is_run_of_cluster(worker const& w, std::uint32_t run);

/// Gives the launch's blocks to groups of up to `threads` host threads. @return the number of host threads that it
/// needs
unsigned make_cluster_groups(job& j, unsigned threads);
/// The host thread takes a place in a group, or leaves it.
void join_cluster_group(worker& w, job& j);
void leave_cluster_group(worker& w);
/// Waits for the other members, and gives the block of the next cluster. @return at least `j.blocks` after the last one
std::uint64_t next_block_of_cluster(worker& w, job& j);
/// The block's lanes are about to run; waits for its turn. @return false if a block before it has failed
bool cluster_block_begins(worker& w);
/// The block has ended or failed. Waits for the others.
void cluster_block_ends(worker& w);

/// Lets another block of the cluster run, if one can.
void offer_turn(worker& w);
/// `let_something_happen` for a block of a cluster. @param in_vain whether blocks that poll in vain need not run first
bool something_happens_in_cluster(worker& w, bool in_vain = false);
/// The number of the cluster's other blocks in which no lane can run.
unsigned parked_in_cluster(worker const& w);
/// A lane of the block exits: others may no longer wait for it.
void cluster_lane_exits(worker& w, unsigned lane);
/// Gives "; block (1,0,0): threads 0-31: ..." for each other block of the cluster that has not ended.
std::string positions_in_cluster(worker& w);

/// The memory of another block of the cluster that an access hits.
struct cluster_place {
  worker* owner = nullptr;  // null: none
  std::uintptr_t own;       // the same place in the running block's memory
  shadow_region* shadow = nullptr;
};
cluster_place find_in_cluster(worker const& w, std::uintptr_t at);
/// What is wrong with an access to the memory of this block now; or nothing.
std::string wrong_time(worker& w, worker const& owner);
/// Notes an access of the running lane, after which the block may end only if it knows of it.
void note_foreign_use(worker& w, worker& owner, std::uint32_t site);
/// The place in the shared memory of the block `rank`, or 0: `own` is not in the running block's.
std::uintptr_t place_in_block(worker const& w, std::uintptr_t own, unsigned rank);
/// The worker of the block of this rank. It is an error of the lane that names `doing` if there is none.
worker& block_of_rank(worker& w, unsigned rank, char const* doing, site where);
/// The block whose shared memory has the address: another one of the cluster, or the running one.
worker& owner_of_shared(worker& w, std::uintptr_t at);
/// Gives "block (1,0,0)".
std::string name_of_block(worker const& w);

}  // namespace cosmati_sim
