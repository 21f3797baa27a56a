// SPDX-License-Identifier: Apache-2.0
#include "boxes.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <cosmati/analysis/tma_words.hpp>
#include <cosmati/layout/text_tree.hpp>
#include <optional>

namespace cosmati::cli {

namespace {

/// The direction of an operation; nothing if it is no tensor copy that is counted.
std::optional<tma_direction> direction_of(std::string_view atom) {
  if (atom == "SM90_TMA_LOAD") return tma_direction::load;
  if (atom == "SM90_TMA_STORE") return tma_direction::store;
  for (std::string_view const name : {"ADD", "MIN", "MAX", "INC", "DEC", "AND", "OR", "XOR"}) {
    if (atom == fmt::format("SM90_TMA_REDUCE_{}", name)) return tma_direction::reduce;
  }
  return {};
}

/// A tensor from the command line, without the checks that only tiled copies need.
tensor_values<symbolic_integer> read_side(evaluator& evaluate, std::string const& option, std::string const& text,
                                          memory_space space, std::string& words) {
  if (text.empty())
    throw command_error(bad_input,
                        fmt::format("{}: expected the layout of the {}", option,
                                    space == memory_space::gmem ? "tensor in global memory" : "tile in shared memory"));
  tensor_values<symbolic_integer> tensor;
  value v;
  read_tensor(evaluate, option, text, v);
  tensor.space = space;
  copy_tree(tensor.layout, v.main);
  words = layout_text(v.main);
  if (v.what == kind::composed) {
    tensor.composed = true;
    tensor.swizzle = v.swizzle;
    tensor.offset = v.offset.shape[0].value;
    words.clear();
    append_text(words, v);
  }
  for (int i = 0; i < v.main.leaves; ++i) {
    if (v.main.shape[i].value < 1 || v.main.stride[i].basis != 0)
      throw command_error(
          bad_input,
          fmt::format("{}: {}: expected extents of 1 and more, and strides that are integers", option, words));
  }
  if (tensor.composed && space == memory_space::gmem)
    throw command_error(bad_input,
                        fmt::format("{}: {}: a tensor copy knows no swizzle of global memory", option, words));
  return tensor;
}

std::string box_text(box_findings const& f) {
  std::string out = "(";
  for (int i = 0; i < f.plan.boxed; ++i) out += fmt::format("{}{}", i == 0 ? "" : ",", f.plan.mode[i].box);
  return out + ")";
}
std::int64_t box_bytes(box_findings const& f) { return std::int64_t{f.plan.box_elements} * f.copy.element_bytes; }
double ratio(std::int64_t a, std::int64_t b) { return b == 0 ? 1.0 : static_cast<double>(a) / static_cast<double>(b); }
std::string verdict_of(box_findings const& f) {
  side_cost const& c = f.cost;
  if (!f.verdict.ok()) return "not moved";
  if (c.sectors > c.ideal_sectors)
    return fmt::format(
        "{:.2f}x the sectors needed: rows of boxes do not all begin at sectors of 32 bytes{}", c.sector_ratio(),
        f.copy.loads && f.verdict.outside != 0 ? ", and L2 is asked for elements outside the tensor, too" : "");
  if (c.requests > c.ideal_lines)
    return fmt::format(
        "1.0x the sectors needed; but {:.2f}x the requests: rows of {} bytes do not all begin and end "
        "with lines of 128",
        ratio(c.requests, c.ideal_lines), f.plan.mode[0].box * f.copy.element_bytes);
  return "1.0x the sectors needed, in as few requests as can be";
}

}  // namespace

bool names_tensor_copy(std::string const& atom) { return direction_of(atom).has_value(); }

box_findings examine_boxes(check_texts const& o) {
  box_findings f;
  evaluator evaluate;
  f.atom = o.atom;
  f.direction = *direction_of(o.atom);
  int const sm = read_arch(o.arch);
  if (sm < 90)
    throw command_error(bad_input, fmt::format("--atom: {} needs sm_90, --arch is {}; write --arch sm_90, or take "
                                               "another atom",
                                               o.atom, o.arch));
  if (!o.bounds.empty())
    throw command_error(bad_input, fmt::format("--bounds: {} takes none: the tensor's extents are its bounds", o.atom));
  if ((!o.thr.empty() && o.thr != "1") || (o.val != "1:0" && o.val != "1"))
    throw command_error(bad_input,
                        fmt::format("--thr, --val: {} is one thread's, of whole boxes: leave them away", o.atom));
  copy_texts type = o;
  type.atom.clear();
  copy_arguments const read = read_atom(type);
  f.type = read.type->name;
  if (read.type->bits % 8 != 0)
    throw command_error(bad_input, fmt::format("--type: {} has {} bits, and tensor copies move elements of 1, 2, 4 or "
                                               "8 bytes",
                                               f.type, read.type->bits));
  f.copy.element_bytes = read.type->bits / 8;
  f.copy.loads = f.direction == tma_direction::load;
  f.copy.global =
      read_side(evaluate, f.copy.loads ? "--src" : "--dst", f.copy.loads ? o.src : o.dst, memory_space::gmem, f.global);
  f.copy.shared =
      read_side(evaluate, f.copy.loads ? "--dst" : "--src", f.copy.loads ? o.dst : o.src, memory_space::smem, f.shared);
  blamed_on("--src, --dst", [&] {
    f.plan = tma_plan_of(f.copy, f.verdict);
    f.cost = tma_cost_of(f.copy, f.direction);
    return 0;
  });
  return f;
}

std::string report_text(box_findings const& f, std::vector<budget> const& budgets) {
  side_cost const& c = f.cost;
  std::string out = fmt::format("tensor copy   {} of {}", f.atom, f.type);
  if (f.verdict.ok()) {
    out += fmt::format(", boxes of {} elements, {} for each tile", box_text(f), f.plan.boxes);
    if (f.plan.swizzle != 0) out += fmt::format(", swizzle of {} bytes", 16 << f.plan.swizzle);
  }
  out += fmt::format("\n{:<14}{}\n", f.verdict.ok() ? "right" : "wrong", words_of(f.verdict, f.copy.loads));
  std::string global = fmt::format("{:<14}global memory, {}\n", f.copy.loads ? "source" : "destination", f.global);
  if (f.verdict.ok()) {
    global += fmt::format("  instructions{:>9} of one thread, cp.async.bulk.tensor\n", c.instructions);
    global += fmt::format("  requests    {:>9} to L2, {} would do: {:.2f}x\n", c.requests, c.ideal_lines,
                          ratio(c.requests, c.ideal_lines));
    global += fmt::format("  sectors     {:>9}, {} would do: {:.2f}x\n", c.sectors, c.ideal_sectors, c.sector_ratio());
    global += fmt::format("  bytes       {:>9}, {:.1f}% of those moved\n", c.bytes_used, 100 * c.efficiency());
  }
  global += fmt::format("  verdict     {}\n", verdict_of(f));
  std::string shared = fmt::format("{:<14}shared memory, {}\n", f.copy.loads ? "destination" : "source", f.shared);
  shared += fmt::format("  verdict     {}\n",
                        f.verdict.ok() ? fmt::format("boxes of {} bytes", box_bytes(f)) : std::string("not moved"));
  out += f.copy.loads ? global + shared : shared + global;
  for (budget const& b : budgets)
    out += fmt::format("{:<14}{} {:g}: found {:g}\n", b.kept ? "kept" : "broken", b.option, b.limit, b.found);
  return out;
}

nlohmann::json report_json(box_findings const& f, std::vector<budget> const& budgets) {
  side_cost const& c = f.cost;
  nlohmann::json j;
  bool ok = f.verdict.ok();
  j["budgets"] = nlohmann::json::array();
  for (budget const& b : budgets) {
    ok = ok && b.kept;
    j["budgets"].push_back({{"option", b.option}, {"limit", b.limit}, {"found", b.found}, {"kept", b.kept}});
  }
  j["ok"] = ok;
  j["atom"] = f.atom;
  j["type"] = f.type;
  j["verify"] = {
      {"ok", f.verdict.ok()}, {"message", words_of(f.verdict, f.copy.loads)}, {"elements_outside", f.verdict.outside}};
  nlohmann::json global = {{"space", "global"},
                           {"layout", f.global},
                           {"instruction", "cp.async.bulk.tensor"},
                           {"instructions", c.instructions},
                           {"requests", c.requests},
                           {"sectors", c.sectors},
                           {"sectors_ideal", c.ideal_sectors},
                           {"sector_ratio", c.sector_ratio()},
                           {"lines", c.lines},
                           {"lines_ideal", c.ideal_lines},
                           {"bytes_used", c.bytes_used},
                           {"bytes_moved", c.bytes_moved},
                           {"efficiency", c.efficiency()},
                           {"verdict", verdict_of(f)}};
  nlohmann::json shared = {{"space", "shared"}, {"layout", f.shared}, {"bank_conflicts", 0}};
  j["box"] = nullptr;
  if (f.verdict.ok()) {
    nlohmann::json extents = nlohmann::json::array();
    for (int i = 0; i < f.plan.boxed; ++i) extents.push_back(f.plan.mode[i].box);
    j["box"] = {{"extents", extents},
                {"bytes", box_bytes(f)},
                {"a_tile", f.plan.boxes},
                {"swizzle_bytes", f.plan.swizzle == 0 ? 0 : 16 << f.plan.swizzle}};
  }
  j["source"] = f.copy.loads ? global : shared;
  j["destination"] = f.copy.loads ? shared : global;
  return j;
}

}  // namespace cosmati::cli
