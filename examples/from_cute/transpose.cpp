// SPDX-License-Identifier: Apache-2.0
// The kernel of transpose.hpp on 100 rows of 70 numbers, on the simulated device: `cosmati sim` says what is wrong.
#include "transpose.hpp"

#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/launch.hpp>
#include <vector>

int main() {
  int const rows = 100, columns = 70;
  std::vector<float> host(100 * 70);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(i);
  cosmati::device_buffer<float> in(host), out(host.size());
  auto tiled_copy = tiled_copy_of_tile();
  cosmati::launch(transpose<decltype(tiled_copy)>, {.grid = dim3(3, 4), .block = 256}, in.data(), out.data(), rows,
                  columns, tiled_copy);
}
