// SPDX-License-Identifier: Apache-2.0
// The current device's model: on the simulated device the one that COSMATI_DEVICE_MODEL names, asked once.
#include <gtest/gtest.h>
#include <cosmati/kernel/current_device_model.hpp>

#include "sim/message.hpp"

#include <cstdlib>

using namespace cosmati;

namespace {

/// The variable for as long as it lives.
struct named {
  explicit named(char const* name) { setenv("COSMATI_DEVICE_MODEL", name, 1); }
  ~named() { unsetenv("COSMATI_DEVICE_MODEL"); }
};

TEST(CurrentDeviceModel, IsTheOneThatTheVariableNames) {
  unsetenv("COSMATI_DEVICE_MODEL");
  EXPECT_EQ(detail::asked_device_model(0), device_model{}) << "an H200";
  {
    named const empty("");
    EXPECT_EQ(detail::asked_device_model(0), device_model{});
  }
  for (named_device_model const& one : device_models) {
    named const set(one.name);
    EXPECT_EQ(detail::asked_device_model(0), one.model) << one.name;
  }
}

TEST(CurrentDeviceModel, ANameThatIsNoneIsAnErrorWithTheNames) {
  named const wrong("h300");
  EXPECT_MESSAGE(detail::asked_device_model(0), "COSMATI_DEVICE_MODEL is h300, which is no device; write h200, h100");
  try {
    detail::asked_device_model(0);
  } catch (error const& e) {
    for (named_device_model const& one : device_models)
      EXPECT_NE(std::string(e.what()).find(one.name), std::string::npos) << one.name << " is missing in the sentence";
  }
}

TEST(CurrentDeviceModel, IsRemembered) {
  device_model const& first = device_model::of_current();
  named const other("a100");
  EXPECT_EQ(&device_model::of_current(), &first);
  EXPECT_EQ(device_model::of_current(), device_model{}) << "asked before the variable was set";
}

}  // namespace
