// SPDX-License-Identifier: Apache-2.0
// A persistent block computes two tiles of C (128, 32), one after the other. The pipeline of tensor copies runs on from
// tile to tile, and a tensor copy stores the first result while the second is computed.
#include <cosmati/arch/remote_mbarrier.hpp>
#include <cosmati/cosmati.hpp>
#include <cosmati/pipeline/tma_pipeline.hpp>
#include <cosmati/tma.hpp>
#include <cosmati/wgmma.hpp>
using namespace cosmati;

using LayoutA = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_64, _64, _3>{}));
using LayoutB = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_32, _64, _3>{}));

__global__ void multiply(TmaDescriptor const __grid_constant__ a, TmaDescriptor const __grid_constant__ b,
                         TmaDescriptor const __grid_constant__ c, int tiles_k) {
  half_t* const memory = dynamic_shared<half_t>();
  __shared__ tma_pipeline<3>::storage barriers;
  __shared__ __align__(128) float result[64 * 32];
  int const t = static_cast<int>(threadIdx.x);
  auto const sA = make_tensor(make_smem_ptr(memory), LayoutA{});
  auto const sB = make_tensor(make_smem_ptr(memory + 3 * 4096), LayoutB{});
  auto sC = make_tensor(make_smem_ptr(result), Layout<Shape<_64, _32>, Stride<_32, _1>>{});
  tma_pipeline<3> const pipeline(barriers, 128, t == 0);  // [pipeline]
  if (t == 128) {
    auto producer = pipeline.producer();
    for (int i = 0; i < 2 * tiles_k; ++i) {
      producer.fill([&](auto& stage) {  // [fill]
        int const m = 64 * (i / tiles_k), k = 64 * (i % tiles_k);
        tensor_copy_g2s(memory + 4096 * stage.index(), a, {k, m}, stage.full(8192));          // [load a]
        tensor_copy_g2s(memory + 12288 + 2048 * stage.index(), b, {k, 0}, stage.full(4096));  // [load b]
      });
    }
  }
  if (t >= 128) return;
  auto consumer = pipeline.consumer();
  auto mma = make_tiled_mma(SM90_64x32x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::K>{});
  auto const thread = mma.get_slice(t);
  auto const rA = thread.make_fragment_A(thread.partition_A(sA));
  auto const rB = thread.make_fragment_B(thread.partition_B(sB));
  auto tCsC = thread.partition_C(sC);
  for (int tile = 0; tile < 2; ++tile) {
    auto sums = partition_fragment_C(mma, Shape<_64, _32>{});
    mma.accumulate_ = GMMA::ScaleOut::Zero;
    for (int k = 0; k < tiles_k; ++k) {
      int const stage = consumer.wait();  // [full]
      warpgroup_arrive();                 // [arrive]
      for (int step = 0; step < 4; ++step) {
        gemm(mma, rA(_, _, step, stage), rB(_, _, step, stage), sums);  // [multiply]
        mma.accumulate_ = GMMA::ScaleOut::One;
      }
      warpgroup_commit_batch();     // [commit]
      warpgroup_wait<0>();          // [wait]
      consumer.release_unfenced();  // [release]
    }
    if (t == 0) tma_store_wait<0>();                         // [free]
    NamedBarrier::sync(128, 1);                              // [all know]
    for (int i = 0; i < size(sums); ++i) tCsC(i) = sums(i);  // [result]
    fence_proxy_async_shared();                              // [fence]
    NamedBarrier::sync(128, 1);                              // [written]
    if (t == 0) {
      tensor_copy_s2g(c, result, {0, 64 * tile});  // [store]
      tma_store_arrive();                          // [store commit]
    }
  }
  if (t == 0) tma_store_wait<0>();  // [end]
}

template <class T>
TmaDescriptor boxes_of(T* data, tensor_map_type type, int rows, int columns, int box_rows, int box_columns) {
  tensor_map_config c;
  c.data = data, c.type = type, c.rank = 2;
  c.swizzle = type == tensor_map_type::f16 ? TMA::SmemSwizzleBits::B128 : TMA::SmemSwizzleBits::DISABLE;
  c.extent[0] = columns, c.extent[1] = rows, c.stride[1] = columns, c.box[0] = box_columns, c.box[1] = box_rows;
  return make_tma_descriptor(c);
}

int main() {
  int const k = 256;
  std::vector<half_t> a(128 * k), b(32 * k);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = half_t(static_cast<float>(i * i % 7) - 3.f);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = half_t(static_cast<float>(i * 5 % 11) - 5.f);
  device_buffer<half_t> dev_a(a), dev_b(b);
  device_buffer<float> dev_c(std::vector<float>(128 * 32));
  launch(multiply, {.grid = 1, .block = 160, .shared_bytes = 2 * 3 * (4096 + 2048)},
         boxes_of(dev_a.data(), tensor_map_type::f16, 128, k, 64, 64),
         boxes_of(dev_b.data(), tensor_map_type::f16, 32, k, 32, 64),
         boxes_of(dev_c.data(), tensor_map_type::f32, 128, 32, 64, 32), k / 64);
  auto const c = dev_c.download();
  for (std::size_t i = 0; i < c.size(); ++i) {
    float sum = 0;
    for (std::size_t j = 0; j < k; ++j)
      sum += static_cast<float>(a[i / 32 * k + j]) * static_cast<float>(b[i % 32 * k + j]);
    if (c[i] != sum) return 1;
  }
  return 0;
}
