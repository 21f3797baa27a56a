// SPDX-License-Identifier: Apache-2.0
/// @file
/// What a function, or `print(x)`, writes to standard output.
#pragma once

#include <gtest/gtest.h>

#include <cosmati/layout/print.hpp>
#include <cstdio>
#include <string>

template <class F>
std::string written(F const& f) {
  testing::internal::CaptureStdout();
  f();
  std::fflush(stdout);
  return testing::internal::GetCapturedStdout();
}
template <class T>
std::string printed(T const& x) {
  return written([&] { cosmati::print(x); });
}
