// SPDX-License-Identifier: Apache-2.0
// cp.async on the simulated device: widths, zero fill, groups that complete in order, and arrivals at an mbarrier.
#include <gtest/gtest.h>
#include <cosmati/algorithm/element.hpp>
#include <cosmati/arch/cp_async.hpp>
#include <cosmati/arch/mbarrier.hpp>
#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/launch.hpp>

#include "sim/message.hpp"

#include <numeric>

using namespace cosmati;

namespace {

template <int bytes>
__global__ void through(unsigned char const* in, unsigned char* out, int source_bytes) {
  __shared__ __align__(16) unsigned char stage[32 * bytes];
  unsigned char* const mine = stage + bytes * threadIdx.x;
  if (source_bytes < 0)
    cp_async<bytes>(mine, in + bytes * threadIdx.x);
  else
    cp_async_zfill<bytes>(mine, in + bytes * threadIdx.x, static_cast<unsigned>(source_bytes));
  cp_async_wait_all();
  for (int i = 0; i < bytes; ++i) out[bytes * threadIdx.x + static_cast<unsigned>(i)] = mine[i];
}
template <int bytes>
void check() {
  std::vector<unsigned char> host(32 * bytes);
  std::iota(host.begin(), host.end(), static_cast<unsigned char>(1));
  device_buffer<unsigned char> in(host), out(host.size());
  for (int const filled : {-1, 0, 3, bytes}) {
    launch(through<bytes>, {.grid = 1, .block = 32}, in.data(), out.data(), filled);
    auto const got = out.download();
    for (int i = 0; i < 32 * bytes; ++i) {
      auto const at = static_cast<std::size_t>(i);
      EXPECT_EQ(got[at], filled < 0 || i % bytes < filled ? host[at] : 0) << bytes << " bytes, " << filled;
    }
  }
}
TEST(CpAsync, EveryWidthWithAndWithoutZeroFill) {
  check<4>();
  check<8>();
  check<16>();
}

/// Reads stage `read` when at most one group is pending: the second of two is still in flight then.
__global__ void two_groups(float const* in, float* out, int read) {
  __shared__ __align__(16) float stage[2];
  auto const t = make_tensor(make_smem_ptr(&stage[0]), Layout<_2>{});
  cp_async<4>(&stage[0], in);
  cp_async_fence();
  cp_async<4>(&stage[1], in + 1);
  cp_async_fence();
  cp_async_wait<1>();
  *out = detail::load_element(t, read);
  cp_async_wait<0>();
}
TEST(CpAsync, GroupsCompleteInOrder) {
  device_buffer<float> in(std::vector<float>{5, 6}), out(1);
  launch(two_groups, {.grid = 1, .block = 1}, in.data(), out.data(), 0);
  EXPECT_EQ(out.download()[0], 5);
  EXPECT_MESSAGE(launch(two_groups, {.grid = 1, .block = 1}, in.data(), out.data(), 1), "cp.async");
}

// wait_all = wait<0>: for copies whose group was not ended, too. An empty group counts.
__global__ void open_group(float const* in, float* out) {
  __shared__ __align__(16) float stage[1];
  cp_async<4>(&stage[0], in);
  cp_async_wait<0>();
  *out = detail::load_element(make_tensor(make_smem_ptr(&stage[0]), Layout<_1>{}), 0);
}
TEST(CpAsync, WaitingForAllIncludesTheOpenGroup) {
  device_buffer<float> in(std::vector<float>{7}), out(1);
  launch(open_group, {.grid = 1, .block = 1}, in.data(), out.data());
  EXPECT_EQ(out.download()[0], 7);
}

/// @param noinc the barrier's count includes the copies' arrivals; otherwise it does not
__global__ void arrives(float const* in, float* out, bool noinc) {
  __shared__ __align__(16) float stage[32];
  __shared__ std::uint64_t barrier;
  if (threadIdx.x == 0) {
    initialize_barrier(barrier, 32);
    fence_barrier_init();
  }
  __syncthreads();
  cp_async<4>(&stage[threadIdx.x], in + threadIdx.x);
  if (noinc) {
    cp_async_mbarrier_arrive_noinc(barrier);
  } else {
    cp_async_mbarrier_arrive(barrier);
    arrive_barrier(barrier);
  }
  wait_barrier(barrier, 0);
  auto const t = make_tensor(make_smem_ptr(&stage[0]), Layout<_32>{});
  out[threadIdx.x] = detail::load_element(t, static_cast<int>(threadIdx.x ^ 31u));
}
TEST(CpAsync, CopiesArriveAtAnMbarrier) {
  std::vector<float> host(32);
  std::iota(host.begin(), host.end(), 1.f);
  device_buffer<float> in(host), out(32);
  for (bool const noinc : {true, false}) {
    launch(arrives, {.grid = 1, .block = 32}, in.data(), out.data(), noinc);
    auto const got = out.download();
    for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(got[i], host[31 - i]);
  }
}

}  // namespace
