// SPDX-License-Identifier: Apache-2.0
// The program's own functions are called even if they have names of the library. tests/kernels compiles them with nvcc.
#include "../kernels/own_names.cpp"

#include <gtest/gtest.h>

#include <vector>

namespace {

TEST(OwnNames, AreCalled) {
  device_buffer<float> out(std::vector<float>(32, 0.f)), more(std::vector<float>(32, 0.f));
  launch(own_names, {.grid = 1, .block = 1}, out.data(), more.data());
  std::vector<float> const wanted = {103, 106, 106 + 106,   -5 + 7,
                                     104,  // 103 + 1
                                     -1,  6,   2 * 103 + 3, 1 + 209, 3 + 10 + 700 + 12000, 10 * 53 + 4, 53 + 5,
                                     65,  65,  6,           6,       24 + 3 + 2 + 10,      4 * 4 + 7};
  std::vector<float> got = out.download();
  got.resize(wanted.size());
  EXPECT_EQ(got, wanted);
}

}  // namespace
