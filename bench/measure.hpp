// SPDX-License-Identifier: Apache-2.0
/// @file
/// The common parts of the benchmark programs: new random data, comparison on the GPU, medians, results in the form of
/// schema.json.
#pragma once

#include <algorithm>
#include <cosmati/cosmati.hpp>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace bench {

/// A random word: a mix of the index k and the seed.
__device__ inline std::uint64_t mixed(std::uint64_t k, std::uint64_t seed) {
  std::uint64_t z = (k + 1) * 0x9e3779b97f4a7c15ull + seed;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return z ^ z >> 31;
}
// Kernels that are in several files are templates, because nvcc does not accept inline ones.
template <class Word>
__global__ void fill_with_random_words(Word* out, std::size_t count, std::uint64_t seed) {
  std::size_t const step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t k = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; k < count; k += step) {
    out[k] = mixed(k, seed);
  }
}
template <class Word>
__global__ void count_wrong_words(Word const* out, std::size_t count, std::uint64_t seed, unsigned long long* wrong) {
  std::size_t const step = std::size_t{gridDim.x} * blockDim.x;
  unsigned long long mine = 0;
  for (std::size_t k = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; k < count; k += step) {
    mine += out[k] != mixed(k, seed);
  }
  if (mine != 0) atomicAdd(wrong, mine);
}

/// The number of words of `out` that differ from what fill_with_random_words writes.
inline unsigned long long wrong_words(std::uint64_t const* out, std::size_t count, std::uint64_t seed) {
  cosmati::device_buffer<unsigned long long> wrong(std::vector<unsigned long long>{0});
  cosmati::launch(count_wrong_words<std::uint64_t>, {.grid = 2048, .block = 256}, out, count, seed, wrong.data());
  return wrong.download()[0];
}
inline std::uint64_t fresh_seed() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  std::size_t const n = values.size();
  return n % 2 != 0 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}
/// (largest - smallest) / median
inline double spread(std::vector<double> const& values) {
  auto const [least, most] = std::minmax_element(values.begin(), values.end());
  return (*most - *least) / median(values);
}

/// One measurement: work and reference, in the same unit and with as many repetitions. `./benchmark` adds commit and
/// date.
struct result {
  std::string name, kernel, peer;
  std::vector<std::pair<std::string, std::string>> parameters;  // names with values as JSON
  std::string unit;
  std::vector<double> figures, peer_figures;
  std::string notes = {};
};

inline std::string quoted(std::string const& text) {
  std::string q = "\"";
  for (char const c : text) {
    if (c == '"' || c == '\\') q += '\\';
    q += c;
  }
  return q + '"';
}

/// Prints a table and, unless `path` is empty, writes the results there as a JSON array.
inline void report(std::vector<result> const& results, std::string const& path) {
  auto const info = cosmati::current_device();
  int driver = 0, toolkit = 0;
  cosmati::detail::check_cuda(cudaDriverGetVersion(&driver), "reading the driver's version");
  cosmati::detail::check_cuda(cudaRuntimeGetVersion(&toolkit), "reading the runtime's version");
  std::string json = "[";
  std::printf("%-58s %10s %10s %7s %7s %5s\n", "kernel", "figure", "peer", "ratio", "spread", "runs");
  for (result const& r : results) {
    double const figure = median(r.figures), peer = median(r.peer_figures);
    std::printf("%-58s %10.1f %10.1f %7.4f %7.4f %5zu  %s\n", r.kernel.c_str(), figure, peer, figure / peer,
                spread(r.figures), r.figures.size(), r.unit.c_str());
    std::string parameters;
    for (auto const& [name, value] : r.parameters) {
      parameters += (parameters.empty() ? "" : ", ") + quoted(name) + ": " + value;
    }
    char text[2000];
    std::snprintf(
        text, sizeof text,
        "%s\n {\"schema\": 1, \"work\": {\"name\": %s, \"parameters\": {%s}},\n"
        "  \"device\": {\"name\": %s, \"architecture\": \"sm_%da\", \"driver\": \"CUDA %d.%d\", "
        "\"toolkit\": \"nvcc %d.%d\"},\n"
        "  \"figure\": {\"value\": %.6g, \"unit\": %s}, \"peer\": {\"name\": %s, \"figure\": {\"value\": %.6g, "
        "\"unit\": %s}},\n"
        "  \"ratio\": %.4f, \"kernels\": [%s], \"repetitions\": %zu, \"spread\": %.4f,\n"
        "  \"notes\": \"spread of the peer: %.4f%s%s\"}",
        json.size() > 1 ? "," : "", quoted(r.name).c_str(), parameters.c_str(), quoted(info.name).c_str(),
        info.compute_capability, driver / 1000, driver % 1000 / 10, toolkit / 1000, toolkit % 1000 / 10, figure,
        quoted(r.unit).c_str(), quoted(r.peer).c_str(), peer, quoted(r.unit).c_str(), figure / peer,
        quoted(r.kernel).c_str(), r.figures.size(), spread(r.figures), spread(r.peer_figures),
        r.notes.empty() ? "" : "; ", r.notes.c_str());
    json += text;
  }
  json += "\n]\n";
  if (path.empty()) return;
  std::FILE* const file = std::fopen(path.c_str(), "w");
  if (file == nullptr || std::fputs(json.c_str(), file) < 0 || std::fclose(file) != 0) {
    throw cosmati::error("cannot write %s", path.c_str());
  }
}

}  // namespace bench
