// SPDX-License-Identifier: Apache-2.0
// cosmati plan: how copy_tensor would copy one tensor to another, or with --threads a kernel of the user by tiled
// copies. It also shows alternatives, and the C++ code.
#include "command.hpp"
#include "copy_arguments.hpp"
#include "describe.hpp"
#include "number_range.hpp"
#include "run_copy/matrices.hpp"
#include "run_copy/permute.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cosmati/kernel/copy_text.hpp>
#include <cosmati/kernel/tiled_plan/search.hpp>
#include <cosmati/kernel/tiled_plan/text.hpp>
#include <cosmati/layout/algebra/algebra.hpp>
#include <memory>
#include <nlohmann/json.hpp>

namespace cosmati::cli {

namespace {

using options = plan_texts;

struct output_options : plan_texts {
  std::vector<std::string> shape_text, permute_text;  ///< "31,45", or an argument for each number
  bool json = false;
};

tree layout_argument(evaluator& evaluate, std::string const& option, std::string const& text) {
  value v;
  read_tensor(evaluate, option, text, v);
  if (v.what == kind::composed) throw command_error(bad_input, option + ": expected a layout without a swizzle");
  return v.main;
}

/// The copy of an array in C order to an array with the modes in another order.
copy_problem permutation_of(options const& o) {
  if (o.permute.empty()) throw command_error(bad_input, "--shape: --permute is missing: the order of the modes, 2,0,1");
  npy_head input, output;
  input.shape = o.shape;
  for (std::int64_t const extent : o.shape)
    if (extent < 0)
      throw command_error(bad_input, fmt::format("--shape: {}: a mode of size {}", fmt::join(o.shape, ","), extent));
  std::vector<std::size_t> const order = read_order(o.permute, o.shape.size());
  for (std::size_t const mode : order) output.shape.push_back(input.shape[mode]);
  copy_problem p;
  if (std::find(o.shape.begin(), o.shape.end(), 0) != o.shape.end()) {
    p.push(0, 1, 1);
    return p;
  }
  std::int64_t elements = 1;
  for (std::int64_t const extent : o.shape) {
    if (extent > detail::copy_most_elements / elements)
      throw command_error(bad_input, fmt::format("--shape: {}: more than 2^56 elements; plan a copy of a part",
                                                 fmt::join(o.shape, ",")));
    elements *= extent;
  }
  for (auto const& m : permuted_modes(input, output, order)) p.push(m.extent, m.source, m.target);
  return p;
}

copy_problem problem_of_layouts(options const& o) {
  if (o.source.empty() || o.target.empty())
    throw command_error(
        bad_input,
        "plan: --src and --dst are needed, the layouts of the source and of the destination, or --shape "
        "and --permute");
  evaluator evaluate;
  tree const source = layout_argument(evaluate, "--src", o.source);
  tree const target = layout_argument(evaluate, "--dst", o.target);
  if (source.leaves != target.leaves)
    throw command_error(bad_input, fmt::format("--dst: it has {} modes, --src has {}; write both with the same modes",
                                               target.leaves, source.leaves));
  copy_problem p;
  for (int m = 0; m < source.leaves; ++m) {
    if (source.stride[m].basis != 0 || target.stride[m].basis != 0)
      throw command_error(bad_input, fmt::format("{}: mode {} has a basis vector as stride: there are no elements at "
                                                 "coordinates; give integers as strides",
                                                 source.stride[m].basis != 0 ? "--src" : "--dst", m));
    if (source.shape[m].value != target.shape[m].value)
      throw command_error(
          bad_input, fmt::format("--dst: mode {} is of size {}, that of --src of size {}; make the shapes equal", m,
                                 target.shape[m].value, source.shape[m].value));
    if (source.shape[m].value < 0)
      throw command_error(bad_input, fmt::format("--src, --dst: mode {} has extent {}; extents are 0 or more", m,
                                                 source.shape[m].value));
    p.push(source.shape[m].value, source.stride[m].value, target.stride[m].value);
  }
  return p;
}

copy_problem problem_of(options const& o) {
  copy_problem p = o.shape.empty() ? problem_of_layouts(o) : permutation_of(o);
  p.element_bytes = o.bytes;
  p.source_alignment = o.source_alignment;
  p.target_alignment = o.target_alignment;
  return p;
}

std::string as_text(copy_plans const& plans, int most) {
  std::string s = "copy  " + text(plans.problem) + "\n";
  if (plans.kept == 0) return s + "plan  nothing to copy\n";
  double const bytes = 2.0 * static_cast<double>(plans.problem.size()) * plans.problem.element_bytes;
  s += fmt::format("plan  {}\n      {}\n      {} ({:.0f} GB/s)\n", text(plans.problem, plans.plan[0]),
                   kernel_name(plans.problem, plans.plan[0]), reason(plans.plan[0]), bytes / plans.plan[0].us * 1e-3);
  for (int k = 1; k < plans.kept && k <= most; ++k)
    s += fmt::format("or    {}\n      {}\n      {}\n", text(plans.problem, plans.plan[k]),
                     kernel_name(plans.problem, plans.plan[k]), reason(plans.plan[k]));
  s += fmt::format("of {} plans considered\n\n{}", plans.kept, code(plans.problem, plans.plan[0]));
  return s;
}

/// The device of this name, with the instructions of `--arch` if it names an architecture.
device_model device_of(options const& o) {
  named_device_model const* const found = find_device_model(o.device.c_str());
  if (found == nullptr) {
    std::string names;
    for (named_device_model const& one : device_models) names += (names.empty() ? "" : ", ") + std::string(one.name);
    throw command_error(bad_input, fmt::format("--device: {} is none that is known; write one of {}", o.device, names));
  }
  device_model device = found->model;
  if (!o.arch.empty()) device.compute_capability = read_arch(o.arch);
  return device;
}
copy_plans plans_of(options const& o) {
  return blamed_on(o.shape.empty() ? "--src, --dst" : "--shape",
                   [&] { return plan_copy(problem_of(o), device_of(o)); });
}
tiled_copy_plans tiled_plans_of(options const& o) {
  return blamed_on(o.shape.empty() ? "--src, --dst" : "--shape",
                   [&] { return plan_copy(problem_of(o), o.threads, device_of(o)); });
}

std::string as_text(tiled_copy_plans const& plans, int most) {
  std::string s = "copy  " + text(plans.problem) + "\n";
  if (plans.kept == 0) return s + "plan  nothing to copy\n";
  for (int k = 0; k < plans.kept && k <= most; ++k)
    s += fmt::format("{}  {}\n      {}\n", k == 0 ? "plan" : "or  ", text(plans.plan[k]), reason(plans.plan[k]));
  return s + fmt::format("of {} plans considered\n\n{}", plans.considered, code(plans.problem, plans.plan[0]));
}

nlohmann::json as_json(tiled_copy_plans const& plans, int most) {
  auto const copy_json = [](planned_copy const& how) {
    return nlohmann::json{{"atom", operation_name(how)}, {"thr", thr_text(how)}, {"val", val_text(how)}};
  };
  auto const access_json = [](planned_access const& a, char const* what) {
    return nlohmann::json{
        {"requests", a.requests}, {what, what[0] == 's' ? a.sectors : a.wavefronts}, {"fewest", a.fewest}};
  };
  nlohmann::json all = nlohmann::json::array();
  for (int k = 0; k < plans.kept && k <= most; ++k) {
    tiled_copy_plan const& plan = plans.plan[k];
    nlohmann::json one = {{"route", plan.has_stage() ? "shared memory" : "registers"},
                          {"what", text(plan)},
                          {"why", reason(plan)},
                          {"modes", plan.mode},
                          {"tile", plan.tile},
                          {"in", copy_json(plan.in)},
                          {"read", access_json(plan.read, "sectors")},
                          {"written", access_json(plan.written, "sectors")},
                          {"us", plan.us},
                          {"memory_us", plan.memory_us},
                          {"shared_us", plan.shared_us},
                          {"issue_us", plan.issue_us}};
    one["stage"] = one["out"] = nullptr;
    if (plan.has_stage()) {
      one["out"] = copy_json(plan.out);
      one["stage"] = {{"layout", text(plan.stage)},
                      {"bytes", plan.shared_bytes()},
                      {"written", access_json(plan.stage_written, "wavefronts")},
                      {"read", access_json(plan.stage_read, "wavefronts")}};
    }
    all.push_back(one);
  }
  nlohmann::json j = {{"problem", text(plans.problem)}, {"considered", plans.considered}, {"plans", all}};
  if (plans.kept > 0) j["code"] = code(plans.problem, plans.plan[0]);
  return j;
}

nlohmann::json as_json(copy_plans const& plans, int most) {
  nlohmann::json all = nlohmann::json::array();
  for (int k = 0; k < plans.kept && k <= most; ++k) {
    copy_plan const& plan = plans.plan[k];
    all.push_back({{"route", name_of(plan.route)},
                   {"what", text(plans.problem, plan)},
                   {"why", reason(plan)},
                   {"kernel", kernel_name(plans.problem, plan)},
                   {"us", plan.us},
                   {"memory_us", plan.memory_us},
                   {"shared_us", plan.shared_us},
                   {"issue_us", plan.issue_us}});
  }
  nlohmann::json j = {{"problem", text(plans.problem)}, {"considered", plans.kept}, {"plans", all}};
  if (plans.kept > 0) j["code"] = code(plans.problem, plans.plan[0]);
  return j;
}

}  // namespace

nlohmann::json describe_plan(plan_texts const& texts) {
  return texts.threads > 0 ? as_json(tiled_plans_of(texts), texts.alternatives)
                           : as_json(plans_of(texts), texts.alternatives);
}

void add_plan_command(CLI::App& app) {
  auto const o = std::make_shared<output_options>();
  CLI::App* const command =
      app.add_subcommand("plan", "Say how copy_tensor copies one tensor to another, and the predicted cost");
  auto* const source = command->add_option("--src", o->source, "Layout of the source, in elements");
  auto* const target = command->add_option("--dst", o->target, "Layout of the destination: the same shape");
  auto* const shape =
      command->add_option("--shape", o->shape_text, "Instead of layouts: the extents of an array in C order: 31,45,57");
  auto* const permute = command->add_option(
      "--permute", o->permute_text, "With --shape: the order of its modes in the copy, as in numpy's transpose: 2,0,1");
  permute->needs(shape);
  shape->excludes(source)->excludes(target);
  command->add_option("--bytes", o->bytes, "Bytes of an element: 1, 2, 4, 8 or 16")
      ->check(CLI::IsMember({"1", "2", "4", "8", "16"}))
      ->capture_default_str();
  command->add_option("--src-align", o->source_alignment, "The source's address is a multiple of this many bytes")
      ->check(CLI::IsMember({"1", "2", "4", "8", "16"}))
      ->capture_default_str();
  command->add_option("--dst-align", o->target_alignment, "The destination's address is a multiple of this many bytes")
      ->check(CLI::IsMember({"1", "2", "4", "8", "16"}))
      ->capture_default_str();
  auto* const threads = command
                            ->add_option("--threads", o->threads,
                                         "Plan a kernel of your own, with tiled copies for so many threads a block")
                            ->check(integer_in(1, 1024));
  command->add_option("--device", o->device, "The GPU: h200, h100, a100, l40s, rtx4090, b200 or rtx5090")
      ->capture_default_str();
  command
      ->add_option("--arch", o->arch, "With --threads: an architecture other than the device's; sm_75 has no cp.async")
      ->needs(threads);
  command->add_option("--alternatives", o->alternatives, "How many other plans to show")
      ->check(integer_in<int>(0, copy_plans_kept))
      ->capture_default_str();
  command->add_flag("--json", o->json, "Answer as JSON");
  command->callback([o] {
    if (!o->shape_text.empty()) o->shape = read_integers("--shape", o->shape_text);
    if (!o->permute_text.empty()) o->permute = read_integers("--permute", o->permute_text);
    write_output(o->json          ? describe_plan(*o).dump(2) + "\n"
                 : o->threads > 0 ? as_text(tiled_plans_of(*o), o->alternatives)
                                  : as_text(plans_of(*o), o->alternatives));
  });
}

}  // namespace cosmati::cli
