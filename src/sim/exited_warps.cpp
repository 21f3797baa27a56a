// SPDX-License-Identifier: Apache-2.0
#include "exited_warps.hpp"

#include <algorithm>

#include "formatted.hpp"
#include "hazards.hpp"
#include "scheduler.hpp"

namespace cosmati_sim {

bool may_do_without_exited(worker const& w) {
  for (unsigned first = 0; first < w.lanes_in_block; first += 32) {
    unsigned const last = std::min(first + 32, w.lanes_in_block);
    unsigned exited = 0;
    for (unsigned i = first; i < last; ++i) exited += w.lanes[i].state == lane_state::exited ? 1 : 0;
    if (exited != 0 && exited != last - first) return false;
  }
  // A race with threads that have passed the barrier shows that they should have waited at it.
  return found_before_waiting(w) == w.found;
}

void review_exited_warps(worker& w, site where) {
  // Without checks, calls have no numbers. Their lines distinguish them when hazards are put into words.
  if (where.number != 0 && !is_news(w, hazard_kind::divergence, where.number, 0)) return;
  hazard h = hazard_here(w, hazard_kind::divergence);
  h.review = h.of_block = true;
  h.site = where.number;
  h.where = where;
  h.message = formatted(
      "whole warps have exited before the barrier and do not come to it: {}; hardware since Volta lets it pass, CUDA's "
      "guide wants every thread of the block there; COSMATI_EXITED_MAY_SKIP_BARRIERS=1 says that this is meant",
      positions(w, 0, w.lanes_in_block));
  bool const known = std::any_of(w.hazards.begin(), w.hazards.end(), [&](hazard const& other) {
    return where.number == 0 && other.review && other.kind == h.kind && other.where.line == where.line &&
           other.where.file == where.file;
  });
  if (!known) add_hazard(w, std::move(h));
}

}  // namespace cosmati_sim
