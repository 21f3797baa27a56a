// SPDX-License-Identifier: Apache-2.0
// cosmati run-copy: copies an array by a tiled copy, on the simulated device or on a GPU.
#include "array_command.hpp"
#include "command.hpp"
#include "named_files.hpp"
#include "progress_bar.hpp"
#include "run_copy/permute.hpp"
#include "run_copy/plan.hpp"
#include "run_copy/verify.hpp"
#include "whole_file.hpp"

#include <fmt/format.h>
#include <cosmati/core/error.hpp>
#include <cosmati/layout/text_tree.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>

namespace cosmati::cli {

namespace {

using cosmati_run_copy::copy_outcome;
using cosmati_run_copy::instruction_count;

struct options : copy_options {
  std::string in, out;
  std::string device = "auto";
  std::vector<std::int64_t> threads;
  std::vector<std::string> permute, threads_text;  ///< "2,0,1", or an argument for each number
  bool json = false;
  bool progress = false;
};

copy_outcome run_on(std::string const& device, copy_plan const& plan, bool progress) {
  auto const bar = std::make_shared<progress_bar>(plan.job.blocks, "block", progress);
  auto const observer = [bar](std::uint64_t done) { (*bar)(done); };
  if (runs_on_gpu(device)) {
#if defined(COSMATI_CLI_CUDA)
    return cosmati_run_copy::run_on_gpu(plan.job, observer);
#endif
  }
  return cosmati_run_copy::run_on_simulated_device(plan.job, observer);
}

/// Runs the plan and compares. @returns the bytes of the output
std::vector<std::byte> run_and_verify(copy_plan& plan, npy_array const& input, options const& o,
                                      copy_outcome& outcome) {
  std::vector<std::size_t> order(input.shape.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (plan.transposed) std::swap(order.back(), order[order.size() - 2]);
  std::vector<std::byte> const wanted = copy_by_hand(input, plan.output, order);
  std::vector<std::byte> output = inverted(wanted);
  plan.job.input = input.data.data();
  plan.job.output = output.data();
  outcome = run_on(o.device, plan, o.progress);
  expect_same(output, wanted, plan.output);
  return output;
}

nlohmann::json json_of(copy_plan const& plan, copy_outcome const& outcome, npy_head const& input, options const& o) {
  nlohmann::ordered_json j = json_of_arrays(outcome.device, o.in, input, o.out, plan.output);
  auto const& job = plan.job;
  j["transpose"] = plan.transposed;
  j["tile_read_turned"] = plan.turned;
  j["matrix"] = {plan.rows, plan.columns};
  j["batches"] = plan.batches;
  j["atom"] = plan.atom;
  j["vector_bytes"] = job.vector_bytes;
  j["thr"] = layout_text(plan.thr);
  j["val"] = layout_text(plan.val);
  j["tile"] = tuple_text(plan.stage);
  j["tiler"] = tuple_text(plan.tiler);
  j["layout_tv"] = layout_text(plan.layout_tv);
  j["layout_src"] = layout_text(plan.source);
  j["layout_dst"] = layout_text(plan.target);
  j["layout_shared"] = layout_text(plan.stage);
  j["partition_src"] = layout_text(plan.partition_source);
  j["partition_dst"] = layout_text(plan.partition_target);
  j["blocks"] = job.blocks;
  j["threads"] = job.threads;
  j["shared_bytes"] = job.shared_bytes;
  j["instructions"] = nlohmann::json::array();
  for (instruction_count const& c : outcome.instructions) {
    j["instructions"].push_back({{"kind", c.store ? "store" : "load"},
                                 {"space", c.shared ? "shared" : "global"},
                                 {"bytes", c.bytes},
                                 {"count", c.count}});
  }
  auto const offsets = [&](std::vector<std::int64_t> const& all) {
    nlohmann::json list = nlohmann::json::array();
    auto const add = [&](std::size_t thread) {
      bool const moved = thread < all.size() && all[thread] >= 0;
      list.push_back(moved ? nlohmann::json(all[thread]) : nlohmann::json());
    };
    if (o.threads.empty()) {
      for (std::size_t i = 0; i < job.threads; ++i) add(i);
    } else {
      for (std::int64_t const t : o.threads) add(static_cast<std::size_t>(t));
    }
    return list;
  };
  j["src_offsets"] = offsets(outcome.first_loaded);
  j["dst_offsets"] = offsets(outcome.first_stored);
  j["notes"] = plan.notes;
  j["verified"] = true;
  j["seconds"] = outcome.seconds;
  return j;
}

std::string text_of(copy_plan const& plan, copy_outcome const& outcome, npy_head const& input, options const& o) {
  auto const& job = plan.job;
  std::string out;
  auto const line = [&](char const* name, std::string const& text) { out += fmt::format("{:<14}{}\n", name, text); };
  line("array",
       fmt::format("{} {} {}, {} bytes", name_of(input.type), shape_text(input.shape), order_of(input), input.bytes()));
  line("matrices", fmt::format("{} of ({},{}), {} -> {}", plan.batches, plan.rows, plan.columns,
                               layout_text(plan.source), layout_text(plan.target)));
  line("tiled copy", fmt::format("{}, thr {}, val {}", plan.atom, layout_text(plan.thr), layout_text(plan.val)));
  line("tiler", tuple_text(plan.tiler));
  line("layout TV", layout_text(plan.layout_tv));
  line("tile", fmt::format("{} in {} bytes of shared memory, {}{}", tuple_text(plan.stage), job.shared_bytes,
                           layout_text(plan.stage), plan.turned ? ", read turned" : ""));
  line("partition", fmt::format("{} -> {}", layout_text(plan.partition_source), layout_text(plan.partition_target)));
  line("ran on",
       fmt::format("{}: {} blocks of {} threads, {:.2f} s", outcome.device, job.blocks, job.threads, outcome.seconds));
  for (instruction_count const& c : outcome.instructions) {
    line("",
         fmt::format("{:<5} {:<6} {:2} bytes {:12} times{}", c.store ? "store" : "load", c.shared ? "shared" : "global",
                     c.bytes, c.count, c.bytes < job.vector_bytes ? "  element by element" : ""));
  }
  for (std::int64_t const t : o.threads) {
    auto const at = [&](std::vector<std::int64_t> const& all) {
      auto const i = static_cast<std::size_t>(t);
      return i < all.size() && all[i] >= 0 ? std::to_string(all[i]) : std::string("nothing");
    };
    line("", fmt::format("thread {:<4} of block 0 begins with {} -> {}", t, at(outcome.first_loaded),
                         at(outcome.first_stored)));
  }
  for (std::string const& n : plan.notes) line("note", n);
  line("verified", fmt::format("all {} elements; {} {} written to {}", input.count(), shape_text(plan.output.shape),
                               order_of(plan.output), o.out));
  return out;
}

/// Checks the files before anything is read or run.
void check_files(options const& o) {
  named_files files;
  files.reads("IN", o.in);
  files.writes("OUT", o.out);
  files.writes_standard_output();
  reported([&] { whole_file const tried(o.out); });
}

void run(options const& o) {
  check_files(o);
  if (!o.permute.empty()) {
    permute_options const wanted = {o.in, o.out, o.order, o.device, read_integers("--permute", o.permute), o.json};
    return write_output(reported([&] { return run_permuted(wanted); }));
  }
  npy_array input;
  copy_plan plan;
  copy_outcome outcome;
  reported([&] {
    input = read_npy(o.in);
    try {
      plan = plan_copy(input, o);
    } catch (command_error const& e) {
      throw command_error(e.status(), fmt::format("{}: {}", o.in, e.what()));
    }
    for (std::int64_t const t : o.threads) {
      if (t < 0 || t >= static_cast<std::int64_t>(plan.job.threads)) {
        throw command_error(bad_input, fmt::format("--threads: there is no thread {}, the copy has threads 0 to {}", t,
                                                   plan.job.threads - 1));
      }
    }
    std::vector<std::byte> const output = run_and_verify(plan, input, o, outcome);
    write_npy(o.out, plan.output, output);
  });
  write_output(o.json ? json_of(plan, outcome, input, o).dump() + '\n' : text_of(plan, outcome, input, o));
}

}  // namespace

void add_run_copy_command(CLI::App& app) {
  CLI::App* const command = app.add_subcommand("run-copy", "Copy an array through a tiled copy, on a device");
  auto const o = std::make_shared<options>();
  command->add_option("IN", o->in, "A .npy file: truth values, integers, floating point or complex, up to 5 modes")
      ->required();
  command->add_option("OUT", o->out, "The .npy file to write")->required();
  auto* const transpose = command->add_flag("--transpose", o->transpose, "Exchange the last two modes");
  auto* const permute =
      command->add_option("--permute", o->permute,
                          "Instead of a tiled copy: copy_tensor with the modes in this order, as in numpy's transpose: "
                          "2,0,1");
  permute->excludes(transpose);
  permute->excludes(command->add_option("--thr", o->thr, "Thread layout: (m,n) -> thread"));
  permute->excludes(command->add_option("--val", o->val, "Value layout: (m,n) -> value of a thread"));
  permute->excludes(command->add_option("--atom", o->atom,
                                        "The instruction: UniversalCopy<T> of up to 128 bits, or AutoVectorizingCopy"));
  permute->excludes(
      command->add_option("--tile", o->tile, "The tile of a block, a multiple of the tiler of --thr and --val"));
  command->add_option("--order", o->order, "The order of the output in memory; the same as the input's unless given")
      ->check(CLI::IsMember({"C", "F"}));
  command->add_option("--device", o->device, "gpu, sim (the simulated device), or auto: a GPU if there is one")
      ->check(CLI::IsMember({"auto", "sim", "gpu"}))
      ->capture_default_str();
  permute->excludes(
      command->add_option("--threads", o->threads_text, "Threads whose first offsets are printed: 1,24,28"));
  command->add_flag("--json", o->json, "Answer as JSON");
  command->add_flag("--progress", o->progress, "Show progress even where standard error is no terminal");
  command->footer(
      "The last two modes are the matrix (m,n), and the others are batches. Each block moves one tile from global to\n"
      "shared to global memory, and each thread moves what the tiled copy gives it. If the output's memory runs along\n"
      "the other mode, the tiled copy is applied to the tile and then to the transposed tile. Elements outside are\n"
      "neither read nor written. Vectors that cross the edge or are not aligned move element by element. Options that\n"
      "are not given are chosen to fit. The result is compared with a plain copy before it is written.\n"
      "  cosmati run-copy in.npy out.npy\n"
      "  cosmati run-copy in.npy out.npy --transpose --thr '(32,8):(8,1)' --val '(1,4)' --tile '(64,64)'\n"
      "With --permute, copy_tensor copies any modes in any order, by the plan that it chooses (see cosmati plan).\n"
      "  cosmati run-copy in.npy out.npy --permute 2,0,1");
  command->callback([o] {
    if (!o->threads_text.empty()) o->threads = read_integers("--threads", o->threads_text);
    run(*o);
  });
}

}  // namespace cosmati::cli
