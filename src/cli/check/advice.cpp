// SPDX-License-Identifier: Apache-2.0
// Advice about improvements: other atoms, orders of threads, thread and value layouts, and for shared memory swizzles
// and padding. Each is tried with the same cost functions.
#include "findings.hpp"

#include <fmt/format.h>
#include <cosmati/layout/text_tree.hpp>

namespace cosmati::cli {

namespace {

tree pair_layout(std::int64_t m, std::int64_t n, bool first_runs_fastest) {
  tree t;
  t.add_open(2);
  t.add_leaf(symbolic_integer(m), symbolic_integer(first_runs_fastest ? 1 : n));
  t.add_leaf(symbolic_integer(n), symbolic_integer(first_runs_fastest ? m : 1));
  return t;
}
bool is_matrix(tree const& t) { return t.nodes == 3 && t.rank() == 2; }
std::int64_t extent(tree const& t, int i) { return t.shape[i].value; }

/// The mode of a tensor along which elements are contiguous; -1 if there is none.
int contiguous_mode(tree const& t) {
  for (int i = 0; i < t.rank(); ++i) {
    algebra::span_of_mode const s = algebra::mode_span(t, i);
    for (int leaf = s.leaf; leaf < s.leaf_end; ++leaf) {
      if (t.shape[leaf].value > 1 && t.stride[leaf].value == 1) return i;
    }
  }
  return -1;
}

std::string atom_name(check_findings const& f, int bits) {
  if (f.operation.means == copy_means::automatic) return f.copy.atom.name;
  if (f.operation.means == copy_means::cp_async)
    return fmt::format("SM80_CP_ASYNC_{}<uint{}_t>", bits == 128 ? "CACHEGLOBAL" : "CACHEALWAYS", bits);
  return fmt::format("UniversalCopy<uint{}_t>", bits);
}
std::string atom_in_words(check_findings const& f, int bits) {
  int const bytes = bits / 8;
  return fmt::format("use {} {}-byte atom, {}", bytes == 8 ? "an" : "a", bytes, atom_name(f, bits));
}

/// Tries improvements and keeps the best one, or the first of equal ones.
struct trial {
  check_findings const& f;
  check_side const& side;
  std::optional<advice> best;
  std::int64_t instructions = 0;

  bool better(side_cost const& a, side_cost const& b) const {
    if (!side.is_global()) return a.bank_conflicts < b.bank_conflicts;
    if (a.sector_ratio() != b.sector_ratio()) return a.sector_ratio() < b.sector_ratio();
    // Lines matter only if the number of sectors is minimal.
    return side.cost.sector_ratio() == 1 && a.line_ratio() < b.line_ratio();
  }
  void judge(advice a) {
    if (a.cost.instructions == 0 || !better(a.cost, best ? best->cost : side.cost)) return;
    best = std::move(a);
  }
  bool sound(copy_values<symbolic_integer> const& copy, tensor_values<symbolic_integer> const& tensor) const {
    tensor_values<symbolic_integer> const none;
    copy_verdict const v = side.is_source ? verify_values(copy, tensor, none) : verify_values(copy, none, tensor);
    return v.ok() || (v.fault == copy_fault::beyond && f.verdict.fault == copy_fault::beyond);
  }
  void try_copy(int bits, tree const& thr, tree const& val, std::string const& words, bool new_thr, bool new_val) {
    auto const copy = changed(f, bits, thr, val);
    if (!copy || !sound(*copy, side.tensor)) return;
    advice a;
    a.words = words;
    if (bits != f.operation.bits && f.operation.means != copy_means::automatic) a.atom = atom_name(f, bits);
    if (new_thr) a.thr = layout_text(thr);
    if (new_val) a.val = layout_text(val);
    a.cost = side_cost_of(*copy, side.tensor);
    judge(std::move(a));
  }
};

std::string order_in_words(int mode, tree const& thr) {
  return fmt::format("let neighbouring threads take neighbouring {}: --thr '{}'", mode == 0 ? "rows" : "columns",
                     layout_text(thr));
}

void try_global(trial& t) {
  check_findings const& f = t.f;
  if (!f.copy.operand.empty()) return;  // the product decides which thread moves what
  int const value_bits = f.copy.type->bits;
  bool const automatic = f.operation.means == copy_means::automatic;
  std::vector<int> widths;
  for (int bits = 128; bits >= value_bits && bits >= 8; bits /= 2) {
    if (bits % value_bits == 0 && (f.operation.means != copy_means::cp_async || bits >= 32)) widths.push_back(bits);
  }
  if (automatic) widths = {f.operation.bits};
  // First only a wider atom is tried: the narrowest that suffices.
  for (int const bits : std::vector<int>(widths.rbegin(), widths.rend())) {
    if (!automatic && bits > f.operation.bits)
      t.try_copy(bits, f.copy.thr, f.copy.val, atom_in_words(f, bits), false, false);
  }
  if (t.side.tensor.composed || !is_matrix(f.copy.thr)) return;
  int const mode = contiguous_mode(t.side.tensor.layout);
  if (mode < 0 || mode > 1 || f.copy.val.rank() > 2) return;
  std::int64_t const m = extent(f.copy.thr, 0), n = extent(f.copy.thr, 1);
  auto const atom_too = [&](int bits, std::string const& words) {
    return automatic || bits == f.operation.bits ? words : atom_in_words(f, bits) + ", and " + words;
  };
  // Then the other order of threads is tried: alone, with a wider atom, and with the values along the contiguous mode.
  tree const turned = pair_layout(m, n, mode == 0);
  std::string const order = order_in_words(mode, turned);
  tree const straight = mode == 0 ? pair_layout(f.copy.values, 1, true) : pair_layout(1, f.copy.values, false);
  std::string const values_too = order + fmt::format(" --val '{}'", layout_text(straight));
  if (f.value_by_value) t.try_copy(f.operation.bits, turned, straight, values_too, true, true);
  t.try_copy(f.operation.bits, turned, f.copy.val, order, true, false);
  for (int const bits : widths) t.try_copy(bits, turned, f.copy.val, atom_too(bits, order), true, false);
  for (int const bits : widths) t.try_copy(bits, turned, straight, atom_too(bits, values_too), true, true);
  // Then as many threads along the mode as fill a line are tried.
  for (int const bits : widths) {
    for (tree const* val : {static_cast<tree const*>(&f.copy.val), &straight}) {
      std::int64_t const along = is_matrix(*val) ? extent(*val, mode) : f.copy.values;
      std::int64_t threads = 1024 / (along * value_bits);
      if (threads < 1) threads = 1;
      while (f.copy.threads % threads != 0) --threads;
      std::int64_t const others = f.copy.threads / threads;
      tree const thr = mode == 0 ? pair_layout(threads, others, true) : pair_layout(others, threads, false);
      std::string words = order_in_words(mode, thr);
      if (val == &straight) words += fmt::format(" --val '{}'", layout_text(straight));
      t.try_copy(bits, thr, *val, atom_too(bits, words), true, val == &straight);
    }
  }
}

void try_shared(trial& t) {
  check_findings const& f = t.f;
  if (t.side.tensor.composed || t.side.cost.bank_conflicts == 0) return;
  copy_values<symbolic_integer> const copy = values_of(f.copy, f.operation);
  int together = 0;  // log2 of the values that a vector keeps contiguous
  for (std::int64_t v = f.vector.values; v > 1; v /= 2) ++together;
  auto const judge = [&](tensor_values<symbolic_integer> const& tensor, std::string const& words,
                         std::string const& text) {
    if (!t.sound(copy, tensor)) return;
    advice a;
    a.words = words;
    a.layout = text;
    // The cost of the source's lines does not change.
    bool const has_source = f.operation.means == copy_means::cp_async && f.sides.size() == 2 && !t.side.is_source;
    a.cost = has_source ? copy_cost_of(copy, f.tensor(true), tensor).destination : side_cost_of(copy, tensor);
    if (a.cost.instructions == t.side.cost.instructions) t.judge(std::move(a));
  };
  std::string const plain = layout_text(t.side.tensor.layout);
  for (int bits = 1; bits <= 5; ++bits) {
    for (int shift = bits; shift <= 8; ++shift) {
      tensor_values<symbolic_integer> tensor = t.side.tensor;
      tensor.composed = true;
      tensor.swizzle = AnySwizzle(bits, together, shift);
      std::string const text = fmt::format("Sw<{},{},{}> o 0 o {}", bits, together, shift, plain);
      judge(tensor, fmt::format("swizzle it, {}", text), text);
    }
  }
  // Padding makes the widest step of the layout longer by one vector.
  if (!is_matrix(t.side.tensor.layout)) return;
  tensor_values<symbolic_integer> tensor = t.side.tensor;
  int const slow = tensor.layout.stride[0].value > tensor.layout.stride[1].value ? 0 : 1;
  tensor.layout.stride[slow] = symbolic_integer(tensor.layout.stride[slow].value + (std::int64_t{1} << together));
  std::string const text = layout_text(tensor.layout);
  judge(tensor, fmt::format("pad it to {}", text), text);
}

}  // namespace

std::optional<copy_values<symbolic_integer>> changed(check_findings const& f, int bits, tree const& thr,
                                                     tree const& val) {
  copy_operation operation = f.operation;
  copy_arguments copy = f.copy;
  if (operation.means == copy_means::ldmatrix || operation.means == copy_means::stmatrix) {
    if (bits != operation.bits) return {};
  } else if (operation.means != copy_means::automatic) {
    operation.bits = bits;
    tree const at_once = values_of_one_thread(bits / f.copy.type->bits);
    copy.atom_values = {at_once, at_once, at_once};
  }
  try {
    copy.tiler = algebra::tiler_of(thr, val);
    copy.layout_tv = algebra::layout_tv_of(thr, val);
    copy.threads = algebra::size(thr).value;
    copy.values = algebra::size(val).value;
    if (copy.values % algebra::size(copy.atom_values.ref, 1).value != 0) return {};
    tree const divided = algebra::divided_by_atoms(copy.layout_tv, copy.atom_values.ref);
    if (algebra::size(divided).value != copy.threads * copy.values) return {};
    return values_of(copy, operation);
  } catch (error const&) {
    return {};
  }
}

std::optional<advice> advise(check_findings const& f, check_side const& side) {
  if (side.cost.instructions == 0) return {};
  bool const matrices = f.operation.means == copy_means::ldmatrix || f.operation.means == copy_means::stmatrix;
  trial t{f, side, {}, side.cost.instructions};
  if (side.is_global() && !matrices && (side.cost.sector_ratio() > 1 || side.cost.line_ratio() > 1)) try_global(t);
  if (!side.is_global() && !f.value_by_value) try_shared(t);
  return t.best;
}

}  // namespace cosmati::cli
