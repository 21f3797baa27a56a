// SPDX-License-Identifier: Apache-2.0
// The cost of warpgroup matrix instructions: the hardware's counts, the banks of the layouts, the simulated device's
// counters.
#include <gtest/gtest.h>

#include <cosmati/analysis/wgmma_cost.hpp>
#include <cosmati/cosmati.hpp>
#include <cosmati/runtime/cost_trace.hpp>
#include <cosmati/wgmma.hpp>

#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace cosmati;

namespace {

/// Counts of Nsight Compute on an H200: bench/results/counters/h200_wgmma.csv.
TEST(WgmmaCost, AsTheHardwareCounts) {
  std::ifstream table(COSMATI_TEST_DATA "/../bench/results/counters/h200_wgmma.csv");
  std::string line;
  ASSERT_TRUE(std::getline(table, line));
  int rows = 0;
  while (std::getline(table, line)) {
    SCOPED_TRACE(line);
    std::istringstream in(line);
    std::vector<int> n;
    for (std::string f; std::getline(in, f, ',');) n.push_back(std::stoi(f));
    ASSERT_EQ(n.size(), 17u);
    shared_cost const c = wgmma_cost(n[0], n[2] == 0);
    EXPECT_EQ(c.wavefronts * n[13], n[15]);
    EXPECT_EQ(4 * n[13], n[14]);
    EXPECT_EQ(c.bank_conflicts * n[13], n[16]);
    ++rows;
  }
  EXPECT_EQ(rows, 110);
}

/// Eight rows of 16 bytes, the pieces of which every operand consists, lie in 32 banks with each layout.
TEST(WgmmaCost, PiecesLieInDifferentBanks) {
  for (auto const layout :
       {GMMA::LayoutType::INTERLEAVE, GMMA::LayoutType::B32, GMMA::LayoutType::B64, GMMA::LayoutType::B128}) {
    int const chunks = detail::chunks_of(layout);
    for (auto const major : {GMMA::Major::K, GMMA::Major::MN}) {
      unsigned const eight = 128u * static_cast<unsigned>(chunks);
      detail::wgmma_descriptor const d = {0, major == GMMA::Major::K ? 16 * eight : 2 * eight, eight, 0, layout};
      for (int group = 0; group < 8; ++group) {
        std::set<std::uintptr_t> banks;
        for (int row = 0; row < 8; ++row) {
          int const mn = major == GMMA::Major::K ? row : 8 * group, k = major == GMMA::Major::K ? 8 * (group % 2) : row;
          auto const at = detail::exchanged_address(detail::operand_byte(d, major, 2, mn, k), layout);
          for (unsigned word = 0; word < 4; ++word) banks.insert((at / 4 + word) % 32);
        }
        EXPECT_EQ(banks.size(), 32u) << static_cast<int>(layout);
      }
    }
  }
}

template <int n, detail::wgmma_source from>
__global__ void one_product(float* sums) {
  using Op = detail::wgmma_async<n, float, half_t, half_t, from>;
  unsigned char* const stage = dynamic_shared<unsigned char>();
  for (int i = 4 * static_cast<int>(threadIdx.x); i < 32768; i += 512) *reinterpret_cast<unsigned*>(stage + i) = 0;
  fence_proxy_async_shared();
  __syncthreads();
  unsigned const base = cast_smem_ptr_to_uint(stage);
  typename Op::DRegisters d = {};
  typename Op::ARegisters a = {};
  if constexpr (from == detail::wgmma_source::shared)
    a[0] = detail::encoded({base, 16, 1024, 0, GMMA::LayoutType::B128});
  typename Op::BRegisters const b = {detail::encoded({base, 16, 1024, 0, GMMA::LayoutType::B128})};
  warpgroup_arrive();
  wgmma<Op>(d, a, b);
  warpgroup_commit_batch();
  warpgroup_wait<0>();
  sums[threadIdx.x] = d[0];
}

template <int n, detail::wgmma_source from>
void expect_counts() {
  device_buffer<float> sums(128);
  cost_trace const costs;
  launch(one_product<n, from>, {.grid = 1, .block = 128, .shared_bytes = 32768}, sums.data());
  instruction_costs const c = costs.of("one_product")[instruction_kind::wgmma];
  shared_cost const expected = wgmma_cost(n, from == detail::wgmma_source::shared);
  EXPECT_EQ(c.instructions, 4u);
  EXPECT_EQ(c.wavefronts, static_cast<std::uint64_t>(expected.wavefronts));
  EXPECT_EQ(c.bank_conflicts, 0u);
}

TEST(WgmmaCost, AsTheSimulatedDeviceCounts) {
  expect_counts<8, detail::wgmma_source::shared>();
  expect_counts<128, detail::wgmma_source::shared>();
  expect_counts<128, detail::wgmma_source::registers>();
}

}  // namespace
