// SPDX-License-Identifier: Apache-2.0
#include "mma.hpp"

void gemm_counters::add_mma_f64(std::vector<counted_case>& all) {
  add_layouts<mma_of<double, double>::launch>(all, "mma f64");
}
