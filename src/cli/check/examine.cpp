// SPDX-License-Identifier: Apache-2.0
#include "examine.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cosmati/atom/bulk_copy.hpp>
#include <cosmati/layout/text_cursor.hpp>
#include <cosmati/layout/text_tree.hpp>

namespace cosmati::cli {

namespace {

/// The memory of each side. @throws command_error with a caret
struct spaces {
  memory_space src = memory_space::gmem, dst = memory_space::gmem;
};
spaces read_spaces(check_texts const& o, check_findings const& f) {
  auto const word = [&](std::size_t begin, std::size_t end) {
    std::string const text = o.space.substr(begin, end - begin);
    if (text == "global" || text == "gmem") return memory_space::gmem;
    if (text == "shared" || text == "smem") return memory_space::smem;
    throw command_error(bad_input,
                        fmt::format("--space: expected global or shared, or two of them, as global,shared\n{}",
                                    caret_lines(o.space, begin)));
  };
  spaces s;
  s.dst = !o.src.empty() && !o.dst.empty() ? memory_space::smem : memory_space::gmem;
  if (!o.space.empty()) {
    std::size_t const comma = o.space.find(',');
    s.src = word(0, comma == std::string::npos ? o.space.size() : comma);
    s.dst = comma == std::string::npos ? s.src : word(comma + 1, o.space.size());
  }
  auto const fixed = [&](char const* option, bool given, memory_space wanted, memory_space& side) {
    if (wanted == memory_space::rmem && given) {
      throw command_error(
          bad_input, fmt::format("{}: {} has registers on this side; leave the option away", option, f.copy.atom.name));
    }
    side = wanted;
  };
  copy_means const means = f.operation.means;
  bool const stored = means == copy_means::bulk && std::string_view(f.copy.atom.name).ends_with("_AUTO") &&
                      s.src == memory_space::smem;  // bulk copies go in either direction
  if (means == copy_means::cp_async || means == copy_means::ldmatrix || means == copy_means::stmatrix ||
      means == copy_means::bulk) {
    copy_instruction const& needs = stored ? SM90_BULK_COPY_S2G::instruction : *f.copy.atom.special;
    fixed("--src", !o.src.empty(), needs.source, s.src);
    fixed("--dst", !o.dst.empty(), needs.destination, s.dst);
  }
  return s;
}

std::unique_ptr<check_side> read_side(evaluator& evaluate, bool is_source, std::string const& text,
                                      memory_space space) {
  auto side = std::make_unique<check_side>();
  value v;
  read_tensor(evaluate, is_source ? "--src" : "--dst", text, v);
  side->is_source = is_source;
  side->space = side->tensor.space = space;
  copy_tree(side->tensor.layout, v.main);
  side->layout = layout_text(v.main);
  if (v.what == kind::composed) {
    side->tensor.composed = true;
    side->tensor.swizzle = v.swizzle;
    side->tensor.offset = v.offset.shape[0].value;
    side->layout.clear();
    append_text(side->layout, v);
  }
  for (int i = 0; i < v.main.leaves; ++i) {
    if (v.main.shape[i].value < 1 || v.main.stride[i].basis != 0) {
      throw command_error(bad_input,
                          fmt::format("{}: {}: expected extents of 1 and more, and strides that are integers",
                                      is_source ? "--src" : "--dst", side->layout));
    }
  }
  return side;
}

detail::mode_extents read_bounds(evaluator& evaluate, std::string const& text) {
  value const& v = evaluate_argument(evaluate, "--bounds", text);
  if (v.what != kind::tuple) throw command_error(bad_input, "--bounds: expected a shape, as (70,101)");
  for (int i = 0; i < v.main.leaves; ++i) {
    if (v.main.shape[i].value < 1)
      throw command_error(bad_input, fmt::format("--bounds: {} has an extent of {}: give extents of 1 and more", text,
                                                 v.main.shape[i].value));
  }
  return blamed_on("--bounds", [&] { return detail::extents_of(v.main); });
}

/// The costs of tiles at the edge, if there are any. @returns the reason if they are not counted, otherwise nothing
std::string look_at_edges(check_findings& f, copy_values<symbolic_integer> const& copy,
                          detail::mode_extents const& bounds) {
  try {
    ragged_cost const cost = ragged_cost_of(copy, detail::extents_of(algebra::tile_shape(copy.tiler)), f.tensor(true),
                                            f.tensor(false), bounds);
    if (!cost.inside.vector.possible) return "tiles do not all begin where the atom's vector may";
    f.ragged = cost;
    for (auto const& s : f.sides) s->cost = s->is_source ? cost.source() : cost.destination();
  } catch (error const& e) {
    return e.what();
  }
  return {};
}

/// Examines one thread's bulk copies.
void look_at_bulk(check_findings& f) {
  copy_cost const cost = bulk_cost_of(f.copy.type->bits, f.tensor(true), f.tensor(false));
  f.vector = cost.vector;
  f.value_by_value = !cost.vector.possible;
  for (auto const& s : f.sides) s->cost = s->whole = s->is_source ? cost.source : cost.destination;
}

/// Computes the costs of each side, and what follows from them. @returns the copy with which they were computed
copy_values<symbolic_integer> look(check_findings& f) {
  copy_values<symbolic_integer> copy = values_of(f.copy, f.operation);
  bool const alone = f.operation.means == copy_means::cp_async && f.sides.size() == 1;
  copy_cost const cost = copy_cost_of(copy, f.tensor(true), f.tensor(false));
  f.vector = cost.vector;
  copy_cost shown = cost;
  if (!cost.vector.possible) {
    f.value_by_value = true;
    bool const matrix = f.operation.means == copy_means::ldmatrix || f.operation.means == copy_means::stmatrix;
    if (matrix || f.operation.means == copy_means::cp_async) return copy;
    copy.operation.bits = copy.value_bits;
    copy.ref = copy.src = copy.dst = values_of_one_thread(1);
    shown = copy_cost_of(copy, f.tensor(true), f.tensor(false));
  }
  for (auto const& s : f.sides) {
    bool const has_source = f.operation.means == copy_means::cp_async && f.sides.size() == 2 && !s->is_source;
    s->cost = s->whole = alone ? side_cost_of(copy, s->tensor) : s->is_source ? shown.source : shown.destination;
    s->own_conflicts = has_source ? side_cost_of(copy, s->tensor).bank_conflicts : s->whole.bank_conflicts;
    std::int64_t const values = alone ? copy.at_once(s->is_source) : shown.vector.values;
    int const bytes = static_cast<int>(values) * copy.value_bits / 8;
    s->instruction = detail::instruction_of(f.operation, s->space, s->is_source, bytes < 1 ? 1 : bytes);
    vector_side<symbolic_integer> const side = vector_side_of(copy, s->tensor, s->is_source);
    side_access const a = side_access_of(side, side.partition, copy.value_bits, 1);
    if (a.thread_count() > 1) s->neighbours_apart = a.bytes_at(a.threads(1)) - a.bytes_at(a.threads(0));
    if (s->is_global()) {  // the sectors of thread 0's values of one tile
      std::vector<std::int64_t> sectors;
      std::int64_t const n = algebra::size(side.partition, 0).value;
      for (std::int64_t v = 0; v < n; ++v) {
        std::int64_t const sector = a.bytes_at(a.threads(0) + a.steps(v)) / 32;
        if (std::find(sectors.begin(), sectors.end(), sector) == sectors.end()) sectors.push_back(sector);
      }
      s->thread_alone = 32.0 * 8.0 * static_cast<double>(sectors.size()) / static_cast<double>(n * copy.value_bits);
    }
  }
  for (auto const& s : f.sides) s->better = advise(f, *s);
  return copy;
}

}  // namespace

copy_operation operation_of(copy_atom const& atom) {
  copy_operation op;
  if (atom.special == nullptr) {
    op.means = atom.bits == 0 ? copy_means::automatic : copy_means::at_once;
    op.bits = static_cast<int>(atom.bits == 0 ? atom.widest : atom.bits);
    op.trusted_bits = op.means == copy_means::automatic && op.bits > 8 ? op.bits : 0;
    return op;
  }
  copy_instruction const& needs = *atom.special;
  op.lowest_sm = needs.lowest_sm;
  op.bits = static_cast<int>(atom.bits);
  if (std::string_view(needs.name).starts_with("cp.async.c")) {
    op.means = copy_means::cp_async;
    op.fills_with_zeros = std::string_view(atom.name).find("_ZFILL") != std::string_view::npos;
  } else if (needs.lanes == 32 && needs.source == memory_space::smem) {
    op.means = copy_means::ldmatrix;
    op.matrices = static_cast<int>(algebra::size(atom.dst, 1).value / 32);
  } else if (needs.lanes == 32 && needs.destination == memory_space::smem) {
    op.means = copy_means::stmatrix;
    op.matrices = static_cast<int>(algebra::size(atom.src, 1).value / 32);
  } else if (needs.source == memory_space::rmem && needs.destination == memory_space::rmem) {
    throw command_error(bad_input,
                        fmt::format("--atom: {} moves registers only: it costs nothing in memory", atom.name));
  } else {
    op.means = copy_means::bulk;
    op.bits = 128;
  }
  return op;
}

copy_values<symbolic_integer> values_of(copy_arguments const& copy, copy_operation const& operation) {
  copy_values<symbolic_integer> v;
  v.operation = operation;
  v.value_bits = copy.type->bits;
  v.layout_tv = copy.layout_tv;
  v.tiler = algebra::as_tiler(copy.tiler);
  v.ref = copy.atom_values.ref;
  v.src = copy.atom_values.src;
  v.dst = copy.atom_values.dst;
  return v;
}

void add_check_options(CLI::App& command, check_texts& texts) {
  add_copy_options(command, texts);
  command.add_option("--src", texts.src, "Layout of the source: the tensor that is copied, swizzled or not");
  command.add_option("--dst", texts.dst, "Layout of the destination");
  command.add_option(
      "--space", texts.space,
      "Memory of the tensors: global, shared, or SRC,DST. Without it the source is in global memory, and "
      "if there is a source, the destination is in shared memory");
  command.add_option("--bounds", texts.bounds, "Extents that limit the copy, if tiles reach beyond them");
  command.add_option("--arch", texts.arch, "The architecture")->capture_default_str();
}

examined examine(check_texts const& o) {
  examined result;
  check_findings& f = result.findings;
  evaluator evaluate;
  if (o.src.empty() && o.dst.empty())
    throw command_error(bad_input, "--src, --dst: expected the layout of the source, of the destination, or both");
  f.copy = read_copy(evaluate, o);
  int const sm = read_arch(o.arch);
  f.operation = operation_of(f.copy.atom);
  if (f.copy.atom.special != nullptr && f.copy.atom.special->lowest_sm > sm) {
    throw command_error(bad_input, fmt::format("--atom: {} needs sm_{}, --arch is {}; write --arch sm_{}, or take "
                                               "another atom",
                                               f.copy.atom.name, f.copy.atom.special->lowest_sm, o.arch,
                                               f.copy.atom.special->lowest_sm));
  }
  if (f.operation.means == copy_means::bulk) {
    if (f.copy.threads != 1 || f.copy.values != 1) {
      throw command_error(bad_input,
                          fmt::format("--thr, --val: {} is one thread's, of as many values as lie side by side: write "
                                      "--thr 1 --val 1",
                                      f.copy.atom.name));
    }
    if (!o.bounds.empty())
      throw command_error(bad_input, fmt::format("--bounds: {} takes none: it copies whole runs", f.copy.atom.name));
  }
  spaces const s = read_spaces(o, f);
  if (!o.src.empty()) f.sides.push_back(read_side(evaluate, true, o.src, s.src));
  if (!o.dst.empty()) f.sides.push_back(read_side(evaluate, false, o.dst, s.dst));
  blamed_on("--src, --dst", [&] {
    detail::mode_extents bounds;
    if (!o.bounds.empty()) bounds = read_bounds(evaluate, o.bounds);
    f.verdict =
        verify_values(values_of(f.copy, f.operation), f.tensor(true), f.tensor(false), !o.bounds.empty(), bounds);
    if (f.verdict.fault == copy_fault::rank) return 0;
    if (f.operation.means == copy_means::bulk) {
      look_at_bulk(f);
      return 0;
    }
    copy_values<symbolic_integer> const counted = look(f);
    bool const beyond = f.verdict.fault == copy_fault::beyond;
    if ((o.bounds.empty() && !beyond) || f.verdict.fault == copy_fault::bounds ||
        f.sides.front()->cost.instructions == 0)
      return 0;
    std::string const why_not = look_at_edges(f, counted, bounds);
    if (!why_not.empty())
      result.notes.push_back(
          fmt::format("every tile is counted as a whole one, for the edge is not counted: {}", why_not));
    else if (beyond)
      result.notes.emplace_back("counted as a copy with bounds, the tensor's shape: without them it is wrong");
    return 0;
  });
  if (f.verdict.fault == copy_fault::shapes_differ) {
    result.notes.emplace_back(
        "a kernel that copies tile by tile is checked by one tile: the same strides, the tile's shape");
  }
  return result;
}

}  // namespace cosmati::cli
