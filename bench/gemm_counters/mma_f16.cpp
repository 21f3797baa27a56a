// SPDX-License-Identifier: Apache-2.0
#include "mma.hpp"

void gemm_counters::add_mma_f16(std::vector<counted_case>& all) {
  add_layouts<mma_of<half_t, half_t>::launch>(all, "mma f16");
}
