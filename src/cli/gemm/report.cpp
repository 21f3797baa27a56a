// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <fmt/format.h>

namespace cosmati::cli {

using cosmati_gemm::comparison;
using cosmati_gemm::element;
using cosmati_gemm::kernel;
using cosmati_gemm::outcome;
using cosmati_gemm::product;
using cosmati_gemm::rounding;

namespace {

char const* name_of(kernel by) { return by == kernel::simt ? "simt" : "mma"; }
char const* name_of(rounding to) {
  return to == rounding::tfloat32 ? "tfloat32" : to == rounding::bfloat16 ? "bfloat16" : nullptr;
}

/// Whether elements of A, B or C moved one by one. The simulated device does not see them in this command, so it has
/// not seen all accesses.
bool has_uncounted(gemm_job const& j, outcome const& done) {
  std::uint64_t loaded = 0, stored = 0;  // the loaded and stored bytes
  for (auto const& c : done.costs) {
    if (c.kind == "cp_async" || c.kind == "global_load" || c.kind == "bulk_load") loaded += c.bytes_used;
    if (c.kind == "global_store" || c.kind == "bulk_store") stored += c.bytes_used;
  }
  std::uint64_t const operands = (j.a.data.size() + j.b.data.size()) / (j.what.rounded == rounding::bfloat16 ? 2 : 1);
  return !done.costs.empty() && (j.what.bias != nullptr || loaded < operands || stored < j.c.size());
}

}  // namespace

nlohmann::ordered_json json_of(gemm_options const& o, gemm_job const& j, outcome const& done, comparison const& found) {
  product const& p = j.what;
  nlohmann::ordered_json r;
  r["device"] = done.device;
  r["kernel"] = name_of(p.by);
  r["type"] = j.row->descr;
  r["rounded_to"] = p.rounded == rounding::none ? nlohmann::json() : nlohmann::json(name_of(p.rounded));
  r["sums"] = j.row->sums;
  r["m"] = p.m;
  r["n"] = p.n;
  r["k"] = p.k;
  r["batches"] = p.batches;
  r["alpha"] = p.alpha;
  r["beta"] = p.beta;
  r["bias"] = p.bias == nullptr ? nlohmann::json() : nlohmann::json(p.bias_n != 0 ? "n" : "m");
  r["relu"] = p.relu;
  char const* const names[] = {"a", "b"};
  for (int i = 0; i < 2; ++i) {
    auto const& operand = j.operands[i];
    r[names[i]] = {
        {"order", operand.order}, {"contiguous", operand.contiguous}, {"turned_on_the_device", operand.turned}};
  }
  r["result"] = {{"path", o.c}, {"descr", j.result.descr}, {"shape", j.result.shape}};
  r["operations"] = 2.0 * p.m * p.n * p.k * p.batches * (p.type == element::complex64 ? 4 : 1);
  r["seconds"] = done.seconds;
  r["instructions"] = nlohmann::ordered_json::object();
  for (auto const& c : done.costs) {
    r["instructions"][c.kind] = {{"instructions", c.instructions},
                                 {"sectors", c.sectors},
                                 {"sectors_ideal", c.ideal_sectors},
                                 {"wavefronts", c.wavefronts},
                                 {"bank_conflicts", c.bank_conflicts}};
  }
  r["uncounted"] = has_uncounted(j, done);
  r["check"] = {{"elements", found.compared}, {"of", found.of}, {"error", found.error}, {"allowed", found.allowed}};
  return r;
}

std::string text_of(gemm_options const& o, gemm_job const& j, outcome const& done, comparison const& found) {
  product const& p = j.what;
  std::string out;
  auto const line = [&](char const* name, std::string const& text) { out += fmt::format("{:<10}{}\n", name, text); };
  std::string formula = fmt::format("{} A B", p.alpha);
  if (p.beta != 0) formula += fmt::format(" + {} C", p.beta);
  if (p.bias != nullptr) formula += fmt::format(" + {}", o.bias);
  line("C", fmt::format("{} {} = {}{}{}", j.result.descr, shape_text(j.result.shape), p.relu ? "relu(" : "", formula,
                        p.relu ? ")" : ""));
  auto const operand = [&](char const* name, gemm_job::operand const& x) {
    line(name, fmt::format("{}, {}contiguous along {}", x.is, x.turned ? "on the device made " : "", x.contiguous));
  };
  operand("A", j.operands[0]);
  operand("B", j.operands[1]);
  line("kernel",
       fmt::format("gemm_{}, M {}, N {}, K {}, {} batch{}; {}sums in {}", name_of(p.by), p.m, p.n, p.k, p.batches,
                   p.batches == 1 ? "" : "es",
                   p.rounded == rounding::none ? "" : fmt::format("A and B as {}, ", name_of(p.rounded)), j.row->sums));
  line("ran on", fmt::format("{}, {:.3g} s", done.device, done.seconds));
  for (auto const& c : done.costs) {
    std::string text = fmt::format("{:<14}{:9} times", c.kind, c.instructions);
    if (c.sectors != 0) text += fmt::format(", {} sectors where {} would do", c.sectors, c.ideal_sectors);
    if (c.wavefronts != 0) text += fmt::format(", {} wavefronts, {} bank conflicts", c.wavefronts, c.bank_conflicts);
    line("", text);
  }
  if (has_uncounted(j, done)) line("", "and elements that were moved one by one, which are not counted");
  if (found.compared == 0)
    line("checked", "nothing");
  else
    line("checked", fmt::format("{} elements against sums in {}: {}",
                                found.compared == found.of ? fmt::format("all {}", found.of)
                                                           : fmt::format("{} of {}", found.compared, found.of),
                                p.type == element::float64 ? "long double"
                                : p.type == element::int8  ? "64-bit integers"
                                                           : "double",
                                p.type == element::int8 ? "equal"
                                                        : fmt::format("at most {:.2g} off where {:.2g} is allowed",
                                                                      found.error, found.allowed)));
  line("written", o.c);
  return out;
}

}  // namespace cosmati::cli
