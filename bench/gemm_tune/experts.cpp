// SPDX-License-Identifier: Apache-2.0
// Groups of ragged rows by gemm_hopper_grouped, beside a graph of cuBLAS' calls, one after the other or on 8 streams.
#include "peer.hpp"
#include "timing.hpp"

#include <cosmati/kernel/gemm/hopper_grouped.hpp>
#include <memory>
#include <random>

namespace bench {
namespace {

/// The tensors of a product with groups. Tokens are shared out at random: an expert has 0.2 to 1.8 times the mean.
struct experts {
  int count, rows, n, k;
  std::vector<int> offsets;
  device_buffer<int> on_device;
  device_buffer<bfloat16_t> a, b, c;

  experts(int count_, int rows_, int n_, int k_)
      : count(count_),
        rows(rows_),
        n(n_),
        k(k_),
        offsets(ragged(count_, rows_)),
        on_device(offsets),
        a(elements(rows_, k_)),
        b(elements(n_, k_) * static_cast<std::size_t>(count_)),
        c(elements(rows_, n_)) {
    fill(a.data(), a.size(), 1);
    fill(b.data(), b.size(), 2);
  }
  static std::size_t elements(int x, int y) { return static_cast<std::size_t>(x) * static_cast<std::size_t>(y); }
  static std::vector<int> ragged(int count, int rows) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> share(0.2, 1.8);
    std::vector<double> shares(static_cast<std::size_t>(count));
    double sum = 0;
    for (double& x : shares) sum += x = share(random);
    std::vector<int> r{0};
    double at = 0;
    for (double const x : shares) r.push_back(static_cast<int>((at += x) / sum * rows + 0.5));
    return r;
  }
  product part(std::size_t g) const {
    int const first = offsets[g];
    return {offsets[g + 1] - first,
            n,
            k,
            a.data() + elements(first, k),
            b.data() + elements(n, k) * g,
            const_cast<bfloat16_t*>(c.data()) + elements(first, n)};
  }
};

template <hopper_config config>
double ours(experts& e) {
  return microseconds(2, [&](std::size_t, cudaStream_t s) {
    gemm_hopper_grouped<config>(make_tensor(make_gmem_ptr(e.a.data()), make_shape(e.rows, e.k), make_stride(e.k, _1{})),
                                make_tensor(make_gmem_ptr(e.b.data()), make_shape(e.n, e.k, e.count),
                                            make_stride(e.k, _1{}, static_cast<std::int64_t>(e.n) * e.k)),
                                make_tensor(make_gmem_ptr(e.c.data()), make_shape(e.rows, e.n), make_stride(e.n, _1{})),
                                e.on_device.data(), 1.f, 0.f, identity{}, s);
  });
}

/// cuBLAS' calls, group by group, on `count` streams that the graph's stream forks into.
double theirs(experts& e, std::size_t count) {
  std::vector<cudaStream_t> streams(count);
  std::vector<std::unique_ptr<peer>> peers;
  for (auto& one : streams) {
    detail::check_cuda(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking), "making a stream");
    peers.push_back(std::make_unique<peer>(128, e.n, e.k));
  }
  cudaEvent_t fork = nullptr;
  std::vector<cudaEvent_t> joins(count);
  detail::check_cuda(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming), "making an event");
  for (auto& one : joins) detail::check_cuda(cudaEventCreateWithFlags(&one, cudaEventDisableTiming), "making an event");
  double const time = microseconds(2, [&](std::size_t, cudaStream_t s) {
    detail::check_cuda(cudaEventRecord(fork, s), "forking");
    for (auto const one : streams) detail::check_cuda(cudaStreamWaitEvent(one, fork, 0), "forking");
    for (std::size_t g = 0; g + 1 < e.offsets.size(); ++g)
      if (e.part(g).m > 0) peers[g % count]->run(peers[g % count]->gemm_ex(), e.part(g), streams[g % count]);
    for (std::size_t i = 0; i < count; ++i) {
      detail::check_cuda(cudaEventRecord(joins[i], streams[i]), "joining");
      detail::check_cuda(cudaStreamWaitEvent(s, joins[i], 0), "joining");
    }
  });
  for (auto const one : streams) cudaStreamDestroy(one);
  for (auto const one : joins) cudaEventDestroy(one);
  cudaEventDestroy(fork);
  return time;
}

}  // namespace

void compare_experts() {
  // N and K of DeepSeek V3's experts (64 of them on a device) and of Mixtral's
  constexpr int shapes[][4] = {{64, 1024, 4096, 7168}, {64, 4096, 4096, 7168},  {64, 16384, 4096, 7168},
                               {64, 4096, 7168, 2048}, {64, 16384, 7168, 2048}, {8, 1024, 28672, 4096},
                               {8, 8192, 28672, 4096}};
  for (auto const& [count, rows, n, k] : shapes) {
    experts e(count, rows, n, k);
    double const one = theirs(e, 1), eight = theirs(e, 8);
    double const peer = one < eight ? one : eight;
    std::printf("%d experts, %d rows, N %d, K %d: cuBLAS in a graph %.1f us, on 8 streams %.1f us\n", count, rows, n, k,
                one, eight);
    auto const line = [&](char const* name, double time) {
      std::printf("  %.3f  %.1f us, %.0f TFLOP/s  %s\n", peer / time, time, 2e-6 * rows * n * k / time, name);
    };
    line("64x256 pingpong", ours<hopper_grouped_config>(e));
    line("128x192 pingpong", ours<hopper_config{.tile_n = 192, .schedule = hopper_schedule::pingpong}>(e));
    line("128x256", ours<hopper_config{}>(e));
    std::fflush(stdout);
  }
}

}  // namespace bench
