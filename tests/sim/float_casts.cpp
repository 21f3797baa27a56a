// SPDX-License-Identifier: Apache-2.0
// Casts of floating-point numbers that an integer does not hold are notes: a launch does not throw, and each line is
// told once.
#include <gtest/gtest.h>

#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/launch.hpp>

#include <string>
#include <vector>

#include "message.hpp"

using namespace cosmati;

namespace {

__global__ void quantize(float const* in, unsigned char* out) {
  out[threadIdx.x] = static_cast<unsigned char>(in[threadIdx.x]);
}
__global__ void quantize_as_a_gpu(float const* in, unsigned char* out) {
  out[threadIdx.x] = static_cast<unsigned char>(__float2uint_rz(in[threadIdx.x]));
}

/// What standard error has after two launches.
template <class Kernel>
std::string told_by(Kernel kernel, std::vector<float> const& numbers) {
  device_buffer<float> in(numbers);
  device_buffer<unsigned char> out(numbers.size());
  testing::internal::CaptureStderr();
  for (int times = 0; times < 2; ++times)
    EXPECT_NO_THROW(launch(kernel, {.grid = 1, .block = unsigned(numbers.size())}, in.data(), out.data()));
  return testing::internal::GetCapturedStderr();
}

TEST(FloatCasts, AreNotesOnceForALine) {
  NEEDS_INSTRUMENTATION();
  std::string const told = told_by(quantize, {1, 300, -3, -4});
  std::string const note = "conversion: -3 is cast to unsigned char, which does not hold it: a GPU gives 0, ";
  EXPECT_NE(told.find("cosmati: note: kernel "), std::string::npos) << told;
  EXPECT_NE(told.find(note), std::string::npos) << told;
  EXPECT_EQ(told.find("cosmati: note: "), told.rfind("cosmati: note: ")) << told;
}

TEST(FloatCasts, OfNumbersThatAGpuTreatsAlikeAreSilent) {
  NEEDS_INSTRUMENTATION();
  EXPECT_EQ(told_by(quantize, {1, 300, 255.5f, 65536}), "");  // the low bits stay
  EXPECT_EQ(told_by(quantize_as_a_gpu, {1, 300, -3, 1e30f}), "");
}

}  // namespace
