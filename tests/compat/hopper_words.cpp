// SPDX-License-Identifier: Apache-2.0
// Words around tensor copies in the style of CuTe's programs: what prints, instructions by their names, swizzles taken
// apart, prefetches, and barriers by their classes.
#include <cutlass/arch/barrier.h>
#include <cutlass/device_kernel.h>
#include <cute/arch/cluster_sm90.hpp>
#include <cute/arch/copy_sm90_desc.hpp>
#include <cute/arch/copy_sm90_tma.hpp>
#include <cute/atom/copy_traits_sm90_im2col.hpp>
#include <cute/atom/copy_traits_sm90_tma.hpp>
#include <cute/swizzle_layout.hpp>
#include <cute/tensor.hpp>
#include <cute/util/print_latex.hpp>
#include <cutlass/cluster_launch.hpp>

#include <gtest/gtest.h>

#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/launch.hpp>
#include <vector>

using namespace cute;

namespace {

using SLayout = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_32, _64>{}));

TEST(CuteHopperWords, PrintedCopies) {
  cosmati::device_buffer<half_t> memory(std::size_t{64 * 64});
  Tensor g = make_tensor(make_gmem_ptr(memory.data()), make_shape(64, 64), make_stride(64, _1{}));
  auto const tma = make_tma_copy(SM90_TMA_LOAD{}, g, SLayout{});
  auto const atom = make_tma_atom(SM90_TMA_STORE{}, g, SLayout{}, Shape<_32, _64>{});
  testing::internal::CaptureStdout();
  print(tma);
  print(atom);
  print(SLayout{});
  print_layout(Layout<Shape<_2, _2>>{});
  print_latex(Layout<Shape<_4, _4>>{});
  print_latex(make_tiled_mma(SM90_64x8x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::K>{}));
  std::string const text = testing::internal::GetCapturedStdout();
  EXPECT_NE(text.find("TiledCopy"), std::string::npos);
  EXPECT_NE(text.find("tikz"), std::string::npos);
}

TEST(CuteHopperWords, PartsOfSwizzledLayouts) {
  static_assert(std::is_same_v<decltype(get_swizzle_portion(SLayout{})), Swizzle<3, 4, 3>> ||
                std::is_same_v<decltype(get_swizzle_portion(SLayout{})), Swizzle<3, 3, 3>>);
  CUTE_STATIC_ASSERT_V((get_nonswizzle_portion(SLayout{}) ==
                        Layout<Shape<Shape<_8, _4>, Shape<_64, _1>>, Stride<Stride<_64, _512>, Stride<_1, _0>>>{}));
  alignas(1024) static half_t memory[cosize_v<SLayout>];
  Tensor s = make_tensor(make_smem_ptr(memory), SLayout{});
  Tensor p = as_position_independent_swizzle_tensor(s);
  for (int i = 0; i < size(s); ++i) ASSERT_EQ(&p(i), &s(i)) << i;
}

/// The instructions by their names, without atoms.
template <class TmaLoad, class TmaStore>
__global__ void by_instructions(CUTE_GRID_CONSTANT TmaLoad const load, CUTE_GRID_CONSTANT TmaStore const store) {
  alignas(1024) __shared__ half_t tile[32 * 64];
  __shared__ cutlass::arch::ClusterTransactionBarrier barrier;
  if (threadIdx.x == 0) {
    prefetch_tma_descriptor(load.get_tma_descriptor());
    SM90_TMA_LOAD::PREFETCH::copy(load.get_tma_descriptor(), 0, 0);
    SM90_TMA_LOAD_2D::PREFETCH::copy(load.get_tma_descriptor(), 0, 32);
    barrier.init(1);
    cutlass::arch::fence_barrier_init();
    barrier.arrive_and_reset_bytes(sizeof(tile));
    SM90_TMA_LOAD::copy(load.get_tma_descriptor(), reinterpret_cast<uint64_t*>(&barrier),
                        static_cast<uint64_t>(TMA::CacheHintSm90::EVICT_FIRST), tile, 0, 0);
    barrier.wait(0);
    tma_store_fence();
    SM90_TMA_STORE_2D::copy(store.get_tma_descriptor(), tile, 0, 32);
    tma_store_arrive();
    tma_store_wait<0>();
  }
}
TEST(CuteHopperWords, InstructionsByTheirNames) {
  std::vector<half_t> host(std::size_t{64 * 64});
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = half_t(float(i % 199));
  cosmati::device_buffer<half_t> memory(host);
  Tensor g = make_tensor(make_gmem_ptr(memory.data()), make_shape(64, 64), make_stride(64, _1{}));
  auto const load = make_tma_copy(SM90_TMA_LOAD{}, g, SLayout{});
  auto const store = make_tma_copy(SM90_TMA_STORE{}, g, SLayout{});
  cosmati::launch(by_instructions<std::remove_const_t<decltype(load)>, std::remove_const_t<decltype(store)>>,
                  {.grid = 1, .block = 32}, load, store);
  auto const got = memory.download();
  for (std::size_t i = 0; i < 32 * 64; ++i) {
    ASSERT_EQ(got[i], host[i]) << i;
    ASSERT_EQ(got[i + 32 * 64], host[i]) << i;
  }
}

/// A prefetch of each tile goes before its load.
template <class Tma>
__global__ void prefetched(CUTE_GRID_CONSTANT Tma const tma, half_t* out) {
  alignas(1024) __shared__ half_t memory[cosize_v<SLayout>];
  __shared__ uint64_t barrier;
  Tensor s = make_tensor(make_smem_ptr(memory), SLayout{});
  Tensor g = local_tile(tma.get_tma_tensor(make_shape(64, 64)), Shape<_32, _64>{}, make_coord(_, _0{}));
  auto const [tg, ts] = tma_partition(tma, _0{}, Layout<_1>{}, group_modes<0, 2>(s), group_modes<0, 2>(g));
  if (threadIdx.x == 0) {
    prefetch(tma, tg(_, 0));
    prefetch(tma, tg(_, 1));
    initialize_barrier(barrier, 1);
    set_barrier_transaction_bytes(barrier, sizeof(memory));
    copy(tma.with(barrier, 0, TMA::CacheHintSm90::EVICT_LAST), tg(_, 1), ts);
  }
  __syncthreads();
  wait_barrier(barrier, 0);
  for (int i = int(threadIdx.x); i < size(s); i += int(blockDim.x)) out[i] = s(i);
}
TEST(CuteHopperWords, Prefetches) {
  std::vector<half_t> host(std::size_t{64 * 64});
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = half_t(float(i % 199));
  cosmati::device_buffer<half_t> const in(host);
  cosmati::device_buffer<half_t> out(std::size_t{32 * 64});
  Tensor g = make_tensor(make_gmem_ptr(in.data()), make_shape(64, 64), make_stride(64, _1{}));
  auto const tma = make_tma_atom(SM90_TMA_LOAD{}, g, SLayout{}, Shape<_32, _64>{});
  cosmati::launch(prefetched<std::remove_const_t<decltype(tma)>>, {.grid = 1, .block = 64}, tma, out.data());
  auto const got = out.download();
  for (int i = 0; i < 32 * 64; ++i)
    ASSERT_EQ(got[static_cast<std::size_t>(i)], host[static_cast<std::size_t>((32 + i % 32) * 64 + i / 32)]) << i;
}

/// CUTLASS's barriers by their classes, between two warps.
__global__ void barriers(int* out) {
  using cutlass::arch::ClusterBarrier;
  using cutlass::arch::NamedBarrier;
  __shared__ ClusterBarrier full, empty;
  __shared__ int box;
  if (threadIdx.x == 0) {
    full.init(32);
    empty.init(32);
  }
  cutlass::arch::fence_barrier_init();
  __syncthreads();
  int const warp = int(threadIdx.x / 32);
  for (int k = 0; k < 4; ++k) {
    if (warp == 0) {
      empty.wait((k & 1) ^ 1);
      if (threadIdx.x == 0) box = 10 * k;
      __syncwarp();
      full.arrive();
    } else {
      if (!full.try_wait(k & 1)) full.wait(k & 1);
      if (threadIdx.x == 32) out[k] = box + k;
      empty.arrive();
    }
  }
  NamedBarrier both(64, 1);
  both.arrive_and_wait();
  NamedBarrier::sync(64, 2);
}
TEST(CuteHopperWords, BarriersByTheirClasses) {
  cosmati::device_buffer<int> out(std::size_t{4});
  cosmati::launch(barriers, {.grid = 1, .block = 64}, out.data());
  EXPECT_EQ(out.download(), (std::vector<int>{0, 11, 22, 33}));
}

/// Stores a tile by the copy's descriptor, and by one in global memory.
template <class Tma>
__global__ void stored_twice(CUTE_GRID_CONSTANT Tma const tma, TmaDescriptor const* other) {
  alignas(1024) __shared__ half_t memory[cosize_v<SLayout>];
  Tensor s = make_tensor(make_smem_ptr(memory), SLayout{});
  for (int i = int(threadIdx.x); i < size(s); i += int(blockDim.x)) s(i) = half_t(float(i % 211));
  tma_store_fence();
  __syncthreads();
  if (threadIdx.x == 0) {
    Tensor g = tma.get_tma_tensor(make_shape(32, 64));
    auto const slice = tma.get_slice(_0{});
    copy(tma, slice.partition_S(s), slice.partition_D(g));
    copy(tma.with(other), slice.partition_S(s), slice.partition_D(g));
    tma_store_arrive();
    tma_store_wait<0>();
  }
}
TEST(CuteHopperWords, StoresByAnotherDescriptor) {
  std::vector<half_t> const poison(std::size_t{32 * 64}, half_t(-1.f));
  cosmati::device_buffer<half_t> first(poison), second(poison);
  auto const store = [](half_t* to) {
    Tensor g = make_tensor(make_gmem_ptr(to), make_shape(32, 64), make_stride(64, _1{}));
    return make_tma_copy(SM90_TMA_STORE{}, g, SLayout{});
  };
  auto const tma = store(first.data()), other = store(second.data());
  cosmati::device_buffer<TmaDescriptor> const descriptor(std::vector<TmaDescriptor>{*other.get_tma_descriptor()});
  cosmati::launch(stored_twice<std::remove_const_t<decltype(tma)>>, {.grid = 1, .block = 64}, tma, descriptor.data());
  auto const a = first.download(), b = second.download();
  for (int i = 0; i < 32 * 64; ++i) {
    auto const at = static_cast<std::size_t>(i % 32 * 64 + i / 32);
    ASSERT_EQ(float(a[at]), float(i % 211)) << i;
    ASSERT_EQ(float(b[at]), float(i % 211)) << i;
  }
}

/// The layouts of a warpgroup's operands by their names are those of the atoms.
template <class Op>
using traits_of = MMA_Traits<Op>;
using Tf32FromRegisters = SM90_64x64x8_F32TF32TF32_RS_TN<>;
static_assert(std::is_same_v<traits_of<Tf32FromRegisters>::ALayout, GMMA::ALayout_64x8>);
static_assert(GMMA::ALayout_64x8{} ==
              make_layout(Shape<Shape<_4, _8, _4>, Shape<_2, _2>>{}, Stride<Stride<_64, _1, _16>, Stride<_8, _256>>{}));
static_assert(std::is_same_v<traits_of<Tf32FromRegisters>::BLayout, GMMA::ABLayout<64, 8>>);
static_assert(std::is_same_v<traits_of<Tf32FromRegisters>::CLayout, GMMA::CLayout_64x64>);
static_assert(std::is_same_v<traits_of<SM90_64x96x16_F32F16F16_RS<GMMA::Major::K, GMMA::Major::K>>::ALayout,
                             GMMA::ALayout_64x16>);

}  // namespace
