// SPDX-License-Identifier: Apache-2.0
// The host's own accesses to device memory are reported with their line in the program. The library's accesses for the
// host are not reported.
#include <cosmati/cosmati.hpp>
#include <cosmati/kernel/copy.hpp>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "message.hpp"

using namespace cosmati;

namespace {

/// What is said on standard error meanwhile.
template <class Body>
std::string said_by(Body body) {
  testing::internal::CaptureStderr();
  body();
  return testing::internal::GetCapturedStderr();
}
int count(std::string const& text, std::string const& part) {
  int n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}
/// One report, which says all of this.
template <class Body>
std::string expect_report(Body body, std::string const& does, int line) {
  std::string const said = said_by(body),
                    remedy = does[0] == 'w' ? "fill a vector and upload it" : "download the buffer";
  EXPECT_EQ(count(said, "cosmati: error: out_of_bounds: "), 1) << said;
  for (std::string const& part : {"the host " + does, "host_access.cpp:" + std::to_string(line) + ")", remedy})
    EXPECT_NE(said.find(part), std::string::npos) << part << ": " << said;
  return said;
}
#define EXPECT_REPORT(statement, does) expect_report([&] { statement; }, does, __LINE__)

int sink;

TEST(HostAccess, Reads) {
  NEEDS_INSTRUMENTATION();
  device_buffer<int> held(std::vector<int>{5, 6, 7, 8});
  EXPECT_REPORT(sink = held.data()[2], "reads 4 bytes of device memory");
  EXPECT_EQ(sink, 7);
  int const* p = held.data();
  EXPECT_REPORT(sink = *p, "reads 4 bytes");
  std::string const said = EXPECT_REPORT(sink = p[3], "reads 4 bytes");
  EXPECT_NE(said.find("byte 12 of an allocation of 16 bytes"), std::string::npos) << said;
  device_buffer<double> wide(std::vector<double>(4, 3.));
  EXPECT_REPORT(sink = static_cast<int>(*wide.data()), "reads 8 bytes");
  EXPECT_EQ(sink, 3);
}
TEST(HostAccess, Writes) {
  NEEDS_INSTRUMENTATION();
  device_buffer<int> held(4);
  device_buffer<char> bytes(4);
  EXPECT_REPORT(held.data()[1] = 3, "writes 4 bytes");
  EXPECT_REPORT(*bytes.data() = 'a', "writes 1 byte of device memory");
}
TEST(HostAccess, ByFunctionsOfTheCLibrary) {
  NEEDS_INSTRUMENTATION();
  device_buffer<int> held(std::vector<int>{1, 2, 3, 4});
  int here[4] = {};
  EXPECT_REPORT(std::memcpy(here, held.data(), sizeof here), "reads 16 bytes");
  EXPECT_EQ(here[3], 4);
  EXPECT_REPORT(std::memcpy(held.data(), here, 8), "writes 8 bytes");
  EXPECT_REPORT(std::memmove(here, held.data(), 12), "reads 12 bytes");
  EXPECT_REPORT(std::memset(held.data(), 0, 16), "writes 16 bytes");
}
TEST(HostAccess, ByAlgorithms) {
  NEEDS_INSTRUMENTATION();
  device_buffer<int> held(std::vector<int>{1, 2, 3, 4});
  std::vector<int> here(4);
  // The loop's line is the standard library's, and may be all that is known.
  std::string said = said_by([&] { std::copy(held.data(), held.data() + 4, here.begin()); });
  EXPECT_NE(said.find("the host reads"), std::string::npos) << said;
  EXPECT_EQ(here, (std::vector<int>{1, 2, 3, 4}));
  said = said_by([&] { std::copy(here.begin(), here.end(), held.data()); });
  EXPECT_NE(said.find("the host writes"), std::string::npos) << said;
  said = said_by([&] { sink = std::accumulate(held.data(), held.data() + 4, 0); });
  EXPECT_NE(said.find("the host reads"), std::string::npos) << said;
  EXPECT_EQ(sink, 10);
}
TEST(HostAccess, ThroughATensor) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> held(std::vector<float>(32, 1.f));
  auto m = make_tensor(make_gmem_ptr(held.data()), Layout<Shape<_4, _8>>{});
  EXPECT_REPORT(m(1, 2) = 3, "writes 4 bytes");
  EXPECT_REPORT(sink = static_cast<int>(m(1, 2)), "reads 4 bytes");
  EXPECT_EQ(sink, 3);
}
/// A place is told of once, however often it is executed.
TEST(HostAccess, OncePerPlace) {
  NEEDS_INSTRUMENTATION();
  device_buffer<int> held(std::vector<int>(64, 1));
  int sum = 0;
  std::string const said = said_by([&] {
    for (int i = 0; i < 64; ++i) sum += held.data()[i];
  });
  EXPECT_EQ(sum, 64);
  EXPECT_LE(count(said, "the host reads"), 1) << said;
  EXPECT_GE(count(said, "the host reads"), 1) << said;
}
__global__ void doubled(int* p) { p[threadIdx.x] *= 2; }
/// The library's own ways, and what kernels do.
TEST(HostAccess, WhatTheLibraryDoesForTheHostIsNone) {
  device_buffer<int> held(std::vector<int>(32, 1)), other(32);
  EXPECT_EQ(said_by([&] {
              launch(doubled, {.grid = 1, .block = 32}, held.data());
              copy_tensor(make_tensor(make_gmem_ptr(held.data()), Layout<_32>{}),
                          make_tensor(make_gmem_ptr(other.data()), Layout<_32>{}));
              EXPECT_EQ(other.download(), std::vector<int>(32, 2));
              held.upload(std::vector<int>(32, 7));
              held.clear();
              EXPECT_EQ(held.download(), std::vector<int>(32, 0));
            }),
            "");
}

}  // namespace
