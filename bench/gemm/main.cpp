// SPDX-License-Identifier: Apache-2.0
/// @file
/// Matrix products of 4096 and 8192 beside cublasGemmEx, in turn, in one run.
///
/// bench_gemm [--json FILE] [--minutes N] [--only TEXT]   (TEXT: part of "kernel type layout n", such as "simt f32 TN
/// 4096")
#include "works.hpp"

#include "../measure.hpp"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <thread>

namespace {

using namespace cosmati;

struct cublas {
  cublasHandle_t handle = nullptr;
  device_buffer<std::uint8_t> workspace{std::size_t{64} << 20};
  cublas() {
    check(cublasCreate(&handle), "cublasCreate");
    check(cublasSetWorkspace(handle, workspace.data(), workspace.size()), "cublasSetWorkspace");
  }
  ~cublas() { cublasDestroy(handle); }
  cublas(cublas const&) = delete;
  cublas& operator=(cublas const&) = delete;
  static void check(cublasStatus_t status, char const* doing) {
    if (status != CUBLAS_STATUS_SUCCESS) throw error("%s: %s", doing, cublasGetStatusString(status));
  }
  /// C (n, n) contiguous along N: cuBLAS, which counts columns first, is asked for its transpose, B A.
  void run(bench::work const& w, void const* a, void const* b, void* c) {
    bool const tn = w.layout == "TN";
    union scalar {
      float f;
      double d;
      int i;
    };
    scalar one{1.f}, zero{0.f};
    if (w.cublas_compute == CUBLAS_COMPUTE_64F) one.d = 1, zero.d = 0;
    if (w.cublas_compute == CUBLAS_COMPUTE_32I) one.i = 1, zero.i = 0;
    check(cublasGemmEx(handle, tn ? CUBLAS_OP_T : CUBLAS_OP_N, tn ? CUBLAS_OP_N : CUBLAS_OP_T, w.n, w.n, w.n, &one, b,
                       w.cublas_ab, w.n, a, w.cublas_ab, w.n, &zero, c, w.cublas_c, w.n, w.cublas_compute,
                       CUBLAS_GEMM_DEFAULT),
          "cublasGemmEx");
  }
};

std::string label(bench::work const& w) {
  return w.name.substr(w.name.find('/') + 1) + " " + w.type + " " + w.layout + " " + std::to_string(w.n);
}

bench::result measure(bench::work const& w, cublas& peer, double seconds, std::map<std::string, double>& instructions) {
  std::size_t const count = static_cast<std::size_t>(w.n) * static_cast<std::size_t>(w.n);
  device_buffer<std::uint8_t> a(count * w.bytes_ab), b(count * w.bytes_ab), c(count * w.bytes_c),
      other(count * w.bytes_c);
  w.fill(a.data(), count, bench::fresh_seed());
  w.fill(b.data(), count, bench::fresh_seed());
  auto const verify = [&](char const* when) {
    if (auto const wrong = w.wrong(w, a.data(), b.data(), c.data(), other.data()); wrong != 0)
      throw error("%s: %llu elements are wrong %s", label(w).c_str(), wrong, when);
  };
  detail::check_cuda(cudaMemset(c.data(), 0xff, c.bytes()), "poisoning C");
  detail::check_cuda(cudaMemset(other.data(), 0xff, other.bytes()), "poisoning C");
  peer.run(w, a.data(), b.data(), other.data());
  w.run(a.data(), b.data(), c.data());
  synchronize();
  verify("before timing");

  detail::check_cuda(cudaMemset(c.data(), 0xff, c.bytes()), "poisoning C");
  double const operations = 2.0 * w.n * w.n * w.n;
  struct samples {
    std::vector<double> ours, theirs;
  };
  // At full power the clock falls within tens of milliseconds, and with it the figures of what needs more power: so
  // runs come in bursts of a few, queued together so that the card never waits for the host, and the card rests between
  // bursts. The first pair of a burst is not counted. The notes say what comes out without rest.
  constexpr int pairs = 5;
  std::vector<event> mark(std::size_t{4} * pairs);
  auto const sample = [&](std::size_t most, double limit, int rest_ms) {
    samples found;
    auto const began = std::chrono::steady_clock::now();
    auto const elapsed = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    };
    while (found.ours.size() < 12 || (found.ours.size() < most && elapsed() < limit)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(rest_ms));
      for (std::size_t k = 0; k < 2 * pairs; ++k) {
        bool const mine = (k + k / 2) % 2 == 0;  // each is first in turn
        mark[2 * k].record();
        if (mine)
          w.run(a.data(), b.data(), c.data());
        else
          peer.run(w, a.data(), b.data(), other.data());
        mark[2 * k + 1].record();
      }
      synchronize();
      for (std::size_t k = 2; k < 2 * pairs; ++k) {
        double const rate = operations / static_cast<double>(elapsed_ms(mark[2 * k], mark[2 * k + 1])) / 1e9;
        ((k + k / 2) % 2 == 0 ? found.ours : found.theirs).push_back(rate);
      }
    }
    return found;
  };
  samples const rested = sample(100, seconds / 2, w.n > 4096 ? 200 : 40);
  samples const unbroken = sample(100, seconds / 2, 0);
  verify("after timing");
  auto const [at, is_new] = instructions.emplace(w.type, 0.0);
  if (is_new) {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    at->second = w.instruction();
  }
  char notes[300];
  std::snprintf(notes, sizeof notes,
                "the instruction alone, in a loop without loads: %.1f TFLOP/s, of which %.3f; without rest between "
                "runs: %.1f TFLOP/s, the peer %.1f, ratio %.3f",
                at->second, bench::median(rested.ours) / at->second, bench::median(unbroken.ours),
                bench::median(unbroken.theirs), bench::median(unbroken.ours) / bench::median(unbroken.theirs));
  return {w.name,
          "gemm_" + w.name.substr(w.name.find('/') + 1) + "_kernel<" + w.type + ", " + w.layout + ", " +
              std::to_string(w.n) + ", " + w.tiles + ">",
          "cublasGemmEx",
          {{"type", bench::quoted(w.type)}, {"layout", bench::quoted(w.layout)}, {"n", std::to_string(w.n)}},
          "TFLOP/s",
          rested.ours,
          rested.theirs,
          notes};
}

int run(std::string const& json, double minutes, std::string const& only) {
  if (!device_is_available()) {
    std::puts("skipped: no GPU");
    return 77;
  }
  std::vector<bench::work> all, chosen;
  for (int const n : {4096, 8192}) {
    bench::add_mma(all, n);
    bench::add_simt(all, n);
  }
  for (bench::work const& w : all) {
    if (label(w).find(only) != std::string::npos) chosen.push_back(w);
  }
  cublas peer;
  std::vector<bench::result> results;
  std::map<std::string, double> instructions;
  for (bench::work const& w : chosen) {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    results.push_back(measure(w, peer, 60 * minutes / static_cast<double>(chosen.size()), instructions));
  }
  bench::report(results, json);
  for (auto const& [type, rate] : instructions)
    std::printf("%s: the instruction alone %.1f TFLOP/s\n", type.c_str(), rate);
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  std::string json, only;
  double minutes = 0.2;
  for (int k = 1; k + 1 < count; k += 2) {
    if (std::strcmp(arguments[k], "--json") == 0)
      json = arguments[k + 1];
    else if (std::strcmp(arguments[k], "--minutes") == 0)
      minutes = std::atof(arguments[k + 1]);
    else if (std::strcmp(arguments[k], "--only") == 0)
      only = arguments[k + 1];
    else
      count = 0;
  }
  if (count % 2 == 0) {
    std::fputs("usage: bench_gemm [--json FILE] [--minutes N] [--only TEXT]\n", stderr);
    return 2;
  }
  try {
    return run(json, minutes, only);
  } catch (cosmati::error const& problem) {
    std::fprintf(stderr, "bench_gemm: %s\n", problem.what());
    return 1;
  }
}
