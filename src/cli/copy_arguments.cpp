// SPDX-License-Identifier: Apache-2.0
#include "copy_arguments.hpp"

#include "mma_arguments.hpp"
#include "pasted_line.hpp"

#include <CLI/CLI.hpp>
#include <cosmati/layout/text_cursor.hpp>
#include <cosmati/layout/text_tree.hpp>

namespace cosmati::cli {

tree filled_layout_argument(evaluator& evaluate, std::string const& option, std::string const& text) {
  value v;
  copy_value(v, evaluate_argument(evaluate, option, text));
  tree const layout = blamed_on(option, [&] { return call{option, v, {&v, 1}, {}}.layout(0); });
  for (int i = 0; i < layout.leaves; ++i) {
    if (layout.shape[i].value < 1)
      throw command_error(bad_input, fmt::format("{}: {} has an extent of {}: give extents of 1 and more", option,
                                                 layout_text(layout), layout.shape[i].value));
  }
  return layout;
}

void add_copy_options(CLI::App& command, copy_texts& texts) {
  command.add_option(
      "--atom", texts.atom,
      "The copy operation, as in CuTe: UniversalCopy<uint128_t>, SM75_U32x4_LDSM_N, ...; or a line of C++ "
      "that makes the whole copy, 'make_tiled_copy(...)'");
  command.add_option("--type", texts.type,
                     "The value type: half, bfloat16, float, double, int8 ... uint64, fp8 and sub-byte names");
  command.add_option("--thr", texts.thr, "Thread layout: (m,n) -> thread");
  command.add_option("--val", texts.val, "Value layout: (m,n) -> value")->capture_default_str();
  add_mma_options(command, "--mma", texts.mma);
  command.parse_complete_callback([&texts] {
    take_apart_atom(texts);
    take_apart_atom("--mma", texts.mma);
  });
  command.add_option("--operand", texts.operand,
                     "A, B or C: in place of --thr and --val, take the copy of that operand of --mma, which "
                     "make_tiled_copy_A and its kin make");
}

copy_arguments read_atom(copy_texts const& texts) {
  copy_arguments d;
  try {
    d.atom = parse_copy_atom(texts.atom.empty() ? "AutoVectorizingCopy" : texts.atom);
  } catch (parse_error const& e) {
    throw command_error(bad_input, fmt::format("--atom: {}", e.what()));
  }
  std::string const type = !texts.type.empty()       ? texts.type
                           : d.atom.value != nullptr ? std::string(d.atom.value->name)
                                                     : "float";
  d.type = find_number_type(type);
  if (d.type == nullptr) {
    std::string known;
    for (number_type_row const& row : number_types) known += fmt::format(" {}", row.name);
    throw command_error(bad_input,
                        fmt::format("--type: {}\n{}\nknown are{}", no_number_type(type), caret_lines(type, 0), known));
  }
  if (d.atom.value != nullptr && d.atom.value->bits != d.type->bits) {
    throw command_error(bad_input, fmt::format("--type: {} has {} bits, the value type of --atom {}", d.type->name,
                                               d.type->bits, d.atom.value->bits));
  }
  d.atom_values = blamed_on("--atom", [&] { return value_layouts_of(d.atom, d.type->bits); });
  return d;
}

namespace {

/// The subcommands visit every thread and value.
void check_sizes(copy_arguments const& d) {
  if (d.threads > most_threads) {
    throw command_error(bad_input, fmt::format("--thr: {} has {} threads, and a block of a kernel has at most {}: give "
                                               "the threads of one block",
                                               layout_text(d.thr), d.threads, most_threads));
  }
  if (d.values > most_elements_of_tile / d.threads) {
    throw command_error(bad_input, fmt::format("--val: {} values of each of {} threads are more than {} elements, the "
                                               "largest tile that is looked at: give fewer values",
                                               d.values, d.threads, most_elements_of_tile));
  }
}

}  // namespace

namespace {

/// The offset of the coordinate with this index.
std::int64_t offset_at(tree const& layout, std::int64_t index) {
  std::int64_t offset = 0;
  for (int i = 0; i < layout.leaves; ++i) {
    offset += index % layout.shape[i].value * layout.stride[i].value;
    index /= layout.shape[i].value;
  }
  return offset;
}
/// "(7,0)": one index of each mode.
std::string coordinate_text(tree const& layout, std::int64_t index) {
  if (layout.is_leaf()) return fmt::format("{}", index);
  std::vector<std::int64_t> coordinate;
  for (int i = 0; i < layout.rank(); ++i) {
    std::int64_t const extent = algebra::size(layout, i).value;
    coordinate.push_back(index % extent);
    index /= extent;
  }
  return fmt::format("({})", fmt::join(coordinate, ","));
}

/// The values of an instruction must stay together. @param option what was given, @param remedy what to write
void check_together(copy_arguments const& d, std::string const& option, std::string const& remedy) {
  std::int64_t const at_once = algebra::size(d.atom_values.ref, 1).value;
  std::int64_t const together =
      blamed_on(option, [&] { return algebra::size(algebra::divided_by_atoms(d.layout_tv, d.atom_values.ref)).value; });
  if (together == d.threads * d.values) return;
  throw command_error(
      bad_input, fmt::format("{}: {} moves {} values at once, and these would not stay together: the values of the "
                             "thread-value layout {} are split where {} does not divide; {}",
                             option, d.atom.name, at_once, layout_text(d.layout_tv), at_once, remedy));
}

/// The copy of an operand: the product says which thread holds what.
copy_arguments read_copy_of_operand(evaluator& evaluate, copy_texts const& texts) {
  static constexpr std::string_view names = "ABC";
  copy_arguments d = read_atom(texts);
  std::size_t const which = texts.operand.size() == 1 ? names.find(texts.operand[0]) : std::string_view::npos;
  if (which == std::string_view::npos)
    throw command_error(bad_input, fmt::format("--operand: expected A, B or C, found '{}'", texts.operand));
  if (!texts.thr.empty())
    throw command_error(bad_input, "--operand: the product says who moves what; leave --thr and --val away");
  if (texts.mma.atom.empty())
    throw command_error(bad_input,
                        "--operand: give the product that it is of, by --mma, as SM80_16x8x16_F32F16F16F32_TN");
  mma_arguments const mma = read_mma(evaluate, texts.mma, "--mma");
  if (mma.threads() > most_threads) {
    throw command_error(bad_input,
                        fmt::format("--atom-layout: the product has {} threads, and a block of a kernel has at "
                                    "most {}: give fewer atoms",
                                    mma.threads(), most_threads));
  }
  d.operand = texts.operand;
  d.mma = mma.atom.name;
  blamed_on("--mma, --operand", [&] {
    auto const operand = static_cast<mma_operand>(which);
    d.layout_tv = mma.values.layout_tv(operand);
    tree shape;
    shape.add_open(2);
    for (int const mode : mma_values::modes[which])
      shape.add_leaf(symbolic_integer(mma.values.tile_extent(mode)), symbolic_integer(0));
    copy_tree(d.tiler, shape);
    return 0;
  });
  d.threads = algebra::size(d.layout_tv, 0).value;
  d.values = algebra::size(d.layout_tv).value / d.threads;
  std::int64_t const at_once = algebra::size(d.atom_values.ref, 1).value;
  if (d.threads % d.atom.threads() != 0 || d.values % at_once != 0) {
    throw command_error(
        bad_input,
        fmt::format("--operand: {} of {} has {} threads with {} values each, but {} threads execute {} "
                    "together and move {} values of {} at once: give a larger --permutation, or another atom",
                    d.operand, d.mma, d.threads, d.values, d.atom.threads(), d.atom.name, at_once, d.type->name));
  }
  check_together(d, "--operand", "take an atom of fewer values, or another --permutation");
  return d;
}

}  // namespace

void check_numbering(std::string const& option, std::string const& what, tree const& layout) {
  for (int i = 0; i < layout.leaves; ++i) {
    if (layout.stride[i].basis != 0)
      throw command_error(bad_input, fmt::format("{}: {} has strides along modes; give strides that are integers",
                                                 option, layout_text(layout)));
  }
  if (algebra::is_bijective(layout)) return;
  std::int64_t const n = algebra::size(layout).value;
  std::vector<std::int64_t> first(static_cast<std::size_t>(n), -1);
  std::string wrong;
  for (std::int64_t i = 0; i < n && wrong.empty(); ++i) {
    std::int64_t const number = offset_at(layout, i);
    if (number < 0 || number >= n) continue;
    std::int64_t& taken = first[static_cast<std::size_t>(number)];
    if (taken >= 0)
      wrong = fmt::format("gives {} {} to both {} and {}", what, number, coordinate_text(layout, taken),
                          coordinate_text(layout, i));
    taken = i;
  }
  for (std::int64_t number = 0; number < n && wrong.empty(); ++number) {
    if (first[static_cast<std::size_t>(number)] < 0)
      wrong = fmt::format("has {} {}s and gives none of them the number {}", n, what, number);
  }
  throw command_error(
      bad_input, fmt::format("{}: the {} layout is not a bijection: {} {}; its strides must number the {}s 0 to {}, "
                             "each once, as {} does",
                             option, what, layout_text(layout), wrong, what, n - 1,
                             layout_text(algebra::make_layout(algebra::shape(layout)))));
}

std::string made_of(copy_arguments const& copy) {
  if (!copy.operand.empty()) return fmt::format("operand {} of {}", copy.operand, copy.mma);
  return fmt::format("thr {}, val {}", layout_text(copy.thr), layout_text(copy.val));
}

copy_arguments read_copy(evaluator& evaluate, copy_texts const& texts) {
  if (!texts.operand.empty()) return read_copy_of_operand(evaluate, texts);
  if (texts.thr.empty()) {
    throw command_error(bad_input,
                        "--thr is required: give a thread layout, as (8,4):(1,8), or an operand of a product, by "
                        "--mma and --operand");
  }
  copy_arguments d = read_atom(texts);
  copy_tree(d.thr, filled_layout_argument(evaluate, "--thr", texts.thr));
  copy_tree(d.val, filled_layout_argument(evaluate, "--val", texts.val));
  d.threads = algebra::size(d.thr).value;
  d.values = algebra::size(d.val).value;
  check_sizes(d);
  check_numbering("--thr", "thread", d.thr);
  check_numbering("--val", "value", d.val);
  std::int64_t const at_once = algebra::size(d.atom_values.ref, 1).value;
  if (d.threads % d.atom.threads() != 0) {
    throw command_error(bad_input, fmt::format("--thr: {} has {} threads, but those of a warp execute {} together: "
                                               "give a multiple of {}",
                                               layout_text(d.thr), d.threads, d.atom.name, d.atom.threads()));
  }
  if (d.values % at_once != 0) {
    throw command_error(
        bad_input, fmt::format("--val: {} has {} values, but {} moves {} values of {} at once: give a multiple of {}",
                               layout_text(d.val), d.values, d.atom.name, at_once, d.type->name, at_once));
  }
  blamed_on("--thr, --val", [&] {
    d.tiler = algebra::tiler_of(d.thr, d.val);
    d.layout_tv = algebra::layout_tv_of(d.thr, d.val);
    return 0;
  });
  check_together(d, "--val",
                 fmt::format("give {} a mode of the value layout, the one of stride 1, that is a multiple of {}",
                             layout_text(d.val), at_once));
  return d;
}

void read_tensor(evaluator& evaluate, std::string const& option, std::string const& text, value& out) {
  copy_value(out, evaluate_argument(evaluate, option, text));
  if (out.what == kind::composed) {
    if (out.flag || !out.offset.is_leaf())
      throw command_error(bad_input, option + ": expected a layout or a swizzled layout");
  } else {
    blamed_on(option, [&] { return call{option, out, {&out, 1}, {}}.layout(0).leaves; });
  }
}

std::string text_as(value const& tensor, tree const& layout) {
  if (tensor.what != kind::composed) return layout_text(layout);
  value v;
  copy_value(v, tensor);
  copy_tree(v.main, layout);
  std::string out;
  append_text(out, v);
  return out;
}

int read_arch(std::string const& text) {
  std::size_t at = text.starts_with("sm_") ? 3 : text.starts_with("sm") ? 2 : 0;
  std::size_t const digits = at;
  int sm = 0;
  while (at < text.size() && at < digits + 4 && text[at] >= '0' && text[at] <= '9') sm = 10 * sm + (text[at++] - '0');
  if (at < text.size() && (text[at] == 'a' || text[at] == 'f')) ++at;
  if (at != text.size() || sm < 50) {
    throw command_error(bad_input,
                        fmt::format("--arch: expected an architecture, as sm_90\n{}", caret_lines(text, at)));
  }
  return sm;
}

}  // namespace cosmati::cli
