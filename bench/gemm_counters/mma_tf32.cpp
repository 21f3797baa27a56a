// SPDX-License-Identifier: Apache-2.0
#include "mma.hpp"

void gemm_counters::add_mma_tf32(std::vector<counted_case>& all) {
  add_layouts<mma_of<tfloat32_t, float>::launch>(all, "mma tf32");
}
