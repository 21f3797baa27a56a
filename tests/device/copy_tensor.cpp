// SPDX-License-Identifier: Apache-2.0
// copy_tensor: every kind of pair of tensors, and random pairs, compared with a loop over the elements.
// COSMATI_RANDOM_COPIES=N runs more random pairs (CONTRIBUTING.md).
#include <set>

#include "random_copies.hpp"
#include "require_device.hpp"

using namespace cosmati;
using namespace random_copies;

namespace {

TEST(CopyTensor, RandomPairs) {
  COSMATI_REQUIRE_DEVICE();
  char const* const wanted = std::getenv("COSMATI_RANDOM_COPIES");
  char const* const from = std::getenv("COSMATI_FIRST_RANDOM_COPY");
  int const count = wanted != nullptr ? std::atoi(wanted) : 60, first = from != nullptr ? std::atoi(from) : 0;
  for (int n = first; n < first + count && !HasFailure(); ++n) {
    SCOPED_TRACE("problem number " + std::to_string(n));
    std::mt19937 random(static_cast<unsigned>(n));
    strides s(static_cast<unsigned>(n) + 77);
    int const element_bytes = 1 << s.below(5);
    copy_problem const p = s.problem(element_bytes, s.one_in(8) ? 100000 : 4000);
    // An address may have less alignment than the element. For example, two complex numbers of 8 bytes are one element
    // of 16 bytes.
    auto const shift = static_cast<std::size_t>(s.one_in(4) ? 1 << s.below(5) : element_bytes * s.below(4));
    auto const other = static_cast<std::size_t>(s.one_in(4) ? 1 << s.below(5) : element_bytes * s.below(4));
    expect_copied(p, shift, other, s.one_in(3), random);
  }
}

TEST(CopyTensor, StaticAndHierarchicalLayouts) {
  COSMATI_REQUIRE_DEVICE();
  auto const host = numbers<float>(24 * 10);
  device_buffer<float> in(host), out(host.size());
  out.clear();
  auto const src = make_tensor(make_gmem_ptr(in.data()), make_layout(make_shape(_24{}, 10), make_stride(10, _1{})));
  // The same 24 x 10 elements, with the first mode as 4 x 6.
  auto const dst = make_tensor(make_gmem_ptr(out.data()), make_layout(make_shape(make_shape(_4{}, _6{}), 10),
                                                                      make_stride(make_stride(60, 10), 1)));
  copy_tensor(src, dst);
  auto const got = out.download();
  for (std::size_t i = 0; i < 24; ++i)
    for (std::size_t j = 0; j < 10; ++j) EXPECT_EQ(got[i % 4 * 60 + i / 4 * 10 + j], host[10 * i + j]) << i << ' ' << j;
}

TEST(CopyTensor, BroadcastRow) {
  COSMATI_REQUIRE_DEVICE();
  auto const host = numbers<std::uint16_t>(100);
  device_buffer<std::uint16_t> in(host), out(7 * 100);
  copy_tensor(make_tensor(make_gmem_ptr(in.data()), make_layout(make_shape(7, 100), make_stride(0, 1))),
              make_tensor(make_gmem_ptr(out.data()), make_layout(make_shape(7, 100), make_stride(100, 1))));
  auto const got = out.download();
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i], host[i % 100]);
}

TEST(CopyTensor, NothingToCopy) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<float> in(4), out(std::vector<float>(4, 2.f));
  copy_tensor(make_tensor(make_gmem_ptr(in.data()), make_layout(make_shape(0, 3))),
              make_tensor(make_gmem_ptr(out.data()), make_layout(make_shape(0, 3))));
  EXPECT_EQ(out.download(), std::vector<float>(4, 2.f));
}

TEST(CopyTensor, SaysWhatIsWrong) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<float> buffer(64);
  auto const view = [&](auto layout) { return make_tensor(make_gmem_ptr(buffer.data()), layout); };
  auto const message = [&](auto source, auto target) -> std::string {
    try {
      copy_tensor(view(source), view(target));
    } catch (error const& e) {
      return e.what();
    }
    return "no error";
  };
  EXPECT_NE(message(make_layout(make_shape(4, 5)), make_layout(make_shape(4, 6)))
                .find("mode 1 of src is of size 5, that of dst of size 6"),
            std::string::npos);
  EXPECT_NE(message(make_layout(make_shape(4, 5)), make_layout(make_shape(4, 5), make_stride(1, 0)))
                .find("a mode of extent 5 has stride 0 in the destination"),
            std::string::npos);
  EXPECT_NE(message(make_layout(make_shape(make_shape(4, 3), 1)), make_layout(make_shape(make_shape(6, 2), 1)))
                .find("mode 0 is cut at 4 in src and at 6 in dst"),
            std::string::npos);
}

/// The kernels that go by tiles count in 32 bits along a mode: longer ones are copied in parts.
TEST(CopyTensor, PartsOfLongModes) {
  COSMATI_REQUIRE_DEVICE();
  std::mt19937 random(43);
  strides draw(43);
  for (copy_route const route : {copy_route::transpose, copy_route::windows, copy_route::sectors}) {
    for (int n = 0; n < 6; ++n) {
      int const bytes = 1 << draw.below(4);
      std::int64_t const extent = (n % 2 ? 5000 : 2049) + draw.below(64), other = 3 + draw.below(6);
      bool const of_source = draw.one_in(2);
      copy_problem p;
      p.element_bytes = bytes;
      p.push(of_source ? other : extent, of_source ? extent : other, 1);
      p.push(of_source ? extent : other, 1, of_source ? other : extent);
      if (draw.one_in(2)) p.push(2, 40000, 50000);
      int parts = 0;
      bool offered = true;
      auto const choose = [&](copy_plans const& plans) {
        every_plan all(plans.problem);
        // Parts are longer than any tile where modes are as long as they are cut; not these.
        std::erase_if(all.list, [&](copy_plan const& plan) {
          bool fits = plan.route == route;
          for (std::int64_t const part : plan.tile.extent) fits = fits && part <= 1024;
          return !fits || plan.sectors.run_length > 1024;
        });
        offered = !all.list.empty();
        return offered ? all.list[random() % all.list.size()] : plans.plan[0];
      };
      auto const go = [&](copy_problem const& problem, copy_plan const& plan, void const* source, void* target) {
        if (!offered) return launch_plan(problem, plan, source, target);
        detail::for_parts(problem, 2048, [&](copy_problem const& part) {
          ++parts;
          for (int m = 0; m < part.rank; ++m) ASSERT_LE(part.mode[m].extent, 2048);
          launch_plan(part, plan, source, target);
        });
      };
      expect_copied_by(p, 0, static_cast<std::size_t>(bytes) * (n % 3), random, choose, go);
    }
  }
  // Halves of the direct route have elements each, between vectors of the first mode.
  for (int n = 0; n < 200; ++n) {
    copy_problem const p = draw.problem(1, 100000);
    if (p.size() < 64) continue;
    detail::copy_halves const halves = detail::copy_halves::of_longest_mode(p, 16);
    EXPECT_GT(halves.low.size(), 0) << described(p);
    EXPECT_GT(halves.high.size(), 0) << described(p);
    EXPECT_EQ(halves.low.size() + halves.high.size(), p.size());
    if (halves.low.mode[0].extent != p.mode[0].extent) {
      EXPECT_EQ(halves.low.mode[0].extent % 16, 0) << described(p);
    }
  }
  copy_problem rows;  // of more elements than a launch has slots, though not of more windows
  rows.element_bytes = 4;
  rows.push(30, 2, 1), rows.push(1 << 26, 60, 32), rows.push(2, 0, std::int64_t{1} << 34);
  for (copy_plan const& plan : every_plan(rows).list)
    if (plan.launch.once) {
      EXPECT_GT(plan.vector, 1);
    }
  copy_problem pairs;  // as many tiles as a grid cannot have
  pairs.push(2, 2, 1), pairs.push(2, 1, 2), pairs.push(std::int64_t{1} << 31, 5, 4);
  for (copy_plan const& plan : every_plan(pairs).list) EXPECT_NE(plan.route, copy_route::transpose);
}

#if !defined(COSMATI_SIMULATED)
__global__ void fill_with_places(unsigned char* bytes, std::int64_t count, unsigned char less) {
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += static_cast<std::int64_t>(gridDim.x) * blockDim.x)
    bytes[i] = static_cast<unsigned char>(static_cast<unsigned char>(i % 251) - less);
}
/// Counts bytes of a transposed matrix that differ from the place of their source.
__global__ void count_wrong_places(unsigned char const* bytes, std::int64_t rows, std::int64_t columns,
                                   unsigned long long* wrong) {
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < rows * columns;
       i += static_cast<std::int64_t>(gridDim.x) * blockDim.x)
    if (bytes[i] != static_cast<unsigned char>((i % rows * columns + i / rows) % 251)) atomicAdd(wrong, 1ull);
}
/// Needs a GPU with 26 GB of free memory.
TEST(CopyTensor, ModesOfMoreThan2To32Elements) {
  COSMATI_REQUIRE_DEVICE();
  std::int64_t const most = (std::int64_t{1} << 32) + 64;
  device_buffer<unsigned char> in, out;
  try {
    in = device_buffer<unsigned char>(static_cast<std::size_t>(3 * most));
    out = device_buffer<unsigned char>(static_cast<std::size_t>(3 * most));
  } catch (error const& e) {
    GTEST_SKIP() << e.what();
  }
  launch(fill_with_places, {.grid = 4096, .block = 256}, in.data(), 3 * most, static_cast<unsigned char>(0));
  device_buffer<unsigned long long> wrong(1);
  for (std::int64_t const extent : {(std::int64_t{1} << 31) + 37, most, most - 27}) {
    for (bool const of_source : {false, true}) {
      copy_problem p;
      std::int64_t const rows = of_source ? 3 : extent, columns = of_source ? extent : 3;
      p.push(rows, columns, 1), p.push(columns, 1, rows);
      std::set<copy_route> seen;
      every_plan const all(p);
      for (copy_plan const& plan : all.list) {
        if (!seen.insert(plan.route).second) continue;
        SCOPED_TRACE(described(all.problem) + "; " + described(plan));
        launch(fill_with_places, {.grid = 4096, .block = 256}, out.data(), 3 * extent, static_cast<unsigned char>(1));
        wrong.clear();
        launch_plan(all.problem, plan, in.data(), out.data());
        launch(count_wrong_places, {.grid = 4096, .block = 256}, static_cast<unsigned char const*>(out.data()), rows,
               columns, wrong.data());
        EXPECT_EQ(wrong.download()[0], 0u);
      }
      EXPECT_GE(seen.size(), 2u);
    }
  }
}
#endif

}  // namespace
