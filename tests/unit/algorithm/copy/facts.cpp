// SPDX-License-Identifier: Apache-2.0
// Sizes of tensors and values of atoms, as constants of their types.
#include <gtest/gtest.h>
#include <cosmati/algorithm/copy/facts.hpp>
#include <cosmati/atom/copy_atom.hpp>
#include <cosmati/atom/ldmatrix.hpp>
#include <cosmati/tensor/swizzle_pointer.hpp>

using namespace cosmati;

namespace {

static_assert(detail::static_size<C<(std::int64_t{1} << 32) + 8>>::value == 0);  // too large for the bound of a loop
                                                                                 // over int
static_assert(detail::static_size<_8>::value == 8 && detail::static_size<int>::value == 0);

template <class T, class L>
using in_global = decltype(make_tensor(make_gmem_ptr(std::declval<T*>()), L{}));
using known = in_global<float, Layout<Shape<_4, _6>>>;
using unknown = in_global<float, Layout<Shape<int, _6>>>;
static_assert(detail::static_elements<known, unknown> == 24 && detail::static_elements<unknown, known> == 24);
static_assert(detail::static_elements<unknown, unknown> == 0);

static_assert(detail::bytes_of_element<known, known> == 4);
static_assert(detail::bytes_of_element<known, in_global<int, Layout<_24>>> == 0);  // the elements are converted
static_assert(detail::bytes_of_element<in_global<uint4_t, Layout<_8>>, in_global<uint4_t, Layout<_8>>> == 0);

// A swizzled pointer ends contiguous runs: Swizzle<2,3,3> keeps 8 bytes together.
using behind_a_swizzle =
    decltype(make_tensor(make_swizzle_ptr(std::declval<half_t*>(), Swizzle<2, 3, 3>{}), Layout<_64>{}));
static_assert(detail::run_of<in_global<half_t, Layout<_64>>> == 64 && detail::run_of<behind_a_swizzle> == 4);
static_assert(detail::bytes_in_common<known, known> == 96);
static_assert(detail::bytes_in_common<known, in_global<float, Layout<Shape<_4, _6>, Stride<_1, _8>>>> == 16);

// Values that are contiguous for an atom: 8 half_t are 16 bytes; ldmatrix gives pairs to registers.
using wide = detail::atom_vectors<Copy_Atom<UniversalCopy<uint128_t>, half_t>>;
static_assert(wide::source == 8 && wide::destination == 8 && wide::source_run == 8 && !wide::source_in_registers);
using policy = detail::atom_vectors<Copy_Atom<AutoVectorizingCopy, half_t>>;
static_assert(policy::source == 1 && policy::destination == 1);
using matrices = detail::atom_vectors<Copy_Atom<SM75_U32x4_LDSM_N, half_t>>;
static_assert(matrices::source == 8 && matrices::source_run == 8 && !matrices::source_in_registers);
static_assert(matrices::destination == 8 && matrices::destination_run == 2 && matrices::destination_in_registers);

TEST(Facts, AConstantViewIsWrittenThroughACopy) {
  float x[2] = {};
  auto const view = make_tensor(&x[0], Layout<_2>{});
  auto mine = make_tensor<float>(Layout<_2>{});
  auto&& to = detail::writable(view);
  to(0) = 1.f;
  EXPECT_EQ(x[0], 1.f);
  EXPECT_EQ(&detail::writable(mine), &mine);  // a tensor that owns its elements is not copied
}

}  // namespace
