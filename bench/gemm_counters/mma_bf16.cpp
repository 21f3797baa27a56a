// SPDX-License-Identifier: Apache-2.0
#include "mma.hpp"

void gemm_counters::add_mma_bf16(std::vector<counted_case>& all) {
  add_layouts<mma_of<bfloat16_t, bfloat16_t>::launch>(all, "mma bf16");
}
