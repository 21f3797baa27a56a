// SPDX-License-Identifier: Apache-2.0
// prefetch: asks for every line of 128 bytes that a tensor of global memory touches, and for no other; changes nothing.
#include <gtest/gtest.h>
#include <cosmati/algorithm/prefetch.hpp>
#include <cosmati/atom/copy_atom.hpp>

#include <set>

using namespace cosmati;

namespace {

TEST(Prefetch, ChangesNothing) {
  float data[4] = {1, 2, 3, 4};
  prefetch(make_tensor(make_gmem_ptr(&data[0]), Layout<_4>{}));
  prefetch(Copy_Atom<DefaultCopy, float>{}, make_tensor(make_gmem_ptr(&data[0]), Layout<_4>{}));
  cooperative_prefetch<32>(3, make_tensor(make_gmem_ptr(&data[0]), Layout<_4>{}));
  // Of shared memory there is nothing to ask for.
  prefetch(make_tensor(make_smem_ptr(&data[0]), Layout<_4>{}));
  EXPECT_EQ(data[3], 4);
}
/// Every line that the tensor touches is asked for, no other one, and by `threads` threads as by one.
template <class Layout>
void check_prefetched(Layout const& layout, int first, std::size_t at_most) {
  alignas(128) static float data[4096];
  auto t = make_tensor(make_gmem_ptr(&data[first]), layout);
  auto const line = [](void const* p) {
    return (reinterpret_cast<std::uintptr_t>(p) - reinterpret_cast<std::uintptr_t>(&data[0])) / 128;
  };
  std::set<std::uintptr_t> wanted, got, together;
  std::size_t count = 0;
  for (int i = 0; i < size(t); ++i) wanted.insert(line(&t(i)));
  detail::for_each_prefetch(t, 0, 1, [&](float const* p) { got.insert(line(p)), ++count; });
  for (int thread = 0; thread < 32; ++thread)
    detail::for_each_prefetch(t, thread, 32, [&](float const* p) { together.insert(line(p)); });
  EXPECT_EQ(got, wanted);
  EXPECT_EQ(together, wanted);
  EXPECT_LE(count, at_most);
}
TEST(Prefetch, EveryLineOfATensor) {
  check_prefetched(Layout<_4>{}, 0, 1);
  check_prefetched(Layout<_32>{}, 0, 2);
  check_prefetched(Layout<_32>{}, 5, 2);
  check_prefetched(Layout<Int<100>>{}, 3, 5);
  check_prefetched(Layout<Int<1024>>{}, 0, 33);
  check_prefetched(Layout<Shape<_8, _32>, Stride<Int<100>, _1>>{}, 4, 256);
  check_prefetched(Layout<Shape<_32, _8>, Stride<_1, Int<100>>>{}, 4, 16);
  check_prefetched(Layout<Shape<_4, _8>, Stride<_1, Int<100>>>{}, 4, 8);
  check_prefetched(make_layout(make_shape(7, 5), make_stride(1, 9)), 0, 35);
  check_prefetched(make_layout(make_shape(Int<40>{}, 5), make_stride(_1{}, 200)), 7, 15);
}

}  // namespace
