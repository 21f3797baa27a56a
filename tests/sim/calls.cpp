// SPDX-License-Identifier: Apache-2.0
// Side effects of calls of ready kernels: a known call makes one launch and no allocation.
#include <cosmati/cosmati.hpp>
#include <cosmati/kernel/copy.hpp>
#include <cosmati/kernel/gather.hpp>
#include <cosmati/kernel/wrong_place.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <thread>
#include <vector>

#include "message.hpp"

using namespace cosmati;

namespace {
int allocations = 0, launches = 0;
}

// The linker redirects the program's calls of these two functions to them.
extern "C" {
int __real_cosmati_sim_allocate(void** out, std::size_t bytes, char* error, std::size_t error_bytes);
int __wrap_cosmati_sim_allocate(void** out, std::size_t bytes, char* error, std::size_t error_bytes) {
  ++allocations;
  return __real_cosmati_sim_allocate(out, bytes, error, error_bytes);
}
int __real_cosmati_sim_launch(cosmati_sim_launch_request const* request, char* error, std::size_t error_bytes);
int __wrap_cosmati_sim_launch(cosmati_sim_launch_request const* request, char* error, std::size_t error_bytes) {
  ++launches;
  return __real_cosmati_sim_launch(request, error, error_bytes);
}
}

namespace {

/// Calls once, so that the call is known, and then counts the launches and allocations of three more calls.
template <class Call>
void expect_one_launch(char const* what, Call const& call) {
  call();
  allocations = launches = 0;
  for (int k = 0; k < 3; ++k) call();
  EXPECT_EQ(allocations, 0) << what;
  EXPECT_EQ(launches, 3) << what;
}

TEST(Calls, OfKnownProblemsAreOneLaunch) {
  device_buffer<float> table(std::vector<float>(256)), list(std::vector<float>(64)), other(std::vector<float>(256));
  device_buffer<std::int32_t> index(std::vector<std::int32_t>{3, 1, 2});
  row_moves const rows = {.row_bytes = 64, .table_rows = 16, .count = 3};
  for (wrong_index const wrong : {wrong_index::is_error, wrong_index::is_skipped}) {
    expect_one_launch("gather_rows", [&] { gather_rows(table.data(), index.data(), list.data(), rows, wrong); });
    expect_one_launch("scatter_rows", [&] { scatter_rows(list.data(), index.data(), table.data(), rows, wrong); });
  }
  device_buffer<double> wide(256);
  auto const from = make_tensor(make_gmem_ptr(table.data()), make_layout(make_shape(16, 16)));
  auto const to = make_tensor(make_gmem_ptr(other.data()), make_layout(make_shape(16, 16), make_stride(16, 1)));
  auto const converted = make_tensor(make_gmem_ptr(wide.data()), make_layout(make_shape(16, 16), make_stride(16, 1)));
  expect_one_launch("copy_tensor", [&] { copy_tensor(from, to); });
  expect_one_launch("copy_tensor, converting", [&] { copy_tensor(from, converted); });
}

TEST(Calls, PlansAreOfBothTypes) {
  device_buffer<float> source(std::vector<float>(64, -2.f));
  device_buffer<unsigned char> memory(std::vector<unsigned char>(256));
  auto const layout = make_layout(make_shape(8, 8));
  auto const turned = make_layout(make_shape(8, 8), make_stride(8, 1));
  auto const from = make_tensor(make_gmem_ptr(source.data()), layout);
  auto const to = [&]<class To>(To) {
    copy_tensor(from, make_tensor(make_gmem_ptr(reinterpret_cast<To*>(memory.data())), turned));
    std::uint32_t bits = 0;
    std::vector<unsigned char> const bytes = memory.download();
    std::memcpy(&bits, bytes.data() + 60, 4);
    return bits;
  };
  for (int k = 0; k < 2; ++k) {  // the second time with known plans
    EXPECT_EQ(to(0.f), 0xc0000000u);
    EXPECT_EQ(to(std::int32_t{}), 0xfffffffeu);
    EXPECT_EQ(to(0.f), 0xc0000000u);
  }
}

TEST(Calls, AWrongNumberIsForgotten) {
  device_buffer<float> table(std::vector<float>(64)), list(std::vector<float>(64));
  device_buffer<std::int64_t> good(std::vector<std::int64_t>{3, 1, 2}), bad(std::vector<std::int64_t>{3, 1, 4});
  row_moves const rows = {.row_bytes = 64, .table_rows = 4, .count = 3};
  for (int k = 0; k < 200; ++k) {  // more than the places that are used at once
    EXPECT_MESSAGE(gather_rows(table.data(), bad.data(), list.data(), rows), "gather_rows: index[2] is 4, which");
    EXPECT_NO_THROW(gather_rows(table.data(), good.data(), list.data(), rows)) << k;
  }
}

TEST(WrongPlaces, AreHeldByOneCallAtATime) {
  detail::wrong_places places;
  std::set<unsigned long long*> held;
  for (int k = 0; k < 130; ++k) {  // more than are allocated at once
    unsigned long long* const one = places.take();
    EXPECT_EQ(*one, ~0ull);
    EXPECT_TRUE(held.insert(one).second) << k;
  }
  for (auto* const one : held) places.give_back(one);
  std::set<unsigned long long*> again;
  for (int k = 0; k < 130; ++k) again.insert(places.take());
  EXPECT_EQ(again.size(), 130u);
}

TEST(WrongPlaces, AreTakenByThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([] {
      for (int k = 0; k < 1000; ++k) {
        detail::wrong_place one(true);
        EXPECT_EQ(one.after(nullptr), detail::wrong_place::none);
        *one.address() = 7;
        EXPECT_EQ(one.after(nullptr), 7u);
        EXPECT_EQ(*one.address(), detail::wrong_place::none);
      }
    });
  for (auto& thread : threads) thread.join();
}

}  // namespace
