// SPDX-License-Identifier: Apache-2.0
// Transposes: every element size and every vector width, full and ragged tiles, batches, and leading dimensions and
// bases that only allow narrower vectors.
#include "random_copies.hpp"
#include "require_device.hpp"

using namespace cosmati;
using namespace random_copies;

namespace {

/// Copies by the transpose route with vectors of `vector` elements.
void run(int element_bytes, int vector, std::int64_t rows, std::int64_t columns, std::int64_t batches,
         std::int64_t extra_source, std::int64_t extra_target) {
  copy_problem p;
  p.element_bytes = element_bytes;
  std::int64_t const source_row = columns + extra_source, target_row = rows + extra_target;
  p.push(rows, source_row, 1);
  p.push(columns, 1, target_row);
  p.push(batches, rows * source_row, columns * target_row);
  auto const e = static_cast<std::size_t>(element_bytes);
  std::vector<unsigned char> host(static_cast<std::size_t>(batches * rows * source_row) * e),
      wanted(static_cast<std::size_t>(batches * columns * target_row) * e, 0xa5);
  std::mt19937 random(static_cast<unsigned>(rows));
  for (auto& byte : host) byte = static_cast<unsigned char>(random());
  device_buffer<unsigned char> in(host), out(wanted);
  for_every_element(p, [&](std::int64_t s, std::int64_t t) {
    std::memcpy(wanted.data() + static_cast<std::size_t>(t) * e, host.data() + static_cast<std::size_t>(s) * e, e);
  });
  SCOPED_TRACE(described(p) + " vector " + std::to_string(vector));
  copy_problem const s = simplified(p);
  ASSERT_EQ(s.element_bytes, element_bytes);
  copy_plan plan;
  plan.route = copy_route::transpose;
  plan.vector = vector;
  plan.row_mode = 0;
  plan.column_mode = 1;
  try {
    launch_plan(s, plan, in.data(), out.data());
    EXPECT_TRUE(out.download() == wanted);
  } catch (error const& wrong) {
    FAIL() << wrong.what();
  }
}

TEST(Transpose, FullTiles) {
  COSMATI_REQUIRE_DEVICE();
  for (int e = 1; e <= 16; e *= 2) run(e, 16 / e, 512 / e, 512 / e, 1, 0, 0);
}
TEST(Transpose, RaggedAndBatched) {
  COSMATI_REQUIRE_DEVICE();
  for (int e = 1; e <= 16; e *= 2) {
    int const v = 16 / e;
    run(e, v, 5 * v, 21 * v, 3, 0, 0);
    run(e, v, 17 * v, 2 * v, 2, 2 * v, 3 * v);
    run(e, v, 2 * v, 2 * v, 1, v, 0);
  }
}
TEST(Transpose, OddSizesByThePlannersChoice) {
  COSMATI_REQUIRE_DEVICE();
  std::mt19937 random(5);
  for (int e = 1; e <= 16; e *= 2) {
    for (int shift = 0; shift < 2; ++shift) {
      copy_problem p;
      p.element_bytes = e;
      p.push(61, 130, 1);
      p.push(129, 1, 61);
      expect_copied(p, static_cast<std::size_t>(shift * e), static_cast<std::size_t>(3 * shift * e), 0, random);
    }
  }
}

}  // namespace
