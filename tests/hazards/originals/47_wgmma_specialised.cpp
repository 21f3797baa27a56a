// SPDX-License-Identifier: Apache-2.0
// A product whose warps have roles: one thread brings tiles of A and B to a ring by tensor copies, and two warpgroups
// multiply them. The loading warpgroup gives its registers to the others.
#include <cosmati/arch/register_budget.hpp>
#include <cosmati/arch/remote_mbarrier.hpp>
#include <cosmati/cosmati.hpp>
#include <cosmati/tma.hpp>
#include <cosmati/wgmma.hpp>
using namespace cosmati;

using LayoutA = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_128, _64, _2>{}));
using LayoutB = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_32, _64, _2>{}));

__global__ void __launch_bounds__(384, 1)
    multiply(TmaDescriptor const __grid_constant__ a, TmaDescriptor const __grid_constant__ b, float* c, int tiles) {
  half_t* const memory = dynamic_shared<half_t>();
  __shared__ std::uint64_t full[2], empty[2];
  int const t = static_cast<int>(threadIdx.x);
  auto const sA = make_tensor(make_smem_ptr(memory), LayoutA{});
  auto const sB = make_tensor(make_smem_ptr(memory + 16384), LayoutB{});
  if (t == 0) {
    for (int i = 0; i < 2; ++i) {
      initialize_barrier(full[i], 1);   // [init full]
      initialize_barrier(empty[i], 2);  // [init empty]
    }
    fence_barrier_init();  // [init fence]
  }
  __syncthreads();  // [initialised]
  if (t >= 256) {
    warpgroup_reg_dealloc<24>();  // [give registers]
    for (int k = 0; t == 256 && k < tiles; ++k) {
      int const stage = k % 2;
      wait_barrier(empty[stage], (k / 2 + 1) % 2);                                  // [empty]
      arrive_and_expect_bytes(full[stage], 2 * 64 * (128 + 32));                    // [expect]
      tensor_copy_g2s(memory + 8192 * stage, a, {64 * k, 0}, full[stage]);          // [load a]
      tensor_copy_g2s(memory + 16384 + 2048 * stage, b, {64 * k, 0}, full[stage]);  // [load b]
    }
    return;
  }
  warpgroup_reg_alloc<240>();  // [take registers]
  auto mma = make_tiled_mma(SM90_64x32x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::K>{}, Layout<Shape<_2, _1, _1>>{});
  auto const thread = mma.get_slice(t);
  auto const warpgroup = mma.get_slice(t / 128 * 128);
  auto const rA = warpgroup.make_fragment_A(warpgroup.partition_A(sA));
  auto const rB = warpgroup.make_fragment_B(warpgroup.partition_B(sB));
  auto sums = partition_fragment_C(mma, Shape<_128, _32>{});
  clear(sums);
  for (int k = 0; k < tiles; ++k) {
    wait_barrier(full[k % 2], k / 2 % 2);                                                                // [full]
    warpgroup_arrive();                                                                                  // [arrive]
    for (int step = 0; step < 4; ++step) gemm(mma, rA(_, _, step, k % 2), rB(_, _, step, k % 2), sums);  // [multiply]
    warpgroup_commit_batch();                                                                            // [commit]
    warpgroup_wait<0>();                                                                                 // [wait]
    NamedBarrier::sync(128, 1 + t / 128);                                                                // [together]
    if (t % 128 == 0) arrive_barrier(empty[k % 2]);                                                      // [release]
  }
  auto gC = make_tensor(make_gmem_ptr(c), Layout<Shape<_128, _32>, Stride<_32, _1>>{});
  auto tCgC = thread.partition_C(gC);
  for (int i = 0; i < size(sums); ++i) tCgC(i) = sums(i);  // [result]
}

TmaDescriptor tiles_of(half_t* data, int rows, int k) {
  tensor_map_config c;
  c.data = data, c.type = tensor_map_type::f16, c.rank = 2;
  c.swizzle = TMA::SmemSwizzleBits::B128;  // [swizzle]
  c.extent[0] = k, c.extent[1] = rows, c.stride[1] = k, c.box[0] = 64, c.box[1] = rows;
  return make_tma_descriptor(c);
}

int main() {
  int const k = 320;
  std::vector<half_t> a(128 * k), b(32 * k);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = half_t(static_cast<float>(i * i % 7) - 3.f);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = half_t(static_cast<float>(i * 5 % 11) - 5.f);
  device_buffer<half_t> dev_a(a), dev_b(b);
  device_buffer<float> dev_c(128 * 32);
  launch(multiply, {.grid = 1, .block = 384, .shared_bytes = 2 * (16384 + 4096)}, tiles_of(dev_a.data(), 128, k),
         tiles_of(dev_b.data(), 32, k), dev_c.data(), k / 64);
  auto const c = dev_c.download();
  for (std::size_t i = 0; i < c.size(); ++i) {
    float sum = 0;
    for (std::size_t j = 0; j < k; ++j)
      sum += static_cast<float>(a[i / 32 * k + j]) * static_cast<float>(b[i % 32 * k + j]);
    if (c[i] != sum) return 1;
  }
  return 0;
}
