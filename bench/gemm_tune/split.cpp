// SPDX-License-Identifier: Apache-2.0
// Blocks of a cluster share the sum over K.
#include "tune.hpp"

void bench::add_split(std::vector<candidate>& all) {
  add<hopper_config{.tile_n = 128, .stages = 4, .split = 8}>(all);
  add<hopper_config{.tile_n = 256, .stages = 2, .split = 2}>(all);
  add<hopper_config{.tile_m = 64, .tile_n = 128, .stages = 7, .consumers = 1, .split = 8}>(all);
  add<hopper_config{.tile_m = 64, .tile_n = 256, .stages = 3, .consumers = 1, .split = 4}>(all);
}
