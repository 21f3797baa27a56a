// SPDX-License-Identifier: Apache-2.0
// Descriptors that kernels change: each field, in shared and in global memory, and the matrices of grouped products,
// whose addresses and sizes only the kernel knows. A changed descriptor must bring what one made on the host brings.
#include <cosmati/arch/tensor_map_update.hpp>

#include <gtest/gtest.h>

#include <cosmati/arch/mbarrier.hpp>
#include <cosmati/arch/tensor_copy.hpp>
#include <cosmati/arch/warp.hpp>
#include <cosmati/cosmati.hpp>
#include <cosmati/runtime/tensor_map.hpp>
#include <random>
#include <vector>

#include "require_device.hpp"

using namespace cosmati;

namespace {

#if defined(COSMATI_SIMULATED)
bool device_changes_descriptors() { return true; }
#else
bool device_changes_descriptors() {
  int id = 0, major = 0;
  return cudaGetDevice(&id) == cudaSuccess &&
         cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, id) == cudaSuccess && major == 9;
}
#endif

constexpr int room = 8192;  // bytes of shared memory for the box

enum class place { shared, global };

/// One warp changes the descriptor, in shared memory or in its own place in `memory`, and brings the box at (0, ...).
template <int rank, class Change>
__global__ void load_by_changed(TmaDescriptor const __grid_constant__ original, TmaDescriptor* memory, Change change,
                                place where, int box_bytes, std::uint8_t* out) {
  __shared__ std::uint64_t full;
  __shared__ TmaDescriptor in_shared;
  auto* const box = dynamic_shared<std::uint8_t>();
  int const lane = static_cast<int>(threadIdx.x);
  for (int i = lane; i < room; i += 32) box[i] = 0xee;
  fence_proxy_async_shared();
  if (lane == 0) {
    initialize_barrier(full, 1);
    fence_barrier_init();
    if (where == place::shared) {
      in_shared = original;
      change(in_shared);
    } else {
      *memory = original;
      change(*memory);
      tma_descriptor_fence_release();
    }
  }
  __syncwarp();
  if (where == place::shared) tma_descriptor_cp_fence_release(memory, in_shared);
  tma_descriptor_fence_acquire(memory);
  if (lane == 0) {
    arrive_and_expect_bytes(full, static_cast<std::uint32_t>(box_bytes));
    int const first[std::size_t{rank}] = {};
    tensor_copy_g2s(box, *memory, first, full);
  }
  __syncwarp();
  wait_barrier(full, 0);
  for (int i = lane; i < room; i += 32) out[i] = box[i];
}

struct no_change {
  COSMATI_HD void operator()(TmaDescriptor&) const {}
};

/// The box that `wanted` brings, and what a descriptor of `original` brings behind the change.
template <int rank, class Change>
void expect_same_box(tensor_map_config wanted, tensor_map_config original, Change const& change, int box_bytes) {
  COSMATI_REQUIRE_DEVICE();
  if (!device_changes_descriptors()) GTEST_SKIP() << "the GPU has no tensormap.replace";
  device_buffer<TmaDescriptor> memory(1);
  device_buffer<std::uint8_t> out(std::size_t{room});
  launch(load_by_changed<rank, no_change>, {.grid = 1, .block = 32, .shared_bytes = room}, make_tma_descriptor(wanted),
         memory.data(), no_change{}, place::shared, box_bytes, out.data());
  auto const expected = out.download();
  for (place const where : {place::shared, place::global}) {
    launch(load_by_changed<rank, Change>, {.grid = 1, .block = 32, .shared_bytes = room}, make_tma_descriptor(original),
           memory.data(), change, where, box_bytes, out.data());
    EXPECT_EQ(out.download(), expected) << "changed in " << (where == place::shared ? "shared" : "global") << " memory";
  }
}

/// Two tensors of 24 x 20 x 6 x 3 halves, the second behind the first.
struct tensors {
  static constexpr std::size_t elements = 24 * 20 * 6 * 3;
  device_buffer<std::uint16_t> memory;
  tensors() : memory(numbers()) {}
  static std::vector<std::uint16_t> numbers() {
    std::mt19937 engine(7);
    std::vector<std::uint16_t> all(2 * elements);
    for (auto& x : all) x = static_cast<std::uint16_t>(engine() >> 9 & 0x3fffu);
    return all;
  }
  tensor_map_config config() const {
    tensor_map_config c;
    c.data = memory.data();
    c.type = tensor_map_type::u16;
    c.rank = 4;
    std::int64_t const extent[] = {24, 20, 6, 3}, stride[] = {1, 24, 480, 2880};
    int const box[] = {32, 8, 3, 2};
    for (int i = 0; i < 4; ++i) c.extent[i] = extent[i], c.stride[i] = stride[i], c.box[i] = box[i];
    c.swizzle = TMA::SmemSwizzleBits::B64;
    return c;
  }
};
constexpr int whole_box = 32 * 8 * 3 * 2 * 2;  // bytes

struct change_address {
  void const* data;
  COSMATI_HD void operator()(TmaDescriptor& t) const { tensor_map_set_address(t, data); }
};
struct change_extents {
  COSMATI_HD void operator()(TmaDescriptor& t) const {
    tensor_map_set_extent<0>(t, 17);
    tensor_map_set_extent<1>(t, 5);
    tensor_map_set_extent<2>(t, 2);
    tensor_map_set_extent<3>(t, 1);
  }
};
struct change_strides {
  COSMATI_HD void operator()(TmaDescriptor& t) const {
    tensor_map_set_stride<1>(t, 2 * 48);
    tensor_map_set_stride<2>(t, 2 * 24);
    tensor_map_set_stride<3>(t, 2 * 960);
  }
};
struct change_box {
  COSMATI_HD void operator()(TmaDescriptor& t) const {
    tensor_map_set_box<0>(t, 16);
    tensor_map_set_box<1>(t, 3);
    tensor_map_set_box<2>(t, 5);
    tensor_map_set_box<3>(t, 1);
  }
};
struct change_steps {
  COSMATI_HD void operator()(TmaDescriptor& t) const {
    tensor_map_set_step<1>(t, 2);
    tensor_map_set_step<2>(t, 3);
  }
};
struct change_rank {
  COSMATI_HD void operator()(TmaDescriptor& t) const { tensor_map_set_rank(t, 3); }
};
struct change_words {
  COSMATI_HD void operator()(TmaDescriptor& t) const {
    tensor_map_set<TMA::SmemSwizzleBits::DISABLE>(t);
    tensor_map_set<tensor_map_type::f16>(t);
    tensor_map_set<TMA::OOBFill::CONSTANT>(t);
    tensor_map_set<TMA::Interleave::DISABLE>(t);
  }
};

TEST(TensorMapUpdate, Address) {
  tensors const two;
  tensor_map_config wanted = two.config();
  wanted.data = two.memory.data() + tensors::elements;
  expect_same_box<4>(wanted, two.config(), change_address{wanted.data}, whole_box);
}
TEST(TensorMapUpdate, Extents) {
  tensors const two;
  tensor_map_config wanted = two.config();
  wanted.extent[0] = 17, wanted.extent[1] = 5, wanted.extent[2] = 2, wanted.extent[3] = 1;
  expect_same_box<4>(wanted, two.config(), change_extents{}, whole_box);
}
TEST(TensorMapUpdate, Strides) {
  tensors const two;
  tensor_map_config wanted = two.config();
  wanted.stride[1] = 48, wanted.stride[2] = 24, wanted.stride[3] = 960;
  expect_same_box<4>(wanted, two.config(), change_strides{}, whole_box);
}
TEST(TensorMapUpdate, Box) {
  tensors const two;
  tensor_map_config wanted = two.config();
  wanted.box[0] = 16, wanted.box[1] = 3, wanted.box[2] = 5, wanted.box[3] = 1;
  wanted.swizzle = TMA::SmemSwizzleBits::B32;
  tensor_map_config original = two.config();
  original.box[0] = 8;
  original.swizzle = TMA::SmemSwizzleBits::B32;
  expect_same_box<4>(wanted, original, change_box{}, 16 * 3 * 5 * 2);
}
TEST(TensorMapUpdate, Steps) {
  tensors const two;
  tensor_map_config wanted = two.config();
  wanted.step[1] = 2, wanted.step[2] = 3;
  expect_same_box<4>(wanted, two.config(), change_steps{}, 32 * 4 * 1 * 2 * 2);
}
TEST(TensorMapUpdate, Rank) {
  tensors const two;
  tensor_map_config wanted = two.config();
  wanted.rank = 3;
  expect_same_box<3>(wanted, two.config(), change_rank{}, 32 * 8 * 3 * 2);
}
TEST(TensorMapUpdate, TypeSwizzleAndFill) {
  tensors const two;
  tensor_map_config wanted = two.config();
  wanted.type = tensor_map_type::f16;
  wanted.swizzle = TMA::SmemSwizzleBits::DISABLE;
  wanted.fill = TMA::OOBFill::CONSTANT;
  expect_same_box<4>(wanted, two.config(), change_words{}, whole_box);
}

/// One matrix of grouped products, by rows.
struct matrix {
  float const* data;
  std::uint32_t rows, columns;
};
constexpr int tile = 16;

/// Each block sums the tiles of its matrices. The kernel's descriptor only gives box and types; CuTe's words set the
/// others, in the order of CUTLASS's kernels for grouped products.
__global__ void sum_groups(TmaDescriptor const __grid_constant__ original, TmaDescriptor* workspace,
                           matrix const* matrices, int groups, float* sums) {
  __shared__ std::uint64_t full;
  __shared__ TmaDescriptor in_shared;
  float* const box = dynamic_shared<float>();
  TmaDescriptor* const own = workspace + blockIdx.x;
  int const lane = static_cast<int>(threadIdx.x);
  if (lane == 0) {
    initialize_barrier(full, 1);
    fence_barrier_init();
    in_shared = original;
  }
  __syncwarp();
  int phase = 0;
  for (int group = static_cast<int>(blockIdx.x); group < groups; group += static_cast<int>(gridDim.x)) {
    matrix const m = matrices[group];
    if (lane == 0) {
      tma_descriptor_replace_addr_in_shared_mem(in_shared, m.data);
      array<std::uint32_t, 3> const extents{m.columns, m.rows, 1};
      array<std::uint64_t, 3> const strides{0, m.columns * sizeof(float), m.rows * m.columns * sizeof(float)};
      tma_descriptor_replace_dims_strides_in_shared_mem(in_shared, extents, strides);
    }
    __syncwarp();
    tma_descriptor_cp_fence_release(own, in_shared);
    tma_descriptor_fence_acquire(own);
    float sum = 0;
    for (std::uint32_t y = 0; y < m.rows; y += tile) {
      for (std::uint32_t x = 0; x < m.columns; x += tile) {
        if (lane == 0) {
          arrive_and_expect_bytes(full, tile * tile * sizeof(float));
          tensor_copy_g2s(box, *own, {static_cast<int>(x), static_cast<int>(y), 0}, full);
        }
        wait_barrier(full, phase);
        phase ^= 1;
        for (int i = lane; i < tile * tile; i += 32) sum += box[i];
        fence_proxy_async_shared();
        __syncwarp();
      }
    }
    sums[32 * group + lane] = sum;
  }
}

TEST(TensorMapUpdate, GroupedMatrices) {
  COSMATI_REQUIRE_DEVICE();
  if (!device_changes_descriptors()) GTEST_SKIP() << "the GPU has no tensormap.replace";
  constexpr int groups = 7, blocks = 2;
  std::mt19937 engine(11);
  std::vector<device_buffer<float>> data;
  std::vector<matrix> matrices;
  std::vector<float> expected;
  for (int g = 0; g < groups; ++g) {
    std::uint32_t const rows = 1 + engine() % 40, columns = 4 * (1 + engine() % 12);
    std::vector<float> numbers(std::size_t{rows} * columns);
    float sum = 0;
    for (float& x : numbers) sum += x = static_cast<float>(engine() % 64);
    data.emplace_back(numbers);
    matrices.push_back({data.back().data(), rows, columns});
    expected.push_back(sum);
  }
  tensor_map_config c;
  c.data = data[0].data();
  c.type = tensor_map_type::f32;
  c.rank = 3;
  std::int64_t const extent[] = {4, 1, 1}, stride[] = {1, 4, 4};
  int const box[] = {tile, tile, 1};
  for (int i = 0; i < 3; ++i) c.extent[i] = extent[i], c.stride[i] = stride[i], c.box[i] = box[i];
  c.swizzle = TMA::SmemSwizzleBits::DISABLE;
  device_buffer<TmaDescriptor> workspace(std::size_t{blocks});
  device_buffer<matrix> const described(matrices);
  device_buffer<float> sums(std::vector<float>(std::size_t{32 * groups}, -1.f));
  launch(sum_groups, {.grid = blocks, .block = 32, .shared_bytes = tile * tile * sizeof(float)}, make_tma_descriptor(c),
         workspace.data(), described.data(), int{groups}, sums.data());
  auto const got = sums.download();
  for (int g = 0; g < groups; ++g) {
    float sum = 0;
    for (int lane = 0; lane < 32; ++lane) sum += got[static_cast<std::size_t>(32 * g + lane)];
    EXPECT_EQ(sum, expected[static_cast<std::size_t>(g)]) << "group " << g;
  }
}

}  // namespace
