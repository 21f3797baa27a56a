// SPDX-License-Identifier: Apache-2.0
// `cosmati run-copy --permute` on a device, with `copy_tensor`'s planner and kernels. It is compiled twice, as
// device.cpp is.
#include "permute_job.hpp"

#include <cosmati/kernel/copy.hpp>
#include <cosmati/kernel/copy_text.hpp>
#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/device.hpp>
#include <cosmati/runtime/stream.hpp>
#include <span>

using namespace COSMATI_NAMESPACE;

namespace cosmati_run_copy {
namespace {

copy_plans plans_of(permute_job const& job) {
  copy_problem p;
  p.element_bytes = job.value_bytes;
  for (permuted_mode const& m : job.modes) p.push(m.extent, m.source, m.target);
  return plan_copy(p);
}

void permute_memory_here(permute_job const& job) {
  copy_plans const plans = plans_of(job);
  if (plans.kept != 0) launch_plan(plans.problem, plans.plan[0], job.input, job.output);
}

permute_outcome permute_here(permute_job const& job) {
  std::size_t const bytes = job.elements * static_cast<std::size_t>(job.value_bytes);
  auto* const output = static_cast<std::byte*>(job.output);
  device_buffer<std::byte> in(std::span(static_cast<std::byte const*>(job.input), bytes));
  device_buffer<std::byte> out(std::span(output, bytes));

  permute_outcome outcome;
  outcome.device = current_device().name;
  copy_plans const plans = plans_of(job);
  outcome.problem = text(plans.problem);
  outcome.considered = plans.kept;
  if (plans.kept == 0) {
    outcome.plan = outcome.why = "nothing to copy";
    return outcome;
  }
  copy_plan const& plan = plans.plan[0];
  outcome.plan = text(plans.problem, plan);
  outcome.why = reason(plan);
  outcome.predicted_us = plan.us;
  event start, stop;
  start.record();
  launch_plan(plans.problem, plan, in.data(), out.data());
  stop.record();
  outcome.seconds = elapsed_ms(start, stop) / 1e3;
  out.download_to(output);
  return outcome;
}

}  // namespace

#if defined(COSMATI_SIMULATED)
permute_outcome permute_on_simulated_device(permute_job const& job) { return permute_here(job); }
void permute_memory_of_simulated_device(permute_job const& job) { permute_memory_here(job); }
#else
permute_outcome permute_on_gpu(permute_job const& job) { return permute_here(job); }
void permute_memory_of_gpu(permute_job const& job) { permute_memory_here(job); }
#endif

}  // namespace cosmati_run_copy
