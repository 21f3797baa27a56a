// SPDX-License-Identifier: Apache-2.0
/// @file
/// copy_tensor and gather_rows beside cudaMemcpyAsync, cudaMemcpy2DAsync and the library's own contiguous copy.
///
/// bench_tensors [--json FILE] [--minutes N] [--explore FILE] [--csv FILE] [--only PART]
///
/// PART is contiguous, pitched, transposes, conversions, gathers or permutations.
/// `--csv` writes a line a permutation. `--explore` also times the planner's other choices, and writes a line a plan:
/// what was predicted, what it took.
#include <cosmati/kernel/gather.hpp>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>

#include "check.hpp"
#include "problems.hpp"

namespace {

using namespace cosmati;

/// What is timed in turn: the library's work and its peers.
struct contestant {
  std::string name;
  std::function<void()> run;
  std::vector<double> microseconds = {};
};

class benchmark {
 public:
  explicit benchmark(std::size_t bytes) : bytes_(bytes), in_(bytes / 8 + 4096), out_(bytes / 8 + 4096) {
    launch(bench::fill_with_random_words<std::uint64_t>, {.grid = 2048, .block = 256}, in_.data(), in_.size(),
           bench::fresh_seed());
  }
  char* in() { return reinterpret_cast<char*>(in_.data()); }
  char* out() { return reinterpret_cast<char*>(out_.data()); }
  std::size_t bytes() const { return bytes_; }
  void poison(std::size_t bytes) { detail::check_cuda(cudaMemset(out(), 0xcd, bytes), "poisoning the output"); }

  double once(std::function<void()> const& work) {
    start_.record();
    work();
    stop_.record();
    return 1e3 * static_cast<double>(elapsed_ms(start_, stop_));
  }
  /// All in turn, in random order, `rounds` times after two to warm up.
  void race(std::vector<contestant>& all, int rounds) {
    std::vector<std::size_t> order(all.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    for (int round = -2; round < rounds; ++round) {
      std::shuffle(order.begin(), order.end(), random_);
      for (std::size_t const k : order) {
        double const us = once(all[k].run);
        if (round >= 0) all[k].microseconds.push_back(us);
      }
    }
  }
  contestant memcpy_of(std::size_t bytes) {
    return {"cudaMemcpyAsync, device to device", [this, bytes] {
              detail::check_cuda(cudaMemcpyAsync(out(), in(), bytes, cudaMemcpyDeviceToDevice, nullptr),
                                 "cudaMemcpyAsync");
            }};
  }
  contestant contiguous(std::size_t bytes) {
    return {"cosmati::copy_contiguous",
            [this, bytes] { detail::launch_contiguous(in(), out(), static_cast<std::int64_t>(bytes), nullptr); }};
  }
  /// Throws unless the plan copies what it should.
  void check(bench::case_of_copy const& one, copy_plans const& plans, copy_plan const& plan) {
    poison(static_cast<std::size_t>(span_of_target(one.problem)));
    launch_plan(plans.problem, plan, in(), out());
    if (auto const wrong = bench::wrong_elements(one.problem, in(), out()); wrong != 0)
      throw error("%s %s: %llu elements are wrong", one.work.c_str(), one.shape.c_str(), wrong);
  }

 private:
  static std::int64_t span_of_target(copy_problem const& p) {
    std::int64_t n = 1;
    for (int m = 0; m < p.rank; ++m) n += (p.mode[m].extent - 1) * p.mode[m].target;
    return n * p.element_bytes;
  }
  std::size_t bytes_;
  device_buffer<std::uint64_t> in_, out_;
  event start_, stop_;
  std::mt19937 random_{static_cast<unsigned>(bench::fresh_seed())};
};

std::vector<double> rates(double bytes, std::vector<double> const& microseconds) {
  std::vector<double> r;
  for (double const us : microseconds) r.push_back(2e-3 * bytes / us);
  return r;
}
std::string kernel_of(copy_problem const& p, copy_plan const& plan) {
  std::string const e = std::to_string(p.element_bytes);
  if (plan.route == copy_route::transpose)
    return "cosmati::transpose_tiles<" + e + ", " + std::to_string(plan.vector * p.element_bytes) + ">";
  if (plan.route == copy_route::runs) return "cosmati::copy_runs<" + e + ">";
  if (plan.route == copy_route::windows) return "cosmati::copy_windows<" + e + (plan.bulk ? ", true>" : ", false>");
  if (plan.route == copy_route::sectors) return "cosmati::copy_sectors<" + e + ">";
  if (p.rank <= 1) return "cosmati::copy_contiguous<16>";
  return "cosmati::copy_direct<copy_bits<" + e + ">, " + std::to_string(plan.vector) + ">";
}
void explain(std::FILE* file, bench::case_of_copy const& one, copy_problem const& p, copy_plan const& plan, int place,
             double us, double contiguous_us) {
  std::fprintf(file, "%s|%s|%d|%d|%.1f|%.4f|route %d v %d|", one.work.c_str(), one.shape.c_str(), p.element_bytes,
               place, us, contiguous_us / us, static_cast<int>(plan.route), plan.vector);
  for (int m = 0; m < p.rank; ++m)
    std::fprintf(file, "%lld/%lld:%lld>%lld ", static_cast<long long>(plan.tile.extent[m]),
                 static_cast<long long>(p.mode[m].extent), static_cast<long long>(p.mode[m].source),
                 static_cast<long long>(p.mode[m].target));
  std::fprintf(file, "|i %d j %d pad %d wf %.0f|%.1f %.1f %.1f %.1f\n", plan.tile.source_modes, plan.tile.target_modes,
               plan.tile.padding, plan.wavefronts, plan.us, plan.memory_us, plan.shared_us, plan.issue_us);
}

class tables {
 public:
  tables(benchmark& b, std::FILE* explore, double seconds) : b_(b), explore_(explore), seconds_(seconds) {}

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
  /// The planner's first choice beside the contiguous copy; other plans too when exploring. @return the ratio
  double add_copy(bench::case_of_copy const& one, int rounds, bool report, contestant const* other = nullptr) {
    copy_plans const plans = plan_copy(one.problem);
    b_.check(one, plans, plans.plan[0]);
    double const bytes = static_cast<double>(one.problem.size() * one.problem.element_bytes);
    std::string const kernel = kernel_of(plans.problem, plans.plan[0]);
    std::vector<contestant> all = {{kernel, [&] { launch_plan(plans.problem, plans.plan[0], b_.in(), b_.out()); }},
                                   b_.contiguous(static_cast<std::size_t>(bytes))};
    if (other != nullptr) all.push_back(*other);
    b_.race(all, rounds);
    b_.check(one, plans, plans.plan[0]);
    double const mine = bench::median(all[0].microseconds), contiguous = bench::median(all[1].microseconds);
    if (report) {
      add(one.work, one.shape, kernel, bytes, all[0], all[1]);
      if (other != nullptr) add(one.work + "_beside_cuda", one.shape, kernel, bytes, all[0], all[2]);
    }
    std::printf("%-18s %-52s %-44s %8.1f us %7.1f GB/s %6.3f\n", one.work.c_str(), one.shape.c_str(), kernel.c_str(),
                mine, 2e-3 * bytes / mine, contiguous / mine);
    if (auto const arrow = one.shape.find(" -> "); arrow != std::string::npos) {
      char line[256];
      std::snprintf(line, sizeof line, "\"%s\",\"%s\",\"%s\",%.1f,%.3f\n", one.shape.substr(0, arrow).c_str(),
                    one.shape.substr(arrow + 4).c_str(), kernel.c_str(), mine, contiguous / mine);
      lines += line;
    }
    if (explore_ != nullptr) {
      explain(explore_, one, plans.problem, plans.plan[0], 0, mine, contiguous);
      explore(one, contiguous);
    }
    return contiguous / mine;
  }
  /// A line of the table of permutations: extents, order, kernel, median, ratio to the contiguous copy.
  std::string lines = "extents,order,kernel,us,ratio\n";
  std::vector<bench::result> results;

 private:
  /// The first choices of three models: the planner's, one that sees no memory, one that sees nothing else.
  void explore(bench::case_of_copy const& one, double contiguous_us) {
    for (int model = 0; model < 3; ++model) {
      copy_device device;
      if (model == 1) device.bytes_per_us = 1e9;
      if (model == 2) device.cycles_per_us = 1e9;
      copy_plans const plans = plan_copy(one.problem, device);
      for (int k = model == 0 ? 1 : 0; k < plans.kept; ++k) {
        if (std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count() > seconds_) return;
        b_.once([&] { launch_plan(plans.problem, plans.plan[k], b_.in(), b_.out()); });
        double const us = b_.once([&] { launch_plan(plans.problem, plans.plan[k], b_.in(), b_.out()); });
        explain(explore_, one, plans.problem, plans.plan[k], 100 * model + k, us, contiguous_us);
      }
    }
  }
  benchmark& b_;
  std::FILE* explore_;
  double seconds_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

void contiguous_curve(benchmark& b, tables& t) {
  for (std::size_t bytes = std::size_t{1} << 20; bytes <= b.bytes(); bytes *= 4) {
    std::vector<contestant> all = {b.contiguous(bytes), b.memcpy_of(bytes)};
    b.poison(bytes);
    all[0].run();
    bench::case_of_copy one;
    one.problem.element_bytes = 8;
    one.problem.push(static_cast<std::int64_t>(bytes / 8), 1, 1);
    if (bench::wrong_elements(one.problem, b.in(), b.out()) != 0) throw error("the contiguous copy is wrong");
    b.race(all, 21);
    t.add("tensors/contiguous_" + std::to_string(bytes >> 20) + "_mib", std::to_string(bytes) + " bytes",
          "cosmati::copy_contiguous<16>", static_cast<double>(bytes), all[0], all[1]);
  }
}

template <class From, class To>
void conversion(benchmark& b, tables& t, std::string const& name) {
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
  b.race(all, 11);
  t.add("tensors/convert_" + name, std::to_string(n) + " elements", "cosmati::copy_direct<copy_converted>", bytes,
        all[0], all[1]);
}

void gathers(benchmark& b, tables& t) {
  std::int64_t const count = std::int64_t{1} << 21;
  std::mt19937_64 random(bench::fresh_seed());
  for (std::int64_t const row : {32, 128, 512, 4096}) {
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
    b.race(all, 11);
    t.add("tensors/gather_" + std::to_string(row),
          std::to_string(moved) + " rows of " + std::to_string(row) + " bytes of 4 GiB",
          "cosmati::move_rows<int64, 16>", static_cast<double>(bytes), all[0], all[1]);
  }
}

void permutations(tables& t, std::string const& name, std::vector<bench::case_of_copy> const& list) {
  double logarithms = 0, worst = 1e9;
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
void transposes(tables& t) {
  for (int e : {1, 2, 4, 8, 16})
    t.add_copy(bench::transposed(e, 1, e < 8 ? 32768 : 16384, e < 16 ? 32768 : 16384), 9, true);
  for (int e : {1, 2, 4, 8, 16}) t.add_copy(bench::transposed(e, 32 / e, 4095, 8193), 9, true);
}
void conversions(benchmark& b, tables& t) {
  conversion<float, bfloat16_t>(b, t, "f32_bf16");
  conversion<bfloat16_t, float>(b, t, "bf16_f32");
  conversion<float, half_t>(b, t, "f32_f16");
  conversion<float, float_e4m3_t>(b, t, "f32_e4m3");
  conversion<std::int32_t, float>(b, t, "s32_f32");
}

char const* const parts[] = {"contiguous", "pitched", "transposes", "conversions", "gathers", "permutations"};

int run(std::string const& json, std::string const& explore, std::string const& csv, double minutes,
        std::string const& only) {
  if (!device_is_available()) {
    std::puts("skipped: no GPU");
    return 77;
  }
  std::FILE* const file = explore.empty() ? nullptr : std::fopen(explore.c_str(), "w");
  benchmark b(std::size_t{4} << 30);
  tables t(b, file, 60 * minutes);
  auto const wanted = [&](char const* part) { return only.empty() || only == part; };
  if (wanted("contiguous")) contiguous_curve(b, t);
  if (wanted("pitched")) pitched_rows(b, t);
  if (wanted("transposes")) transposes(t);
  if (wanted("conversions")) conversions(b, t);
  if (wanted("gathers")) gathers(b, t);
  if (wanted("permutations")) {
    permutations(t, "rank 5", bench::all_permutations());
    permutations(t, "rank 6", bench::random_permutations(50));
  }
  if (file != nullptr) std::fclose(file);
  if (!csv.empty()) {
    std::FILE* const table = std::fopen(csv.c_str(), "w");
    if (table == nullptr || std::fputs(t.lines.c_str(), table) < 0 || std::fclose(table) != 0)
      throw error("cannot write %s", csv.c_str());
  }
  bench::report(t.results, json);
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  std::string json, explore, csv, only;
  double minutes = 0.5;
  for (int k = 1; k + 1 < count; k += 2) {
    if (std::strcmp(arguments[k], "--json") == 0)
      json = arguments[k + 1];
    else if (std::strcmp(arguments[k], "--explore") == 0)
      explore = arguments[k + 1];
    else if (std::strcmp(arguments[k], "--csv") == 0)
      csv = arguments[k + 1];
    else if (std::strcmp(arguments[k], "--only") == 0 &&
             std::count(std::begin(parts), std::end(parts), std::string(arguments[k + 1])) == 1)
      only = arguments[k + 1];
    else if (std::strcmp(arguments[k], "--minutes") == 0)
      minutes = std::atof(arguments[k + 1]);
    else
      count = 0;
  }
  if (count % 2 == 0) {
    std::fputs("usage: bench_tensors [--json FILE] [--minutes N] [--explore FILE] [--csv FILE] [--only PART]\n",
               stderr);
    return 2;
  }
  try {
    return run(json, explore, csv, minutes, only);
  } catch (error const& problem) {
    std::fprintf(stderr, "bench_tensors: %s\n", problem.what());
    return 1;
  }
}
