// SPDX-License-Identifier: Apache-2.0
// What CuTe's documentation says of layouts, their algebra, tensors and predicates: the same calls, and the same text.
#include <cute/tensor.hpp>

#include <gtest/gtest.h>

#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/launch.hpp>
#include <string>
#include <vector>

using namespace cute;

namespace {

template <class T>
std::string text(T const& x) {
  testing::internal::CaptureStdout();
  print(x);
  return testing::internal::GetCapturedStdout();
}

TEST(CuteDocumented, LayoutsThatAreMade) {
  auto const nested = make_layout(make_shape(2, make_shape(2, 2)), make_stride(4, make_stride(2, 1)));
  EXPECT_EQ(text(make_layout(Int<8>{})), "_8:_1");
  EXPECT_EQ(text(make_layout(8)), "8:_1");
  EXPECT_EQ(text(make_layout(make_shape(Int<2>{}, Int<4>{}))), "(_2,_4):(_1,_2)");
  EXPECT_EQ(text(make_layout(make_shape(Int<2>{}, 4))), "(_2,4):(_1,_2)");
  EXPECT_EQ(text(make_layout(make_shape(Int<2>{}, 4), make_stride(Int<12>{}, Int<1>{}))), "(_2,4):(_12,_1)");
  EXPECT_EQ(text(make_layout(make_shape(Int<2>{}, 4), LayoutRight{})), "(_2,4):(4,_1)");
  EXPECT_EQ(text(nested), "(2,(2,2)):(4,(2,1))");
  EXPECT_EQ(text(make_layout(shape(nested), LayoutLeft{})), "(2,(2,2)):(_1,(2,4))");
}

TEST(CuteDocumented, Coordinates) {
  auto const shape = Shape<_3, Shape<_2, _3>>{};
  auto const stride = Stride<_3, Stride<_12, _1>>{};
  EXPECT_EQ(text(idx2crd(16, shape)), "(1,(1,2))");
  EXPECT_EQ(text(idx2crd(_16{}, shape)), "(_1,(_1,_2))");
  EXPECT_EQ(text(idx2crd(make_coord(1, 5), shape)), "(1,(1,2))");
  EXPECT_EQ(text(idx2crd(make_coord(_1{}, 5), shape)), "(_1,(1,2))");
  EXPECT_EQ(text(idx2crd(make_coord(_1{}, make_coord(1, _2{})), shape)), "(_1,(1,_2))");
  EXPECT_EQ(text(crd2idx(16, shape, stride)), "17");
  EXPECT_EQ(text(crd2idx(_16{}, shape, stride)), "_17");
  EXPECT_EQ(text(crd2idx(make_coord(1, 5), shape, stride)), "17");
  EXPECT_EQ(text(crd2idx(make_coord(_1{}, _5{}), shape, stride)), "_17");
  EXPECT_EQ(text(crd2idx(make_coord(_1{}, make_coord(_1{}, _2{})), shape, stride)), "_17");
}

TEST(CuteDocumented, PartsOfLayouts) {
  auto const a = Layout<Shape<_4, Shape<_3, _6>>>{};
  EXPECT_EQ(text(a), "(_4,(_3,_6)):(_1,(_4,_12))");
  EXPECT_EQ(text(layout<1>(a)), "(_3,_6):(_4,_12)");
  EXPECT_EQ(text(layout<1, 1>(a)), "_6:_12");
  auto const b = Layout<Shape<_2, _3, _5, _7>>{};
  EXPECT_EQ(text(select<1, 3>(b)), "(_3,_7):(_2,_30)");
  EXPECT_EQ(text(select<2>(b)), "(_5):(_6)");
  EXPECT_EQ(text(take<1, 4>(b)), "(_3,_5,_7):(_2,_6,_30)");
  auto const grouped = group<1, 3>(group<0, 2>(b));
  EXPECT_EQ(text(grouped), "((_2,_3),(_5,_7)):((_1,_2),(_6,_30))");
  EXPECT_EQ(text(flatten(grouped)), "(_2,_3,_5,_7):(_1,_2,_6,_30)");
  auto const three = Layout<_3, _1>{};
  auto const four = Layout<_4, _3>{};
  auto const both = append(three, four);
  EXPECT_EQ(text(both), "(_3,_4):(_1,_3)");
  EXPECT_EQ(text(prepend(three, four)), "(_4,_3):(_3,_1)");
  EXPECT_EQ(text(append(both, both)), "(_3,_4,(_3,_4)):(_1,_3,(_1,_3))");
  EXPECT_EQ(text(replace<2>(append(both, both), four)), "(_3,_4,_4):(_1,_3,_3)");
  EXPECT_EQ(text(make_layout(make_layout(three))), "((_3)):((_1))");
}

TEST(CuteDocumented, TheAlgebra) {
  auto const a = Layout<Shape<_2, Shape<_1, _6>>, Stride<_1, Stride<_6, _2>>>{};
  EXPECT_EQ(text(coalesce(a)), "_12:_1");
  EXPECT_EQ(text(coalesce(a, Step<_1, _1>{})), "(_2,_6):(_1,_2)");
  // 20:2 o (5,4):(4,1), and (10,2):(16,4) o (5,4):(1,5)
  EXPECT_EQ(text(composition(Layout<Int<20>, _2>{}, Layout<Shape<_5, _4>, Stride<_4, _1>>{})), "(_5,_4):(_8,_2)");
  EXPECT_EQ(text(composition(Layout<Shape<_10, _2>, Stride<_16, _4>>{}, Layout<Shape<_5, _4>, Stride<_1, _5>>{})),
            "(_5,(_2,_2)):(_16,(_80,_4))");
  auto const twelve = make_layout(Shape<_12, Shape<_4, _8>>{}, Stride<Int<59>, Stride<Int<13>, _1>>{});
  EXPECT_EQ(text(composition(twelve, make_tile(Layout<_3, _4>{}, Layout<_8, _2>{}))), "(_3,(_2,_4)):(_236,(_26,_1))");
  EXPECT_EQ(text(composition(twelve, make_shape(Int<3>{}, Int<8>{}))), "(_3,(_4,_2)):(_59,(_13,_1))");
}

TEST(CuteDocumented, ComplementsDividesAndProducts) {
  EXPECT_EQ(text(complement(Layout<_4, _1>{}, _24{})), "_6:_4");
  EXPECT_EQ(text(complement(Layout<_6, _4>{}, _24{})), "_4:_1");
  EXPECT_EQ(text(complement(Layout<Shape<_4, _6>, Stride<_1, _4>>{}, _24{})), "_1:_0");
  EXPECT_EQ(text(complement(Layout<_4, _2>{}, _24{})), "(_2,_3):(_1,_8)");
  EXPECT_EQ(text(complement(Layout<Shape<_2, _4>, Stride<_1, _6>>{}, _24{})), "_3:_2");
  EXPECT_EQ(text(complement(Layout<Shape<_2, _2>, Stride<_1, _6>>{}, _24{})), "(_3,_2):(_2,_12)");
  EXPECT_EQ(text(logical_divide(Layout<Shape<_4, _2, _3>, Stride<_2, _1, _8>>{}, Layout<_4, _2>{})),
            "((_2,_2),(_2,_3)):((_4,_1),(_2,_8))");
  auto const nine = make_layout(Shape<Int<9>, Shape<_4, _8>>{}, Stride<Int<59>, Stride<Int<13>, _1>>{});
  auto const tiler = make_tile(Layout<_3, _3>{}, Layout<Shape<_2, _4>, Stride<_1, _8>>{});
  EXPECT_EQ(text(logical_divide(nine, tiler)), "((_3,_3),((_2,_4),(_2,_2))):((_177,_59),((_13,_2),(_26,_1)))");
  EXPECT_EQ(text(shape(zipped_divide(nine, tiler))), "((_3,(_2,_4)),(_3,(_2,_2)))");
  EXPECT_EQ(text(logical_product(Layout<Shape<_2, _2>, Stride<_4, _1>>{}, Layout<_6, _1>{})),
            "((_2,_2),(_2,_3)):((_4,_1),(_2,_8))");
  EXPECT_EQ(text(logical_product(Layout<Shape<_2, _2>, Stride<_4, _1>>{}, Layout<Shape<_4, _2>, Stride<_2, _1>>{})),
            "((_2,_2),(_4,_2)):((_4,_1),(_8,_2))");
  EXPECT_EQ(text(blocked_product(Layout<Shape<_2, _5>, Stride<_5, _1>>{}, Layout<Shape<_3, _4>, Stride<_1, _3>>{})),
            "((_2,_3),(_5,_4)):((_5,_10),(_1,_30))");
  EXPECT_EQ(text(raked_product(Layout<Shape<_2, _5>, Stride<_5, _1>>{}, Layout<Shape<_3, _4>, Stride<_1, _3>>{})),
            "((_3,_2),(_4,_5)):((_10,_5),(_30,_1))");
}

TEST(CuteDocumented, SlicesOfTensors) {
  std::vector<float> memory(400);
  auto const l = make_layout(make_shape(make_shape(_3{}, 2), make_shape(2, _5{}, _2{})),
                             make_stride(make_stride(4, 1), make_stride(_2{}, 13, 100)));
  Tensor a = make_tensor(memory.data(), l);
  EXPECT_EQ(text(a(2, _).layout()), "((2,_5,_2)):((_2,13,100))");
  EXPECT_EQ(text(a(_, 5).layout()), "((_3,2)):((4,1))");
  EXPECT_EQ(text(a(make_coord(_, _), 5).layout()), "(_3,2):(4,1)");
  EXPECT_EQ(text(a(make_coord(_, 1), make_coord(0, _, 1)).layout()), "(_3,_5):(4,13)");
  EXPECT_EQ(text(a(make_coord(1, _), make_coord(_, 0, _)).layout()), "(2,2,_2):(1,_2,100)");
}

TEST(CuteDocumented, PartitionsOfTensors) {
  float memory[8 * 24] = {};
  Tensor a = make_tensor(&memory[0], make_shape(8, 24));
  Tensor tiled = zipped_divide(a, Shape<_4, _8>{});
  EXPECT_EQ(text(tiled.shape()), "((_4,_8),(2,3))");
  EXPECT_EQ(text(tiled(make_coord(_, _), make_coord(1, 2)).shape()), "(_4,_8)");
  EXPECT_EQ(text(tiled(5, make_coord(_, _)).shape()), "(2,3)");
  auto const tv = Layout<Shape<Shape<_2, _4>, Shape<_2, _2>>, Stride<Stride<_8, _1>, Stride<_4, _16>>>{};
  Tensor rows = make_tensor<float>(Shape<_4, _8>{}, LayoutRight{});
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 8; ++j) rows(i, j) = static_cast<float>(10 * i + j);
  }
  Tensor of_thread = composition(rows, tv)(3, _);  // thread 3 is (1,1): index 8 + 1 = 9, at (1,2)
  EXPECT_EQ(text(of_thread.shape()), "((_2,_2))");
  EXPECT_EQ(of_thread(0), 12.0f);
  EXPECT_EQ(of_thread(1), 13.0f);  // index 13, at (1,3)
  EXPECT_EQ(of_thread(2), 16.0f);  // index 25, at (1,6)
}

/// The product of the page on predicates: extents that no tile divides, predicates of M and N, a guarded epilogue.
template <class ATiler>
__global__ void predicated(float const* a, float const* b, float* c, int M, int N, int K, ATiler tiler) {
  alignas(128) __shared__ float memory_a[16 * 8];
  alignas(128) __shared__ float memory_b[16 * 8];
  Tensor mA = make_tensor(make_gmem_ptr(a), make_shape(M, K), make_stride(K, _1{}));
  Tensor mB = make_tensor(make_gmem_ptr(b), make_shape(N, K), make_stride(K, _1{}));
  Tensor mC = make_tensor(make_gmem_ptr(c), make_shape(M, N));
  auto const coord = make_coord(blockIdx.x, blockIdx.y, _);
  Tensor gA = local_tile(mA, tiler, coord, Step<_1, X, _1>{});
  Tensor gB = local_tile(mB, tiler, coord, Step<X, _1, _1>{});
  Tensor gC = local_tile(mC, tiler, coord, Step<_1, _1, X>{});
  Tensor sA = make_tensor(make_smem_ptr(&memory_a[0]), Layout<Shape<_16, _8>>{});
  Tensor sB = make_tensor(make_smem_ptr(&memory_b[0]), Layout<Shape<_16, _8>>{});
  auto const threads = Layout<Shape<_8, _8>>{};
  Tensor cA = local_tile(make_identity_tensor(shape(mA)), tiler, coord, Step<_1, X, _1>{});
  Tensor cB = local_tile(make_identity_tensor(shape(mB)), tiler, coord, Step<X, _1, _1>{});
  Tensor cC = local_tile(make_identity_tensor(shape(mC)), tiler, coord, Step<_1, _1, X>{});
  Tensor tAgA = local_partition(gA, threads, threadIdx.x);
  Tensor tAsA = local_partition(sA, threads, threadIdx.x);
  Tensor tAcA = local_partition(cA, threads, threadIdx.x);
  Tensor tBgB = local_partition(gB, threads, threadIdx.x);
  Tensor tBsB = local_partition(sB, threads, threadIdx.x);
  Tensor tBcB = local_partition(cB, threads, threadIdx.x);
  Tensor tApA = make_tensor<bool>(make_shape(size<0>(tAsA), size<1>(tAsA)), make_stride(Int<1>{}, Int<0>{}));
  Tensor tBpB = make_tensor<bool>(make_shape(size<0>(tBsB), size<1>(tBsB)), make_stride(Int<1>{}, Int<0>{}));
  CUTE_UNROLL
  for (int m = 0; m < size<0>(tApA); ++m) tApA(m, 0) = elem_less(get<0>(tAcA(m, 0, 0)), shape<0>(mA));
  CUTE_UNROLL
  for (int n = 0; n < size<0>(tBpB); ++n) tBpB(n, 0) = elem_less(get<0>(tBcB(n, 0, 0)), shape<0>(mB));
  auto const mma = make_tiled_mma(UniversalFMA<float>{}, Layout<Shape<_8, _8>>{});
  auto const mine = mma.get_slice(threadIdx.x);
  Tensor tCgC = mine.partition_C(gC);
  Tensor tCcC = mine.partition_C(cC);
  Tensor tCrC = mine.make_fragment_C(tCgC);
  clear(tCrC);
  for (int k = 0; k < size<2>(tAgA); ++k) {
    clear(tAsA);
    clear(tBsB);
    copy_if(tApA, tAgA(_, _, k), tAsA);
    copy_if(tBpB, tBgB(_, _, k), tBsB);
    __syncthreads();
    gemm(mma, mine.partition_A(sA), mine.partition_B(sB), tCrC);
    __syncthreads();
  }
  for (int i = 0; i < size(tCgC); ++i) {
    if (elem_less(tCcC(i), shape(mC))) tCgC(i) = 2.0f * tCrC(i) + tCgC(i);
  }
}
TEST(CuteDocumented, APredicatedProduct) {
  int const M = 21, N = 19, K = 16;
  std::vector<float> a(21 * 16), b(19 * 16), c(21 * 19), expected(21 * 19);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 7) - 3;
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 5) - 2;
  for (std::size_t i = 0; i < c.size(); ++i) c[i] = static_cast<float>(i % 3);
  for (int m = 0; m < M; ++m) {
    for (int n = 0; n < N; ++n) {
      float sum = 0;
      for (int k = 0; k < K; ++k)
        sum += a[static_cast<std::size_t>(m * K + k)] * b[static_cast<std::size_t>(n * K + k)];
      auto const at = static_cast<std::size_t>(m + n * M);
      expected[at] = 2 * sum + c[at];
    }
  }
  cosmati::device_buffer<float> in_a(a), in_b(b), out(c);
  auto const tiler = Shape<_16, _16, _8>{};
  cosmati::launch(predicated<std::remove_const_t<decltype(tiler)>>, {.grid = dim3(2, 2), .block = 64}, in_a.data(),
                  in_b.data(), out.data(), M, N, K, tiler);
  EXPECT_EQ(out.download(), expected);
}

}  // namespace
