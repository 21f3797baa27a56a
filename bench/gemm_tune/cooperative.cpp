// SPDX-License-Identifier: Apache-2.0
// Two warpgroups, or one, multiply a tile; tensor copies store it.
#include "tune.hpp"

void bench::add_cooperative(std::vector<candidate>& all) {
  add<hopper_config{}>(all);
  add<hopper_config{.band = 8}>(all);
  add<hopper_config{.tile_n = 192, .stages = 4}>(all);
  add<hopper_config{.tile_n = 128, .stages = 6}>(all);
  add<hopper_config{.tile_m = 256, .tile_n = 128}>(all);
  add<hopper_config{.tile_m = 64, .tile_n = 128, .stages = 4, .consumers = 1, .blocks = 2}>(all);
}
