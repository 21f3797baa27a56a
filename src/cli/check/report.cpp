// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <fmt/format.h>
#include <cosmati/analysis/instruction_names.hpp>
#include <cosmati/analysis/words.hpp>
#include <cosmati/layout/text_tree.hpp>

namespace cosmati::cli {

namespace {

char const* space_name(memory_space s) { return s == memory_space::gmem ? "global" : "shared"; }
std::string bytes_in_words(std::int64_t n) { return fmt::format("{} byte{}", n, n == 1 ? "" : "s"); }
/// Gives "2.5" or "8": the average for an instruction, since instructions may differ.
std::string an_instruction(std::int64_t total, std::int64_t instructions) {
  if (instructions == 0) return "0";
  if (total % instructions == 0) return fmt::format("{}", total / instructions);
  return fmt::format("{:.2f}", static_cast<double>(total) / static_cast<double>(instructions));
}
std::vector<int> lanes_of(std::uint32_t mask) {
  std::vector<int> lanes;
  for (int l = 0; l < 32; ++l) {
    if ((mask >> l & 1u) != 0) lanes.push_back(l);
  }
  return lanes;
}
std::string lanes_in_words(std::uint32_t mask) {
  std::vector<int> const lanes = lanes_of(mask);
  std::string out;
  for (std::size_t i = 0; i < lanes.size() && i < 8; ++i) out += fmt::format("{}{}", i == 0 ? "" : ", ", lanes[i]);
  if (lanes.size() > 8) out += fmt::format(", ... ({} lanes)", lanes.size());
  return out;
}

/// Gives "4.0x" or "1.05x".
std::string times(double ratio) {
  return ratio > 1 && ratio < 1.05 ? fmt::format("{:.2f}x", ratio) : fmt::format("{:.1f}x", ratio);
}

std::string advice_in_words(check_side const& side) {
  if (!side.better) return {};
  side_cost const& c = side.better->cost;
  if (!side.is_global()) return fmt::format("; {}: {} bank conflicts", side.better->words, c.bank_conflicts);
  std::string const lines = c.sector_ratio() == 1 && side.whole.sector_ratio() == 1
                                ? fmt::format(", {} lines an instruction", an_instruction(c.lines, c.instructions))
                                : std::string();
  return fmt::format("; {}: {}{}", side.better->words, times(c.sector_ratio()), lines);
}
std::string threads_in_words(check_side const& side) {
  std::int64_t const apart = side.neighbours_apart < 0 ? -side.neighbours_apart : side.neighbours_apart;
  if (apart == side.instruction.bytes)
    return fmt::format(
        "neighbouring threads {} side by side, but their runs do not begin and end with sectors of 32 bytes",
        side.is_source ? "read" : "write");
  return fmt::format("neighbouring threads start {} apart but {} {}", bytes_in_words(apart),
                     side.is_source ? "read" : "write", static_cast<int>(side.instruction.bytes));
}
std::string global_verdict(check_side const& side) {
  side_cost const& c = side.whole;
  if (c.sector_ratio() > 1)
    return fmt::format("{} the sectors needed: {}", times(c.sector_ratio()), threads_in_words(side));
  std::string const lines = an_instruction(c.lines, c.instructions);
  if (c.line_ratio() > 1) {
    return fmt::format("1.0x the sectors needed, coalesced; but {} lines an instruction where {} would do", lines,
                       an_instruction(c.ideal_lines, c.instructions));
  }
  return fmt::format("1.0x the sectors needed, coalesced: {} line{} an instruction", lines, lines == "1" ? "" : "s");
}
/// The effect of tiles at the edge: "; at the edge 1.3x".
std::string edge_in_words(check_findings const& f, check_side const& side) {
  if (!f.ragged || f.ragged->edge_tiles == 0) return {};
  side_cost const& c = side.is_source ? f.ragged->edge.source : f.ragged->edge.destination;
  if (side.is_global())
    return fmt::format("; at the edge {} the sectors, {:.0f}% of the bytes used", times(c.sector_ratio()),
                       100 * c.efficiency());
  return fmt::format("; at the edge {}", c.bank_conflicts == 0 ? "none" : fmt::format("{}", c.bank_conflicts));
}
/// The verdict on one thread's bulk copies.
std::string bulk_verdict(check_findings const& f, check_side const& side) {
  side_cost const& c = side.cost;
  if (c.instructions == 0) return "not moved";
  if (!side.is_global()) return fmt::format("runs of {}", bytes_in_words(f.vector.bits / 8));
  std::string const runs = bytes_in_words(f.vector.bits / 8);
  if (c.sector_ratio() > 1) {
    return fmt::format(
        "{} the sectors needed: runs of {} do not all begin at sectors of 32 bytes, and equally far into a "
        "line of 128 on both sides",
        times(c.sector_ratio()), runs);
  }
  if (c.line_ratio() > 1) {
    return fmt::format("1.0x the sectors needed; but {} the lines: runs of {} do not all begin at lines of 128 bytes",
                       times(c.line_ratio()), runs);
  }
  return "1.0x the sectors needed, in as few requests as can be";
}
std::string shared_verdict(check_side const& side) {
  side_cost const& c = side.whole;
  if (c.bank_conflicts == 0) return "no bank conflicts";
  std::string out = fmt::format(
      "{} bank conflict{}, {:.1f}x the wavefronts needed: ", c.bank_conflicts, c.bank_conflicts == 1 ? "" : "s",
      static_cast<double>(c.wavefronts_floor + c.bank_conflicts) / static_cast<double>(c.wavefronts_floor));
  std::int64_t const of_source = c.bank_conflicts - side.own_conflicts;
  if (c.worst_bank >= 0) {
    out += fmt::format("{} words of bank {} are asked for at once, by lanes {} of warp {}", c.worst_words, c.worst_bank,
                       lanes_in_words(c.worst_lanes), c.worst_warp);
  }
  if (of_source <= 0) return out;
  // cp.async reads the lines of the source as banks (shared_cost_of).
  int const bytes = side.instruction.bytes, lanes = side.instruction.lanes_a_group();
  return out + fmt::format(
                   "{}{} of the source, whose lines of 128 bytes a group of {} lanes reads one after another "
                   "where they want the same {} bytes of different lines: let {} neighbouring threads read {} "
                   "bytes side by side",
                   c.worst_bank >= 0 ? "; " : "", of_source == c.bank_conflicts ? "all" : fmt::format("{}", of_source),
                   lanes, bytes, lanes, lanes * bytes);
}

std::string verified_in_words(check_findings const& f) {
  if (f.verdict.ok() && !f.right()) {
    return fmt::format(
        "{} lie side by side in both tensors, and bulk copies move multiples of 16 bytes that begin at "
        "such: give both the same order of modes, padded to 16 bytes",
        bytes_in_words(f.vector.bits / 8));
  }
  if (!f.verdict.ok() || f.sides.size() == 2) return words_of(f.verdict);
  std::int64_t const times = f.copy.threads * f.copy.values / algebra::size(algebra::tile_shape(f.copy.tiler)).value;
  return fmt::format("every element of {} {}, in bounds and aligned",
                     f.sides.front()->is_source ? "the source is read" : "the destination is written",
                     times > 1 ? fmt::format("by the {} threads that need it", times) : std::string("once"));
}

nlohmann::json place_json(copy_place const& p) {
  nlohmann::json j;
  j["thread"] = p.thread;
  j["value"] = p.value;
  j["coordinate"] = nlohmann::json::array();
  for (int i = 0; i < p.rank; ++i) j["coordinate"].push_back(p.coordinate[i]);
  return j;
}
char const* fault_name(copy_fault f) {
  switch (f) {
    case copy_fault::none:
      return "none";
    case copy_fault::rank:
      return "rank";
    case copy_fault::shapes_differ:
      return "shapes_differ";
    case copy_fault::tile_not_covered:
      return "tile_not_covered";
    case copy_fault::beyond:
      return "out_of_bounds";
    case copy_fault::bounds:
      return "bounds";
    case copy_fault::written_twice:
      return "written_twice";
    case copy_fault::source_vector:
    case copy_fault::destination_vector:
      return "not_vectorizable";
    case copy_fault::source_alignment:
    case copy_fault::destination_alignment:
      return "misaligned";
  }
  return "";
}
nlohmann::json cost_json(side_cost const& c) {
  nlohmann::json j;
  j["instructions"] = c.instructions;
  j["requests"] = c.requests;
  j["sectors"] = c.sectors;
  j["sectors_ideal"] = c.ideal_sectors;
  j["sector_ratio"] = c.sector_ratio();
  j["lines"] = c.lines;
  j["lines_ideal"] = c.ideal_lines;
  j["bytes_used"] = c.bytes_used;
  j["bytes_moved"] = c.bytes_moved;
  j["wavefronts"] = c.wavefronts;
  j["wavefronts_floor"] = c.wavefronts_floor;
  j["wavefronts_ideal"] = c.wavefronts_ideal;
  j["bank_conflicts"] = c.bank_conflicts;
  return j;
}
nlohmann::json side_json(check_findings const& f, check_side const& side) {
  side_cost const& c = side.cost;
  nlohmann::json j = cost_json(c);
  j["space"] = space_name(side.space);
  j["layout"] = side.layout;
  j["instruction"] = f.operation.means == copy_means::bulk ? "cp.async.bulk" : instruction_name(side.instruction);
  auto const each = [&](std::int64_t total) {
    return c.instructions == 0 ? 0.0 : static_cast<double>(total) / static_cast<double>(c.instructions);
  };
  j["efficiency"] = efficiency_of(side);
  j["verdict"] = verdict_of(f, side);
  if (side.is_global()) {
    j["coalesced"] = !f.value_by_value && side.whole.sector_ratio() == 1;
    j["per_instruction"] = {{"sectors", each(c.sectors)},
                            {"sectors_ideal", each(c.ideal_sectors)},
                            {"lines", each(c.lines)},
                            {"lines_ideal", each(c.ideal_lines)}};
    j["neighbours_apart_bytes"] = side.neighbours_apart;
    j["thread_alone_ratio"] = side.thread_alone;
  } else {
    j["per_instruction"] = {{"wavefronts", each(c.wavefronts)},
                            {"wavefronts_floor", each(c.wavefronts_floor)},
                            {"bank_conflicts", each(c.bank_conflicts)}};
    if (c.worst_bank >= 0) {
      j["worst_bank"] = {
          {"bank", c.worst_bank}, {"words", c.worst_words}, {"warp", c.worst_warp}, {"lanes", lanes_of(c.worst_lanes)}};
    }
  }
  if (f.ragged) {
    j["inside"] = cost_json(side.is_source ? f.ragged->inside.source : f.ragged->inside.destination);
    j["edge"] = cost_json(side.is_source ? f.ragged->edge.source : f.ragged->edge.destination);
  }
  if (side.better) {
    nlohmann::json a = cost_json(side.better->cost);
    a["words"] = side.better->words;
    for (auto const& [key, text] : {std::pair{"atom", &side.better->atom}, std::pair{"thr", &side.better->thr},
                                    std::pair{"val", &side.better->val}, std::pair{"layout", &side.better->layout}}) {
      if (!text->empty()) a[key] = *text;
    }
    j["advice"] = a;
  } else {
    j["advice"] = nullptr;
  }
  return j;
}
bool moves_vectors(check_findings const& f) {
  return f.operation.means != copy_means::ldmatrix && f.operation.means != copy_means::stmatrix;
}

/// Gives ", 40 of them in tiles inside and 12 at the edge".
std::string instructions_at_the_edge(check_findings const& f, check_side const& side) {
  if (!f.ragged) return {};
  ragged_cost const& r = *f.ragged;
  return fmt::format(", {} of them in {} tiles inside, {} in {} at the edge",
                     (side.is_source ? r.inside.source : r.inside.destination).instructions, r.inside_tiles,
                     (side.is_source ? r.edge.source : r.edge.destination).instructions, r.edge_tiles);
}

std::string bulk_text(check_findings const& f, check_side const& side) {
  side_cost const& c = side.cost;
  std::string out = fmt::format("  instructions{:>9} of one thread, cp.async.bulk\n", c.instructions);
  if (side.is_global()) {
    out += fmt::format("  requests    {:>9} to L2, {} would do: {}\n", c.requests, c.ideal_lines,
                       times(static_cast<double>(c.requests) / static_cast<double>(c.ideal_lines)));
    out += fmt::format("  sectors     {:>9}, {} would do: {}\n", c.sectors, c.ideal_sectors, times(c.sector_ratio()));
    out += fmt::format("  bytes       {:>9}, {:.1f}% of those moved\n", c.bytes_used, 100 * c.efficiency());
  }
  return out + fmt::format("  verdict     {}\n", verdict_of(f, side));
}

std::string side_text(check_findings const& f, check_side const& side) {
  side_cost const& c = side.cost;
  std::string out = fmt::format("{:<14}{} memory, {}\n", side.is_source ? "source" : "destination",
                                space_name(side.space), side.layout);
  if (c.instructions == 0) return out + fmt::format("  verdict     {}\n", verdict_of(f, side));
  if (f.operation.means == copy_means::bulk) return out + bulk_text(f, side);
  out += fmt::format("  instructions{:>9} of warps, {}{}{}\n", c.instructions, instruction_name(side.instruction),
                     f.value_by_value ? ": value by value, as the atom cannot" : "", instructions_at_the_edge(f, side));
  auto const ratio = [&](char const* what, std::int64_t n, std::int64_t ideal) {
    out += fmt::format("  {:<12}{:>9} an instruction, {} would do; {} of {} in all: {}\n", what,
                       an_instruction(n, c.instructions), an_instruction(ideal, c.instructions), n, ideal,
                       times(static_cast<double>(n) / static_cast<double>(ideal)));
  };
  if (side.is_global()) {
    ratio("sectors", c.sectors, c.ideal_sectors);
    ratio("lines", c.lines, c.ideal_lines);
    out += fmt::format("  bytes       {:>8.1f}% of those moved are used; a thread alone would move {:.1f} for each\n",
                       100 * c.efficiency(), side.thread_alone);
  } else {
    ratio("wavefronts", c.wavefronts, c.wavefronts_floor);
    out += fmt::format("  conflicts   {:>9} an instruction, {} in all\n",
                       an_instruction(c.bank_conflicts, c.instructions), c.bank_conflicts);
  }
  return out + fmt::format("  verdict     {}\n", verdict_of(f, side));
}

}  // namespace

double efficiency_of(check_side const& side) {
  if (side.is_global()) return side.cost.efficiency();
  return side.cost.wavefronts == 0 ? 1.0
                                   : static_cast<double>(side.cost.wavefronts_floor) /
                                         static_cast<double>(side.cost.wavefronts_floor + side.cost.bank_conflicts);
}

std::string instruction_name(memory_instruction const& instruction) {
  for (named_instruction const& n : named_instructions) {
    if (n.instruction == instruction) return std::string(n.name);
  }
  return "?";
}

std::string verdict_of(check_findings const& f, check_side const& side) {
  if (f.operation.means == copy_means::bulk) return bulk_verdict(f, side);
  if (f.value_by_value) {
    std::string out;
    if (f.vector.at_source == side.is_source) {
      out = fmt::format("{}: {}{}", f.vector.limit == width_limit::alignment ? "misaligned" : "not vectorizable",
                        words_of(f.vector, f.copy.type->bits), side.cost.instructions == 0 ? "" : "; ");
    }
    if (side.cost.instructions == 0) return out.empty() ? "not moved: the other side is wrong" : out;
    return out + "value by value " + (side.is_global() ? global_verdict(side) : shared_verdict(side)) +
           advice_in_words(side) + edge_in_words(f, side);
  }
  return (side.is_global() ? global_verdict(side) : shared_verdict(side)) + advice_in_words(side) +
         edge_in_words(f, side);
}

std::string report_text(check_findings const& f, std::vector<budget> const& budgets,
                        std::vector<std::string> const& notes) {
  std::string out = fmt::format("tiled copy    {} of {}, {}: {} threads, tile {}\n", f.copy.atom.name,
                                f.copy.type->name, made_of(f.copy), f.copy.threads, tuple_text(f.copy.tiler));
  out += fmt::format("{:<14}{}\n", f.right() ? "right" : "wrong", verified_in_words(f));
  if (f.operation.means == copy_means::bulk) {
    out += fmt::format("run           {} an instruction\n", bytes_in_words(f.vector.bits / 8));
  } else if (moves_vectors(f)) {
    if (f.value_by_value)
      out += fmt::format("vector        {} are not to be had: {}\n", bytes_in_words(f.operation.bits / 8),
                         words_of(f.vector, f.copy.type->bits));
    else
      out += fmt::format("vector        {} an instruction: {}\n", detail::width_in_words(f.vector.bits),
                         words_of(f.vector, f.copy.type->bits));
  }
  for (auto const& s : f.sides) out += side_text(f, *s);
  for (std::string const& n : notes) out += fmt::format("note          {}\n", n);
  for (budget const& b : budgets)
    out += fmt::format("{:<14}{} {:g}: found {:g}\n", b.kept ? "kept" : "broken", b.option, b.limit, b.found);
  return out;
}

nlohmann::json report_json(check_findings const& f, std::vector<budget> const& budgets,
                           std::vector<std::string> const& notes) {
  nlohmann::json j;
  bool ok = f.right();
  j["budgets"] = nlohmann::json::array();
  for (budget const& b : budgets) {
    ok = ok && b.kept;
    j["budgets"].push_back({{"option", b.option}, {"limit", b.limit}, {"found", b.found}, {"kept", b.kept}});
  }
  j["ok"] = ok;
  j["atom"] = f.copy.atom.name;
  j["type"] = f.copy.type->name;
  if (f.copy.operand.empty()) {
    j["thr"] = layout_text(f.copy.thr);
    j["val"] = layout_text(f.copy.val);
  } else {
    j["mma"] = f.copy.mma;
    j["operand"] = f.copy.operand;
  }
  j["threads"] = f.copy.threads;
  j["tiler"] = tuple_text(f.copy.tiler);
  nlohmann::json& v = j["verify"];
  v["ok"] = f.right();
  v["fault"] = f.verdict.ok() && !f.right() ? "not_vectorizable" : fault_name(f.verdict.fault);
  v["message"] = verified_in_words(f);
  if (f.verdict.place.thread >= 0) v.update(place_json(f.verdict.place));
  if (f.verdict.other.thread >= 0) v["other"] = place_json(f.verdict.other);
  j["vectorizable"] = !f.value_by_value;
  j["vector"] = nullptr;
  if (moves_vectors(f)) {
    std::string const why = f.operation.means == copy_means::bulk ? "no more lie side by side in both tensors"
                                                                  : words_of(f.vector, f.copy.type->bits);
    j["vector"] = {{"bytes", f.vector.bits / 8.0}, {"why_not_wider", why}};
  }
  j["tiles"] = nullptr;
  if (f.ragged) j["tiles"] = {{"inside", f.ragged->inside_tiles}, {"edge", f.ragged->edge_tiles}};
  j["source"] = j["destination"] = nullptr;
  for (auto const& s : f.sides) j[s->is_source ? "source" : "destination"] = side_json(f, *s);
  j["notes"] = notes;
  return j;
}

}  // namespace cosmati::cli
