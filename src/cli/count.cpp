// SPDX-License-Identifier: Apache-2.0
// cosmati count: the cost of single warp instructions, from the addresses of their lanes.
#include "command.hpp"
#include "lines.hpp"

#include <fmt/format.h>
#include <bit>
#include <charconv>
#include <cosmati/analysis/instruction_names.hpp>
#include <cosmati/analysis/warp_cost.hpp>
#include <cosmati/core/error.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace cosmati::cli {

namespace {

struct options {
  std::string line;
  bool json = false;
};

/// A line that cannot be counted, with the reason.
class wrong_line : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

/// The fields of a line, one after another.
struct fields {
  std::string_view rest;
  int count = 0;  ///< the number that were read
  bool more = true;

  std::string_view next() {
    if (!more) return {};
    std::size_t const comma = rest.find(',');
    std::string_view const field = trimmed(rest.substr(0, comma));
    more = comma != std::string_view::npos;
    rest.remove_prefix(more ? comma + 1 : rest.size());
    ++count;
    return field;
  }
};

std::int64_t integer(std::string_view text, char const* what, int lane) {
  std::int64_t x = 0;
  auto const done = std::from_chars(text.data(), text.data() + text.size(), x);
  bool const complete = done.ec == std::errc() && done.ptr == text.data() + text.size();
  if (!complete || x < 0) {
    std::string const where = lane < 0 ? "" : fmt::format(" of lane {}", lane);
    throw wrong_line(fmt::format("the {}{} is '{:.40}', expected an integer of 0 or more{}", what, where, text,
                                 complete   ? ""
                                 : lane < 0 ? ""
                                            : ", or nothing for an inactive lane"));
  }
  constexpr std::int64_t most = std::int64_t{1} << 60;
  if (x > most) throw wrong_line(fmt::format("the {} of lane {} is {}, more than {}", what, lane, x, most));
  return x;
}

std::string known_names() {
  std::string names;
  for (named_instruction const& n : named_instructions) names += fmt::format(" {}", n.name);
  return names;
}

struct counted_line {
  named_instruction instruction;
  warp_cost cost;
};

/// Reads the next 32 fields, the address of each lane.
warp_access addresses(fields& in, named_instruction const& of, char const* what) {
  memory_instruction const& instruction = of.instruction;
  warp_access access;
  access.active = 0;
  for (int lane = 0; lane < 32; ++lane) {
    if (!in.more) throw wrong_line(fmt::format("the line has {} {}s, one for each of 32 lanes is needed", lane, what));
    std::string_view const text = in.next();
    if (text.empty()) continue;
    std::int64_t const at = integer(text, what, lane);
    if (lane >= instruction.lanes) continue;  // the instruction does not use it
    if (at % instruction.bytes != 0) {
      throw wrong_line(fmt::format("the {} of lane {} is {}, no multiple of the {} bytes that {} needs", what, lane, at,
                                   instruction.bytes, of.name));
    }
    access.offset[lane] = at;
    access.active |= 1u << lane;
  }
  return access;
}

counted_line count(std::string_view line) {
  fields in{line};
  std::string_view const name = in.next();
  named_instruction const* const found = find_instruction(name);
  if (found == nullptr) {
    throw wrong_line(fmt::format("no instruction is called '{:.40}'; there are{}", name, known_names()));
  }
  memory_instruction const& instruction = found->instruction;
  if (!in.more) throw wrong_line("the line ends after the instruction; bytes a lane and 32 offsets follow it");
  std::int64_t const bytes = integer(in.next(), "number of bytes a lane", -1);
  if (bytes != instruction.bytes) {
    throw wrong_line(fmt::format("{} has {} bytes {}, not {}", name, instruction.bytes,
                                 instruction.moves_matrices() ? "at each address" : "a lane", bytes));
  }
  warp_access const access = addresses(in, *found, "offset");
  if (!in.more || instruction.operation != memory_operation::copy_async) {
    if (in.more) throw wrong_line("the line has more than 32 offsets");
    return {*found, warp_cost_of(instruction, access)};
  }
  warp_access const source = addresses(in, *found, "source");
  if (in.more) throw wrong_line("the line has more than 32 offsets and 32 sources");
  if (source.active != access.active) {
    int const lane = std::countr_zero(source.active ^ access.active);
    throw wrong_line(fmt::format("lane {} has {}; a lane that takes part has both, others neither", lane,
                                 access.takes_part(lane) ? "an offset and no source" : "a source and no offset"));
  }
  return {*found, warp_cost_of(instruction, access, source)};
}

void append_integers(std::string& out, std::initializer_list<int> integers) {
  char const* separator = "";
  for (int const x : integers) {
    char text[16];
    auto const done = std::to_chars(text, text + sizeof text, x);
    out += separator;
    out.append(text, done.ptr);
    separator = ",";
  }
}

nlohmann::json json_of(counted_line const& c) {
  shared_cost const& s = c.cost.shared;
  global_cost const& g = c.cost.global;
  nlohmann::json j;
  j["instruction"] = c.instruction.name;
  j["shared_wavefronts"] = s.wavefronts;
  j["shared_wavefronts_floor"] = s.floor;
  j["shared_wavefronts_ideal"] = s.ideal;
  j["shared_bank_conflicts"] = s.bank_conflicts;
  j["exact"] = s.exact;
  if (s.worst_bank >= 0) {
    nlohmann::json lanes = nlohmann::json::array();
    for (int l = 0; l < 32; ++l) {
      if ((s.worst_lanes >> l & 1u) != 0) lanes.push_back(l);
    }
    j["worst_bank"] = {{"bank", s.worst_bank}, {"words", s.worst_words}, {"lanes", lanes}};
  }
  j["global_requests"] = g.requests;
  j["global_sectors"] = g.sectors;
  j["global_sectors_ideal"] = g.ideal_sectors;
  j["global_lines"] = g.lines;
  j["global_lines_ideal"] = g.ideal_lines;
  j["global_bytes_used"] = g.bytes_used;
  j["global_bytes_moved"] = g.bytes_moved;
  return j;
}

void append_answer(counted_line const& c, bool json, std::string& out) {
  if (json) {
    out += json_of(c).dump();
  } else {
    append_integers(
        out, {c.cost.shared.wavefronts, c.cost.shared.bank_conflicts, c.cost.global.requests, c.cost.global.sectors});
  }
}

void answer(std::string_view line, bool json, std::string& out) {
  try {
    append_answer(count(line), json, out);
  } catch (wrong_line const& e) {
    if (json) {
      out += nlohmann::json({{"error", e.what()}}).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    } else {
      out += "error: ";
      out += e.what();
    }
  }
}

void run(options const& o) {
  if (o.line == "-") {
    return answer_lines([&](std::string_view line, std::string& out) { answer(line, o.json, out); });
  }
  std::string out;
  try {
    append_answer(count(o.line), o.json, out);
  } catch (wrong_line const& e) {
    throw command_error(bad_input, fmt::format("count: {}", e.what()));
  }
  write_output(out + '\n');
}

}  // namespace

void add_count_command(CLI::App& app) {
  CLI::App* const command =
      app.add_subcommand("count", "Count wavefronts, bank conflicts and sectors of single warp instructions");
  auto const o = std::make_shared<options>();
  command
      ->add_option("LINE", o->line,
                   "instruction,bytes_per_lane,offset0,...,offset31[,source0,...,source31]; - reads such lines from "
                   "standard input")
      ->required();
  command->add_flag("--json", o->json, "Answer as JSON with all counts, one object a line");
  command->footer(fmt::format(
      "Offsets are bytes from an address that is a multiple of 128; an empty one is an inactive lane.\n"
      "The answer is shared_wavefronts,shared_bank_conflicts,global_requests,global_sectors.\n"
      "Instructions:{}\n"
      "The number after LDSM and STSM (ldmatrix, stmatrix) counts matrices. LDSM1 and LDSM2 take the addresses of\n"
      "lanes 0-7 and 0-15, each of a row of 16 bytes. T means transposed. Offsets of CPA and CPG (cp.async .ca and\n"
      ".cg) are addresses in shared memory. 32 more offsets give their sources, which are contiguous otherwise.\n"
      "Example, a column of float[32][32]:\n"
      "  echo LDS4,4$(printf ',%d' $(seq 0 128 3968)) | cosmati count -\n"
      "With -, the answer to a wrong line is `error: ...`, and the command continues with the next line.",
      known_names()));
  command->callback([o] { run(*o); });
}

}  // namespace cosmati::cli
