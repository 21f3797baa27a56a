// SPDX-License-Identifier: Apache-2.0
#include "permute.hpp"
#include "../array_command.hpp"
#include "matrices.hpp"
#include "verify.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <cosmati/kernel/copy_problem/problem.hpp>
#include <nlohmann/json.hpp>

namespace cosmati::cli {

using cosmati_run_copy::permute_job;
using cosmati_run_copy::permute_outcome;
using cosmati_run_copy::permuted_mode;

std::vector<std::int64_t> read_integers(std::string const& option, std::vector<std::string> const& arguments) {
  std::string const text = fmt::format("{}", fmt::join(arguments, ","));
  std::vector<std::int64_t> numbers;
  for (char const *at = text.data(), *const last = at + text.size();; ++at) {
    char const* const end = std::find(at, last, ',');
    std::int64_t number = 0;
    auto const read = std::from_chars(at, end, number);
    std::string const one(at, end);
    if (one.empty())
      throw command_error(bad_input, fmt::format("{}: '{}': number {} is missing; write integers with commas between "
                                                 "them: 2,0,1",
                                                 option, text, numbers.size() + 1));
    if (read.ec == std::errc::result_out_of_range)
      throw command_error(bad_input, fmt::format("{}: {} does not fit 64 bits", option, one));
    if (read.ec != std::errc() || read.ptr != end)
      throw command_error(bad_input, fmt::format("{}: '{}' is no integer; write integers with commas between them: "
                                                 "2,0,1",
                                                 option, one));
    numbers.push_back(number);
    if (end == last) return numbers;
    at = end;
  }
}

std::vector<std::size_t> read_order(std::vector<std::int64_t> const& order, std::size_t rank) {
  std::vector<std::size_t> places;
  std::vector<bool> seen(rank);
  if (rank == 0)
    throw command_error(bad_input, fmt::format("--permute: {}: the array is one number without modes: there is nothing "
                                               "to put in another order; leave --permute out",
                                               fmt::join(order, ",")));
  for (std::int64_t const mode : order) {
    bool const there = mode >= 0 && mode < static_cast<std::int64_t>(rank);
    if (!there || seen[static_cast<std::size_t>(mode)]) {
      throw command_error(
          bad_input,
          fmt::format("--permute: {}: mode {} {}; write each of the {} modes 0 to {} once", fmt::join(order, ","), mode,
                      there ? "is there twice" : "does not exist", rank, static_cast<std::int64_t>(rank) - 1));
    }
    seen[static_cast<std::size_t>(mode)] = true;
    places.push_back(static_cast<std::size_t>(mode));
  }
  if (places.size() != rank)
    throw command_error(bad_input, fmt::format("--permute: {} names {} modes, the array has {}", fmt::join(order, ","),
                                               places.size(), rank));
  return places;
}

std::vector<permuted_mode> permuted_modes(npy_head const& input, npy_head const& output,
                                          std::vector<std::size_t> const& order) {
  std::vector<std::int64_t> const source = strides_of(input.shape, input.fortran_order),
                                  target = strides_of(output.shape, output.fortran_order);
  std::vector<permuted_mode> modes;
  for (std::size_t k = 0; k < order.size(); ++k) modes.push_back({output.shape[k], source[order[k]], target[k]});
  return modes;
}

namespace {

permute_outcome run_on(std::string const& device, permute_job const& job) {
  if (runs_on_gpu(device)) {
#if defined(COSMATI_CLI_CUDA)
    return cosmati_run_copy::permute_on_gpu(job);
#endif
  }
  return cosmati_run_copy::permute_on_simulated_device(job);
}

}  // namespace

std::string run_permuted(permute_options const& o) {
  npy_array const input = read_npy(o.in);
  std::vector<std::size_t> const order = read_order(o.order, input.shape.size());
  npy_head output = input;
  for (std::size_t k = 0; k < order.size(); ++k) output.shape[k] = input.shape[order[k]];
  if (!o.output_order.empty()) output.fortran_order = o.output_order == "F";
  std::vector<permuted_mode> const modes = permuted_modes(input, output, order);
  try {
    copy_problem p;
    p.element_bytes = input.value_bytes;
    for (permuted_mode const& m : modes) p.push(m.extent, m.source, m.target);
    (void)simplified(p);
  } catch (error const& e) {
    throw command_error(bad_input, fmt::format("--permute: {}: {}", fmt::join(o.order, ","), e.what()));
  }
  std::vector<std::byte> const wanted = copy_by_hand(input, output, order);
  std::vector<std::byte> got = inverted(wanted);
  permute_job job;
  job.value_bytes = input.value_bytes;
  job.modes = modes;
  job.elements = static_cast<std::size_t>(input.count());
  job.input = input.data.data();
  job.output = got.data();
  permute_outcome const outcome = run_on(o.device, job);
  expect_same(got, wanted, output);
  write_npy(o.out, output, got);

  if (o.json) {
    nlohmann::ordered_json j = json_of_arrays(outcome.device, o.in, input, o.out, output);
    j["permute"] = o.order;
    j["problem"] = outcome.problem;
    j["plan"] = outcome.plan;
    j["why"] = outcome.why;
    j["considered"] = outcome.considered;
    j["predicted_us"] = outcome.predicted_us;
    j["verified"] = true;
    j["seconds"] = outcome.seconds;
    return j.dump() + '\n';
  }
  std::string text;
  auto const line = [&](char const* name, std::string const& value) { text += fmt::format("{:<14}{}\n", name, value); };
  line("array",
       fmt::format("{} {} {}, {} bytes", name_of(input.type), shape_text(input.shape), order_of(input), input.bytes()));
  line("copy", outcome.problem);
  line("plan", outcome.plan);
  line("predicted", fmt::format("on an H200 {}; of {} plans", outcome.why, outcome.considered));
  line("ran on", fmt::format("{}: {:.2f} s", outcome.device, outcome.seconds));
  line("verified", fmt::format("all {} elements; {} {} written to {}", input.count(), shape_text(output.shape),
                               order_of(output), o.out));
  return text;
}

}  // namespace cosmati::cli
