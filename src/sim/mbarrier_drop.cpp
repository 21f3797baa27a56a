// SPDX-License-Identifier: Apache-2.0
// mbarrier.arrive_drop: an arrival after which the barrier expects fewer in each later phase.

#include "async.hpp"
#include "scheduler.hpp"
#include "sites.hpp"

using namespace cosmati_sim;

extern "C" std::uint64_t cosmati_sim_mbarrier_arrive_and_drop(std::uint64_t* barrier, char const* file, int line) {
  quiet const hush;
  worker& w = running_lane("mbarrier.arrive_drop");
  site const where = site_here(w, file, line, __builtin_return_address(0), "mbarrier.arrive_drop");
  mbarrier& b = need_mbarrier(w, barrier, "mbarrier.arrive_drop", where);
  std::uint64_t const token = b.phase;
  if (b.count > 0) --b.count;
  mbarrier_arrives(w, b, 1, w.current, where);
  return token;
}
