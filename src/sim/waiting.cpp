// SPDX-License-Identifier: Apache-2.0
// Describes where lanes wait, and reports the deadlock of lanes that wait for ever.

#include <cstring>

#include "async.hpp"
#include "cluster.hpp"
#include "formatted.hpp"
#include "scheduler.hpp"
#include "sites.hpp"

namespace cosmati_sim {
namespace {

std::string ranges(std::vector<unsigned> const& threads) {
  std::string text;
  for (std::size_t i = 0; i < threads.size();) {
    std::size_t j = i;
    while (j + 1 < threads.size() && threads[j + 1] == threads[j] + 1) ++j;
    if (!text.empty()) text += ", ";
    if (text.size() > 120) return text + "...";
    text += i == j ? formatted("{}", threads[i]) : formatted("{}-{}", threads[i], threads[j]);
    i = j + 1;
  }
  return formatted("{} {}", threads.size() == 1 ? "thread" : "threads", text);
}

std::string position(worker& w, unsigned i) {
  lane const& l = w.lanes[i];
  switch (is_ready(w, i) && l.state != lane_state::fresh ? lane_state::ready : l.state) {
    case lane_state::exited:
      return "exited";
    case lane_state::fresh:
      return "not started";
    case lane_state::ready:
      return "running";
    case lane_state::at_warp:
      return formatted("at {} with mask {:#010x} ({})", l.what, w.meetings[i / 32].masks[i % 32],
                       to_text(site_of_lane(w, l)));
    case lane_state::at_barrier:
      if (l.barrier != 0) {
        barrier_state const& b = w.barriers[l.barrier];
        return formatted("at {} {} ({}), where {} of {} threads have arrived", l.what, l.barrier,
                         to_text(site_of_lane(w, l)), b.arrived, b.expected);
      }
      [[fallthrough]];
    default:
      return formatted("at {} ({})", l.what, to_text(site_of_lane(w, l)));
    case lane_state::at_mbarrier:
      return formatted("at {} with parity {} ({}), the barrier has {}", l.what, l.parity, to_text(site_of_lane(w, l)),
                       describe_mbarrier(w, static_cast<std::uint64_t const*>(l.mbarrier)));
  }
}

}  // namespace

std::string positions(worker& w, unsigned first, unsigned last) {
  std::vector<std::pair<std::string, std::vector<unsigned>>> groups;
  for (unsigned i = first; i < last; ++i) {
    std::string const at = position(w, i);
    auto found = groups.begin();
    while (found != groups.end() && found->first != at) ++found;
    if (found == groups.end()) found = groups.insert(found, {at, {}});
    found->second.push_back(i);
  }
  std::string text;
  for (auto const& [at, threads] : groups) {
    if (!text.empty()) text += "; ";
    text += ranges(threads) + ": " + at;
  }
  return text;
}

/// Reports copies that have brought more bytes than expected, so that the phase cannot complete.
static void look_for_unexpected_bytes(worker& w) {
  for (unsigned i = 0; i < w.lanes_in_block; ++i) {
    lane const& l = w.lanes[i];
    if (l.state != lane_state::at_mbarrier || is_ready(w, i)) continue;
    mbarrier const* const b = find_mbarrier(w, static_cast<std::uint64_t const*>(l.mbarrier));
    if (b == nullptr || b->pending != 0 || b->tx >= 0) continue;
    site const expected = b->expected_at.file != nullptr ? b->expected_at : l.where;
    fail_block(
        formatted("the copies that signal an mbarrier bring {} bytes more than it was told to expect ({}), so that "
                  "its phase never completes; expect_tx gets the sum of the bytes of the phase's copies: {}",
                  -b->tx, to_text(expected), positions(w, 0, w.lanes_in_block)),
        hazard_kind::mbarrier, expected);
  }
}

/// The place where lanes wait for others of their warp. A function that gives each lane a value comes first, because
/// lanes may wait at __syncwarp after passing it.
static site missed_warp_instruction(worker& w) {
  unsigned found = ~0u;
  for (unsigned i = 0; i < w.lanes_in_block; ++i) {
    lane const& l = w.lanes[i];
    if (l.state != lane_state::at_warp || is_ready(w, i)) continue;
    bool const gives = std::strcmp(l.what, "__syncwarp") != 0;
    if (found == ~0u || (gives && std::strcmp(w.lanes[found].what, "__syncwarp") == 0)) found = i;
  }
  return found != ~0u ? site_of_lane(w, w.lanes[found]) : site{};
}

/// Describes lanes that wait for a phase that was complete, and the next as well, before they came.
static std::string overtaken(worker& w) {
  for (unsigned i = 0; i < w.lanes_in_block; ++i) {
    lane const& l = w.lanes[i];
    if (l.state != lane_state::at_mbarrier || is_ready(w, i)) continue;
    mbarrier const* const b = find_mbarrier(w, static_cast<std::uint64_t const*>(l.mbarrier));
    if (b == nullptr) continue;
    std::uint64_t next = 0;  // the phase that the lane has not seen yet
    for (auto const& [of, phase] : b->seen) {
      if (of == i) next = phase;
    }
    if (b->phase < next + 2 || (next & 1) != l.parity) continue;
    return formatted(
        "; thread {} waits for phase {}, which was overtaken: phase {} is over, too, so that its stage has "
        "been overwritten before it came; who fills a stage waits first for an mbarrier on which those "
        "arrive that have read it",
        i, next, b->phase - 1);
  }
  return {};
}

/// What the phase lacks that a lane waits for, and how to mend it, if the mbarrier itself tells.
static std::string lack_of(mbarrier const& b) {
  if (b.pending == 0 && b.tx > 0)
    return formatted(
        "; {} bytes are expected ({}) that no copy under way brings: expect the sum of the bytes of the phase's copies",
        b.tx, to_text(b.expected_at.file != nullptr ? b.expected_at : b.where));
  if (b.pending != 0 && b.tx < 0)
    return formatted(
        "; copies brought {} bytes that nobody has announced: the thread that begins them calls "
        "arrive_and_expect_bytes(barrier, bytes)",
        -b.tx);
  if (b.pending != 0 && b.pending < b.count)
    return formatted(
        "; {} of the {} arrivals of a phase are missing: initialise the barrier ({}) with the number that "
        "comes in each phase, or let the others arrive",
        b.pending, b.count, to_text(b.where));
  return {};
}
static std::string lack_of_phases(worker& w) {
  bool all_wait_here = true;
  mbarrier const* last = nullptr;
  for (unsigned i = 0; i < w.lanes_in_block; ++i) {
    lane const& l = w.lanes[i];
    if (l.state == lane_state::exited) continue;
    mbarrier const* const b = l.state == lane_state::at_mbarrier && !is_ready(w, i)
                                  ? find_mbarrier(w, static_cast<std::uint64_t const*>(l.mbarrier))
                                  : nullptr;
    all_wait_here = all_wait_here && b != nullptr && (last == nullptr || last == b);
    if (b == nullptr || b == last) continue;
    last = b;
    if (std::string lack = lack_of(*b); !lack.empty()) return lack;
  }
  if (!all_wait_here || last == nullptr || w.cluster != nullptr) return {};
  return "; no thread is left that could arrive: who fills stages and who uses them go through the same number of them";
}

void deadlock(worker& w) {
  if (w.async_used) look_for_unexpected_bytes(w);
  std::string const where = positions(w, 0, w.lanes_in_block) + positions_in_cluster(w);
  bool exited = false, barrier = false, of_block = false, warp = false, mbarrier = false, cluster = false;
  for (unsigned i = 0; i < w.lanes_in_block; ++i) {
    exited |= w.lanes[i].state == lane_state::exited;
    barrier |= w.lanes[i].state == lane_state::at_barrier;
    of_block |= w.lanes[i].state == lane_state::at_barrier && w.lanes[i].barrier == 0;
    warp |= w.lanes[i].state == lane_state::at_warp;
    mbarrier |= w.lanes[i].state == lane_state::at_mbarrier;
    cluster |= w.lanes[i].state == lane_state::at_cluster;
  }
  char const* const why = mbarrier          ? "threads wait for a phase of an mbarrier that cannot complete"
                          : warp && barrier ? "some threads wait at a barrier, others for the lanes of a warp"
                          : warp            ? "lanes of a mask never come to the same warp instruction"
                          : cluster         ? "not all threads of the cluster come to its barrier"
                          : exited          ? "threads exited that others wait for"
                                            : "threads wait at different barriers";
  site first;
  for (unsigned i = 0; i < w.lanes_in_block && first.file == nullptr; ++i) {
    if (w.lanes[i].state != lane_state::exited) first = site_of_lane(w, w.lanes[i]);
  }
  // Whether lanes of a warp, or threads of a block, that should have met took different paths. A named barrier has no
  // fixed threads.
  bool const divergence = !mbarrier && (warp || (of_block && exited));
  missed_barrier m = of_block && divergence ? who_missed(w, first) : missed_barrier{first, {}, ~0u, {}};
  if (warp && !mbarrier && m.how.empty()) {
    if (site const missed = missed_warp_instruction(w); missed.file != nullptr) m.where = missed;
  }
  if (mbarrier) {
    std::string const passed = overtaken(w);
    m.how += passed.empty() ? lack_of_phases(w) : passed;
  }
  fail_block(formatted("deadlock, {}: {}{}", why, where, m.how),
             divergence ? hazard_kind::divergence : hazard_kind::deadlock, m.where, m.other, m.causes);
}

std::string to_text(index3 v) { return formatted("({},{},{})", v.x, v.y, v.z); }

std::string to_text(site s) {
  if (s.number != 0) return line_text(line_of_site(s.number));
  if (s.file == nullptr) return "source line unknown";
  char const* const slash = std::strrchr(s.file, '/');
  return formatted("{}:{}", slash != nullptr ? slash + 1 : s.file, s.line);
}

}  // namespace cosmati_sim
