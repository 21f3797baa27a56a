// SPDX-License-Identifier: Apache-2.0
/// @file
/// EXPECT_MESSAGE(statement, text): the statement throws cosmati::error whose sentence contains the text.
/// NEEDS_INSTRUMENTATION(): skips a test of raw accesses in a build that cannot see them, such as one with another
/// sanitizer.
#pragma once

#include <gtest/gtest.h>

#include <cosmati/core/error.hpp>
#include <string>

namespace message {

template <class Body>
void expect(Body body, std::string const& text, char const* file, int line) {
  try {
    body();
  } catch (cosmati::error const& e) {
    if (std::string(e.what()).find(text) == std::string::npos) {
      ADD_FAILURE_AT(file, line) << "the error is\n  " << e.what() << "\nand should hold\n  " << text;
    }
    return;
  }
  ADD_FAILURE_AT(file, line) << "no error; it should be\n  " << text;
}

}  // namespace message

#define EXPECT_MESSAGE(statement, text) message::expect([&] { statement; }, text, __FILE__, __LINE__)

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define NEEDS_INSTRUMENTATION() static_cast<void>(0)
#endif
#elif defined(__SANITIZE_THREAD__)
#define NEEDS_INSTRUMENTATION() static_cast<void>(0)
#endif
#if !defined(NEEDS_INSTRUMENTATION)
#define NEEDS_INSTRUMENTATION() GTEST_SKIP() << "raw accesses are not seen in this build"
#endif
