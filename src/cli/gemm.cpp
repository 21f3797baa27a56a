// SPDX-License-Identifier: Apache-2.0
// cosmati gemm: C = alpha A B + beta C of numpy's arrays, on the simulated device or on a GPU.
#include "array_command.hpp"
#include "command.hpp"
#include "gemm/check.hpp"
#include "gemm/report.hpp"
#include "named_files.hpp"
#include "progress_bar.hpp"
#include "whole_file.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <thread>

namespace cosmati::cli {

namespace {

using cosmati_gemm::comparison;
using cosmati_gemm::element;
using cosmati_gemm::kernel;
using cosmati_gemm::matrices;
using cosmati_gemm::outcome;
using cosmati_gemm::product;
using cosmati_gemm::rounding;

constexpr gemm_type types[] = {{"f2", element::half, "<f2", 2, kernel::mma, "float"},
                               {"f4", element::float32, "<f4", 4, kernel::simt, "float"},
                               {"f8", element::float64, "<f8", 8, kernel::mma, "double"},
                               {"i1", element::int8, "<i4", 4, kernel::mma, "int"},
                               {"c8", element::complex64, "<c8", 8, kernel::simt, "complex<float>"}};

[[noreturn]] void refuse(std::string const& text) { throw command_error(bad_input, text); }

gemm_type const& type_of(std::string const& path, npy_head const& head) {
  for (gemm_type const& row : types) {
    if (head.descr.substr(1) != row.descr) continue;
    if (head.descr[0] == '>')
      refuse(fmt::format("{}: its numbers ({}) are big-endian; write it with a.astype('<{}')", path, head.descr,
                         row.descr));
    return row;
  }
  refuse(fmt::format("{}: there is no product of {}; A and B are f2, f4, f8, i1 or c8: write it with a.astype(...)",
                     path, head.descr));
}

/// Reads a matrix, or batches of them. @throws command_error
npy_array read_matrix(std::string const& path) {
  npy_array x = read_npy(path);
  if (x.shape.size() != 2 && x.shape.size() != 3)
    refuse(fmt::format("{}: its shape {} has {} modes; a matrix has two, batches of matrices three", path,
                       shape_text(x.shape), x.shape.size()));
  for (std::int64_t const extent : x.shape) {
    if (extent > 0x7fffffff)
      refuse(fmt::format("{}: its shape {} has an extent above 2147483647", path, shape_text(x.shape)));
  }
  return x;
}

/// The matrices (rows, columns) of an array, or (columns, rows) if `exchanged`, in the order in which the file has
/// them.
matrices matrices_of(npy_array const& x, bool exchanged) {
  std::size_t const rank = x.shape.size();
  std::int64_t const batches = rank == 3 ? x.shape[0] : 1, rows = x.shape[rank - 2], columns = x.shape[rank - 1];
  matrices r;
  r.data = x.data.data();
  r.step_batch = x.fortran_order ? 1 : rows * columns;
  r.step_x = x.fortran_order ? batches : columns;
  r.step_y = x.fortran_order ? batches * rows : 1;
  if (exchanged) std::swap(r.step_x, r.step_y);
  r.batched = rank == 3;
  return r;
}

/// Whether matrices (x, y) follow each other without a gap, and are contiguous along y, or along x.
bool lies(matrices const& of, std::int64_t x, std::int64_t y, std::int64_t batches, bool along_y) {
  std::int64_t const inner = along_y ? y : x, outer = along_y ? x : y;
  return inner == 0 || outer == 0 || batches == 0 ||
         ((inner == 1 || (along_y ? of.step_y : of.step_x) == 1) &&
          (outer == 1 || (along_y ? of.step_x : of.step_y) == inner) &&
          (batches == 1 || !of.batched || of.step_batch == inner * outer));
}

void plan_kernel(gemm_options const& o, gemm_job& j) {
  product& p = j.what;
  p.by = o.by == "simt" ? kernel::simt : o.by == "mma" ? kernel::mma : j.row->by;
  p.alpha = o.alpha;
  p.beta = o.beta;
  p.relu = o.relu;
  if (p.type == element::complex64 && p.by == kernel::mma)
    refuse("--kernel mma: no matrix instruction multiplies complex numbers of 64 bits (c8); take --kernel simt");
  if (p.type == element::complex64 && p.relu) refuse("--relu: complex numbers (c8) have no order");
  if (p.type == element::float32 && p.by == kernel::mma)
    p.rounded = o.round == "bfloat16" ? rounding::bfloat16 : rounding::tfloat32;
  auto const check = [&](char const* name, double x) {
    if (p.type == element::int8 && (std::floor(x) != x || std::abs(x) > 0x7fffffff))
      refuse(fmt::format("{}: {} is not a 32-bit integer, as products of integers (i1) need", name, x));
    if (!std::isfinite(x)) refuse(fmt::format("{}: {} is not a finite number", name, x));
  };
  check("--alpha", o.alpha);
  check("--beta", o.beta);
}

void plan_bias(gemm_options const& o, gemm_job& j) {
  product& p = j.what;
  if (o.bias.empty()) return;
  npy_array bias = read_npy(o.bias);
  std::vector<std::int64_t> const& s = bias.shape;
  bool const along_n = (s.size() == 1 && s[0] == p.n) || (s.size() == 2 && s[0] == 1 && s[1] == p.n);
  bool const along_m = s.size() == 2 && s[0] == p.m && s[1] == 1;
  if (bias.descr != j.result.descr || !(along_n || along_m))
    refuse(fmt::format(
        "--bias: {} is {} {}; C is {} {}, so that it must be {} ({},), a number for each column, or "
        "({},1), one for each row",
        o.bias, bias.descr, shape_text(s), j.result.descr, shape_text(j.result.shape), j.result.descr, p.n, p.m));
  p.bias_m = along_n ? 0 : 1;
  p.bias_n = along_n ? 1 : 0;
  p.bias_count = static_cast<std::size_t>(bias.count());
  j.bias = std::move(bias.data);
  if (p.bias_count != 0) p.bias = j.bias.data();
}

/// The product's type and extents. Refuses matrices that do not fit each other.
void plan_extents(gemm_options const& o, npy_array const& a, npy_array const& b, gemm_job& j) {
  j.row = &type_of(o.a, a);
  if (type_of(o.b, b).type != j.row->type)
    refuse(fmt::format("{} has {}, {} has {}: give both one type", o.a, a.descr, o.b, b.descr));
  std::size_t const ra = a.shape.size(), rb = b.shape.size();
  std::int64_t const k = a.shape[ra - 1];
  if (b.shape[rb - 2] != k)
    refuse(fmt::format("{} is {}, {} is {}: A is (M, K) and B is (K, N), but A has K = {} and B has K = {}", o.a,
                       shape_text(a.shape), o.b, shape_text(b.shape), k, b.shape[rb - 2]));
  std::int64_t const la = ra == 3 ? a.shape[0] : 1, lb = rb == 3 ? b.shape[0] : 1;
  if (ra == 3 && rb == 3 && la != lb)
    refuse(fmt::format("{} is {}, {} is {}: A has {} batches and B has {}; give both as many, or one of them two modes",
                       o.a, shape_text(a.shape), o.b, shape_text(b.shape), la, lb));
  product& p = j.what;
  p.type = j.row->type;
  p.m = static_cast<int>(a.shape[ra - 2]);
  p.n = static_cast<int>(b.shape[rb - 1]);
  p.k = static_cast<int>(k);
  p.batches = static_cast<int>(ra == 3 ? la : lb);
}

/// The head of C's file.
void plan_result(npy_array const& a, npy_array const& b, gemm_job& j) {
  product const& p = j.what;
  j.result.descr = j.row->result;
  j.result.value_bytes = j.row->result_bytes;
  j.result.shape = a.shape.size() == 3 || b.shape.size() == 3 ? std::vector<std::int64_t>{p.batches, p.m, p.n}
                                                              : std::vector<std::int64_t>{p.m, p.n};
  std::int64_t bytes = j.result.value_bytes;
  for (std::int64_t const extent : j.result.shape) {
    if (extent != 0 && __builtin_mul_overflow(bytes, extent, &bytes))
      refuse(fmt::format("C would be {} {}: more bytes than 64 bits can count", j.result.descr,
                         shape_text(j.result.shape)));
  }
}

/// How A and B lie, and whether one of them is turned before it is read.
void plan_operands(gemm_options const& o, npy_array a, npy_array b, gemm_job& j) {
  product& p = j.what;
  // A's rows are along K, B's columns; what is not contiguous in any of the two ways is made so along K
  auto const operand = [&](std::string const& path, npy_array const& x, bool is_b, int extent, matrices& is) {
    is = matrices_of(x, is_b);
    bool const by_batch = x.shape.size() == 3 && x.fortran_order;
    is.along_y = !takes_any_order(p) || by_batch || x.fortran_order == is_b;
    is.turned = !lies(is, extent, p.k, p.batches, is.along_y);
    return gemm_job::operand{fmt::format("{} {} {} {}", path, x.descr, shape_text(x.shape), order_of(x)), order_of(x),
                             is.along_y ? "K"
                             : is_b     ? "N"
                                        : "M",
                             is.turned};
  };
  j.a = std::move(a);
  j.b = std::move(b);
  j.operands[0] = operand(o.a, j.a, false, p.m, p.a);
  j.operands[1] = operand(o.b, j.b, true, p.n, p.b);
}

/// What C holds before, and where it goes.
void plan_c(gemm_options const& o, gemm_job& j) {
  product& p = j.what;
  if (o.beta != 0) {
    j.before = read_npy(o.c);
    if (j.before.descr != j.result.descr || j.before.shape != j.result.shape)
      refuse(fmt::format("{}: with --beta it is read, and must be {} {}; it is {} {}", o.c, j.result.descr,
                         shape_text(j.result.shape), j.before.descr, shape_text(j.before.shape)));
  } else {
    static_cast<npy_head&>(j.before) = j.result;
    j.before.data.assign(j.result.bytes(), std::byte{0xff});  // NaNs, or -1: an element that nobody writes is seen
  }
  p.before = matrices_of(j.before, false);
  p.before.turned = !lies(p.before, p.m, p.n, p.batches, true);
  j.c.resize(j.result.bytes());
  p.c = j.c.data();
}

/// How many elements of C are compared.
void plan_check(gemm_options const& o, gemm_job& j) {
  std::int64_t const all = j.result.count();
  if (o.check == "auto") {
    j.compared = std::min(all, std::max<std::int64_t>(1024, (std::int64_t{1} << 27) / std::max(j.what.k, 1)));
  } else if (o.check == "all") {
    j.compared = all;
  } else {
    char* end = nullptr;
    j.compared = std::min<std::int64_t>(all, std::strtoll(o.check.c_str(), &end, 10));
    if (o.check.empty() || *end != '\0' || j.compared < 0)
      refuse(fmt::format("--check: '{}' is neither all nor a number of elements", o.check));
  }
}

/// Reads the files, checks them, and says what is to be done.
gemm_job plan(gemm_options const& o) {
  gemm_job j;
  npy_array a = read_matrix(o.a), b = read_matrix(o.b);
  plan_extents(o, a, b, j);
  plan_kernel(o, j);
  plan_result(a, b, j);
  plan_bias(o, j);
  plan_operands(o, std::move(a), std::move(b), j);
  plan_c(o, j);
  plan_check(o, j);
  return j;
}

outcome run_on(std::string const& device, product& p, bool progress) {
  if (runs_on_gpu(device)) {
#if defined(COSMATI_CLI_CUDA)
    return cosmati_gemm::run_on_gpu(p);
#endif
  }
  auto const all = static_cast<std::uint64_t>(p.batches) * static_cast<unsigned>(p.m) * static_cast<unsigned>(p.n);
  progress_bar bar(all, "element", progress);
  if (!bar.is_wanted()) return cosmati_gemm::run_on_simulated_device(p);
  std::atomic<std::uint64_t> finished = 0;
  p.finished = &finished;
  std::jthread const watcher([&](std::stop_token const& over) {
    while (!over.stop_requested()) {
      bar(finished);
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    bar(finished);
  });
  outcome done = cosmati_gemm::run_on_simulated_device(p);
  p.finished = nullptr;
  return done;
}

/// Checks the files before anything is read or run. C may be the file that --beta multiplies.
void check_files(gemm_options const& o) {
  named_files files;
  files.reads("A", o.a);
  files.reads("B", o.b);
  files.reads("--bias", o.bias);
  files.writes("C", o.c);
  files.writes_standard_output();
  reported([&] { whole_file const tried(o.c); });
}

void run(gemm_options const& o) {
  check_files(o);
  std::optional<gemm_job> j;
  outcome done;
  comparison found;
  reported([&] {
    j = plan(o);
    done = run_on(o.device, j->what, o.progress);
    found = compare(j->what, j->compared);
    write_npy(o.c, j->result, j->c);
  });
  write_output(o.json ? json_of(o, *j, done, found).dump() + '\n' : text_of(o, *j, done, found));
}

}  // namespace

void add_gemm_command(CLI::App& app) {
  CLI::App* const command = app.add_subcommand("gemm", "Multiply matrices, on a device");
  auto const o = std::make_shared<gemm_options>();
  command->add_option("A", o->a, "A .npy file, (M, K) or (L, M, K): f2, f4, f8, i1 or c8")->required();
  command->add_option("B", o->b, "A .npy file of the same type, (K, N) or (L, K, N)")->required();
  command->add_option("C", o->c, "The .npy file to write, (M, N) or (L, M, N); i4 if A and B are i1")->required();
  command
      ->add_option("--kernel", o->by,
                   "simt: multiply-adds of threads; mma: matrix instructions; auto: simt for f4 and c8, else mma")
      ->check(CLI::IsMember({"auto", "simt", "mma"}))
      ->capture_default_str();
  command->add_option("--round", o->round, "The type to which mma rounds f4")
      ->check(CLI::IsMember({"tfloat32", "bfloat16"}))
      ->capture_default_str();
  command->add_option("--alpha", o->alpha, "The factor of A B")->capture_default_str();
  command->add_option("--beta", o->beta, "The factor of C's former content; if 0, C is not read")
      ->capture_default_str();
  command->add_option(
      "--bias", o->bias,
      "A .npy file of C's type that is added: (N,), a number for each column, or (M, 1), one for each row");
  command->add_flag("--relu", o->relu, "At the end, replace numbers that are not positive by 0");
  command
      ->add_option("--check", o->check,
                   "How many elements are compared with sums in higher precision: all, or a number; auto: as many as "
                   "2^27 products allow, but at least 1024")
      ->capture_default_str();
  command->add_option("--device", o->device, "gpu, sim (the simulated device), or auto: a GPU if there is one")
      ->check(CLI::IsMember({"auto", "sim", "gpu"}))
      ->capture_default_str();
  command->add_flag("--progress", o->progress, "Show progress even where standard error is no terminal");
  command->add_flag("--json", o->json, "Answer as JSON");
  command->footer(
      "C = alpha A B + beta C + bias. simt of f4 and mma of f2 take A and B as they lie in their files. For other\n"
      "types, and for batches in Fortran order, the device first makes A and B contiguous along K. C is written in C\n"
      "order after its elements have been compared. If one is wrong, that is an error, and nothing is written.\n"
      "  cosmati gemm a.npy b.npy c.npy\n"
      "  cosmati gemm x.npy weights.npy y.npy --bias bias.npy --relu --kernel mma");
  command->callback([o] { run(*o); });
}

}  // namespace cosmati::cli
