// SPDX-License-Identifier: Apache-2.0
// What programs of this folder compare their results by.
#pragma once
#include <cstdio>
#include <initializer_list>

inline int wrong = 0;
template <class Vector>
void expect(char const* what, Vector const& got, std::initializer_list<int> want) {
  std::size_t k = 0;
  bool same = got.size() >= want.size();
  for (int const w : want) same = same && got[k++] == w;
  if (same) return;
  ++wrong;
  std::printf("%s is wrong\n", what);
}
inline void expect(char const* what, bool right) {
  if (right) return;
  ++wrong;
  std::printf("%s is wrong\n", what);
}
#define EXPECT(...)                                                  \
  do {                                                               \
    if (!(__VA_ARGS__)) {                                            \
      std::printf("line %d: %s is wrong\n", __LINE__, #__VA_ARGS__); \
      ++wrong;                                                       \
    }                                                                \
  } while (0)
