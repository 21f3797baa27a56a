// SPDX-License-Identifier: Apache-2.0
#include "mma.hpp"

void gemm_counters::add_mma_s8(std::vector<counted_case>& all) {
  add_layouts<mma_of<std::int8_t, int>::launch>(all, "mma s8");
}
