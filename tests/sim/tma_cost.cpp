// SPDX-License-Identifier: Apache-2.0
// The cost of tensor copies: the hardware's counts, counts byte by byte, and the simulated device's counters.
#include <gtest/gtest.h>

#include <cosmati/analysis/tma_cost.hpp>
#include <cosmati/cosmati.hpp>
#include <cosmati/runtime/cost_trace.hpp>
#include <cosmati/runtime/tensor_map.hpp>

#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "expect_cost.hpp"

using namespace cosmati;

namespace {

using K = instruction_kind;

std::mt19937 engine(20261127);
int below(int n) { return static_cast<int>(engine() % static_cast<unsigned>(n)); }

std::vector<std::string> fields(std::string const& line, char separator) {
  std::vector<std::string> out;
  std::istringstream in(line);
  for (std::string f; std::getline(in, f, separator);) out.push_back(f);
  return out;
}
template <class T>
void numbers(std::string const& text, T* out) {
  int i = 0;
  for (std::string const& f : fields(text, ' ')) out[i++] = static_cast<T>(std::stoll(f));
}

/// Counts of Nsight Compute on an H100: bench/results/counters/h100_boxes.csv.
TEST(TmaCost, AsTheHardwareCounts) {
  std::ifstream table(COSMATI_TEST_DATA "/../bench/results/counters/h100_boxes.csv");
  std::string line;
  ASSERT_TRUE(std::getline(table, line));
  std::vector<std::string> const names = fields(line, ',');
  int rows = 0, not_promoted = 0, as_many = 0;
  while (std::getline(table, line)) {
    SCOPED_TRACE(line);
    std::map<std::string, std::string> row;
    std::vector<std::string> const values = fields(line, ',');
    ASSERT_EQ(values.size(), names.size());
    for (std::size_t i = 0; i < names.size(); ++i) row[names[i]] = values[i];
    tma_box b;
    b.rank = std::stoi(row["rank"]);
    b.element_bytes = std::stoi(row["bytes"]);
    b.swizzle = std::stoi(row["swizzle"]);
    b.begin_bytes = std::stoi(row["data_bytes"]);
    numbers(row["extent"], b.extent);
    numbers(row["stride_bytes"], b.stride_bytes);
    numbers(row["box"], b.box);
    numbers(row["step"], b.step);
    numbers(row["first"], b.first);
    std::string const& does = row["does"];
    int blocks = 0;
    for (unsigned mask = static_cast<unsigned>(std::stoi(row["mask"])); mask != 0; mask &= mask - 1) ++blocks;
    side_cost const c = does == "multicast" ? tma_multicast_cost(b, blocks)
                        : does == "load"    ? tma_box_cost(tma_direction::load, b)
                        : does == "store"   ? tma_box_cost(tma_direction::store, b)
                                            : tma_box_cost(tma_direction::reduce, b);
    EXPECT_EQ(c.instructions, std::stoi(row["instructions"]));
    EXPECT_EQ(c.sectors, std::stoi(row["sectors"]));
    ++rows;
    if (row["promotion"] == "3") continue;  // L2 fetches lines of its own, which its counters have
    ++not_promoted;
    std::int64_t const asked = std::stoi(row["l2_requests"]);
    EXPECT_GE(c.requests, asked);
    as_many += c.requests == asked ? 1 : 0;
  }
  EXPECT_EQ(rows, 339);
  EXPECT_EQ(not_promoted, 335);
  EXPECT_EQ(as_many, 332);  // three boxes over an edge, of which L2 counts one row less
}

tma_box random_box(bool within) {
  tma_box b;
  b.rank = 1 + below(4);
  b.element_bytes = 1 << below(4);
  b.begin_bytes = 16 * below(8);
  int const chunk = 16 / b.element_bytes;
  b.swizzle = below(4);
  int const widest = b.swizzle == 0 ? 12 : 1 << b.swizzle;  // chunks
  b.box[0] = chunk * (1 + below(widest));
  b.extent[0] = b.box[0] + (within ? chunk * below(8) : below(3 * chunk));
  b.first[0] = chunk * (within ? below(static_cast<int>(b.extent[0] - b.box[0]) / chunk + 1) : below(10) - 5);
  std::int64_t stride = (b.extent[0] * b.element_bytes + 15) / 16 * 16;
  for (int m = 1; m < b.rank; ++m) {
    stride += 16 * below(4);
    b.stride_bytes[m] = stride;
    b.box[m] = 1 + below(5);
    b.step[m] = 1 + below(2);
    b.extent[m] = b.box[m] + below(4);
    b.first[m] = within ? below(static_cast<int>(b.extent[m]) - b.box[m] + 1) : below(8) - 4;
    stride *= b.extent[m];
  }
  return b;
}

/// Each byte of a box: the line of shared memory that it is for and its sector of global memory, or none.
struct byte_by_byte {
  std::set<std::pair<std::int64_t, std::int64_t>> sectors, lines;
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> outside;  // bytes of (row and side, line)
  std::int64_t bytes = 0;

  explicit byte_by_byte(tma_box const& b) {
    std::int64_t extent[5], rows = 1;
    for (int m = 0; m < b.rank; ++m) extent[m] = (b.box[m] + b.step[m] - 1) / b.step[m];
    for (int m = 1; m < b.rank; ++m) rows *= extent[m];
    std::int64_t const row_bytes = extent[0] * b.element_bytes;
    std::int64_t const pitch = b.swizzle == 0 ? row_bytes : 16 << b.swizzle;
    for (std::int64_t row = 0; row < rows; ++row) {
      std::int64_t at = b.begin_bytes, rest = row;
      bool row_inside = true;
      for (int m = 1; m < b.rank; ++m) {
        std::int64_t const x = b.first[m] + rest % extent[m] * b.step[m];
        rest /= extent[m];
        row_inside = row_inside && x >= 0 && x < b.extent[m];
        at += x * b.stride_bytes[m];
      }
      for (std::int64_t k = 0; k < row_bytes; ++k) {
        std::int64_t const x = b.first[0] * b.element_bytes + k, shared_line = (row * pitch + k) / 128;
        std::int64_t const all = b.extent[0] * b.element_bytes;
        if (row_inside && x >= 0 && x < all) ++bytes;
        // Chunks of 16 bytes are moved whole.
        if (row_inside && x >= 0 && x < (all + 15) / 16 * 16) {
          sectors.insert({row << 20 | shared_line, (at + x) / 32});
          lines.insert({row << 20 | shared_line, (at + x) / 128});
        } else {
          ++outside[{2 * row + (row_inside && x < 0 ? 0 : 1), shared_line}];
        }
      }
    }
  }
};

TEST(TmaCost, ByteByByte) {
  for (int k = 0; k < 400; ++k) {
    tma_box const b = random_box(k % 2 == 0);
    SCOPED_TRACE(k);
    byte_by_byte const counted(b);
    side_cost const load = tma_box_cost(tma_direction::load, b), store = tma_box_cost(tma_direction::store, b);
    EXPECT_EQ(store.sectors, static_cast<std::int64_t>(counted.sectors.size()));
    EXPECT_EQ(store.requests, static_cast<std::int64_t>(counted.lines.size()));
    EXPECT_EQ(store.bytes_used, counted.bytes);
    EXPECT_EQ(load.bytes_used, counted.bytes);
    std::int64_t fill = 0;
    for (auto const& [piece, bytes] : counted.outside) fill += (bytes + 31) / 32;
    EXPECT_EQ(load.sectors, store.sectors + fill);
    EXPECT_EQ(tma_box_cost(tma_direction::reduce, b).sectors, store.sectors);
    EXPECT_GE(tma_multicast_cost(b, 2).sectors, 2 * load.sectors);
  }
}

template <int rank>
__global__ void box_there_and_back(TmaDescriptor const __grid_constant__ from, TmaDescriptor const __grid_constant__ to,
                                   tma_box b, std::uint32_t bytes) {
  __shared__ std::uint64_t barrier;
  void* const stage = dynamic_shared<char>();
  if (threadIdx.x == 0) {
    int first[rank];
    for (int m = 0; m < rank; ++m) first[m] = static_cast<int>(b.first[m]);
    initialize_barrier(barrier, 1);
    fence_barrier_init();
    set_barrier_transaction_bytes(barrier, bytes);
    tensor_copy_g2s(stage, from, first, barrier);
    wait_barrier(barrier, 0);
    tensor_copy_s2g(to, stage, first);
    tma_store_arrive();
    bulk_store_wait<0>();
  }
}

TmaDescriptor descriptor_of(tma_box const& b, char* data) {
  tensor_map_config t;
  t.data = data + b.begin_bytes;
  t.element_bytes = b.element_bytes;
  t.rank = b.rank;
  t.swizzle = static_cast<TMA::SmemSwizzleBits>(b.swizzle);
  for (int m = 0; m < b.rank; ++m) {
    t.extent[m] = b.extent[m];
    t.stride[m] = m == 0 ? 1 : b.stride_bytes[m] / b.element_bytes;
    t.box[m] = b.box[m];
    t.step[m] = b.step[m];
  }
  return make_tma_descriptor(t);
}

TEST(TmaCost, AsTheSimulatedDeviceCounts) {
  device_buffer<char> in(std::vector<char>(1 << 20, 1)), out(1 << 20);
  auto const aligned = [](char* p) { return p + (128 - reinterpret_cast<std::uintptr_t>(p) % 128) % 128; };
  for (int k = 0; k < 40; ++k) {
    tma_box const b = random_box(true);
    SCOPED_TRACE(k);
    std::int64_t bytes = b.element_bytes;
    for (int m = 0; m < b.rank; ++m) bytes *= (b.box[m] + b.step[m] - 1) / b.step[m];
    TmaDescriptor const from = descriptor_of(b, aligned(in.data())), to = descriptor_of(b, aligned(out.data()));
    cost_trace const costs;
    launch_config const one = {.grid = 1, .block = 32, .shared_bytes = 65536};
    auto const n = static_cast<std::uint32_t>(bytes);
    if (b.rank == 1) launch(box_there_and_back<1>, one, from, to, b, n);
    if (b.rank == 2) launch(box_there_and_back<2>, one, from, to, b, n);
    if (b.rank == 3) launch(box_there_and_back<3>, one, from, to, b, n);
    if (b.rank == 4) launch(box_there_and_back<4>, one, from, to, b, n);
    kernel_costs const c = costs.of("box_there_and_back");
    expect_traffic(tma_box_cost(tma_direction::load, b), c[K::bulk_load]);
    expect_traffic(tma_box_cost(tma_direction::store, b), c[K::bulk_store]);
  }
}

}  // namespace
