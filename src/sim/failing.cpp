// SPDX-License-Identifier: Apache-2.0
// Ends a lane, or its block, that cannot continue.

#include <algorithm>

#include "formatted.hpp"
#include "hazards.hpp"
#include "scheduler.hpp"
#include "sites.hpp"

namespace cosmati_sim {

/// Remembers a failure as a hazard.
static void remember_failure(worker& w, hazard_kind kind, site where, std::uint32_t site_number, std::string&& text,
                             std::string const& phrase) {
  w.failure = std::make_unique<hazard>(hazard_here(w, kind));
  w.failure->site = site_number != 0 ? site_number : where.number;
  w.failure->where = where;
  w.failure->message = std::move(text);
  w.failure->fatal = true;
  describe_into(*w.failure, phrase);
  if (w.timeline != nullptr) note_hazard(w, *w.failure);
}

std::string place_of_current(worker const& w, bool with_thread) {
  std::string text = formatted("kernel {}, block {}", w.running->kernel_text, to_text(w.block_index));
  if (with_thread) text += ", thread " + to_text(w.threads[w.current]);
  return text;
}

void fail_lane(std::string sentence, hazard_kind kind, site where, std::uint32_t site_number, std::string phrase,
               bool first, access_target const& target) {
  cosmati_sim_active = 0;
  worker& w = *this_worker;
  w.failed = true;
  w.failure_text = place_of_current(w, true) + ": " + sentence;
  remember_failure(w, kind, where, site_number, std::move(sentence), phrase);
  if (w.failure != nullptr) {
    w.failure->first = first;
    w.failure->target = target;
  }
  sentence = std::string();
  phrase = std::string();
  to_scheduler(w);
}

unsigned found_before_waiting(worker const& w) {
  unsigned found = w.found;
  for (unsigned i = 0; i < w.lanes_in_block; ++i) {
    lane const& l = w.lanes[i];
    if (!is_ready(w, i) && (l.state == lane_state::at_barrier || l.state == lane_state::at_warp))
      found = std::min(found, l.found_before);
  }
  return found;
}

void fail_block(std::string sentence, hazard_kind kind, site where, site other, unsigned causes) {
  cosmati_sim_active = 0;
  worker& w = *this_worker;
  w.failed = true;
  w.failure_text = place_of_current(w, false) + ": " + sentence;
  remember_failure(w, kind, where, 0, std::move(sentence), {});
  if (w.failure != nullptr) {
    w.failure->of_block = true;
    // Hazards found while threads waited for threads on another path follow from the divergence.
    if (kind == hazard_kind::divergence) w.failure->causes = std::min(causes, found_before_waiting(w));
    w.failure->other_where = other;
  }
  sentence = std::string();
  to_scheduler(w);
}

}  // namespace cosmati_sim

using namespace cosmati_sim;

extern "C" {

void cosmati_sim_throws(char const* kind) {
  quiet const hush;
  worker& w = *this_worker;
  w.thrown.site = site_number(w, __builtin_return_address(0), {"include/cosmati/core/error.hpp", 1});
  w.thrown.kind = kind_of_name(kind);
  w.thrown.by_library = true;
}

void cosmati_sim_fail(char const* kind, char const* sentence, char const* file, int line) {
  cosmati_sim_active = 0;
  worker& w = running_lane(sentence);
  site const where = {file, line, site_number(w, __builtin_return_address(0), {file, line})};
  fail_lane(file != nullptr ? formatted("{} ({})", sentence, to_text(where)) : std::string(sentence),
            kind_of_name(kind), where);
}

}  // extern "C"
