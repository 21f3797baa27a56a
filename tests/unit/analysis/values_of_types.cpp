// SPDX-License-Identifier: Apache-2.0
// Tensors, swizzles and run-time integers of types as values, and the width of `copy` between one thread's tensors.
#include <cosmati/analysis/values_of_types.hpp>

#include <cosmati/analysis/copy_cost.hpp>
#include <cosmati/analysis/words.hpp>
#include <cosmati/tensor/swizzle_pointer.hpp>
#include <cosmati/tiled/tiled_copy.hpp>

#include <gtest/gtest.h>

using namespace cosmati;

namespace {

using rows = Layout<Shape<_64, _64>, Stride<_64, _1>>;
template <class P, class L>
using view = Tensor<ViewEngine<P>, L>;

static_assert(detail::operation_of<Copy_Atom<UniversalCopy<float>, float>>().bits == 32);
static_assert(detail::operation_of<Copy_Atom<DefaultCopy, float>>().means == copy_means::automatic);
static_assert(detail::operation_of<Copy_Atom<DefaultCopy, float>>().trusted_bits == 0);
static_assert(detail::operation_of<Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<double>, float>>().means ==
              copy_means::cp_async);
static_assert(detail::operation_of<Copy_Atom<SM75_U32x2_LDSM_N, half_t>>().matrices == 2);
static_assert(detail::operation_of<Copy_Atom<SM90_U32x4_STSM_N, half_t>>().lowest_sm == 90);

TEST(ValuesOfTypes, Tensors) {
  constexpr auto g = detail::tensor_values_of<view<gmem_ptr<float const*>, rows>>();
  EXPECT_EQ(g.space, memory_space::gmem);
  EXPECT_EQ(g.aligned_bits, 32);
  using array = Tensor<ArrayEngine<float, 16>, Layout<_16>>;
  EXPECT_EQ(detail::tensor_values_of<array>().space, memory_space::rmem);
  constexpr auto s = detail::tensor_values_of<view<smem_ptr<swizzle_ptr<Swizzle<3, 4, 3>, half_t*>>, rows>>();
  EXPECT_EQ(s.space, memory_space::smem);
  EXPECT_EQ(s.address_swizzle, AnySwizzle(3, 4, 3));
  constexpr auto c =
      detail::tensor_values_of<placed_layout<memory_space::smem, decltype(composition(Swizzle<3, 3, 3>{}, rows{}))>>();
  EXPECT_TRUE(c.composed);
  EXPECT_EQ(c.swizzle, AnySwizzle(3, 3, 3));
}

TEST(ValuesOfTypes, ASwizzleOfAddressesCostsWhatOneOfOffsetsDoes) {
  using TC = decltype(make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{}, Layout<Shape<_32, _4>>{},
                                      Layout<Shape<_1, _8>>{}));
  using pointed = view<smem_ptr<swizzle_ptr<Swizzle<3, 4, 3>, half_t*>>, rows>;
  constexpr copy_cost by_pointer = detail::static_copy_cost<TC, pointed, in_registers_t>::value;
  constexpr side_cost by_layout = shared_cost_of(TC{}, composition(Swizzle<3, 3, 3>{}, rows{}));
  EXPECT_EQ(by_pointer.source.bank_conflicts, 0);
  EXPECT_EQ(by_layout.bank_conflicts, 0);
  EXPECT_EQ(by_pointer.source.wavefronts, by_layout.wavefronts);
  EXPECT_GT(shared_cost_of(TC{}, rows{}).bank_conflicts, 0);
}

TEST(ValuesOfTypes, RunTimeIsAsCompileTime) {
  constexpr auto tc = make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Layout<Shape<_32, _8>>{}, Layout<_1>{});
  for (int pitch : {32, 33, 36}) {
    auto const layout = make_layout(make_shape(32, _32{}), make_stride(pitch, _1{}));
    copy_cost const c = copy_cost_of(tc, in_shared(layout), in_registers);
    EXPECT_EQ(c.source.bank_conflicts, pitch == 32 ? 32 * 31 : pitch == 33 ? 0 : 32 * 3);
    auto const swizzled = composition(Swizzle<5, 0, 5>{}, layout);
    if (pitch == 32) {
      EXPECT_EQ(copy_cost_of(tc, in_shared(swizzled), in_registers).source.bank_conflicts, 0);
    }
  }
}

TEST(CopyWidth, OfOneThreadsTensors) {
  using fragment = Tensor<ArrayEngine<float, 8>, Layout<_8>>;
  using eight = Layout<_8>;
  constexpr auto width = [](auto src, auto dst) {
    return detail::static_copy_width<typename decltype(src)::type, typename decltype(dst)::type>::value;
  };
  constexpr std::type_identity<fragment> registers;
  constexpr vector_width w = width(std::type_identity<view<gmem_ptr<float*>, eight>>{}, registers);
  EXPECT_EQ(w.bits, 32);
  EXPECT_EQ(words_of(w, 32),
            "the alignment of 4 bytes that the pointer of the source proves allows no wider access; write "
            "assume_aligned<16>(pointer) if it is aligned");
  constexpr vector_width a = width(std::type_identity<view<gmem_ptr<aligned_ptr<16, float*>>, eight>>{}, registers);
  EXPECT_EQ(a.bits, 128);
  constexpr vector_width three = width(
      std::type_identity<view<gmem_ptr<aligned_ptr<16, float*>>, Layout<Shape<_2, _4>, Stride<_1, _3>>>>{}, registers);
  EXPECT_EQ(three.bits, 32);
  EXPECT_EQ(words_of(three, 32), "in the source vectors of 2 values would start at multiples of 3 elements");
  constexpr vector_width strided =
      width(std::type_identity<view<gmem_ptr<aligned_ptr<16, float*>>, Layout<_8, _3>>>{}, registers);
  EXPECT_EQ(words_of(strided, 32), "in the source value 1 of a thread lies 3 elements from value 0, not 1");
}

}  // namespace
