// SPDX-License-Identifier: Apache-2.0
// The devices that planners know by name: each found, each plausible, and the default is an H200.
#include <gtest/gtest.h>
#include <cosmati/kernel/device_model.hpp>

#include <set>
#include <string>

using namespace cosmati;

namespace {

static_assert(find_device_model("h200")->model == device_model{});
static_assert(find_device_model("h20") == nullptr && find_device_model("h2000") == nullptr &&
              find_device_model("") == nullptr && find_device_model("H200") == nullptr);
static_assert(device_model{}.has_bulk_copies() && !find_device_model("a100")->model.has_bulk_copies());

TEST(DeviceModel, NamesAreFoundAndDiffer) {
  std::set<std::string> names;
  for (named_device_model const& one : device_models) {
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
    EXPECT_EQ(find_device_model(one.name), &one);
  }
}

// What the data sheets say of each, so that no number stands in another's place: at most 1024 threads' shared memory of
// 227 KB, clocks of 1 to 3 GHz, 0.5 to 10 TB/s.
TEST(DeviceModel, NumbersAreOfTheirKind) {
  for (named_device_model const& one : device_models) {
    device_model const& m = one.model;
    EXPECT_TRUE(m.compute_capability >= 80 && m.compute_capability <= 129) << one.name;
    EXPECT_TRUE(m.multiprocessors > 50 && m.multiprocessors < 300) << one.name;
    EXPECT_TRUE(m.cycles_per_us > 1000 && m.cycles_per_us < 3000) << one.name;
    EXPECT_TRUE(m.bytes_per_us > 0.5e6 && m.bytes_per_us < 10e6) << one.name;
    EXPECT_TRUE(m.l2_bytes > 10e6 && m.l2_bytes < 200e6) << one.name;
    EXPECT_LE(m.block_bytes, m.shared_bytes) << one.name;
    EXPECT_LE(m.shared_bytes, 227 * 1024) << one.name;
    EXPECT_EQ(m.has_bulk_copies(), m.compute_capability >= 90) << one.name;
  }
}

}  // namespace
