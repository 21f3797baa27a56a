// SPDX-License-Identifier: Apache-2.0
// C^T = B^T A^T, for few rows of C.
#include "tune.hpp"

void bench::add_turned(std::vector<candidate>& all) {
  add<hopper_config{.tile_n = 16, .stages = 10, .split = 8, .turned = true}>(all);
  add<hopper_config{.tile_m = 64, .tile_n = 16, .stages = 16, .consumers = 1, .split = 8, .turned = true}>(all);
  add<hopper_config{.tile_m = 64, .tile_n = 16, .stages = 10, .consumers = 1, .blocks = 2, .split = 4, .turned = true}>(
      all);
  add<hopper_config{.tile_n = 64, .stages = 6, .split = 8, .turned = true}>(all);
  add<hopper_config{.tile_m = 64, .tile_n = 64, .stages = 10, .consumers = 1, .split = 8, .turned = true}>(all);
  add<hopper_config{.tile_n = 128, .stages = 4, .split = 8, .turned = true}>(all);
  add<hopper_config{.tile_m = 256, .tile_n = 64, .stages = 4, .split = 4, .turned = true}>(all);
}
