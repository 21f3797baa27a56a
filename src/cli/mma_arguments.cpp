// SPDX-License-Identifier: Apache-2.0
#include "mma_arguments.hpp"

#include "pasted_line.hpp"

#include <CLI/CLI.hpp>
#include <cosmati/layout/text_cursor.hpp>
#include <cosmati/layout/text_tree.hpp>

namespace cosmati::cli {

namespace {

/// Extends a layout to three modes. A mode that was left out has one atom.
tree with_three_modes(tree const& layout) {
  tree all;
  all.add_open(3);
  if (layout.is_leaf()) {
    all.append(layout);
  } else {
    for (int i = 0; i < layout.rank(); ++i) all.append(algebra::mode(layout, i));
  }
  for (int i = layout.rank(); i < 3; ++i) all.add_leaf(symbolic_integer(1), symbolic_integer(0));
  return all;
}

void read_atom_layout(evaluator& evaluate, std::string const& text, mma_values& mma) {
  tree const given = filled_layout_argument(evaluate, "--atom-layout", text);
  if (given.rank() > 3)
    throw command_error(
        bad_input, fmt::format("--atom-layout: {} has {} modes; give M, N and K", layout_text(given), given.rank()));
  if (!algebra::is_bijective(given)) {
    throw command_error(bad_input,
                        fmt::format("--atom-layout: {} is no bijection: two atoms would have the same "
                                    "threads, or some threads none; give strides as those of (2,2,1):(1,2,4)",
                                    layout_text(given)));
  }
  mma.set_atoms(with_three_modes(given));
}

void read_permutation(evaluator& evaluate, std::string const& text, mma_arguments& d) {
  static constexpr char names[] = "MNK";
  value v;
  copy_value(v, evaluate_argument(evaluate, "--permutation", text));
  bool const is_tuple = v.what == kind::tuple && !v.main.is_leaf() && v.main.node[0] != tree::any;
  if ((!is_tuple && v.what != kind::tiler) || v.main.rank() > 3) {
    throw command_error(bad_input,
                        "--permutation: expected a tuple for M, N and K of integers, layouts or _, as in "
                        "(32,32,16) or ((4,4,2):(1,8,4),32,_)");
  }
  d.permutation_given.clear();
  append_text(d.permutation_given, v);
  for (int i = 0, leaf = 0; i < v.main.rank(); ++i) {
    tree p = algebra::mode(v.main, i);
    if (p.node[0] == tree::any) continue;
    d.is_integer[i] = p.is_leaf() && (is_tuple || (v.integers >> leaf & 1) != 0);
    leaf += p.leaves;
    bool const is_layout = !is_tuple && !p.is_tiler();
    if (!d.is_integer[i] && !is_layout) {
      throw command_error(bad_input, fmt::format("--permutation: {} of {} is neither an integer nor a layout", names[i],
                                                 d.permutation_given));
    }
    if (d.is_integer[i]) p.stride[0] = symbolic_integer(1);
    std::int64_t const extent = algebra::size(p).value, atoms = d.values.atoms_extent(i);
    if (extent < 1 || extent % atoms != 0) {
      throw command_error(bad_input, fmt::format("--permutation: along {} it has {} elements, but the atoms next to "
                                                 "each other take {} at a time: give a multiple of {}",
                                                 names[i], extent, atoms, atoms));
    }
    copy_tree(d.values.permutation[i], p);
    d.permuted[i] = true;
  }
}

}  // namespace

void add_mma_options(CLI::App& command, std::string const& atom, mma_texts& texts) {
  command.add_option(atom, texts.atom,
                     "The matrix instruction, as in CuTe: SM80_16x8x16_F32F16F16F32_TN, UniversalFMA<float>, ...");
  if (atom == "--atom") command.parse_complete_callback([&texts] { take_apart_atom("--atom", texts); });
  command.add_option("--atom-layout", texts.atom_layout,
                     "How many atoms lie next to each other, each with its own threads: (M,N,K) -> number of the atom");
  command.add_option("--permutation", texts.permutation,
                     "Which elements of a larger tile belong together, for M, N and K: an integer, a layout or _");
}

mma_arguments read_mma(evaluator& evaluate, mma_texts const& texts, std::string const& atom_option) {
  mma_arguments d;
  try {
    d.atom = parse_mma_atom(texts.atom);
  } catch (parse_error const& e) {
    throw command_error(bad_input, fmt::format("{}: {}", atom_option, e.what()));
  }
  d.values = d.atom.values;
  d.permutation_given = "(_,_,_)";
  if (texts.atom_layout.empty() && texts.permutation.empty()) return d;
  if (!d.atom.sums_go_round) {
    throw command_error(bad_input, fmt::format("{}: {} takes its sums in other registers than it gives them, so that a "
                                               "sum cannot go round: it cannot be tiled",
                                               atom_option, d.atom.name));
  }
  if (!texts.atom_layout.empty()) read_atom_layout(evaluate, texts.atom_layout, d.values);
  if (!texts.permutation.empty()) blamed_on("--permutation", [&] { read_permutation(evaluate, texts.permutation, d); });
  return d;
}

}  // namespace cosmati::cli
