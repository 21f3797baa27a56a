// SPDX-License-Identifier: Apache-2.0
// Problems that are no copies: too large, with too many modes, or with overlapping elements.
#include <limits>
#include <set>

#include "../random_copies.hpp"
#include "../require_device.hpp"

using namespace cosmati;
using namespace random_copies;

namespace {

TEST(CopyProblem, RefusesWhatItsIntegersCannotHold) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<float> in(64), out(std::vector<float>(64, 2.f));
  device_buffer<half_t> halves(64);
  auto const from = [&](auto layout) { return make_tensor(make_gmem_ptr(in.data()), layout); };
  auto const to = [&](auto layout) { return make_tensor(make_gmem_ptr(out.data()), layout); };
  std::int64_t const b32 = std::int64_t{1} << 32, b62 = std::int64_t{1} << 62;
  auto const square = make_shape(b32, b32);
  EXPECT_SAYS("mode 1 of extent 4294967296, times 4294967296 elements of the modes before, is more than 2^56",
              copy_tensor(from(make_layout(square, make_stride(0, 0))), to(make_layout(square, make_stride(1, b32)))));
  EXPECT_SAYS("mode 0 of src is cut into an extent of 4294967296 and others of 4294967296 elements",
              copy_tensor(from(make_layout(make_shape(square, 1), make_stride(make_stride(0, 0), 0))),
                          to(make_layout(make_shape(5, 1)))));
  EXPECT_SAYS("with mode 1 of extent 4, stride 4611686018427387904 in the source and 4 in the destination",
              copy_tensor(from(make_layout(make_shape(4, 4), make_stride(1, b62))), to(make_layout(make_shape(4, 4)))));
  EXPECT_SAYS("with mode 0 of extent 2, stride -9223372036854775808 in the source",
              copy_tensor(from(make_layout(2, std::numeric_limits<std::int64_t>::min())), to(make_layout(2))));
  EXPECT_SAYS("mode 0 of src has extent -4; extents are 0 or more",
              copy_tensor(from(make_layout(make_shape(-4, 10))), to(make_layout(make_shape(-4, 10)))));
  EXPECT_SAYS("mode 1 of dst has extent -3",
              copy_tensor(from(make_layout(make_shape(0, 3))), to(make_layout(make_shape(0, -3)))));
  EXPECT_SAYS("mode 0 of src has extent -4",
              copy_tensor(from(make_layout(-4)), make_tensor(make_gmem_ptr(halves.data()), make_layout(-4))));
  EXPECT_EQ(out.download(), std::vector<float>(64, 2.f));
  auto const sixteen = make_layout(make_shape(4, 4));
  for (int const bytes : {0, 3, 32, -4})
    EXPECT_SAYS("elements of " + std::to_string(bytes) + " bytes: they are of 1, 2, 4, 8 or 16",
                (void)plan_copy(sixteen, sixteen, bytes));
  copy_problem p;
  p.source_offset = b62;
  EXPECT_SAYS(
      "it begins at element 4611686018427387904 of the source and 0 of the destination, the most is 2^56 from either "
      "base; "
      "mend the offsets",
      (void)plan_copy(p));
  p = {};
  p.rank = 33;
  EXPECT_SAYS("a problem of rank 33, where 0 to 32 are possible; append modes by push", (void)plan_copy(p));
  // The planner accepts the largest problem.
  p = {};
  p.element_bytes = 16;
  p.push(1 << 28, 1 << 28, 1), p.push(1 << 28, 1, 1 << 28);
  EXPECT_GT(plan_copy(p).plan[0].us, 1e11);
}

TEST(CopyProblem, ProblemsOfManyModes) {
  copy_problem p;
  p.element_bytes = 4;
  for (int m = 0; m < 20; ++m) p.push(1, 5, 7), p.push(1, 0, 0), p.push(2, std::int64_t{1} << m, std::int64_t{1} << m);
  EXPECT_LE(p.rank, copy_max_modes);
  EXPECT_EQ(p.size(), 1 << 20);
  EXPECT_TRUE(is_contiguous(simplified(p)));
  p = {};  // the outer mode first
  for (int m = 39; m >= 0; --m) p.push(2, std::int64_t{1} << m, std::int64_t{1} << m);
  EXPECT_EQ(p.size(), std::int64_t{1} << 40);
  EXPECT_TRUE(is_contiguous(simplified(p)));
  p = {};
  std::int64_t stride = 1;
  for (int m = 0; m < copy_max_modes; ++m, stride *= 3) p.push(2, stride, stride);
  EXPECT_SAYS("32 modes that cannot be merged, and one more of extent 5; the most is 32, and 8 after merging",
              p.push(5, 1, 1));
  EXPECT_EQ(p.rank, copy_max_modes);
  EXPECT_SAYS("32 modes remain after merging what can be merged, the most is 8", (void)simplified(p));
}

/// Eight modes that cannot be merged, at addresses that split elements into pieces, which are a ninth mode.
TEST(CopyProblem, EightModesAtAnyAddress) {
  COSMATI_REQUIRE_DEVICE();
  std::mt19937 random(21);
  for (int const e : {4, 16}) {
    copy_problem p;
    p.element_bytes = e;
    std::int64_t source = 1, target = 1;
    for (int m = 0; m < 8; ++m) {
      std::int64_t const extent = 2 + m % 2;
      p.push(extent, source, target);
      source *= extent + 1;
      target = target * extent + m % 2;
    }
    for (int const shift : {1, e / 2}) {
      expect_copied(p, static_cast<std::size_t>(shift), 0, true, random);
      expect_copied(p, 0, static_cast<std::size_t>(shift), false, random);
    }
    p.push(2, source, target);
    EXPECT_SAYS("9 modes remain after merging", (void)plan_copy(p));
    p.source_alignment = 1;
    EXPECT_SAYS("modes remain after merging", (void)plan_copy(p));
  }
}

TEST(CopyProblem, TargetsWhoseElementsMeet) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<float> in(numbers<float>(64)), out(std::vector<float>(64, 2.f));
  auto const square = make_shape(4, 4);
  EXPECT_SAYS(
      "two elements of the destination are one place, steps of -2 in the mode of extent 4 and stride 1, 1 in the mode "
      "of "
      "extent 4 and stride 2 apart",
      copy_tensor(make_tensor(make_gmem_ptr(in.data()), make_layout(square)),
                  make_tensor(make_gmem_ptr(out.data()), make_layout(square, make_stride(1, 2)))));
  EXPECT_EQ(out.download(), std::vector<float>(64, 2.f));
  // Random strides, compared with a set of all offsets.
  std::mt19937 random(31);
  auto const below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  int met = 0, interleaved = 0;
  for (int n = 0; n < 4000; ++n) {
    copy_problem p;
    int const rank = 1 + below(5);
    std::int64_t reach = 0;
    bool nested = true;
    for (int m = 0; m < rank; ++m) {
      int const stride = 1 + below(1 << below(8));
      p.push(1 + below(6), m, below(2) ? stride : -stride);
      nested = nested && (stride > reach || p.mode[m].extent == 1);
      reach += (p.mode[m].extent - 1) * stride;
    }
    std::set<std::int64_t> places;
    std::int64_t elements = 0;
    for_every_element(p, [&](std::int64_t, std::int64_t t) { places.insert(t), ++elements; });
    bool const distinct = places.size() == static_cast<std::size_t>(elements);
    std::string const says = thrown([&] { (void)simplified(p); });
    EXPECT_EQ(says == "no error", distinct) << described(p) << ' ' << says;
    met += !distinct;
    interleaved += distinct && !nested;
  }
  EXPECT_GT(met, 500);
  EXPECT_GT(interleaved, 200);
  copy_problem far;  // the strides of two modes alone decide it
  far.push(1000003, 1, 1000033), far.push(1000033, 1, 1000003);
  EXPECT_EQ(simplified(far).rank, 2);
  ++far.mode[0].extent, ++far.mode[1].extent;
  EXPECT_SAYS("1000003 in the mode of extent 1000004 and stride 1000033 apart", (void)simplified(far));
  static_assert(plan_copy(Layout<Shape<_3, _2>>{}, Layout<Shape<_3, _2>, Stride<_2, _3>>{}, 4).kept > 0);
  static_assert(plan_copy(Layout<Shape<_2, _2, _4>>{}, Layout<Shape<_2, _2, _4>, Stride<_3, _2, _6>>{}, 4).kept > 0);
}

/// Source and target in one buffer: compared with a copy through a second buffer, in which they do not overlap.
TEST(CopyProblem, SidesThatMeet) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<float> buffer(std::vector<float>(128 * 64, 2.f));
  auto const at = [&](int offset, auto layout) { return make_tensor(make_gmem_ptr(buffer.data() + offset), layout); };
  char const* const refused = "elements of dst lie where other elements of src do";
  auto const columns = make_layout(make_shape(64, 64));
  auto const rows = make_layout(make_shape(64, 64), make_stride(64, 1));
  EXPECT_SAYS(refused, copy_tensor(at(0, columns), at(0, rows)));
  EXPECT_SAYS(refused, copy_tensor(at(0, make_layout(make_shape(128, 64))),
                                   at(0, make_layout(make_shape(128, 64), make_stride(64, 1)))));
  EXPECT_SAYS(refused, copy_tensor(at(0, make_layout(make_shape(64, 64), make_stride(1, 80))),
                                   at(0, make_layout(make_shape(64, 64), make_stride(80, 1)))));
  EXPECT_SAYS(refused, copy_tensor(at(0, make_layout(4000)), at(1, make_layout(4000))));
  EXPECT_SAYS(refused, copy_tensor(at(1, make_layout(4000)), at(0, make_layout(4000))));
  EXPECT_SAYS(refused, copy_tensor(at(63, make_layout(64, -1)), at(0, make_layout(64))));
  EXPECT_SAYS(refused, copy_tensor(at(3, make_layout(64, 0)), at(0, make_layout(64))));
  auto* const halves = reinterpret_cast<half_t*>(buffer.data());
  EXPECT_SAYS(refused, copy_tensor(at(0, make_layout(4000)), make_tensor(make_gmem_ptr(halves), make_layout(4000))));
  EXPECT_EQ(buffer.download(), std::vector<float>(128 * 64, 2.f));

  auto const host = numbers<float>(128 * 64);
  auto const copied = [&](int from, auto source, int to, auto target) {
    buffer = device_buffer<float>(host);
    copy_tensor(at(from, source), at(to, target));
    auto wanted = host;
    for (int i = 0; i < static_cast<int>(size(source)); ++i)
      wanted[static_cast<std::size_t>(to + target(i))] = host[static_cast<std::size_t>(from + source(i))];
    EXPECT_TRUE(buffer.download() == wanted);
  };
  copied(0, columns, 0, columns);                                      // each element to itself
  copied(0, make_layout(1000, 2), 1, make_layout(1000, 2));            // even to odd elements
  copied(0, make_layout(make_shape(50, 64), make_stride(1, 100)), 50,  // left half to right half
         make_layout(make_shape(50, 64), make_stride(1, 100)));
  copied(0, make_layout(make_shape(50, 40), make_stride(1, 100)), 50,  // the same, transposed
         make_layout(make_shape(50, 40), make_stride(100, 1)));
  copied(0, make_layout(100), 100, make_layout(100));  // side by side
  // The target is in the source's gaps. Windows would read it together with the source.
  copied(0, make_layout(make_shape(3, 9, 50), make_stride(1, 8, 72)), 4,
         make_layout(make_shape(3, 9, 50), make_stride(1, 8, 72)));
  copied(0, make_layout(make_shape(3, 9, 50), make_stride(1, 8, 72)), 4,
         make_layout(make_shape(3, 9, 50), make_stride(1, 400, 8)));
  copied(3, make_layout(2), 2, make_layout(2, 2));  // one element overlaps itself
}

}  // namespace
