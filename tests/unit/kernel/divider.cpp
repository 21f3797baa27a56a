// SPDX-License-Identifier: Apache-2.0
#include <cosmati/kernel/divider.hpp>

#include <gtest/gtest.h>

using namespace cosmati;

namespace {

TEST(FastDivider, DividesAsTheLanguageDoes) {
  std::uint32_t const most = 0x7fffffffu;
  for (std::uint32_t const d : {1u, 2u, 3u, 5u, 7u, 10u, 64u, 641u, 65535u, 65536u, 65537u, 1000003u, most - 1, most}) {
    fast_divider const divider(d);
    for (std::uint32_t const n :
         {0u, 1u, 2u, d - 1, d, d + (d < most ? 1 : 0), 12345u, 1u << 30, most / 2, most - 1, most}) {
      std::uint32_t const q = divider.quotient(n);
      EXPECT_EQ(q, n / d) << n << " / " << d;
      EXPECT_EQ(divider.remainder(n, q), n % d) << n << " % " << d;
    }
  }
}

}  // namespace
