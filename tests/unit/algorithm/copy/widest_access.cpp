// SPDX-License-Identifier: Apache-2.0
// The width of a copy: the bytes of an access, computed by hand from strides, swizzles and alignment.
#include <gtest/gtest.h>
#include <cosmati/algorithm/copy.hpp>
#include <cosmati/layout/composed_layout.hpp>

#include <type_traits>

using namespace cosmati;

namespace {

template <class T, class L>
using in_global = decltype(make_tensor(make_gmem_ptr(std::declval<T*>()), L{}));
template <class T, class L>
using in_shared = decltype(make_tensor(make_smem_ptr(std::declval<T*>()), L{}));
template <class T, class L>
using fragment = decltype(make_tensor<T>(L{}));

template <class Src, class Dst, int max_bits = 128, int trusted = 0>
constexpr int bytes = detail::widest_access<max_bits, trusted, Src, Dst>::bytes;
template <class T, class L1, class L2 = L1, int max_bits = 128>
constexpr int between = bytes<in_global<T, L1>, in_shared<T, L2>, max_bits>;

using columns = Layout<Shape<_16, _8>>;
using rows = Layout<Shape<_16, _8>, Stride<_8, _1>>;

// 16 contiguous elements of each column, up to 16 bytes at once.
static_assert(between<float, columns> == 16 && between<half_t, columns> == 16 && between<double, columns> == 16);
static_assert(between<float, columns, columns, 64> == 8 && between<float, columns, columns, 32> == 4);
// Elements of a row are 8 apart, so an access has one element.
static_assert(between<float, rows, columns> == 4 && between<half_t, rows, columns> == 2);
// Columns begin at multiples of 18, 17 and 20 floats, so vectors have 2, 1 and 4 elements.
static_assert(between<float, Layout<Shape<_16, _8>, Stride<_1, Int<18>>>> == 8);
static_assert(between<float, Layout<Shape<_16, _8>, Stride<_1, Int<17>>>> == 4);
static_assert(between<float, columns, Layout<Shape<_16, _8>, Stride<_1, Int<20>>>> == 16);
// 12 contiguous elements hold whole vectors of 4; 6 hold vectors of 2.
static_assert(between<float, Layout<Shape<Int<12>, _8>, Stride<_1, _16>>> == 16);
static_assert(between<float, Layout<Shape<_6, _8>, Stride<_1, _16>>> == 8);
// A swizzle keeps 2^M elements together.
template <int M>
using swizzled = decltype(composition(Swizzle<2, M, 3>{}, columns{}));
static_assert(between<float, swizzled<1>> == 8 && between<float, swizzled<2>> == 16 &&
              between<half_t, swizzled<2>> == 8);
// Packed elements: 32 elements of 4 bits are 16 bytes. One element is less than an access, and C++ assigns it.
static_assert(between<uint4_t, Layout<_64>> == 16 && between<uint4_t, Layout<_2>> == 1);
static_assert(between<uint4_t, Layout<_64, _2>> == 0);
// Elements of 3, 5, 6, 12 and 24 bytes: no power of two of them is 2, 4, 8 or 16 bytes, and C++ assigns each.
template <int n>
struct bytes_together {
  unsigned char byte[n];
};
template <int n>
constexpr int between_elements = between<bytes_together<n>, Layout<_64>>;
static_assert(between_elements<3> == 0 && between_elements<5> == 0 && between_elements<6> == 0);
static_assert(between_elements<12> == 0 && between_elements<24> == 0);
static_assert(between_elements<2> == 16 && between_elements<8> == 16 && between_elements<16> == 16);
// Other types are converted, one element after the other.
static_assert(bytes<in_global<float, columns>, in_shared<half_t, columns>> == 0);
static_assert(bytes<in_global<float, columns>, in_shared<int, columns>> == 0);

// Fragments own their elements, and are accessed as wide as memory.
static_assert(bytes<in_global<float, Layout<_8>>, fragment<float, Layout<_8>>> == 16);
static_assert(bytes<in_shared<half_t, Layout<_4>>, fragment<half_t, Layout<_4>>> == 8);
static_assert(bytes<fragment<half_t, Layout<_4>>, in_shared<half_t, Layout<_4>>> == 8);
static_assert(bytes<fragment<float, Layout<_8>>, fragment<float, Layout<_8>>> == 16);

// Strides that are known at run time prove nothing, unless they are trusted to be multiples of 16 bytes.
using by_stride = Layout<Shape<_16, _8>, Stride<_1, int>>;
static_assert(bytes<in_global<float, by_stride>, in_shared<float, columns>> == 4);
static_assert(bytes<in_global<float, by_stride>, in_shared<float, columns>, 128, 128> == 16);
static_assert(bytes<in_global<float, by_stride>, in_shared<float, columns>, 128, 64> == 8);

// For layouts that differ in order, the width is computed in the order that they share.
static_assert(!detail::has_another_order<in_global<float, columns>, in_shared<float, columns>>);
static_assert(detail::has_another_order<in_global<float, rows>, in_shared<float, rows>>);
static_assert(detail::has_another_order<in_global<float, columns>, in_shared<float, rows>>);
static_assert(!detail::has_another_order<in_global<float, by_stride>, in_shared<float, columns>>);

TEST(WidestAccess, TheLongestVectorsComeFirst) {
  float memory[128] = {};
  auto const t = make_tensor(make_gmem_ptr(&memory[0]), rows{});
  using Side = std::remove_cvref_t<decltype(t)>;
  auto const first = detail::common_vector_first<Side, Side>(t);
  for (int i = 0; i < 128; ++i) EXPECT_EQ(&first(i) - &memory[0], i);
}

TEST(WidestAccess, AssumptionsOfThePolicies) {
  EXPECT_EQ(detail::trusted_bits<128>, 128);
  EXPECT_EQ(detail::trusted_bits<16>, 16);
  EXPECT_EQ(detail::trusted_bits<8>, 0);  // DefaultCopy
}

}  // namespace
