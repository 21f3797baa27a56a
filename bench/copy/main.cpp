// SPDX-License-Identifier: Apache-2.0
/// @file
/// Tiled copies of 4 GiB beside cudaMemcpyAsync, in turn, in one run.
///
/// bench_copy [--json FILE] [--minutes N] [--bytes N]
#include "kernels.hpp"

#include "../measure.hpp"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <numeric>
#include <random>

namespace {

using namespace cosmati;

struct candidate {
  std::string work, kernel, tile;
  int threads, vectors;
  std::function<void()> run;
  std::vector<double> milliseconds;
};

struct buffers {
  std::size_t bytes;
  device_buffer<std::uint64_t> in, out;
  explicit buffers(std::size_t n) : bytes(n), in(n / 8), out(n / 8) {}
};

template <int threads, int vectors>
void add(std::vector<candidate>& list, buffers& b, bool shared) {
  using tiles = bench::tiling<threads, vectors>;
  auto const kernel = shared ? bench::through_shared<threads, vectors> : bench::through_registers<threads, vectors>;
  std::string const name = shared ? "through_shared" : "through_registers";
  std::string const arguments = "<" + std::to_string(threads) + ", " + std::to_string(vectors) + ">";
  auto const run = [&b, kernel] {
    std::int64_t const rows = static_cast<std::int64_t>(b.bytes / 16 / threads);
    launch(kernel, {.grid = static_cast<unsigned>(rows / vectors), .block = threads},
           reinterpret_cast<float const*>(b.in.data()), reinterpret_cast<float*>(b.out.data()), rows);
  };
  static_assert(tiles::elements * 4 <= 48 * 1024);
  list.push_back({"copy/" + name,
                  "bench::" + name + arguments,
                  "(" + std::to_string(vectors) + "," + std::to_string(4 * threads) + ")",
                  threads,
                  vectors,
                  run,
                  {}});
}

void verify(candidate const& c, buffers& b) {
  std::uint64_t const seed = bench::fresh_seed();
  std::size_t const words = b.bytes / 8;
  launch(bench::fill_with_random_words<std::uint64_t>, {.grid = 2048, .block = 256}, b.in.data(), words, seed);
  detail::check_cuda(cudaMemset(b.out.data(), 0xcd, b.bytes), "poisoning the output");
  c.run();
  synchronize();
  unsigned long long const wrong = bench::wrong_words(b.out.data(), words, seed);
  if (wrong != 0) throw error("%s: %llu of %zu words are wrong", c.kernel.c_str(), wrong, words);
}

int run(std::string const& json, double minutes, std::size_t bytes) {
  if (!device_is_available()) {
    std::puts("skipped: no GPU");
    return 77;
  }
  buffers b(bytes);
  std::vector<candidate> all;
  all.push_back({"",
                 "cudaMemcpyAsync",
                 "",
                 0,
                 0,
                 [&b] {
                   detail::check_cuda(
                       cudaMemcpyAsync(b.out.data(), b.in.data(), b.bytes, cudaMemcpyDeviceToDevice, nullptr),
                       "cudaMemcpyAsync");
                 },
                 {}});
  add<256, 1>(all, b, false);
  add<512, 1>(all, b, false);
  add<1024, 1>(all, b, false);
  add<1024, 2>(all, b, false);
  add<256, 2>(all, b, false);
  add<512, 2>(all, b, false);
  add<256, 4>(all, b, false);
  add<256, 8>(all, b, false);
  add<128, 8>(all, b, false);
  add<256, 2>(all, b, true);
  add<512, 1>(all, b, true);
  add<512, 2>(all, b, true);
  add<256, 4>(all, b, true);
  add<256, 8>(all, b, true);
  add<128, 8>(all, b, true);

  for (candidate const& c : all) verify(c, b);
  auto const began = std::chrono::steady_clock::now();
  auto const elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count(); };
  event start, stop;
  std::mt19937 random(static_cast<unsigned>(bench::fresh_seed()));
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (int repetition = -3; repetition < 15 || (repetition < 201 && elapsed() < 60 * minutes); ++repetition) {
    std::shuffle(order.begin(), order.end(), random);  // whoever comes next finds the caches as the last one left them
    for (std::size_t const k : order) {
      candidate& c = all[k];
      start.record();
      c.run();
      stop.record();
      double const ms = static_cast<double>(elapsed_ms(start, stop));
      if (repetition >= 0) c.milliseconds.push_back(ms);  // the first rounds warm up
    }
  }
  for (candidate const& c : all) verify(c, b);

  auto const rates = [bytes](std::vector<double> const& milliseconds) {
    std::vector<double> r;
    for (double const ms : milliseconds) r.push_back(2 * static_cast<double>(bytes) / ms / 1e6);
    return r;
  };
  std::vector<bench::result> results;
  for (std::size_t k = 1; k < all.size(); ++k) {
    candidate const& c = all[k];
    results.push_back({c.work,
                       c.kernel,
                       "cudaMemcpyAsync, device to device",
                       {{"bytes", std::to_string(bytes)},
                        {"type", bench::quoted("float")},
                        {"atom", bench::quoted("UniversalCopy<uint128_t>")},
                        {"thr", bench::quoted("(1," + std::to_string(c.threads) + "):(0,1)")},
                        {"val", bench::quoted("(1,4):(0,1)")},
                        {"tile", bench::quoted(c.tile)},
                        {"vectors_per_thread", std::to_string(c.vectors)}},
                       "GB/s",
                       rates(c.milliseconds),
                       rates(all[0].milliseconds)});
  }
  bench::report(results, json);
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  std::string json;
  double minutes = 0.2;
  std::size_t bytes = std::size_t{4} << 30;
  for (int k = 1; k + 1 < count; k += 2) {
    if (std::strcmp(arguments[k], "--json") == 0)
      json = arguments[k + 1];
    else if (std::strcmp(arguments[k], "--minutes") == 0)
      minutes = std::atof(arguments[k + 1]);
    else if (std::strcmp(arguments[k], "--bytes") == 0)
      bytes = std::strtoull(arguments[k + 1], nullptr, 10);
    else
      count = 0;
  }
  if (count % 2 == 0 || bytes == 0 || bytes % (1 << 20) != 0) {
    std::fputs("usage: bench_copy [--json FILE] [--minutes N] [--bytes N]   (N bytes: a multiple of 1 MiB)\n", stderr);
    return 2;
  }
  try {
    return run(json, minutes, bytes);
  } catch (cosmati::error const& problem) {
    std::fprintf(stderr, "bench_copy: %s\n", problem.what());
    return 1;
  }
}
