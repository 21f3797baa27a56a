// SPDX-License-Identifier: Apache-2.0
#include <cosmati/core/error.hpp>

#include <cstdio>

static_assert(COSMATI_VERSION_MAJOR >= 0);

int main() {
  try {
    cosmati::fail("%d is not %d", 1, 2);
  } catch (cosmati::error const& e) {
    std::puts(e.what());
    return 0;
  }
}
