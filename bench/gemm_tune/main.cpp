// SPDX-License-Identifier: Apache-2.0
/// @file
/// Times configurations of `gemm_hopper` on a list of shapes, beside the fastest of cuBLAS and cuBLASLt.
///
/// bench_gemm_tune [--m M]... [--most N] [--square | --experts | --scaled]   (M: rows of C of public models' products,
/// by default 16, 64, 128, 256, 1024; N: lines of each shape; --square: the large products instead; --experts: groups
/// of ragged rows beside a graph of cuBLAS' calls; --scaled: 8-bit floats with sums of two levels and scales of blocks)
///
/// Calls are captured in a graph, so that the host's time does not count, and each uses the next copy of the operands,
/// so that L2 holds nothing of them. A candidate that the model of the default choice expects to take more than three
/// times of the least is left out.
#include "tune.hpp"

#include "peer.hpp"
#include "timing.hpp"

#include <cmath>
#include <cstdlib>
#include <cstring>

namespace {

using namespace cosmati;
using bench::candidate;
using bench::microseconds;
using bench::product;

/// Copies of the operands of a product.
struct operands {
  std::vector<device_buffer<bfloat16_t>> a, b, c;
  operands(int m, int n, int k) {
    auto const count = [](int x, int y) { return static_cast<std::size_t>(x) * static_cast<std::size_t>(y); };
    std::size_t const bytes = 2 * (count(m, k) + count(n, k) + count(m, n));
    std::size_t const sets = std::max<std::size_t>(2, (std::size_t{200} << 20) / bytes + 1);
    for (std::size_t i = 0; i < sets; ++i) {
      a.emplace_back(count(m, k));
      b.emplace_back(count(n, k));
      c.emplace_back(count(m, n));
      bench::fill(a.back().data(), a.back().size(), 1);
      bench::fill(b.back().data(), b.back().size(), 2);
    }
  }
};

struct timing {
  double time, model;
  candidate const* of;
};

/// The sums of the logarithms of ratios to the peer.
struct totals {
  double chosen = 0, best = 0;
  int shapes = 0;
};

void compare(int m, int n, int k, std::vector<candidate> const& all, std::size_t most, totals& sum) {
  operands o(m, n, k);
  auto const product_of = [&](std::size_t i) { return product{m, n, k, o.a[i].data(), o.b[i].data(), o.c[i].data()}; };
  bench::peer peer(m, n, k);
  double least_peer = 0;
  for (int i = 0; i < peer.count(); ++i) {
    if (!peer.run(i, product_of(0), nullptr)) continue;
    double const t =
        microseconds(o.a.size(), [&](std::size_t set, cudaStream_t s) { peer.run(i, product_of(set), s); });
    if (least_peer == 0 || t < least_peer) least_peer = t;
  }
  int const multiprocessors = current_device().multiprocessors;
  std::vector<timing> timings;
  double least_model = 0;
  for (candidate const& one : all) {
    double const model = detail::hopper_clocks(one.config, one.split, 2, one.config.turned ? n : m,
                                               one.config.turned ? m : n, k, 1, multiprocessors);
    timings.push_back({0, model, &one});
    if (least_model == 0 || model < least_model) least_model = model;
  }
  std::erase_if(timings, [&](timing const& t) { return t.model > 3 * least_model; });
  for (timing& t : timings) {
    try {
      t.time = microseconds(o.a.size(), [&](std::size_t set, cudaStream_t s) { t.of->run(product_of(set), s); });
    } catch (error const& problem) {
      std::printf("  left out: %s: %s\n", t.of->text.c_str(), problem.what());
    }
  }
  std::erase_if(timings, [](timing const& t) { return t.time == 0; });
  if (timings.empty()) throw error("no candidate runs");
  double const chosen = microseconds(o.a.size(), [&](std::size_t set, cudaStream_t s) {
    product const p = product_of(set);
    gemm_hopper(make_tensor(make_gmem_ptr(p.a), make_shape(m, k), make_stride(k, _1{})),
                make_tensor(make_gmem_ptr(p.b), make_shape(n, k), make_stride(k, _1{})),
                make_tensor(make_gmem_ptr(p.c), make_shape(m, n), make_stride(n, _1{})), 1.f, 0.f, identity{}, s);
  });
  std::sort(timings.begin(), timings.end(), [](timing const& x, timing const& y) { return x.time < y.time; });
  std::printf("%d x %d x %d: peer %.1f us (%.0f TFLOP/s), the call's choice %.1f us, ratio %.3f\n", m, n, k, least_peer,
              2e-6 * m * n * k / least_peer, chosen, least_peer / chosen);
  for (std::size_t i = 0; i < timings.size() && i < most; ++i)
    std::printf("  %.3f  %7.1f us, model %7.1f  %s\n", least_peer / timings[i].time, timings[i].time,
                timings[i].model / 1.7e3, timings[i].of->text.c_str());
  std::fflush(stdout);
  sum.chosen += std::log(least_peer / chosen);
  sum.best += std::log(least_peer / timings[0].time);
  ++sum.shapes;
}

int run(std::vector<int> const& rows, bool square, std::size_t most) {
  std::vector<candidate> all;
  bench::add_cooperative(all);
  bench::add_pingpong(all);
  bench::add_split(all);
  bench::add_turned(all);
  // N and K of the weights of Llama 3 (8B, 70B), Mixtral, DeepSeek V3, Qwen 2.5 (7B)
  constexpr int weights[][2] = {{6144, 4096}, {4096, 4096},  {28672, 4096}, {4096, 14336}, {10240, 8192},
                                {2112, 7168}, {24576, 1536}, {7168, 16384}, {4608, 3584},  {3584, 18944}};
  constexpr int large[][3] = {{2048, 2048, 2048}, {4096, 4096, 4096}, {8192, 8192, 8192}, {16384, 4096, 4096}};
  auto const report = [](char const* name, totals const& t) {
    std::printf("%s: geometric mean of the call's choice %.3f, of the best candidates %.3f\n", name,
                std::exp(t.chosen / t.shapes), std::exp(t.best / t.shapes));
  };
  if (square) {
    totals sum;
    for (auto const& [m, n, k] : large) compare(m, n, k, all, most, sum);
    report("large", sum);
    return 0;
  }
  for (int const m : rows) {
    totals sum;
    for (auto const& [n, k] : weights) compare(m, n, k, all, most, sum);
    report(("M " + std::to_string(m)).c_str(), sum);
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<int> rows;
  bool square = false;
  void (*other)() = nullptr;
  std::size_t most = 4;
  for (int i = 1; i < count; ++i) {
    if (std::strcmp(arguments[i], "--square") == 0) {
      square = true;
    } else if (std::strcmp(arguments[i], "--experts") == 0) {
      other = bench::compare_experts;
    } else if (std::strcmp(arguments[i], "--scaled") == 0) {
      other = bench::compare_scaled;
    } else if (std::strcmp(arguments[i], "--m") == 0 && i + 1 < count) {
      rows.push_back(std::atoi(arguments[++i]));
    } else if (std::strcmp(arguments[i], "--most") == 0 && i + 1 < count) {
      most = static_cast<std::size_t>(std::atoi(arguments[++i]));
    } else {
      std::fputs("usage: bench_gemm_tune [--m M]... [--most N] [--square | --experts | --scaled]\n", stderr);
      return 2;
    }
  }
  if (rows.empty()) rows = {16, 64, 128, 256, 1024};
  try {
    if (other == nullptr) return run(rows, square, most);
    other();
    return 0;
  } catch (cosmati::error const& problem) {
    std::fprintf(stderr, "bench_gemm_tune: %s\n", problem.what());
    return 1;
  }
}
