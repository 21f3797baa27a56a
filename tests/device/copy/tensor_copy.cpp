// SPDX-License-Identifier: Apache-2.0
// Plans as objects, and the cache in which calls keep plans.
#include <cosmati/kernel/copy_text.hpp>
#include <cosmati/kernel/tensor_copy.hpp>
#include <thread>

#include "../random_copies.hpp"
#include "../require_device.hpp"

using namespace cosmati;
using namespace random_copies;

namespace {

/// A matrix, its transpose, and what the transpose should hold.
struct matrices {
  int rows, columns;
  std::vector<float> host, turned;
  device_buffer<float> in, out;

  matrices(int r, int c)
      : rows(r),
        columns(c),
        host(numbers<float>(static_cast<std::size_t>(r * c))),
        turned(host.size()),
        in(host),
        out(host.size()) {
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j)
        turned[static_cast<std::size_t>(i + rows * j)] = host[static_cast<std::size_t>(columns * i + j)];
    out.clear();
  }
  auto source() const {
    return make_tensor(make_gmem_ptr(in.data()), make_layout(make_shape(rows, columns), make_stride(columns, 1)));
  }
  auto target() {
    return make_tensor(make_gmem_ptr(out.data()), make_layout(make_shape(rows, columns), make_stride(1, rows)));
  }
  void expect_turned() {
    EXPECT_EQ(out.download(), turned);
    out.clear();
  }
};

TEST(TensorCopy, CopiesTheTensorsThatItWasMadeForAndOthersLikeThem) {
  COSMATI_REQUIRE_DEVICE();
  matrices a(60, 44), b(60, 44);
  tensor_copy const plan = plan_copy(a.source(), a.target());
  EXPECT_EQ(a.out.download(), std::vector<float>(60 * 44, 0.f)) << "an estimate copies nothing";
  plan(a.source(), a.target());
  a.expect_turned();
  for (auto& x : b.host) x = x + 0.5f;
  b.in = device_buffer<float>(b.host);
  for (auto& x : b.turned) x = x + 0.5f;
  plan(b.source(), b.target());
  b.expect_turned();
  stream other;
  plan(b.source(), b.target(), other);
  other.synchronize();
  b.expect_turned();
}
TEST(TensorCopy, IsMovedComparedAndPrinted) {
  COSMATI_REQUIRE_DEVICE();
  matrices a(64, 48), b(64, 44);
  tensor_copy first = plan_copy(a.source(), a.target());
  tensor_copy const again = plan_copy(a.source(), a.target()), different = plan_copy(b.source(), b.target());
  EXPECT_TRUE(first == again);
  EXPECT_FALSE(first == different);
  tensor_copy const moved = static_cast<tensor_copy&&>(first);
  EXPECT_TRUE(moved == again);
  first = different;
  EXPECT_TRUE(first == different);
  moved(a.source(), a.target());
  a.expect_turned();
  EXPECT_EQ(text(moved).find("(64,48):(48,1) -> (1,64), elements of 4 bytes: "), 0u) << text(moved);
  EXPECT_NE(text(moved).find(text(moved.problem(), moved.choice())), std::string::npos);
  EXPECT_NE(text(moved).find("estimated"), std::string::npos);
}
/// Addresses of another alignment, and sides that share memory, are other problems. All of them are copied.
TEST(TensorCopy, CopiesAtAddressesOfEveryAlignment) {
  COSMATI_REQUIRE_DEVICE();
  int const rows = 31, columns = 40;
  auto const host = numbers<std::uint16_t>(2000);
  device_buffer<std::uint16_t> in(host), out(2000);
  auto const source = [&](int at) {
    return make_tensor(make_gmem_ptr(in.data() + at), make_layout(make_shape(rows, columns), make_stride(columns, 1)));
  };
  auto const target = [&](int at) {
    return make_tensor(make_gmem_ptr(out.data() + at), make_layout(make_shape(rows, columns), make_stride(1, rows)));
  };
  tensor_copy const plan = plan_copy(source(0), target(0));
  for (int const from : {0, 1, 3, 8})
    for (int const to : {0, 1, 2, 5, 8, 40, 64}) {
      out.clear();
      plan(source(from), target(to));
      auto const got = out.download();
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j)
          ASSERT_EQ(got[static_cast<std::size_t>(to + i + rows * j)],
                    host[static_cast<std::size_t>(from + columns * i + j)])
              << from << ' ' << to;
    }
  EXPECT_SAYS("elements of dst lie where other elements of src do",
              plan(make_tensor(make_gmem_ptr(out.data()), source(0).layout()), target(0)));
}
TEST(TensorCopy, RefusesOtherTensors) {
  COSMATI_REQUIRE_DEVICE();
  matrices a(60, 44), b(60, 40);
  tensor_copy const plan = plan_copy(a.source(), a.target());
  std::string const refused = "the plan was made for tensors of other shapes, strides or types";
  EXPECT_SAYS(refused, plan(b.source(), b.target()));
  EXPECT_SAYS(refused, plan(a.source(), make_tensor(make_gmem_ptr(a.out.data()), a.source().layout())));
  device_buffer<half_t> halves(60 * 44);
  EXPECT_SAYS(refused, plan(a.source(), make_tensor(make_gmem_ptr(halves.data()), a.target().layout())));
  EXPECT_EQ(a.out.download(), std::vector<float>(60 * 44, 0.f));
}
TEST(TensorCopy, ConvertsAsItCopies) {
  COSMATI_REQUIRE_DEVICE();
  matrices a(20, 36);
  device_buffer<half_t> halves(20 * 36);
  auto const target = make_tensor(make_gmem_ptr(halves.data()), a.target().layout());
  tensor_copy const plan = plan_copy(a.source(), target, effort::measure);
  plan(a.source(), target);
  auto const got = halves.download();
  for (std::size_t k = 0; k < got.size(); ++k) EXPECT_EQ(got[k], static_cast<half_t>(a.turned[k]));
}
TEST(TensorCopy, NothingIsCopiedWhereThereIsNothing) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<float> buffer(4);
  auto const none = make_tensor(make_gmem_ptr(buffer.data()), make_layout(make_shape(0, 3)));
  tensor_copy const plan = plan_copy(none, none, effort::measure);
  plan(none, none);
  EXPECT_EQ(plan.problem().size(), 0);
}

/// Later calls use measured plans, and `plan_copy` returns them.
TEST(Effort, MeasureRemembersTheWinner) {
  COSMATI_REQUIRE_DEVICE();
  detail::copy_cache::of_process().clear();
  matrices a(52, 37);
  tensor_copy const estimated = plan_copy(a.source(), a.target());
  EXPECT_EQ(estimated.basis(), plan_basis::estimated);
  tensor_copy const measured = plan_copy(a.source(), a.target(), effort::measure);
  a.expect_turned();
  EXPECT_EQ(measured.basis(), plan_basis::measured);
  EXPECT_GT(measured.us(), 0);
  tensor_copy const known = plan_copy(a.source(), a.target());
  EXPECT_EQ(known.basis(), plan_basis::measured);
  EXPECT_TRUE(known == measured);
  copy_tensor(a.source(), a.target());
  a.expect_turned();
}
TEST(Effort, EstimatesWhereACopyMustNotBeDoneTwice) {
  COSMATI_REQUIRE_DEVICE();
  auto const host = numbers<float>(500);
  device_buffer<float> buffer(host);
  auto const all = make_tensor(make_gmem_ptr(buffer.data()), make_layout(500));
  EXPECT_EQ(plan_copy(all, all, effort::measure).basis(), plan_basis::estimated_as_sides_meet);
  // Even elements to odd ones.
  auto const even = make_tensor(make_gmem_ptr(buffer.data()), make_layout(250, 2));
  auto const odd = make_tensor(make_gmem_ptr(buffer.data() + 1), make_layout(250, 2));
  EXPECT_EQ(plan_copy(even, odd, effort::measure).basis(), plan_basis::estimated_as_sides_meet);
  EXPECT_EQ(buffer.download(), host);
}
/// The first eight plans contain the best plan of every kernel.
TEST(Effort, TakesPlansInTurnFromTheKernels) {
  strides draw(3);
  for (int n = 0; n < 50; ++n) {
    copy_plans const plans = plan_copy(draw.problem(1 << draw.below(5), 100000));
    int number[copy_plans_kept] = {};
    int const count = plans.in_turn(8, number);
    ASSERT_EQ(count, plans.kept < 8 ? plans.kept : 8);
    bool of_route[copy_routes] = {}, there[copy_routes] = {};
    for (int k = 0; k < plans.kept; ++k) there[static_cast<int>(plans.plan[k].route)] = true;
    for (int k = 0; k < count; ++k) {
      of_route[static_cast<int>(plans.plan[number[k]].route)] = true;
      for (int j = 0; j < k; ++j) ASSERT_NE(number[j], number[k]);
    }
    for (int r = 0; r < copy_routes; ++r) EXPECT_EQ(of_route[r], there[r]) << r;
    EXPECT_EQ(number[0], 0);
  }
}

TEST(CopyCache, IsBoundedAndForgetsWhatWaitsLongest) {
  COSMATI_REQUIRE_DEVICE();
  detail::copy_cache cache;
  device_buffer<float> in(4096), out(4096);
  std::vector<detail::copy_key> keys;
  for (int n = 1; n <= 3 * detail::copy_cache::capacity; ++n) {
    copy_problem p;
    p.element_bytes = 4;
    p.push(n, 1, 1);
    keys.push_back(detail::key_of_copy<float, float>(p, out.data()));
    cache.keep(detail::prepared<float, float>(keys.back(), in.data(), out.data()), keys.back().hash());
    ASSERT_TRUE(cache.find(keys.back(), keys.back().hash()));
    ASSERT_TRUE(cache.find(keys[0], keys[0].hash())) << "asked for each time, after " << n;
  }
  int known = 0;
  for (auto const& key : keys) known += cache.find(key, key.hash()) ? 1 : 0;
  EXPECT_LE(known, detail::copy_cache::capacity);
  EXPECT_GT(known, detail::copy_cache::capacity / 2);
  cache.clear();
  EXPECT_FALSE(cache.find(keys.back(), keys.back().hash()));
}
/// The key has everything that a copy depends on: extents, strides of both sides, sizes, alignments, device, types.
TEST(CopyCache, TellsProblemsApart) {
  copy_problem p;
  p.element_bytes = 4;
  p.push(8, 1, 1), p.push(5, 8, 8);
  detail::copy_key const key = {p, 0, 64, nullptr};
  auto const differs = [&](auto const& change) {
    detail::copy_key other = key;
    change(other);
    EXPECT_FALSE(other == key);
    EXPECT_NE(other.hash(), key.hash());
  };
  using K = detail::copy_key&;
  differs([](K k) { k.given.mode[0].extent = 9; });
  differs([](K k) { k.given.mode[1].source = 9; });
  differs([](K k) { k.given.mode[1].target = 9; });
  differs([](K k) { k.given.rank = 1; });
  differs([](K k) { k.given.element_bytes = 8; });
  differs([](K k) { k.given.source_alignment = 8; });
  differs([](K k) { k.given.target_alignment = 8; });
  differs([](K k) { k.given.apart_alignment = 8; });
  differs([](K k) { k.given.interleaved = true; });
  differs([](K k) { k.device = 1; });
  differs([](K k) { k.line_phase = 0; });
  differs([](K k) { k.kind = &detail::conversion_kind<float, half_t>::here; });
  EXPECT_TRUE(detail::copy_key(key) == key);
}
#if !defined(COSMATI_SIMULATED)
TEST(CopyCache, ServesSeveralThreads) {
  COSMATI_REQUIRE_DEVICE();
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      stream mine;
      for (int n = 0; n < 40; ++n) {
        matrices m(16 + (n + t) % 20, 24);
        copy_tensor(m.source(), m.target(), mine);
        mine.synchronize();
        if (m.out.download() != m.turned) ++wrong;
      }
    });
  for (auto& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
}
TEST(TensorCopy, IsCalledWhileAStreamIsCaptured) {
  COSMATI_REQUIRE_DEVICE();
  matrices a(600, 440);
  stream s;
  synchronize();
  tensor_copy const plan = plan_copy(a.source(), a.target());
  cudaGraph_t graph;
  cudaGraphExec_t again;
  ASSERT_EQ(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal), cudaSuccess);
  plan(a.source(), a.target(), s);
  EXPECT_EQ(plan_copy(a.source(), a.target(), effort::measure, s).basis(), plan_basis::estimated_as_captured);
  matrices const& b = a;
  copy_tensor(b.source(), a.target(), s);
  ASSERT_EQ(cudaStreamEndCapture(s, &graph), cudaSuccess);
  EXPECT_EQ(a.out.download(), std::vector<float>(600 * 440, 0.f));
  ASSERT_EQ(cudaGraphInstantiate(&again, graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(again, s), cudaSuccess);
  s.synchronize();
  a.expect_turned();
  cudaGraphExecDestroy(again);
  cudaGraphDestroy(graph);
}
#endif

}  // namespace
