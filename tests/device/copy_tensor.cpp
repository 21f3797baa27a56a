// SPDX-License-Identifier: Apache-2.0
// copy_tensor: every kind of pair of tensors, and random ones against a loop over the elements. More of these with
// COSMATI_RANDOM_COPIES=N.
#include "random_copies.hpp"
#include "require_device.hpp"

using namespace cosmati;
using namespace random_copies;

namespace {

template <class T>
std::vector<T> numbers(std::size_t n) {
  std::vector<T> v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<T>(i * 7 + 1);
  return v;
}

TEST(CopyTensor, RandomPairs) {
  COSMATI_REQUIRE_DEVICE();
  char const* const wanted = std::getenv("COSMATI_RANDOM_COPIES");
  int const count = wanted != nullptr ? std::atoi(wanted) : 200;
  for (int n = 0; n < count && !HasFailure(); ++n) {
    SCOPED_TRACE("problem number " + std::to_string(n));
    std::mt19937 random(static_cast<unsigned>(n));
    strides s(static_cast<unsigned>(n) + 77);
    int const element_bytes = 1 << s.below(5);
    copy_problem const p = s.problem(element_bytes, s.one_in(8) ? 100000 : 4000);
    // An address may be less aligned than the element: two complex numbers of 8 bytes are one element of 16.
    auto const shift = static_cast<std::size_t>(s.one_in(4) ? 1 << s.below(5) : element_bytes * s.below(4));
    auto const other = static_cast<std::size_t>(s.one_in(4) ? 1 << s.below(5) : element_bytes * s.below(4));
    expect_copied(p, shift, other, s.one_in(2) ? 0 : s.below(copy_plans_kept), random);
  }
}

TEST(CopyTensor, StaticAndHierarchicalLayouts) {
  COSMATI_REQUIRE_DEVICE();
  auto const host = numbers<float>(24 * 10);
  device_buffer<float> in(host), out(host.size());
  out.clear();
  auto const src = make_tensor(make_gmem_ptr(in.data()), make_layout(make_shape(_24{}, 10), make_stride(10, _1{})));
  // The same 24 x 10, the first mode as 4 x 6.
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
/// Rows of `columns` elements, converted, and the same transposed.
template <class From, class To>
void expect_converted(int columns, int gap) {
  int const rows = 9, pitch = columns + gap;
  std::vector<From> host(static_cast<std::size_t>(rows * pitch));
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<From>(static_cast<float>(i % 120) + 0.25f);
  device_buffer<From> in(host);
  device_buffer<To> out(static_cast<std::size_t>(rows * pitch));
  out.clear();
  auto const src = make_tensor(make_gmem_ptr(in.data()), make_layout(make_shape(rows, columns), make_stride(pitch, 1)));
  for (bool const transposed : {false, true}) {
    auto const dst =
        make_tensor(make_gmem_ptr(out.data()),
                    make_layout(make_shape(rows, columns), transposed ? make_stride(1, rows) : make_stride(pitch, 1)));
    copy_tensor(src, dst);
    auto const got = out.download();
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < columns; ++j) {
        auto const at = static_cast<std::size_t>(transposed ? i + rows * j : pitch * i + j);
        ASSERT_TRUE(got[at] == static_cast<To>(host[static_cast<std::size_t>(pitch * i + j)])) << i << ' ' << j;
      }
    }
  }
}
TEST(CopyTensor, Converts) {
  COSMATI_REQUIRE_DEVICE();
  for (int columns : {64, 61}) {
    expect_converted<float, bfloat16_t>(columns, 0);
    expect_converted<bfloat16_t, float>(columns, 3);
    expect_converted<float, half_t>(columns, 0);
    expect_converted<half_t, float>(columns, 1);
    expect_converted<float, float_e4m3_t>(columns, 0);
    expect_converted<float_e5m2_t, half_t>(columns, 0);
    expect_converted<std::int32_t, float>(columns, 0);
    expect_converted<double, std::int8_t>(columns, 0);
    expect_converted<std::uint8_t, std::int64_t>(columns, 0);
  }
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

}  // namespace
