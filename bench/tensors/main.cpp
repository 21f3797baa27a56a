// SPDX-License-Identifier: Apache-2.0
/// @file
/// Compares copy_tensor and gather_rows with cudaMemcpyAsync, cudaMemcpy2DAsync and the library's own contiguous copy.
///
/// bench_tensors [--json FILE] [--csv FILE] [--only PART] [--study N [--seed S]]
///
/// PART is contiguous, pitched, transposes, conversions, gathers, permutations, boxes or calls; several are joined by
/// commas.
/// `--csv` writes a line for each permutation. `--study N` measures the planner instead: N random problems, each by its
/// choice, by the best of eight measured plans, and by every plan of a wide space; then `--csv` has a line for each
/// problem.
#include <cosmati/kernel/gather.hpp>

#include <cosmati/kernel/copy_text.hpp>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <optional>

#include "boxes.hpp"
#include "calls.hpp"
#include "geam.hpp"
#include "harness.hpp"
#include "study.hpp"

namespace {

using namespace cosmati;
using bench::benchmark;
using bench::contestant;

std::vector<double> rates(double bytes, std::vector<double> const& microseconds) {
  std::vector<double> r;
  for (double const us : microseconds) r.push_back(2e-3 * bytes / us);
  return r;
}
std::string kernel_of(copy_problem const& p, copy_plan const& plan) { return "cosmati::" + kernel_name(p, plan); }
class tables {
 public:
  explicit tables(benchmark& b) : b_(b) {}

  void add(std::string const& work, std::string const& shape, std::string const& kernel, double bytes,
           contestant const& mine, contestant const& peer) {
    results.push_back({work,
                       kernel,
                       peer.name,
                       {{"bytes", std::to_string(static_cast<long long>(bytes))}, {"shape", bench::quoted(shape)}},
                       "GB/s",
                       rates(bytes, mine.microseconds),
                       rates(bytes, peer.microseconds)});
  }
  /// Compares the planner's first choice with the contiguous copy, and when exploring also other plans. @return the
  /// ratio
  double add_copy(bench::case_of_copy const& one, int rounds, bool report, contestant const* other = nullptr,
                  std::string const& beside = "_beside_cuda") {
    shown.say(one.work + ' ' + one.shape);
    copy_plans const plans = plan_copy(one.problem, device_model::of_current());
    b_.check(one, plans, plans.plan[0]);
    double const bytes = static_cast<double>(one.problem.size() * one.problem.element_bytes);
    std::string const kernel = kernel_of(plans.problem, plans.plan[0]);
    std::vector<contestant> all = {{kernel, [&] { launch_plan(plans.problem, plans.plan[0], b_.in(), b_.out()); }},
                                   b_.contiguous(static_cast<std::size_t>(bytes))};
    if (other != nullptr) all.push_back(*other);
    b_.race(all, rounds, bench::touched_by(one.problem));
    b_.check(one, plans, plans.plan[0]);
    double const mine = bench::median(all[0].microseconds), contiguous = bench::median(all[1].microseconds);
    if (report) {
      add(one.work, one.shape, kernel, bytes, all[0], all[1]);
      if (other != nullptr) add(one.work + beside, one.shape, kernel, bytes, all[0], all[2]);
    }
    shown.clear();
    std::printf("%-18s %-52s %-44s %8.1f us %7.1f GB/s %6.3f\n", one.work.c_str(), one.shape.c_str(), kernel.c_str(),
                mine, 2e-3 * bytes / mine, contiguous / mine);
    if (auto const arrow = one.shape.find(" -> "); arrow != std::string::npos) {
      char line[256];
      std::snprintf(line, sizeof line, "\"%s\",\"%s\",\"%s\",%.1f,%.3f\n", one.shape.substr(0, arrow).c_str(),
                    one.shape.substr(arrow + 4).c_str(), kernel.c_str(), mine, contiguous / mine);
      lines += line;
    }
    return contiguous / mine;
  }
  /// The table of permutations: a line with extents, order, kernel, median, ratio to the contiguous copy.
  std::string lines = "extents,order,kernel,us,ratio\n";
  std::vector<bench::result> results;
  bench::progress shown;

 private:
  benchmark& b_;
};

void contiguous_curve(benchmark& b, tables& t) {
  for (std::size_t bytes = std::size_t{1} << 20; bytes <= b.bytes(); bytes *= 4) {
    t.shown.say("contiguous, " + std::to_string(bytes >> 20) + " MiB");
    std::vector<contestant> all = {b.contiguous(bytes), b.memcpy_of(bytes)};
    b.poison(bytes);
    all[0].run();
    bench::case_of_copy one;
    one.problem.element_bytes = 8;
    one.problem.push(static_cast<std::int64_t>(bytes / 8), 1, 1);
    if (bench::wrong_elements(one.problem, b.in(), b.out()) != 0) throw error("the contiguous copy is wrong");
    b.race(all, bytes <= (std::size_t{64} << 20) ? 101 : 21, bytes);  // with 21 rounds, copies of 36 us and less vary
                                                                      // by several percent
    t.add("tensors/contiguous_" + std::to_string(bytes >> 20) + "_mib", std::to_string(bytes) + " bytes",
          "cosmati::copy_contiguous<16>", static_cast<double>(bytes), all[0], all[1]);
  }
}

template <class From, class To>
void conversion(benchmark& b, tables& t, std::string const& name) {
  t.shown.say("conversion " + name);
  std::int64_t const n = std::int64_t{1} << 29;
  auto const src = make_tensor(make_gmem_ptr(reinterpret_cast<From const*>(b.in())), make_layout(n));
  auto const dst = make_tensor(make_gmem_ptr(reinterpret_cast<To*>(b.out())), make_layout(n));
  double const bytes = static_cast<double>(n) * (sizeof(From) + sizeof(To)) / 2;
  std::vector<contestant> all = {{"cosmati::copy_direct", [&] { copy_tensor(src, dst); }},
                                 b.memcpy_of(static_cast<std::size_t>(bytes))};
  b.poison(static_cast<std::size_t>(n) * sizeof(To));
  all[0].run();
  if (auto const wrong = bench::wrong_conversions(src.data().get(), dst.data().get(), n); wrong != 0)
    throw error("convert_%s: %llu elements are wrong", name.c_str(), wrong);
  b.race(all, 11, 0);
  t.add("tensors/convert_" + name, std::to_string(n) + " elements", "cosmati::copy_direct<copy_converted>", bytes,
        all[0], all[1]);
}

void gathers(benchmark& b, tables& t) {
  std::int64_t const count = std::int64_t{1} << 21;
  std::mt19937_64 random(bench::fresh_seed());
  for (std::int64_t const row : {32, 128, 512, 4096}) {
    t.shown.say("gather, rows of " + std::to_string(row) + " bytes");
    std::int64_t const rows = (std::int64_t{4} << 30) / row, moved = row < 512   ? 8 * count
                                                                     : row > 512 ? count / 8
                                                                                 : count;
    std::vector<std::int64_t> list(static_cast<std::size_t>(moved));
    for (auto& k : list) k = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(rows));
    device_buffer<std::int64_t> index(list);
    row_moves const moves = {row, rows, row, row, moved};
    auto const bytes = static_cast<std::size_t>(row * moved);
    std::vector<contestant> all = {
        {"cosmati::move_rows", [&] { gather_rows(b.in(), index.data(), b.out(), moves, wrong_index::is_skipped); }},
        b.contiguous(bytes)};
    b.poison(bytes);
    all[0].run();
    std::vector<char> some(static_cast<std::size_t>(row)), wanted(some.size());
    for (std::size_t k = 0; k < list.size(); k += list.size() / 64) {
      cudaMemcpy(some.data(), b.out() + k * some.size(), some.size(), cudaMemcpyDeviceToHost);
      cudaMemcpy(wanted.data(), b.in() + static_cast<std::size_t>(list[k] * row), some.size(), cudaMemcpyDeviceToHost);
      if (some != wanted) throw error("gather of rows of %lld bytes: row %zu is wrong", static_cast<long long>(row), k);
    }
    b.race(all, 11, 0);
    t.add("tensors/gather_" + std::to_string(row),
          std::to_string(moved) + " rows of " + std::to_string(row) + " bytes of 4 GiB",
          "cosmati::move_rows<int64, 16>", static_cast<double>(bytes), all[0], all[1]);
  }
}

void permutations(tables& t, std::string const& name, std::vector<bench::case_of_copy> const& list) {
  double logarithms = 0, worst = 1e9;
  t.shown.expect(list.size());
  for (auto const& one : list) {
    double const ratio = t.add_copy(one, 5, false);
    logarithms += std::log(ratio);
    worst = std::min(worst, ratio);
  }
  std::printf("%s: %zu, geometric mean %.3f of the contiguous copy, worst %.3f\n", name.c_str(), list.size(),
              std::exp(logarithms / static_cast<double>(list.size())), worst);
}

void pitched_rows(benchmark& b, tables& t) {
  for (auto [bytes, pitch] : {std::pair<std::int64_t, std::int64_t>{1000, 1024}, {4096, 4608}, {10000, 10240}}) {
    std::int64_t const rows = (std::int64_t{2} << 30) / pitch;
    auto const n = static_cast<std::size_t>(bytes), p = static_cast<std::size_t>(pitch);
    contestant const peer = {"cudaMemcpy2DAsync, device to device", [&b, n, p, rows] {
                               detail::check_cuda(
                                   cudaMemcpy2DAsync(b.out(), p, b.in(), p, n, static_cast<std::size_t>(rows),
                                                     cudaMemcpyDeviceToDevice, nullptr),
                                   "cudaMemcpy2DAsync");
                             }};
    t.add_copy(bench::pitched(rows, bytes, pitch), 9, true, &peer);
  }
}
void transposes(benchmark& b, tables& t) {
  auto const one = [&](int e, std::int64_t batches, std::int64_t rows, std::int64_t columns) {
#if defined(BENCH_CUBLAS)
    if (e >= 4) {
      contestant const geam = bench::geam_transpose(e, batches, rows, columns, b.in(), b.out());
      t.add_copy(bench::transposed(e, batches, rows, columns), 9, true, &geam, "_beside_geam");
      return;
    }
#endif
    t.add_copy(bench::transposed(e, batches, rows, columns), 9, true);
  };
  for (int e : {1, 2, 4, 8, 16}) one(e, 1, e < 8 ? 32768 : 16384, e < 16 ? 32768 : 16384);
  for (int e : {1, 2, 4, 8, 16}) one(e, 32 / e, 4095, 8193);
}
/// Tensor copies beside the kernel that `copy_tensor` takes. @param run runs the tensor copies
void beside_planned(benchmark& b, tables& t, bench::case_of_copy one, std::string const& kernel,
                    std::function<void()> const& run) {
  one.work += "_by_boxes";
  t.shown.say(one.work);
  copy_plans const plans = plan_copy(one.problem, device_model::of_current());
  auto const bytes = static_cast<std::size_t>(one.problem.size() * one.problem.element_bytes);
  contestant const planned = {kernel_of(plans.problem, plans.plan[0]),
                              [&] { launch_plan(plans.problem, plans.plan[0], b.in(), b.out()); }};
  std::vector<contestant> all = {{kernel, run}, planned, b.contiguous(bytes)};
  b.poison(static_cast<std::size_t>(bench::span_of(one.problem, false)));
  run();
  if (bench::wrong_elements(one.problem, b.in(), b.out()) != 0) throw error("%s is wrong", one.work.c_str());
  b.race(all, 9, bench::touched_by(one.problem));
  auto const size = static_cast<double>(bytes);
  t.add(one.work, one.shape, kernel, size, all[0], all[1]);
  t.add(one.work + "_of_contiguous", one.shape, kernel, size, all[0], all[2]);
}
void boxes(benchmark& b, tables& t) {
  if (current_device().compute_capability < 90) return;
  constexpr int n = 32768, pitch = 1152, rows = 466033;
  beside_planned(b, t, bench::pitched(rows, 4096, 4608), "bench::copy_by_boxes",
                 [&] { bench::copy_matrix_by_boxes(b.in(), b.out(), rows, 1024, pitch); });
  beside_planned(b, t, bench::transposed(4, 1, n, n), "bench::transpose_by_boxes",
                 [&] { bench::transpose_matrix_by_boxes(b.in(), b.out(), n, n); });
  beside_planned(b, t, bench::transposed(4, 1, 4096, 8192), "bench::transpose_by_boxes",
                 [&] { bench::transpose_matrix_by_boxes(b.in(), b.out(), 4096, 8192); });
}
void conversions(benchmark& b, tables& t) {
  conversion<float, bfloat16_t>(b, t, "f32_bf16");
  conversion<bfloat16_t, float>(b, t, "bf16_f32");
  conversion<float, half_t>(b, t, "f32_f16");
  conversion<float, float_e4m3_t>(b, t, "f32_e4m3");
  conversion<std::int32_t, float>(b, t, "s32_f32");
}

char const* const parts[] = {"contiguous", "pitched",      "transposes", "conversions",
                             "gathers",    "permutations", "boxes",      "calls"};

/// The options of the command line.
struct options {
  std::string json, csv, only;
  int study = 0;
  unsigned seed = 1;

  bool wants(std::string const& part) const {
    return only.empty() || ("," + only + ",").find("," + part + ",") != std::string::npos;
  }
};
bool are_parts(std::string const& list) {
  std::istringstream words(list);
  for (std::string word; std::getline(words, word, ',');)
    if (std::count(std::begin(parts), std::end(parts), word) == 0) return false;
  return true;
}

void write(std::string const& path, std::string const& text) {
  if (path.empty()) return;
  std::FILE* const file = std::fopen(path.c_str(), "w");
  if (file == nullptr || std::fputs(text.c_str(), file) < 0 || std::fclose(file) != 0)
    throw error("cannot write %s", path.c_str());
}

void run_study(options const& o) {
  benchmark b(static_cast<std::size_t>(bench::random_copies::largest_span));
  bench::study study(b);
  study.run(o.study, o.seed);
  write(o.csv, study.lines);
  bench::report(study.summaries(o.seed), o.json);
}

int run(options const& o) {
  if (!device_is_available()) {
    std::puts("skipped: no GPU");
    return 77;
  }
  if (o.study > 0) {
    run_study(o);
  } else {
    benchmark b(std::size_t{4} << 30);
    tables t(b);
    if (o.wants("contiguous")) contiguous_curve(b, t);
    if (o.wants("pitched")) pitched_rows(b, t);
    if (o.wants("transposes")) transposes(b, t);
    if (o.wants("conversions")) conversions(b, t);
    if (o.wants("gathers")) gathers(b, t);
    if (o.wants("permutations")) {
      permutations(t, "rank 5", bench::all_permutations());
      permutations(t, "rank 6", bench::random_permutations(50));
    }
    if (o.wants("boxes")) boxes(b, t);
    if (o.wants("calls"))
      for (bench::result const& one : bench::measured_calls(b)) t.results.push_back(one);
    write(o.csv, t.lines);
    bench::report(t.results, o.json);
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  options o;
  for (int k = 1; k + 1 < count; k += 2) {
    std::string const name = arguments[k], value = arguments[k + 1];
    if (name == "--json")
      o.json = value;
    else if (name == "--csv")
      o.csv = value;
    else if (name == "--only" && are_parts(value))
      o.only = value;
    else if (name == "--study")
      o.study = std::atoi(value.c_str());
    else if (name == "--seed")
      o.seed = static_cast<unsigned>(std::atoi(value.c_str()));
    else
      count = 0;
  }
  if (count % 2 == 0) {
    std::fputs("usage: bench_tensors [--json FILE] [--csv FILE] [--only PART] [--study N [--seed S]]\n", stderr);
    return 2;
  }
  try {
    return run(o);
  } catch (error const& problem) {
    std::fprintf(stderr, "bench_tensors: %s\n", problem.what());
    return 1;
  }
}
