// SPDX-License-Identifier: Apache-2.0
// The macros, and the headers of CUTLASS that programs for CuTe include.
#include <cutlass/arch/arch.h>
#include <cutlass/arch/barrier.h>
#include <cutlass/array.h>
#include <cutlass/device_kernel.h>
#include <cutlass/fast_math.h>
#include <cutlass/layout/layout.h>
#include <cutlass/numeric_conversion.h>
#include <cutlass/numeric_types.h>
#include <cutlass/relatively_equal.h>
#include <cutlass/trace.h>
#include <cutlass/util/command_line.h>
#include <cute/container/bit_field.hpp>
#include <cute/tensor.hpp>
#include <cute/util/print_latex.hpp>
#include <cute/util/print_svg.hpp>
#include <cutlass/cluster_launch.hpp>
#include <cutlass/pipeline/pipeline.hpp>
#include <cutlass/util/GPU_Clock.hpp>
#include <cutlass/util/helper_cuda.hpp>
#include <cutlass/util/print_error.hpp>

#include <gtest/gtest.h>

#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/launch.hpp>
#include <iostream>
#include <sstream>
#include <tuple>

using namespace cute;
using namespace cutlass;

namespace {

CUTE_STATIC_ASSERT(std::is_same_v<cutlass::half_t, cute::half_t>, "one type under two names");
CUTE_STATIC_ASSERT_V(size(Layout<Shape<_2, _3>>{}) == Int<6>{});
CUTE_STATIC_ASSERT_V(size(Layout<_4>{}) == Int<4>{}, "with a text");
static_assert(CUTE_STATIC_V(size(Layout<_4>{})) == 4);
static_assert(sizeof(cutlass::AlignedArray<float, 4>) == 16 && alignof(cutlass::AlignedArray<float, 4>) == 16);
static_assert(cutlass::sizeof_bits<cutlass::int4b_t>::value == 4 && cutlass::arch::Sm80::kMinComputeCapability == 80);
#if !defined(CUTE_HOST_DEVICE) || !defined(CUTE_DEVICE) || !defined(CUTE_HOST) || !defined(CUTE_UNROLL) || \
    !defined(CUTE_NO_UNROLL) || !defined(CUTE_GRID_CONSTANT) || !defined(CUTE_STL_NAMESPACE) ||            \
    !defined(CUTE_GCC_UNREACHABLE) || !defined(CUTE_INLINE_CONSTANT) || !defined(CUTE_LOG) ||              \
    !defined(CUTLASS_HOST_DEVICE) || !defined(CUTLASS_PRAGMA_UNROLL) || !defined(CUTLASS_UNUSED)
#error "a macro is missing"
#endif

CUTE_HOST_DEVICE constexpr int twice(int x) { return 2 * x; }
CUTE_INLINE_CONSTANT int table_of_two = 2;

TEST(CuteWords, Annotations) {
  EXPECT_EQ(twice(21), 42);
  EXPECT_EQ(CUTE_STL_NAMESPACE::max(1, table_of_two), 2);
  CUTE_CHECK_LAST();
#if defined(__CUDACC__)
  CUTE_CHECK_ERROR(cudaSuccess);
#else
  CUTE_CHECK_ERROR(0);
#endif
  CUTLASS_TRACE_HOST("not a word " << 1);
  EXPECT_TRUE((is_valid([](auto x) { return x; }, 3)));
}

TEST(CuteWords, TextOfStreams) {
  std::ostringstream out;
  out << Layout<Shape<_2, _3>>{} << ' ' << make_tuple(1, _2{}) << ' ' << complex<double>(1, 2) << ' '
      << complex<float>(3) << ' ' << _ << ' ' << Swizzle<3, 4, 3>{};
  EXPECT_EQ(out.str(), "(_2,_3):(_1,_2) (1,_2) 1+i2 3 _ Sw<3,4,3>");
}

TEST(CuteWords, StandardTuplesAndParentheses) {
  EXPECT_EQ(cute::apply(std::make_tuple(1, 2, 3), [](auto... x) { return (x + ...); }), 6);
  cute::tuple<int, _2> t(3, _2{});
  cute::tuple<int, int, int, int, int, int, int, int, int, int> many(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
  EXPECT_EQ(get<0>(t), 3);
  EXPECT_EQ(get<9>(many), 9);
  EXPECT_EQ(get<7>(many), 7);
}

TEST(CuteWords, ArraysOfWholeBytesAndPackedOnes) {
  array_subbyte<uint8_t, 5> bytes;
  fill(bytes, uint8_t{7});
  EXPECT_EQ(bytes[4], 7);
  EXPECT_EQ(sizeof bytes, 5u);
  array_subbyte<cute::int4_t, 6> packed;
  fill(packed, cute::int4_t(-3));
  EXPECT_EQ(int(cute::int4_t(packed[5])), -3);
  EXPECT_EQ(sizeof packed, 3u);
  clear(packed);
  EXPECT_EQ(int(cute::int4_t(packed[5])), 0);
}

TEST(CutlassWords, PipelineState) {
  cutlass::PipelineState<3> state;
  for (int i = 0; i < 10; ++i, ++state) {
    EXPECT_EQ(state.index(), i % 3);
    EXPECT_EQ(state.phase(), static_cast<uint32_t>(i / 3 % 2));
    EXPECT_EQ(state.count(), static_cast<uint32_t>(i));
  }
  cutlass::PipelineState<3> jumped;
  jumped += 10;
  EXPECT_EQ(jumped.index(), state.index());
  EXPECT_EQ(jumped.phase(), state.phase());
}

TEST(CutlassWords, CommandLine) {
  char const* words[] = {"program", "--m=12", "--verbose", "file", "--list=1,2,3", "--name=x y"};
  cutlass::CommandLine const line(6, words);
  int m = 0, k = 0;
  std::string name;
  std::vector<int> list;
  line.get_cmd_line_argument("m", m, 5);
  line.get_cmd_line_argument("k", k, 5);
  line.get_cmd_line_argument("name", name);
  line.get_cmd_line_arguments("list", list);
  EXPECT_EQ(m, 12);
  EXPECT_EQ(k, 5);
  EXPECT_EQ(name, "x y");
  EXPECT_EQ(list, (std::vector<int>{1, 2, 3}));
  EXPECT_TRUE(line.check_cmd_line_flag("verbose"));
  EXPECT_FALSE(line.check_cmd_line_flag("silent"));
  EXPECT_EQ(line.num_naked_args(), 1);
}

TEST(CutlassWords, Numbers) {
  EXPECT_TRUE(cutlass::relatively_equal(1.0f, 1.0001f, 0.001f, 1e-6f));
  EXPECT_FALSE(cutlass::relatively_equal(1.0f, 1.1f, 0.001f, 1e-6f));
  EXPECT_TRUE(cutlass::relatively_equal(3, 3, 0, 0));
  EXPECT_FALSE(cutlass::relatively_equal(3, 4, 1, 1));
  cutlass::Array<float, 4> from;
  for (int i = 0; i < 4; ++i) from[static_cast<std::size_t>(i)] = 0.1f * static_cast<float>(i);
  auto const to = cutlass::NumericArrayConverter<cutlass::half_t, float, 4>{}(from);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_TRUE(to[i] == cutlass::half_t(from[i]));
  cutlass::FastDivmod const by(7);
  int quotient = 0, remainder = 0;
  by(quotient, remainder, 40);
  EXPECT_EQ(quotient, 5);
  EXPECT_EQ(remainder, 5);
  EXPECT_EQ(cutlass::round_up(13, 8), 16);
  std::vector<float> const exact{1, 2}, near{1, 2.001f};
  EXPECT_EQ(print_relative_error(2, near, exact, false, false, 1e-2), EXIT_SUCCESS);
  EXPECT_NE(print_relative_error(2, near, exact, false, false, 1e-6), EXIT_SUCCESS);
}

}  // namespace

namespace own {

/// What CUTLASS's kernels are: an object that is called with its parameters and the block's shared memory.
struct add_blocks {
  struct Params {
    int* counts;
  };
  static constexpr int MaxThreadsPerBlock = 64;
  static constexpr int MinBlocksPerMultiprocessor = 1;
  CUTLASS_DEVICE void operator()(Params const& params, char* shared) const {
    auto* sum = reinterpret_cast<int*>(shared);
    auto& barrier = *reinterpret_cast<cutlass::arch::ClusterBarrier*>(shared + 8);
    if (threadIdx.x == 0) {
      *sum = 0;
      barrier.init(64);
      cutlass::arch::fence_barrier_init();
    }
    __syncthreads();
    atomicAdd(sum, static_cast<int>(threadIdx.x));
    barrier.arrive();
    barrier.wait(0);
    cutlass::arch::NamedBarrier(64, 1).sync();
    if (cute::thread(0, static_cast<int>(blockIdx.x))) params.counts[blockIdx.x] = *sum + get<0>(blockIdx) * 10000;
    if (thread0()) params.counts[gridDim.x] = static_cast<int>(size(gridDim));
  }
};

}  // namespace own

namespace {

TEST(CutlassWords, DeviceKernelAndBarriers) {
  cosmati::device_buffer<int> counts(std::size_t{4});
  cosmati::launch(cutlass::device_kernel<own::add_blocks>, {.grid = 3, .block = 64, .shared_bytes = 16},
                  own::add_blocks::Params{counts.data()});
  EXPECT_EQ(counts.download(), (std::vector<int>{2016, 12016, 22016, 3}));
}

}  // namespace
