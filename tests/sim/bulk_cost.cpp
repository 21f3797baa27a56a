// SPDX-License-Identifier: Apache-2.0
// The cost of bulk copies and tensor copies: the simulated device's counters, the analysis, and counts by hand.
#include <gtest/gtest.h>

#include <cosmati/analysis/bulk_cost.hpp>
#include <cosmati/analysis/copy_cost.hpp>
#include <cosmati/cosmati.hpp>
#include <cosmati/runtime/cost_trace.hpp>
#include <cosmati/runtime/tensor_map.hpp>

#include <fstream>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "expect_cost.hpp"

using namespace cosmati;

namespace {

using K = instruction_kind;

std::mt19937 engine(20261122);
int below(int n) { return static_cast<int>(engine() % static_cast<unsigned>(n)); }

struct run_of_bytes {
  int at, shared_at, bytes;
};
__global__ void there_and_back(char const* in, char* out, run_of_bytes run) {
  char* const stage = dynamic_shared<char>() + run.shared_at;
  __shared__ std::uint64_t barrier;
  if (threadIdx.x == 0) {
    initialize_barrier(barrier, 1);
    fence_barrier_init();
    set_barrier_transaction_bytes(barrier, static_cast<std::uint32_t>(run.bytes));
    bulk_copy_g2s(stage, in + run.at, static_cast<std::uint32_t>(run.bytes), barrier);
  }
  __syncthreads();
  wait_barrier(barrier, 0);
  if (threadIdx.x == 0) {
    bulk_copy_s2g(out + run.at, stage, static_cast<std::uint32_t>(run.bytes));
    tma_store_arrive();
    bulk_store_wait<0>();
  }
}

TEST(BulkCost, RunsOfBytes) {
  device_buffer<char> in(std::vector<char>(16384, 1)), out(16384);
  for (int k = 0; k < 60; ++k) {
    run_of_bytes const run{16 * below(64), 16 * below(k % 2 == 0 ? 1 : 16), 16 * (1 + below(k < 30 ? 20 : 500))};
    SCOPED_TRACE(std::to_string(run.bytes) + " bytes at " + std::to_string(run.at) + ", " +
                 std::to_string(run.shared_at));
    // The lines of shared memory, each with the sectors and lines of global memory from which its bytes come.
    std::set<std::pair<int, int>> sectors, lines;
    for (int b = 0; b < run.bytes; ++b) {
      int const piece = (run.shared_at + b) / 128;
      sectors.insert({piece, (run.at + b) / 32});
      lines.insert({piece, (run.at + b) / 128});
    }
    side_cost const load = bulk_load_cost(run.at, run.shared_at, run.bytes);
    side_cost const store = bulk_store_cost(run.at, run.shared_at, run.bytes);
    EXPECT_EQ(store.sectors, static_cast<std::int64_t>(sectors.size()));
    EXPECT_EQ(store.requests, static_cast<std::int64_t>(lines.size()));
    EXPECT_EQ(load.sectors, store.sectors);
    EXPECT_GE(load.requests, store.requests);
    EXPECT_EQ(store.bytes_used, run.bytes);
    cost_trace const costs;
    launch(there_and_back, {.grid = 1, .block = 32, .shared_bytes = 16384}, in.data(), out.data(), run);
    kernel_costs const c = costs.of("there_and_back");
    expect_traffic(load, c[K::bulk_load]);
    expect_traffic(store, c[K::bulk_store]);
    EXPECT_EQ(c.global_sectors(), 0u);  // sectors of loads and stores only
  }
}

/// Counts of Nsight Compute on an H200 for one copy and for several: bench/results/counters/h200_bulk.csv.
TEST(BulkCost, AsTheHardwareCounts) {
  std::ifstream table(COSMATI_TEST_DATA "/../bench/results/counters/h200_bulk.csv");
  std::string line;
  int rows = 0, as_many = 0, loads = 0;
  while (std::getline(table, line)) {
    if (line.starts_with("#") || line.starts_with("direction")) continue;
    SCOPED_TRACE(line);
    bool const is_load = line.starts_with("load");
    std::istringstream in(line.substr(line.find(',')));
    std::int64_t n[11];
    char comma = 0;
    for (std::int64_t& x : n) in >> comma >> x;
    ASSERT_FALSE(in.fail());
    auto const [warps, lanes, copies, bytes, at, step, shared_at, instructions, sectors, requests, unused] = n;
    side_cost cost;
    for (std::int64_t k = 0; k < warps * lanes * copies; ++k) {
      std::int64_t const from = at + k * step, to = shared_at + k * bytes;
      cost.add(is_load ? bulk_load_cost(from, to, bytes) : bulk_store_cost(from, to, bytes));
    }
    EXPECT_EQ(cost.instructions, instructions);
    EXPECT_EQ(cost.sectors, sectors);
    ++rows;
    if (is_load) {
      EXPECT_GE(cost.requests, requests);  // two requests for parts of one sector may be counted as one
      ++loads;
      as_many += cost.requests == requests ? 1 : 0;
    } else {
      EXPECT_EQ(cost.requests, requests);
    }
    static_cast<void>(unused);
  }
  EXPECT_EQ(rows, 296);
  EXPECT_EQ(loads - as_many, 14);
}

template <class G, class S>
__global__ void tensors(float const* in, float* out, G global, S shared) {
  float* const stage = dynamic_shared<float>();
  __shared__ std::uint64_t barrier;
  auto const s = make_tensor(make_smem_ptr(stage), shared);
  auto const g = make_tensor(make_gmem_ptr(in), global);
  if (threadIdx.x == 0) {
    initialize_barrier(barrier, 1);
    fence_barrier_init();
    set_barrier_transaction_bytes(barrier, static_cast<std::uint32_t>(size(g)) * 4);
    copy(Copy_Atom<SM90_BULK_COPY_AUTO, float>{}.with(barrier), g, s);
  }
  __syncthreads();
  wait_barrier(barrier, 0);
  if (threadIdx.x == 0) {
    copy(Copy_Atom<SM90_BULK_COPY_AUTO, float>{}, s, make_tensor(make_gmem_ptr(out), global));
    tma_store_arrive();
    bulk_store_wait<0>();
  }
}
template <class G, class S>
void check_tensors(G global, S shared, std::int64_t instructions) {
  copy_cost const there = bulk_cost_of<float>(in_global(global), in_shared(shared));
  copy_cost const back = bulk_cost_of<float>(in_shared(shared), in_global(global));
  ASSERT_TRUE(there.vector.possible);
  EXPECT_EQ(there.source.instructions, instructions);
  EXPECT_EQ(there.destination.instructions, instructions);
  EXPECT_EQ(there.source.sectors, back.destination.sectors);
  EXPECT_GE(there.source.requests, back.destination.requests);
  std::set<std::int64_t> sectors;
  for (int i = 0; i < size(global); ++i) sectors.insert(static_cast<std::int64_t>(global(i)) / 8);
  EXPECT_GE(there.source.sectors, static_cast<std::int64_t>(sectors.size()));
  EXPECT_EQ(there.source.bytes_used, 4 * static_cast<std::int64_t>(size(global)));
  std::vector<float> const host(static_cast<std::size_t>(cosize(global)), 1.f);
  device_buffer<float> in(host), out(host.size());
  cost_trace const costs;
  launch(tensors<G, S>, {.grid = 1, .block = 32, .shared_bytes = 32768}, in.data(), out.data(), global, shared);
  kernel_costs const c = costs.of("tensors");
  expect_traffic(there.source, c[K::bulk_load]);
  expect_traffic(back.destination, c[K::bulk_store]);
}
TEST(BulkCost, Tensors) {
  using rows = Layout<Shape<_32, _64>, Stride<_64, _1>>;
  using columns = Layout<Shape<_64, _32>>;
  check_tensors(rows{}, rows{}, 1);
  check_tensors(columns{}, columns{}, 1);
  check_tensors(Layout<Shape<_64, _32>, Stride<_1, Int<68>>>{}, columns{}, 32);
  check_tensors(Layout<Shape<_64, _32>, Stride<_1, Int<100>>>{}, Layout<Shape<_64, _32>, Stride<_1, Int<72>>>{}, 32);
  check_tensors(Layout<Shape<_4, _32>, Stride<_1, Int<12>>>{}, Layout<Shape<_4, _32>>{}, 32);
  for (int k = 0; k < 10; ++k) {
    int const pitch = 68 + 4 * below(20);
    check_tensors(make_layout(Shape<_64, _8>{}, make_stride(_1{}, pitch)), Layout<Shape<_64, _8>>{}, 8);
  }
  static_assert(bulk_cost_of<float>(in_global(Layout<Shape<_64, _32>, Stride<_1, Int<68>>>{}),
                                    in_shared(Layout<Shape<_64, _32>>{}))
                    .source.sectors == 32 * 8 + 16 * 2);
  // Runs of 8 bytes, and rows that begin at byte 8.
  constexpr auto pairs = in_global(Layout<Shape<_2, _32>, Stride<_1, _4>>{});
  constexpr auto odd = in_global(Layout<Shape<_64, _8>, Stride<_1, Int<66>>>{});
  static_assert(!bulk_cost_of<float>(pairs, in_shared(Layout<Shape<_2, _32>>{})).vector.possible);
  static_assert(!bulk_cost_of<float>(odd, in_shared(Layout<Shape<_64, _8>>{})).vector.possible);
}

__global__ void boxes(TmaDescriptor const __grid_constant__ from, TmaDescriptor const __grid_constant__ to, int x0,
                      int x1, int bytes) {
  auto* const stage = dynamic_shared<half_t>();
  __shared__ std::uint64_t barrier;
  if (threadIdx.x == 0) {
    initialize_barrier(barrier, 1);
    fence_barrier_init();
    set_barrier_transaction_bytes(barrier, static_cast<std::uint32_t>(bytes));
    tensor_copy_g2s(stage, from, {x0, x1, 0, 0}, barrier);
  }
  __syncthreads();
  wait_barrier(barrier, 0);
  if (threadIdx.x == 0) {
    tensor_copy_s2g(to, stage, {x0, x1, 0, 0});
    tma_store_arrive();
    bulk_store_wait<0>();
  }
}

TEST(BulkCost, BoxesAreOneInstruction) {
  for (int k = 0; k < 12; ++k) {
    int const pitch = 128 + 8 * below(9), rows = 1 + below(32), x0 = 8 * below(9), x1 = below(8);
    SCOPED_TRACE("pitch " + std::to_string(pitch) + " rows " + std::to_string(rows) + " at " + std::to_string(x0) +
                 ", " + std::to_string(x1));
    device_buffer<half_t> in(std::vector<half_t>(static_cast<std::size_t>(pitch * 40), half_t(1.f)));
    device_buffer<half_t> out(static_cast<std::size_t>(pitch * 40));
    auto const map = [&](half_t const* data) {
      return make_tma_descriptor({.data = data,
                                  .element_bytes = 2,
                                  .extent = {pitch, 40, 1, 1},
                                  .stride = {1, pitch, 40 * pitch, 40 * pitch},
                                  .box = {64, rows, 1, 1}});
    };
    side_cost predicted;  // one run of 128 bytes for each row
    side_cost stored;
    for (int r = 0; r < rows; ++r) {
      predicted.add(bulk_load_cost(2 * ((x1 + r) * pitch + x0), 0, 128));
      stored.add(bulk_store_cost(2 * ((x1 + r) * pitch + x0), 0, 128));
    }
    predicted.instructions = stored.instructions = 1;
    cost_trace const costs;
    launch(boxes, {.grid = 1, .block = 32, .shared_bytes = 32768}, map(in.data()), map(out.data()), x0, x1, 128 * rows);
    kernel_costs const c = costs.of("boxes");
    expect_traffic(predicted, c[K::bulk_load]);
    expect_traffic(stored, c[K::bulk_store]);
  }
}

}  // namespace
