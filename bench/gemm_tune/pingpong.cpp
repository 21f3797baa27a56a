// SPDX-License-Identifier: Apache-2.0
// Two warpgroups take turns, each with a tile of its own.
#include "tune.hpp"

void bench::add_pingpong(std::vector<candidate>& all) {
  add<hopper_config{.tile_m = 64, .tile_n = 256, .stages = 4, .schedule = hopper_schedule::pingpong}>(all);
  add<hopper_config{.tile_m = 64, .tile_n = 256, .stages = 4, .cluster = 2, .schedule = hopper_schedule::pingpong}>(
      all);
  add<hopper_config{.tile_n = 128, .stages = 6, .cluster = 2, .schedule = hopper_schedule::pingpong}>(all);
  add<hopper_config{.tile_m = 64, .tile_n = 192, .stages = 5, .schedule = hopper_schedule::pingpong}>(all);
  add<hopper_config{.tile_m = 64, .tile_n = 128, .stages = 8, .schedule = hopper_schedule::pingpong}>(all);
  add<hopper_config{.tile_m = 128, .tile_n = 128, .stages = 6, .schedule = hopper_schedule::pingpong}>(all);
  add<hopper_config{.tile_m = 128, .tile_n = 192, .stages = 4, .schedule = hopper_schedule::pingpong}>(all);
}
