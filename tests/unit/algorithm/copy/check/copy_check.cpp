// SPDX-License-Identifier: Apache-2.0
// copy_check returns the first mistake as a class with its sentence. tests/compile_fail reads the sentences.
#include <gtest/gtest.h>
#include <cosmati/algorithm/copy_if.hpp>

#include <type_traits>

using namespace cosmati;

namespace {

template <class T, class L>
using in_global = decltype(make_tensor(make_gmem_ptr(std::declval<T*>()), L{}));
template <class T, class L>
using in_shared = decltype(make_tensor(make_smem_ptr(std::declval<T*>()), L{}));

using by_columns = Layout<Shape<_8, _4>>;
using wide = Copy_Atom<UniversalCopy<uint128_t>, float>;
using plain = detail::copy_by_layout;

template <class How, class Src, class Dst, class Mistake, int bounds = detail::no_bounds>
constexpr bool says = std::is_same_v<typename detail::copy_check<How, Src, Dst, bounds>::says, Mistake>;

using from = in_global<float const, by_columns>;
using to = in_shared<float, by_columns>;
static_assert(says<plain, from, to, detail::nothing_wrong> && says<wide, from, to, detail::nothing_wrong>);
static_assert(says<plain, to, from, detail::destination_is_read_only<float const>>);
// Types: `copy` converts elements, an atom does not.
static_assert(says<plain, from, in_shared<half_t, by_columns>, detail::nothing_wrong>);
static_assert(
    says<wide, from, in_shared<half_t, by_columns>, detail::element_types_differ_in_size<float, half_t, 32, 16>>);
using halves = in_shared<half_t, by_columns>;
static_assert(says<wide, halves, halves, detail::atom_is_of_another_type_size<float, half_t, 32, 16>>);
static_assert(says<Copy_Atom<UniversalCopy<float>, float>, halves, halves,
                   detail::atom_is_of_another_type_size<float, half_t, 32, 16>>);
static_assert(says<Copy_Atom<DefaultCopy, float>, halves, halves, detail::nothing_wrong>);
// Sizes: the sentence names the first mode in which they differ.
static_assert(says<plain, from, in_shared<float, Layout<Shape<_8, _6>>>,
                   detail::source_and_destination_sizes_differ<32, 48, 1, 4, 6>>);
static_assert(
    says<plain, from, in_shared<float, Layout<_16>>, detail::source_and_destination_sizes_differ<32, 16, 0, 8, 16>>);
static_assert(
    says<wide, in_global<float, Layout<_6>>, in_shared<float, Layout<_6>>, detail::values_are_no_whole_vectors<6, 4>>);
// Vectors: the sentence has the mode, the stride, the contiguous values and the needed values. Columns of 10 begin at
// 0, 4, 10, 14, ...
static_assert(says<wide, in_global<float, Layout<Shape<_8, _4>, Stride<_4, _1>>>, to,
                   detail::source_vector_is_not_contiguous<0, 4, 1, 4>>);
static_assert(says<wide, from, in_shared<float, Layout<Shape<_2, _16>, Stride<_1, _3>>>,
                   detail::destination_vector_is_not_contiguous<1, 3, 2, 4>>);
static_assert(says<wide, in_global<float, Layout<Shape<_8, _4>, Stride<_1, Int<10>>>>, to,
                   detail::source_vectors_are_not_aligned<2, 4>>);
// Memory spaces.
using async = Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<float>, float>;
static_assert(says<async, from, to, detail::nothing_wrong>);
static_assert(says<async, to, to, detail::source_is_not_in_global_memory<memory_space::smem>>);
static_assert(
    says<async, from, in_global<float, by_columns>, detail::destination_is_not_in_shared_memory<memory_space::gmem>>);
static_assert(says<plain, from, to, detail::neither_tensor_knows_its_place<false>, 2>);

// The destination of a call: a constant view may be written through, a constant tensor that owns its elements may not.
using fragment = decltype(make_tensor<float>(by_columns{}));
static_assert(detail::copyable<plain, from, to const&> && detail::copyable<plain, from, to>);
static_assert(detail::copyable<plain, from, fragment&> && !detail::copyable<plain, from, fragment const&>);
static_assert(std::is_same_v<detail::mistake_in_copy<plain, from, fragment const&>,
                             detail::destination_is_read_only<float const>>);
static_assert(!detail::copyable_if<plain, bool (*)(int), from, fragment const&>);

// copy_if makes the same checks, and checks its predicates.
template <class L>
using predicates = in_global<bool, L>;
template <class Pred, class Mistake>
constexpr bool says_if = std::is_same_v<typename detail::copy_if_check<plain, Pred, from, to>::says, Mistake>;
static_assert(says_if<predicates<by_columns>, detail::nothing_wrong> && says_if<predicates<_4>, detail::nothing_wrong>);
static_assert(says_if<predicates<Layout<_5>>, detail::predicates_do_not_match<5, 32, 8>>);
static_assert(says_if<predicates<Layout<_2>>, detail::predicates_do_not_match<2, 32, 8>>);

TEST(CopyCheck, IsAnsweredAtCompileTime) { SUCCEED(); }

}  // namespace
