// SPDX-License-Identifier: Apache-2.0
/// @file
/// Compares matrix products with cuBLAS', in turn, in one run.
///
/// bench_gemm [--json FILE] [--minutes N] [--only TEXT]   (TEXT: part of "kernel type layout n", such as "simt f32 TN
/// 4096" or "hopper bf16 NT 16384x4096x4096")
#include "peers.hpp"

#include "../measure.hpp"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <thread>

namespace {

using namespace cosmati;

std::string size_text(bench::work const& w) {
  std::string const n = std::to_string(w.n);
  return w.m == w.n && w.n == w.k ? n : std::to_string(w.m) + "x" + n + "x" + std::to_string(w.k);
}
std::string label(bench::work const& w) {
  return w.name.substr(w.name.find('/') + 1) + " " + w.type + " " + w.layout + " " + size_text(w);
}

/// TFLOP/s, run by run.
struct samples {
  std::vector<double> ours, theirs;
};

/// Times pairs of runs, ours and the peer's, in bursts with a rest between.
/// @param most pairs, @param limit seconds after which no burst begins, if there are twelve pairs
template <class Ours, class Theirs>
samples sample(Ours const& ours, Theirs const& theirs, double operations, std::size_t most, double limit, int rest_ms) {
  // At full power the clock falls within tens of milliseconds, and with it the figures of what needs more power: so
  // runs come in bursts of a few, queued together so that the card never waits for the host, and the card rests between
  // bursts. The first pair of a burst is not counted. The notes say what comes out without rest.
  constexpr int pairs = 5;
  std::vector<event> mark(std::size_t{4} * pairs);
  samples found;
  auto const began = std::chrono::steady_clock::now();
  auto const elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count(); };
  while (found.ours.size() < 12 || (found.ours.size() < most && elapsed() < limit)) {
    std::this_thread::sleep_for(std::chrono::milliseconds(rest_ms));
    for (std::size_t k = 0; k < 2 * pairs; ++k) {
      bool const mine = (k + k / 2) % 2 == 0;  // each is first in turn
      mark[2 * k].record();
      if (mine)
        ours();
      else
        theirs();
      mark[2 * k + 1].record();
    }
    synchronize();
    for (std::size_t k = 2; k < 2 * pairs; ++k) {
      double const rate = operations / static_cast<double>(elapsed_ms(mark[2 * k], mark[2 * k + 1])) / 1e9;
      ((k + k / 2) % 2 == 0 ? found.ours : found.theirs).push_back(rate);
    }
  }
  return found;
}

/// The buffers of a product. `next` goes on to other copies of the same operands, so that L2 holds nothing of them.
struct operands {
  std::vector<device_buffer<std::uint8_t>> a, b, c, other;
  std::size_t mine = 0, theirs = 0;

  explicit operands(bench::work const& w) {
    constexpr std::size_t enough = std::size_t{256} << 20;  // several times an L2 cache
    std::size_t const bytes = (w.count_a() + w.count_b()) * w.bytes_ab + w.count_c() * w.bytes_c;
    std::size_t const sets = w.best_peer ? std::max<std::size_t>(2, enough / bytes + 1) : 1;
    for (std::size_t i = 0; i < sets; ++i) {
      a.emplace_back(w.count_a() * w.bytes_ab);
      b.emplace_back(w.count_b() * w.bytes_ab);
      c.emplace_back(w.count_c() * w.bytes_c);
      other.emplace_back(w.count_c() * w.bytes_c);
    }
    std::uint64_t const seed_a = bench::fresh_seed(), seed_b = bench::fresh_seed();
    for (std::size_t i = 0; i < sets; ++i) {
      w.fill(a[i].data(), w.count_a(), seed_a);
      w.fill(b[i].data(), w.count_b(), seed_b);
    }
  }
  void poison() {
    for (auto* results : {&c, &other}) {
      for (auto& one : *results) detail::check_cuda(cudaMemset(one.data(), 0xff, one.bytes()), "poisoning C");
    }
  }
  std::size_t next(std::size_t& at) const { return at = at + 1 == a.size() ? 0 : at + 1; }
};

/// The peer of a product.
struct chosen_peer {
  std::string name = "cublasGemmEx";
  std::string notes;   ///< the rates of all that it was chosen of
  int algorithm = -1;  ///< of cuBLASLt; -1: cublasGemmEx
};
chosen_peer choose_peer(bench::work const& w, bench::cublas& gemm_ex, bench::cublas_lt& lt, operands& o) {
  constexpr int repetitions = 4;
  event start, stop;
  double least = 0;
  chosen_peer best{.name = "the fastest of cuBLAS and cuBLASLt", .notes = {}};
  for (int algorithm = -1; algorithm < lt.count(); ++algorithm) {
    auto const run = [&] {
      std::size_t const i = o.next(o.theirs);
      return algorithm < 0 ? gemm_ex.can(w, o.a[i].data(), o.b[i].data(), o.other[i].data())
                           : lt.run(algorithm, o.a[i].data(), o.b[i].data(), o.other[i].data());
    };
    if (!run()) continue;
    synchronize();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    run();
    start.record();
    for (int i = 0; i < repetitions; ++i) run();
    stop.record();
    double const ms = static_cast<double>(elapsed_ms(start, stop)) / repetitions;
    char text[80];
    std::snprintf(text, sizeof text, "%s%s %.1f", best.notes.empty() ? "" : ", ",
                  algorithm < 0 ? "cublasGemmEx" : ("cublasLt " + std::to_string(algorithm)).c_str(),
                  2.0 * w.m * w.n * w.k / ms / 1e9);
    best.notes += text;
    if (least == 0 || ms < least) {
      least = ms;
      best.algorithm = algorithm;
    }
  }
  if (least == 0) throw error("%s: no peer has this product", label(w).c_str());
  return best;
}

/// What a result says beside its figures. @param instructions rates of the instructions alone, by type; it adds a new
/// one
std::string notes_of(bench::work const& w, chosen_peer const& peer, samples const& rested, samples const& unbroken,
                     std::map<std::string, double>& instructions) {
  char text[300];
  std::string notes = "peers in four runs, TFLOP/s: " + peer.notes;
  if (w.instruction != nullptr) {
    auto const [at, is_new] = instructions.emplace(w.type, 0.0);
    if (is_new) {
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
      at->second = w.instruction();
    }
    std::snprintf(text, sizeof text, "the instruction alone, in a loop without loads: %.1f TFLOP/s, of which %.3f",
                  at->second, bench::median(rested.ours) / at->second);
    notes = text;
  }
  std::snprintf(text, sizeof text, "; without rest between runs: %.1f TFLOP/s, the peer %.1f, ratio %.3f",
                bench::median(unbroken.ours), bench::median(unbroken.theirs),
                bench::median(unbroken.ours) / bench::median(unbroken.theirs));
  notes += text;
  if (w.best_peer) std::printf("%s: %s\n", label(w).c_str(), notes.c_str());
  return notes;
}

bench::result measure(bench::work const& w, bench::cublas& gemm_ex, double seconds,
                      std::map<std::string, double>& instructions) {
  operands o(w);
  std::unique_ptr<bench::cublas_lt> lt;
  chosen_peer peer;
  if (w.best_peer) {
    lt = std::make_unique<bench::cublas_lt>(w);
    peer = choose_peer(w, gemm_ex, *lt, o);
  }
  auto const ours = [&] {
    std::size_t const i = o.next(o.mine);
    w.run(o.a[i].data(), o.b[i].data(), o.c[i].data());
  };
  auto const theirs = [&] {
    std::size_t const i = o.next(o.theirs);
    if (peer.algorithm < 0)
      gemm_ex.run(w, o.a[i].data(), o.b[i].data(), o.other[i].data());
    else if (!lt->run(peer.algorithm, o.a[i].data(), o.b[i].data(), o.other[i].data()))
      throw error("%s: cublasLtMatmul failed", label(w).c_str());
  };
  auto const verify = [&](char const* when) {
    synchronize();
    for (std::size_t i = 0; i < o.a.size(); ++i) {
      if (auto const wrong = w.wrong(w, o.a[i].data(), o.b[i].data(), o.c[i].data(), o.other[i].data()); wrong != 0)
        throw error("%s: %llu elements are wrong %s", label(w).c_str(), wrong, when);
    }
  };
  o.poison();
  for (std::size_t i = 0; i < o.a.size(); ++i) {
    theirs();
    ours();
  }
  verify("before timing");
  o.poison();  // the timed runs write every copy again
  double const operations = 2.0 * w.m * w.n * w.k;
  samples const rested = sample(ours, theirs, operations, 100, seconds / 2, w.n > 4096 ? 200 : 40);
  samples const unbroken = sample(ours, theirs, operations, 100, seconds / 2, 0);
  verify("after timing");
  std::string const notes = notes_of(w, peer, rested, unbroken, instructions);
  return {w.name,
          "gemm_" + w.name.substr(w.name.find('/') + 1) + "_kernel<" + w.type + ", " + w.layout + ", " + size_text(w) +
              ", " + w.tiles + ">",
          peer.name,
          {{"type", bench::quoted(w.type)},
           {"layout", bench::quoted(w.layout)},
           {"n", w.m == w.n && w.n == w.k ? std::to_string(w.n) : bench::quoted(size_text(w))}},
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
  if (current_device().compute_capability == 90) {
    bench::add_hopper(all);
    bench::add_models(all);
  }
  for (bench::work const& w : all) {
    if (label(w).find(only) != std::string::npos) chosen.push_back(w);
  }
  bench::cublas peer;
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
