// SPDX-License-Identifier: Apache-2.0
// The simulated device sees memcpy, memmove and memset in a kernel, for lengths that the compiler knows and lengths
// that it does not know.
#include <gtest/gtest.h>

#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/launch.hpp>
#include <cstring>
#include <vector>

#include "message.hpp"

using namespace cosmati;

namespace {

template <int Bytes>
__global__ void copy_bytes(char* to, char const* from, int how) {
  if (how == 0) std::memcpy(to, from, Bytes);
  if (how == 1) std::memmove(to, from, Bytes);
  if (how == 2) std::memset(to, 0, Bytes);
}

template <int Bytes>
void expect_seen() {
  SCOPED_TRACE(Bytes);
  std::vector<char> const host(128, 1);
  device_buffer<char> a(host), b(host);
  launch_config const one = {.grid = 1, .block = 1};
  for (int how : {0, 1, 2}) {
    EXPECT_NO_THROW(launch(copy_bytes<Bytes>, one, a.data() + 128 - Bytes, b.data() + 128 - Bytes, how));
    EXPECT_MESSAGE(launch(copy_bytes<Bytes>, one, a.data() + 129 - Bytes, b.data() + 128 - Bytes, how), "store of");
  }
  for (int how : {0, 1}) {
    EXPECT_MESSAGE(launch(copy_bytes<Bytes>, one, a.data() + 128 - Bytes, b.data() + 129 - Bytes, how), "load of");
  }
}

TEST(LibraryCopies, OfAnyLengthAreSeen) {
  NEEDS_INSTRUMENTATION();
  expect_seen<1>();
  expect_seen<2>();
  expect_seen<3>();
  expect_seen<4>();
  expect_seen<8>();
  expect_seen<12>();
  expect_seen<16>();
  expect_seen<24>();
  expect_seen<32>();
  expect_seen<64>();
  expect_seen<100>();
}

TEST(LibraryCopies, OfALengthKnownAtRunTimeAreSeen) {
  NEEDS_INSTRUMENTATION();
  std::vector<char> const host(128, 1);
  device_buffer<char> a(host), b(host);
  auto* const kernel = +[](char* to, char const* from, int bytes) { std::memcpy(to, from, bytes); };
  EXPECT_NO_THROW(launch(kernel, {.grid = 1, .block = 1}, a.data(), b.data(), 128));
  EXPECT_MESSAGE(launch(kernel, {.grid = 1, .block = 1}, a.data(), b.data(), 129), "out of bounds");
}

}  // namespace
