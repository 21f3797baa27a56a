// SPDX-License-Identifier: Apache-2.0
/// @file
/// The elements of a tensor by its linear index, as floats.
#pragma once

#include <vector>

template <class T>
std::vector<float> values_of(T const& t) {
  std::vector<float> v;
  for (int i = 0; i < static_cast<int>(size(t)); ++i)
    v.push_back(static_cast<float>(static_cast<typename T::value_type>(t(i))));
  return v;
}
