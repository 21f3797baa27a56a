// SPDX-License-Identifier: Apache-2.0
// Products of 8-bit floats: sums of one level, of two, and with scales of blocks.
#include "peer.hpp"
#include "timing.hpp"

#include <array>
#include <cosmati/kernel/gemm/hopper_grouped.hpp>

namespace bench {
namespace {

struct operands8 {
  device_buffer<float_e4m3_t> a, b;
  device_buffer<bfloat16_t> c;
  device_buffer<float> scales_a, scales_b;
};

template <class Run>
void line(char const* name, int m, int n, int k, std::vector<operands8>& sets, Run const& run) {
  double const time = microseconds(sets.size(), [&](std::size_t i, cudaStream_t s) {
    operands8& o = sets[i];
    run(make_tensor(make_gmem_ptr(o.a.data()), make_shape(m, k), make_stride(k, _1{})),
        make_tensor(make_gmem_ptr(o.scales_a.data()), make_shape(m, (k + 127) / 128), make_stride(_1{}, m)),
        make_tensor(make_gmem_ptr(o.b.data()), make_shape(n, k), make_stride(k, _1{})),
        make_tensor(make_gmem_ptr(o.scales_b.data()), make_shape((n + 127) / 128, (k + 127) / 128),
                    make_stride((k + 127) / 128, _1{})),
        make_tensor(make_gmem_ptr(o.c.data()), make_shape(m, n), make_stride(n, _1{})), s);
  });
  std::printf("  %7.1f us, %5.0f TFLOP/s  %s\n", time, 2e-6 * m * n * k / time, name);
  std::fflush(stdout);
}
template <hopper_config config>
void plain(char const* name, int m, int n, int k, std::vector<operands8>& sets) {
  line(name, m, n, k, sets, [](auto const& A, auto const&, auto const& B, auto const&, auto const& C_, cudaStream_t s) {
    gemm_hopper<config>(A, B, C_, 1.f, 0.f, identity{}, s);
  });
}
template <hopper_config config>
void scaled(char const* name, int m, int n, int k, std::vector<operands8>& sets) {
  line(name, m, n, k, sets,
       [](auto const& A, auto const& scales_a, auto const& B, auto const& scales_b, auto const& C_, cudaStream_t s) {
         gemm_hopper_scaled<config>(A, scales_a, B, scales_b, C_, identity{}, s);
       });
}

}  // namespace

void compare_scaled() {
  for (auto const& [m, n, k] :
       {std::array{4096, 4096, 4096}, {8192, 8192, 8192}, {4096, 7168, 2048}, {128, 4096, 7168}}) {
    auto const elements = [](int x, int y) { return static_cast<std::size_t>(x) * static_cast<std::size_t>(y); };
    std::vector<operands8> sets;
    for (int i = 0; i < 3; ++i) {
      sets.push_back({device_buffer<float_e4m3_t>(elements(m, k)), device_buffer<float_e4m3_t>(elements(n, k)),
                      device_buffer<bfloat16_t>(elements(m, n)), device_buffer<float>(elements(m, (k + 127) / 128)),
                      device_buffer<float>(elements((n + 127) / 128, (k + 127) / 128))});
      operands8& o = sets.back();
      fill(o.a.data(), o.a.size(), 1);
      fill(o.b.data(), o.b.size(), 2);
      fill(o.scales_a.data(), o.scales_a.size(), 3);
      fill(o.scales_b.data(), o.scales_b.size(), 4);
    }
    std::printf("e4m3, %d x %d x %d\n", m, n, k);
    plain<hopper_config{}>("one level, 128x256", m, n, k, sets);
    plain<hopper_config{.tile_n = 128, .stages = 6}>("one level, 128x128", m, n, k, sets);
    plain<hopper_config{.tile_n = 128, .stages = 6, .promote = 4}>("two levels, each 4 stages", m, n, k, sets);
    scaled<hopper_scaled_config>("scales of blocks", m, n, k, sets);
    scaled<hopper_config{.tile_m = 256, .tile_n = 64, .stages = 5, .promote = 1}>("scales of blocks, 256x64", m, n, k,
                                                                                  sets);
  }
}

}  // namespace bench
