// SPDX-License-Identifier: Apache-2.0
// Names and forms of CuTe's that programs use now and then, each with a value that is counted by hand.
#include <cute/tensor.hpp>

#include <gtest/gtest.h>

#include <cutlass/array.h>
#include <cutlass/fast_math.h>
#include <cutlass/numeric_types.h>
#include <cmath>
#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/launch.hpp>
#include <cute/arch/cluster_sm90.hpp>
#include <string>
#include <vector>

using namespace cute;

namespace {

TEST(CuteForms, TruthValuesArePackedByBits) {
  array_subbyte<bool, 11> bits{};
  static_assert(sizeof(bits) == 2 && std::is_same_v<decltype(bits)::value_type, bool>);
  bits[9] = true;
  get<0>(bits) = true;
  int set = 0;
  for (bool const bit : bits) set += bit ? 1 : 0;
  EXPECT_EQ(set, 2);
  EXPECT_EQ(bits.storage[0], 1);
  EXPECT_EQ(bits.storage[1], 2);
  bool const ninth = bits[9], tenth = bits[10];
  EXPECT_TRUE(ninth && !tenth);
  fill(bits, true);
  EXPECT_EQ(bits.storage[0], 255);
  EXPECT_TRUE(static_cast<bool>(bits.back()));
}

TEST(CuteForms, EmptyElementsTakeNoPlace) {
  static_assert(sizeof(eso::ESO_t<_1, int, _3>) == sizeof(int));
  eso::ESO_t<_1, int> const pair(_1{}, 7);
  EXPECT_EQ(eso::getv_cr<1>(pair), 7);
  static_assert(eso::getv_cr<0>(eso::ESO_t<_5, _6>{}) == 5);
}

TEST(CuteForms, SparsePointersCountTheElementsThatAreStoredCompressed) {
  sparse_elem<2, uint8_t> const elements[4] = {sparse_elem<2, uint8_t>{10}, sparse_elem<2, uint8_t>{11},
                                               sparse_elem<2, uint8_t>{12}, sparse_elem<2, uint8_t>{13}};
  auto const p = make_sparse_ptr<2>(&elements[0]);
  static_assert(is_sparse_ptr<decltype(p)>::value && !is_sparse_ptr<float*>::value);
  EXPECT_EQ(p[5].elem_, 12);  // elements 4 and 5 share the third
  EXPECT_EQ((*(p + 6)).elem_, 13);
  static_assert(std::is_same_v<decltype(make_sparse_ptr<1>(&elements[0])), sparse_elem<2, uint8_t> const*>);
}

TEST(CuteForms, TensorMemoryIsAddressedByColumnsOf32Bits) {
  auto const words = make_tmem_ptr<float>(8);
  EXPECT_EQ((words + 3).get(), 11u);
  auto const halves = recast_ptr<half_t>(words);
  EXPECT_EQ((halves + 6).get(), 11u);
  EXPECT_EQ((halves + 7).get(), 11u + 0x80000000u);  // the odd half of the same column, in the highest bit
  static_assert(is_tmem<decltype(halves)>::value && !is_tmem_v<float*>);
}

/// The flag keeps a swizzle of bytes until the pointer comes.
TEST(CuteForms, SwizzledLayoutsWaitForTheirPointer) {
  alignas(1024) static half_t memory[8 * 64];
  auto const flagged =
      composition(Swizzle<3, 4, 3>{}, smem_ptr_flag_bits<16>{}, Layout<Shape<_8, _64>, Stride<_64, _1>>{});
  auto const tensor = make_tensor(make_smem_ptr(&memory[0]), flagged);
  auto const plain = make_tensor(make_smem_ptr(&memory[0]), as_position_independent_swizzle_layout(flagged));
  for (int row = 0; row < 8; ++row) {
    for (int column = 0; column < 64; ++column) {
      // Bits 4 to 6 of the byte's number, xor bits 7 to 9: the row.
      int const byte = 2 * (64 * row + column);
      int const moved = byte ^ ((byte >> 3) & 0x70);
      EXPECT_EQ(&tensor(row, column), &memory[moved / 2]);
      EXPECT_EQ(&plain(row, column), &memory[moved / 2]);
    }
  }
  auto const bytes = downcast<2>(flagged);
  EXPECT_EQ(size(bytes), 1024);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(bytes.offset())>, smem_ptr_flag_bits<8>>);
}

TEST(CuteForms, AFilteredCopyWritesEachPlaceOnce) {
  float from[4] = {1, 2, 3, 4}, to[2] = {};
  auto const source = make_tensor(&from[0], Layout<Shape<_2, _2>, Stride<_1, _0>>{});
  auto repeated = make_tensor(&to[0], Layout<Shape<_2, _2>, Stride<_1, _0>>{});
  AutoVectorizingCopyWithAssumedAlignment<32> const base;
  copy(AutoFilter(base), source, repeated);
  EXPECT_EQ(to[0], 1.0f);
  EXPECT_EQ(to[1], 2.0f);
}

TEST(CuteForms, OneVectorByItsTraitsAndByItsAtom) {
  float from[4] = {1, 2, 3, 4}, to[4] = {};
  auto const source = make_tensor(&from[0], Layout<_4>{});
  auto target = make_tensor(&to[0], Layout<_4>{});
  copy_unpack(Copy_Traits<UniversalCopy<uint128_t>>{}, source, target);
  EXPECT_EQ(to[3], 4.0f);
  Copy_Atom<UniversalCopy<float>, float> const one;
  one.call(make_tensor(&from[3], Layout<_1>{}), make_tensor(&to[0], Layout<_1>{}));
  EXPECT_EQ(to[0], 4.0f);
  bool const no[1] = {false};
  one.call(make_tensor(&no[0], Layout<_1>{}), make_tensor(&from[0], Layout<_1>{}), make_tensor(&to[0], Layout<_1>{}));
  EXPECT_EQ(to[0], 4.0f);
  static_assert(std::is_same_v<CPY_Op<Copy_Traits<UniversalCopy<float>>>::type, UniversalCopy<float>>);

  auto a = make_tensor<float>(_1{}), b = make_tensor<float>(_1{}), c = make_tensor<float>(_1{});
  a(0) = 3, b(0) = 5, c(0) = 2;
  mma_unpack(MMA_Traits<UniversalFMA<float>>{}, c, a, b, c);
  EXPECT_EQ(c(0), 17.0f);
  static_assert(std::is_same_v<MMA_Op<MMA_Traits<UniversalFMA<float>>>::type, UniversalFMA<float>>);
}

/// Puts four digits together.
struct digits {
  int* sum;
  CUTE_HOST_DEVICE void operator()(int p, int q, int r, int s) const { *sum = 1000 * p + 100 * q + 10 * r + s; }
  CUTE_HOST_DEVICE void operator()(int p, int q) const { *sum = p - q; }
};
TEST(CuteForms, CallsWithTheElementsOfArrays) {
  int const a[2] = {1, 2}, b[3] = {3, 4, 5};
  int sum = 0;
  detail::explode(digits{&sum}, a, make_int_sequence<2>{}, b, int_sequence<2, 0>{});
  EXPECT_EQ(sum, 1253);
  detail::explode_tuple(digits{&sum}, make_tuple(9, 4), make_int_sequence<2>{});
  EXPECT_EQ(sum, 5);
}

TEST(CuteForms, TheProductIsGivenToOtherFunctions) {
  static_assert(transform(make_shape(make_shape(_2{}, _3{}), _4{}), Product{}) == make_shape(_6{}, _4{}));
  Product const f;
  EXPECT_EQ(f(make_shape(2, make_shape(3, 4))), 24);
  EXPECT_EQ(product(dim3(2, 3, 4)), 24u);
}

TEST(CuteForms, TraitsAreStaticIntegers) {
  static_assert(std::is_same_v<decltype(not is_constant<1, _2>{}), true_type>);
  static_assert(std::is_same_v<decltype(is_static<_1>{} && !is_tuple<_1>{}), true_type>);
  auto const place =
      find_if(make_tuple(_1{}, make_tuple(5, 6)), [](auto x) { return not is_constant<1, decltype(x)>{}; });
  static_assert(decltype(place)::value == 1);
}

struct swizzled_sizes {
  static constexpr int elements = cosize(composition(Swizzle<3, 3, 3>{}, Layout<Shape<_8, _64>, Stride<_64, _1>>{}));
};
TEST(CuteForms, ExtentsOfLayouts) {
  static_assert(decltype(cosize(composition(Swizzle<3, 3, 3>{}, Layout<Shape<_8, _64>, Stride<_64, _1>>{})))::value ==
                512);
  static_assert(swizzled_sizes::elements == 512);
  EXPECT_EQ(size(ceil_div(make_layout(make_shape(10, 6)), Layout<_4>{})), 18);  // 3 along 10, times 6
  EXPECT_TRUE(compatible(make_layout(16), make_layout(make_shape(4, 4))));
  EXPECT_FALSE(compatible(make_layout(15), make_layout(make_shape(4, 4))));
  static_assert(filter_zeros(make_stride(_0{}, _5{})) == make_stride(_1{}, _5{}));
  EXPECT_TRUE(compact_order(make_shape(2, 3), GenRowMajor{}) == make_stride(3, _1{}));
  EXPECT_TRUE(compact_order(make_shape(2, 3), GenColMajor{}) == make_stride(_1{}, 2));
  static_assert(std::is_same_v<decltype(right_inverse(_)), Underscore>);
  EXPECT_EQ(make_tensor(counting_iterator<int>(3), make_shape(4))(2), 5);
}

TEST(CuteForms, ElementsInColumns) {
  testing::internal::CaptureStdout();
  pretty_print(7), pretty_print(true), pretty_print(1.5f), pretty_print(half_t(2)), pretty_print(array<int, 2>{3, 4});
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "    7  1  1.50e+00    2.00  (3,4)");
}

TEST(CuteForms, AHalfTakesNumbers) {
  half_t x;
  x = 1.5f;
  EXPECT_EQ(static_cast<float>(x), 1.5f);
  x = 3;
  EXPECT_EQ(static_cast<float>(x), 3.0f);
  static_assert(!std::is_convertible_v<float, half_t> && !std::is_assignable_v<bfloat16_t&, float>);
}

TEST(CuteForms, FastFunctions) {
  EXPECT_FLOAT_EQ(cutlass::fast_tanh(0.5f), std::tanh(0.5f));
  EXPECT_FLOAT_EQ(cutlass::fast_exp(1.0f), std::exp(1.0f));
  EXPECT_EQ(cutlass::fast_max(2, 3), 3);
}

/// A permutation of fewer elements than the atoms take permutes each such group alike: 16 of 32 along M, 1 of 16 along
/// N.
TEST(CuteForms, PermutationsSmallerThanTheAtomsCoverTheTile) {
  auto const mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2, _2, _1>>{}, Tile<_16, _1, _16>{});
  EXPECT_EQ(tile_size<0>(mma), 32);
  EXPECT_EQ(tile_size<1>(mma), 16);
  std::vector<int> owners(64 * 32);
  auto const tile = make_identity_tensor(Shape<_64, _32>{});
  for (int thread = 0; thread < 128; ++thread) {
    auto const part = mma.get_slice(thread).partition_C(tile);
    for (int i = 0; i < size(part); ++i) ++owners[static_cast<std::size_t>(get<0>(part(i)) * 32 + get<1>(part(i)))];
  }
  for (int const count : owners) EXPECT_EQ(count, 1);
}

/// Below sm_90 and on the simulated device a block is a cluster of its own.
__global__ static void clusters(unsigned* out) {
  __shared__ unsigned shared[64];
  shared[threadIdx.x] = threadIdx.x;
  cluster_sync();
  out[threadIdx.x] = shared[63 - threadIdx.x] + 100 * block_rank_in_cluster() + 1000 * cluster_shape().x;
}
TEST(CuteForms, ABlockIsAClusterOfItsOwn) {
  cosmati::device_buffer<unsigned> out(std::vector<unsigned>(64));
  cosmati::launch(clusters, {.grid = 1, .block = 64}, out.data());
  for (unsigned i = 0; i < 64; ++i) EXPECT_EQ(out.download()[i], 1063 - i);
}

/// A cp.async atom whose destination is a thread's own memory: the values are there at once.
__global__ static void load_by_async_atom(float const* in, float* out) {
  auto tiled = make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, float>{}, Layout<_32>{}, Layout<_4>{});
  auto thread = tiled.get_slice(threadIdx.x);
  auto const source = thread.partition_S(make_tensor(make_gmem_ptr(in), Layout<_256>{}));
  auto held = make_fragment_like(source);
  copy(tiled, source, held);
  copy(held, thread.partition_D(make_tensor(make_gmem_ptr(out), Layout<_256>{})));
}
TEST(CuteForms, AnAsynchronousCopyIntoRegistersIsALoad) {
  std::vector<float> host(256);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(i);
  cosmati::device_buffer<float> in(host), out(host.size());
  cosmati::launch(load_by_async_atom, {.grid = 1, .block = 32}, in.data(), out.data());
  EXPECT_EQ(out.download(), host);
}

/// Strides that the program learns when it runs: rows of 24 elements, 40 apart.
__global__ static void tile_of_unknown_distance(float const* in, float* out, int ld) {
  __shared__ float memory[16 * 24];
  Tensor source = make_tensor(make_gmem_ptr(in), make_layout(Shape<_16, Int<24>>{}, make_stride(ld, 1)));
  Tensor target = make_tensor(make_gmem_ptr(out), make_layout(Shape<_16, Int<24>>{}, make_stride(ld, _1{})));
  Tensor staged = make_tensor(make_smem_ptr(&memory[0]), Layout<Shape<_16, Int<24>>, Stride<Int<24>, _1>>{});
  cooperative_copy<64>(threadIdx.x, source, staged);
  __syncthreads();
  cooperative_copy<64, 64>(threadIdx.x, staged, target);
}
TEST(CuteForms, CooperativeCopiesOfRunTimeStrides) {
  std::vector<float> host(16 * 40), expected(16 * 40);
  for (std::size_t i = 0; i < host.size(); ++i) {
    host[i] = static_cast<float>(i + 1);
    if (i % 40 < 24) expected[i] = host[i];
  }
  cosmati::device_buffer<float> in(host), out(std::vector<float>(16 * 40));
  cosmati::launch(tile_of_unknown_distance, {.grid = 1, .block = 64}, in.data(), out.data(), 40);
  EXPECT_EQ(out.download(), expected);
}

/// A policy as an atom converts, as the policy does.
TEST(CuteForms, AtomsThatChooseTheirWidthConvert) {
  half_t from[8];
  float to[8] = {};
  for (int i = 0; i < 8; ++i) from[i] = half_t(static_cast<float>(i) / 2);
  copy(Copy_Atom<DefaultCopy, float>{}, make_tensor(&from[0], Layout<_8>{}), make_tensor(&to[0], Layout<_8>{}));
  for (int i = 0; i < 8; ++i) EXPECT_EQ(to[i], static_cast<float>(i) / 2);
}

TEST(CuteForms, TensorsOfTuples) {
  float a[4] = {1, 2, 3, 4};
  int b[4] = {5, 6, 7, 8};
  auto const both = make_zip_tensor(make_tensor(&a[0], Layout<_4>{}), make_tensor(&b[0], Layout<_4>{}));
  EXPECT_EQ(get<0>(both(2)), 3.0f);
  EXPECT_EQ(get<1>(both(2)), 7);
  auto const [first, second] = unzip_tensor(both);
  EXPECT_EQ(first(1), 2.0f);
  EXPECT_EQ(second(3), 8);
}

}  // namespace
