// SPDX-License-Identifier: Apache-2.0
// Knowledge that lanes gain by fences, atomics and barriers, compared with sets of events that are passed on one by
// one.
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <random>
#include <set>

#include "shadow.hpp"
#include "sync_variables.hpp"

using namespace cosmati_sim;

namespace {

constexpr unsigned blocks = 3, lanes = 64, flags = 4;
using events = std::set<unsigned>;

/// The events that a lane knows, and the events among them that its fences have published to readers of its atomics.
struct by_sets {
  events known, in_block, on_device;
  void add(by_sets const& other) {
    known.insert(other.known.begin(), other.known.end());
    in_block.insert(other.in_block.begin(), other.in_block.end());
    on_device.insert(other.on_device.begin(), other.on_device.end());
  }
};
struct publication {
  unsigned block;
  events in_block, on_device;
};

struct model {
  job launch;
  std::array<std::unique_ptr<worker>, blocks> workers;
  std::array<std::array<by_sets, lanes>, blocks> sets;
  std::array<std::vector<publication>, flags> published;
  struct event {
    unsigned block, lane;
    moment time;
  };
  std::vector<event> all;
  std::array<gathering, blocks> gatherings;  // one barrier for each block; lanes arrive at it and learn from it
  std::array<by_sets, blocks> gathered;
  int words[flags] = {};

  explicit model(std::uint32_t first_run) {
    for (unsigned b = 0; b < blocks; ++b) {
      worker& w = *(workers[b] = std::make_unique<worker>());
      w.running = &launch;
      w.alone = true;
      w.first_run = first_run;
      w.run = first_run + b;
      w.own_clocks = std::make_unique<block_clocks>();
      w.clocks = w.own_clocks.get();
      w.clocks->begin(lanes);
    }
  }
  ~model() { forget_sync_variables(); }

  void happens(unsigned b, unsigned lane) {
    sets[b][lane].known.insert(static_cast<unsigned>(all.size()));
    all.push_back({b, lane, workers[b]->clocks->now(lane)});
  }
  void fence(unsigned b, unsigned lane, bool device) {
    workers[b]->clocks->fence(lane, device);
    by_sets& s = sets[b][lane];
    s.in_block = s.known;
    if (device) s.on_device = s.known;
  }
  void atomic(unsigned b, unsigned lane, unsigned flag) {
    workers[b]->current = lane;
    atomic_orders(*workers[b], reinterpret_cast<std::uintptr_t>(&words[flag]), false, false, false);
    by_sets& s = sets[b][lane];
    for (publication const& p : published[flag]) {
      events const& what = p.block == b ? p.in_block : p.on_device;
      s.known.insert(what.begin(), what.end());
    }
    published[flag].push_back({b, s.in_block, s.on_device});
  }
  /// Each lane of the mask learns what any lane of the mask knows.
  void meet(unsigned b, unsigned first, std::uint64_t mask) {
    by_sets sum;
    for (unsigned i = 0; i < lanes; ++i) {
      if ((mask >> i & 1) != 0) sum.add(sets[b][first + i]);
    }
    for (unsigned i = 0; i < lanes; ++i) {
      if ((mask >> i & 1) != 0) sets[b][first + i] = sum;
    }
  }
  void all_meet(unsigned b) {
    workers[b]->clocks->meet_all();
    meet(b, 0, ~0ull);
  }
  void warp_meets(unsigned b, unsigned warp, unsigned mask) {
    workers[b]->clocks->meet_warp(warp, mask, mask == ~0u);
    meet(b, warp * 32, mask);
  }
  void arrives(unsigned b, unsigned lane) {
    workers[b]->clocks->publish(lane, gatherings[b]);
    gathered[b].add(sets[b][lane]);
  }
  void waits(unsigned b, unsigned lane) {
    workers[b]->clocks->learn(lane, gatherings[b]);
    sets[b][lane].add(gathered[b]);
  }
  bool knows_event(unsigned b, unsigned lane, unsigned n) {
    worker& w = *workers[b];
    w.current = lane;
    event const& e = all[n];
    if (e.block == b) return e.lane == lane || knows(w, e.lane, e.time);
    return knows_other_block(w, {e.time, w.first_run + e.block, 1u << (e.lane % 32), e.lane / 32}, 0);
  }
};

TEST(Learned, IsWhatSetsOfEventsSay) {
  std::mt19937 random(5);
  auto const below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  std::uint32_t run = 1;
  unsigned known = 0, unknown = 0;
  for (int round = 0; round < 150; ++round, run += blocks) {
    model m(run);
    unsigned const few = 1 + below(below(2) == 0 ? 3 : lanes);  // number of lanes that act
    bool const no_barriers = below(2) == 0;
    for (int step = 0; step < 300; ++step) {
      unsigned const b = below(blocks), lane = below(few) * 37 % lanes;
      switch (below(no_barriers ? 16 : 20)) {
        default:
          m.happens(b, lane);
          break;
        case 4:
        case 5:
        case 6:
          m.fence(b, lane, below(3) != 0);
          break;
        case 7:
        case 8:
        case 9:
        case 10:
          m.atomic(b, lane, below(flags));
          break;
        case 11:
        case 12:
          if (m.all.empty()) break;
          for (int query = 0; query < 8; ++query) {
            unsigned const n = below(static_cast<unsigned>(m.all.size()));
            unsigned const asks = query % 2 == 0 ? lane : below(lanes);
            bool const expected = m.sets[b][asks].known.count(n) != 0;
            ASSERT_EQ(m.knows_event(b, asks, n), expected) << "round " << round << ", step " << step;
            ++(expected ? known : unknown);
          }
          break;
        case 16:
          if (below(3) == 0) m.all_meet(b);
          break;
        case 17:
          m.warp_meets(b, below(2), below(2) == 0 ? ~0u : static_cast<unsigned>(random()) | 1u);
          break;
        case 18:
          m.arrives(b, lane);
          break;
        case 19:
          m.waits(b, lane);
      }
    }
  }
  EXPECT_GT(known, 1000u);
  EXPECT_GT(unknown, 1000u);
  RecordProperty("known", std::to_string(known));
}

TEST(Learned, AFlagThatIsMetAgainInTheSameMoment) {
  model m(1);
  auto const publish = [&](unsigned flag) {
    m.happens(1, 0);
    m.fence(1, 0, true);
    m.atomic(1, 0, flag);
  };
  publish(0);
  publish(1);
  m.atomic(0, 0, 0);
  m.atomic(0, 0, 1);
  EXPECT_TRUE(m.knows_event(0, 0, 0));
  publish(0);
  EXPECT_FALSE(m.knows_event(0, 0, 2));
  m.atomic(0, 0, 0);
  EXPECT_TRUE(m.knows_event(0, 0, 2));
}

}  // namespace
