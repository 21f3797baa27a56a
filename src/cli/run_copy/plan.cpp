// SPDX-License-Identifier: Apache-2.0
#include "plan.hpp"

#include "atom.hpp"
#include "command_end.hpp"
#include "expression/parser.hpp"
#include "matrices.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cosmati/layout/text_tree.hpp>
#include <cosmati/tiled/algebra.hpp>
#include <cstring>
#include <numeric>

namespace cosmati::cli {

namespace {

using cosmati_run_copy::copy_pass;
using cosmati_run_copy::matrix_strides;
using cosmati_run_copy::place_table;

constexpr std::int64_t most_shared_bytes = 227 * 1024;
constexpr std::int64_t most_threads = 1024;

template <class... Arguments>
[[noreturn]] void refuse(char const* option, fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  throw command_error(bad_input,
                      fmt::format("{}: {}", option, fmt::format(text, std::forward<Arguments>(arguments)...)));
}

/// Runs `f`. If it refuses, the error names `option`.
template <class F>
auto blamed_on(char const* option, F&& f) {
  try {
    return f();
  } catch (parse_error const& e) {
    throw command_error(bad_input, fmt::format("{}: {}", option, e.what()));
  } catch (error const& e) {
    throw command_error(bad_input, fmt::format("{}: {}", option, e.what()));
  }
}

std::string text_of(pair const& p) { return fmt::format("({},{})", p[0], p[1]); }

tree layout_of(pair const& shape, pair const& stride) {
  tree t;
  t.add_open(2);
  for (int i : {0, 1}) t.add_leaf(shape[static_cast<std::size_t>(i)], stride[static_cast<std::size_t>(i)]);
  return t;
}

/// A layout of two modes from an option. A single mode gets a second one of extent 1.
tree read_layout(char const* option, std::string const& text) {
  return blamed_on(option, [&] {
    evaluator evaluate;
    value v;
    copy_value(v, evaluate(text));
    tree t;
    copy_tree(t, call{option, v, {&v, 1}, {}}.layout(0));
    for (int i = 0; i < t.leaves; ++i) {
      if (t.shape[i].value <= 0)
        refuse(option, "{} has an extent of {}; each must be 1 or more", text, t.shape[i].value);
      if (t.shape[i].basis != 0 || t.stride[i].basis != 0) refuse(option, "{} has a basis (the @0 of 1@0)", text);
    }
    if (t.rank() > 2) refuse(option, "{} has {} modes, the matrix has two; write '(m,n)'", text, t.rank());
    return t.rank() == 2 ? t : algebra::append(t, 2);
  });
}

/// The state of the decisions.
struct planner {
  npy_head const& input;
  copy_options const& options;
  matrices a;
  copy_plan plan;
  std::int64_t value_bytes;
  std::string type;
  std::int64_t at_once = 1;  ///< the values of one instruction
  pair tile{0, 0};
  tree atom_values;

  std::size_t fast() const { return static_cast<std::size_t>(a.source_fast); }
  std::size_t slow() const { return 1 - fast(); }
  pair along_fast(std::int64_t in_fast, std::int64_t in_slow) const {
    return a.source_fast == 0 ? pair{in_fast, in_slow} : pair{in_slow, in_fast};
  }
  std::string unit_atom(std::int64_t bytes) const { return fmt::format("UniversalCopy<uint{}_t>", 8 * bytes); }

  void read_tile() {
    if (options.tile.empty()) return;
    tree const t = blamed_on("--tile", [&] {
      evaluator evaluate;
      value const& v = evaluate(options.tile);
      if (v.what != kind::tuple || v.main.leaves != 2 || v.main.rank() != 2 || v.main.nodes != 3) {
        refuse("--tile", "{} is not a pair of extents; write '(64,64)'", options.tile);
      }
      tree copied;
      copy_tree(copied, v.main);
      return copied;
    });
    for (std::size_t i = 0; i < 2; ++i) {
      tile[i] = t.shape[i].value;
      if (tile[i] <= 0) refuse("--tile", "{} has an extent of {}; each must be 1 or more", options.tile, tile[i]);
      if (tile[i] > most_shared_bytes) {
        refuse("--tile", "{} has an extent of {}; shared memory holds {} bytes", options.tile, tile[i],
               most_shared_bytes);
      }
    }
  }

  /// The contiguous values at the end of each thread's values, as --val has them. An automatic atom may take them at
  /// once.
  std::int64_t run_of(tree const& val) const {
    tree const first = algebra::coalesce(mode(val, a.source_fast));
    bool const starts = first.leaves == 1 && is(first.stride[0], 1);
    return starts ? power_of_two_in(first.shape[0].value) : 1;
  }

  void choose_atom() {
    copy_atom atom;
    std::int64_t const bits = 8 * value_bytes;
    if (!options.atom.empty()) {
      atom = blamed_on("--atom", [&] { return parse_copy_atom(options.atom); });
      if (atom.special != nullptr) {
        refuse("--atom", "{} is {}, run-copy goes through registers by loads and stores; write --atom '{}'", atom.name,
               atom.special->asynchronous ? "asynchronous" : "a warp's exchange",
               unit_atom(atom.bits == 0 || atom.special->lanes != 1 ? value_bytes : atom.bits / 8));
      }
      if (atom.value != nullptr && atom.value->bits != bits) {
        refuse("--atom", "{} moves values of {} bits, the file's {} has {}; leave Copy_Atom<..., T> away", atom.name,
               atom.value->bits, type, bits);
      }
      if (atom.bits > 128) {
        refuse("--atom", "{} moves {} bits, one instruction moves 128 at the most; write --atom '{}'", atom.name,
               atom.bits, unit_atom(16));
      }
      if (atom.bits != 0 && (atom.bits < bits || atom.bits % bits != 0)) {
        refuse("--atom", "{} moves {} bits, no multiple of the file's {} of {} bits; write --atom '{}'", atom.name,
               atom.bits, type, bits, unit_atom(value_bytes));
      }
    }
    if (atom.bits == 0) {
      std::int64_t values = widest_vector(a, value_bytes);
      if (!options.val.empty()) values = std::min(values, run_of(plan.val));
      if (tile[0] != 0) {
        values = std::min(values, power_of_two_in(tile[fast()]));
        if (plan.turned) values = std::min(values, power_of_two_in(tile[slow()]));
      }
      if (atom.name.empty()) atom.name = unit_atom(values * value_bytes);
      atom.bits = values * bits;
    }
    at_once = atom.bits / bits;
    plan.atom = atom.name;
    atom_values = values_of_one_thread(at_once);
  }

  void choose_layouts() {
    if (options.val.empty()) {
      pair const shape = along_fast(at_once, 1);
      plan.val = layout_of(shape, {shape[0] > 1 ? 1 : 0, shape[1] > 1 ? 1 : 0});
    }
    if (!options.thr.empty()) return;
    pair val_extent{};
    for (int i : {0, 1}) val_extent[static_cast<std::size_t>(i)] = algebra::size(plan.val, i).value;
    // Neighbouring threads run along memory, over 128 bytes or 32 threads; the others run along the other mode.
    std::int64_t const bytes = val_extent[fast()] * value_bytes;
    std::int64_t in_fast = std::clamp<std::int64_t>(power_of_two_from(128 / std::max<std::int64_t>(bytes, 1)), 8, 32);
    std::int64_t const vectors = (a.extent[fast()] + val_extent[fast()] - 1) / val_extent[fast()];
    if (!plan.turned) in_fast = std::min(in_fast, power_of_two_from(std::max<std::int64_t>(1, vectors)));
    std::int64_t in_slow = 256 / in_fast;
    if (tile[0] != 0) {
      // A divisor of the tile. If turned, both modes cut both modes of the tile.
      auto const room = [&](std::size_t mode, std::int64_t per_thread) {
        std::int64_t const whole = plan.turned ? std::gcd(tile[0], tile[1]) : tile[mode];
        return power_of_two_in(std::max<std::int64_t>(1, whole / per_thread));
      };
      in_fast = std::min(in_fast, room(fast(), val_extent[fast()]));
      in_slow = std::min(256 / in_fast, room(slow(), val_extent[slow()]));
    } else if (!plan.turned) {
      in_slow = std::min(in_slow, power_of_two_from(std::max<std::int64_t>(1, a.extent[slow()])));
      if (in_slow < 256 / in_fast) in_fast = std::min(256 / in_slow, std::max(in_fast, power_of_two_from(vectors)));
    }
    while (tile[0] == 0 && (in_fast > 1 || in_slow > 1)) {
      // The tile is that of the tiler, or if turned, a square that the tiler divides in both ways.
      std::int64_t const f = in_fast * val_extent[fast()], l = in_slow * val_extent[slow()];
      std::int64_t const side = std::lcm(f, l);
      if ((plan.turned ? side * (side + at_once) : f * l) * value_bytes <= most_shared_bytes) break;
      std::int64_t& more = in_slow == 1 || (f > l && in_fast > 1) ? in_fast : in_slow;
      more /= 2;
    }
    plan.thr = layout_of(along_fast(in_fast, in_slow), along_fast(1, in_fast));
  }

  void check_layouts() {
    std::int64_t const values = algebra::size(plan.val).value;
    std::int64_t const threads = algebra::size(plan.thr).value;
    if (values % at_once != 0) {
      refuse("--val",
             "{} gives each thread {} values, but {} moves {} values of {} at once; write a multiple of {}, "
             "such as --val '{}', or --atom '{}'",
             layout_text(plan.val), values, plan.atom, at_once, type, at_once, text_of(along_fast(at_once, 1)),
             unit_atom(power_of_two_in(values) * value_bytes));
    }
    if (threads > most_threads) {
      refuse("--thr", "{} has {} threads, a block has {} at the most", layout_text(plan.thr), threads, most_threads);
    }
    auto const bijective = [](char const* option, tree const& t, char const* things) {
      if (algebra::is_bijective(t)) return;
      refuse(option,
             "{} is not a bijection: it has {} {} and reaches index {}; its strides must number them 0 to {}, each "
             "once, as {} does",
             layout_text(t), algebra::size(t).value, things, algebra::cosize(t).value - 1, algebra::size(t).value - 1,
             layout_text(algebra::make_layout(algebra::shape(t))));
    };
    bijective("--thr", plan.thr, "threads");
    bijective("--val", plan.val, "values");
    blamed_on("--thr, --val", [&] {
      plan.tiler = algebra::tiler_of(plan.thr, plan.val);
      plan.layout_tv = algebra::layout_tv_of(plan.thr, plan.val);
      return 0;
    });
    plan.job.threads = static_cast<unsigned>(threads);
  }

  void choose_tile() {
    pair const tiler{plan.tiler.shape[0].value, plan.tiler.shape[1].value};
    bool const given = tile[0] != 0;
    constexpr std::int64_t enough = 16 * 1024;  // the bytes that suffice for a tile
    if (!given && plan.turned) {
      std::int64_t const side = std::lcm(tiler[0], tiler[1]);
      tile = {side, side};
      while (4 * tile[0] * tile[1] * value_bytes <= enough && tile[0] < a.extent[0] && tile[1] < a.extent[1]) {
        tile = {2 * tile[0], 2 * tile[1]};
      }
    } else if (!given) {
      tile = tiler;
      for (bool grew = true; grew;) {
        grew = false;
        for (std::size_t const mode : {fast(), slow()}) {
          if (2 * tile[0] * tile[1] * value_bytes > enough || tile[mode] >= a.extent[mode]) continue;
          tile[mode] *= 2;
          grew = true;
        }
      }
    }
    for (std::size_t i = 0; i < 2; ++i) {
      if (tile[i] % tiler[i] != 0) {
        refuse(
            "--tile",
            "{} is not divided by the tiler {} of --thr {} and --val {}: {} is no multiple of {}; write --tile '{}'",
            text_of(tile), text_of(tiler), layout_text(plan.thr), layout_text(plan.val), tile[i], tiler[i],
            text_of({(tile[0] + tiler[0] - 1) / tiler[0] * tiler[0], (tile[1] + tiler[1] - 1) / tiler[1] * tiler[1]}));
      }
      if (plan.turned && tile[1 - i] % tiler[i] != 0) {
        std::int64_t const side = std::lcm(tiler[0], tiler[1]);
        refuse("--tile",
               "{} is read turned, as {}, which the tiler {} does not divide: {} is no multiple of {}; write "
               "--tile '{}'",
               text_of(tile), text_of({tile[1], tile[0]}), text_of(tiler), tile[1 - i], tiler[i],
               text_of({side, side}));
      }
    }
    // If turned, columns of the tile are read. With rows one vector further apart, fewer of them share a bank.
    std::int64_t const row = tile[fast()] + (plan.turned ? at_once : 0);
    plan.job.shared_bytes = static_cast<std::size_t>(row * tile[slow()] * value_bytes);
    if (plan.job.shared_bytes > most_shared_bytes) {
      refuse(given ? "--tile" : "--thr, --val",
             "the tile {} of {} takes {} bytes of shared memory, a block has {}; write {}", text_of(tile), type,
             plan.job.shared_bytes, most_shared_bytes, smaller_tile(tiler));
    }
    plan.stage = layout_of(tile, along_fast(1, row));
  }

  /// The fix to write if the tile does not fit.
  std::string smaller_tile(pair const& tiler) const {
    pair less = plan.turned ? pair{std::lcm(tiler[0], tiler[1]), std::lcm(tiler[0], tiler[1])} : tiler;
    if (less[0] * less[1] * value_bytes > most_shared_bytes / 2) return "fewer threads or fewer values in --thr, --val";
    while (4 * less[0] * less[1] * value_bytes <= 32 * 1024) less = {2 * less[0], 2 * less[1]};
    return fmt::format("--tile '{}'", text_of(less));
  }

  /// The tile with its modes as coordinates. If turned, its second mode comes first.
  tree coordinates(bool turned) const {
    tree t;
    t.add_open(2);
    for (std::size_t const i : {std::size_t{turned}, std::size_t{!turned}}) {
      t.add_leaf(tile[i], symbolic_integer(1, static_cast<std::uint32_t>(i + 1)));
    }
    return t;
  }

  place_table table_of(std::initializer_list<tree> modes) const {
    place_table table = {};
    for (tree const& t : modes) {
      for (int i = 0; i < t.leaves; ++i) {
        if (is(t.shape[i], 1)) continue;
        if (table.count == place_table::most) {
          refuse("--thr, --val", "more than {} modes remain in the tiled copy; write simpler layouts",
                 place_table::most);
        }
        auto const step = static_cast<std::int32_t>(t.stride[i].value);
        std::uint32_t const basis = t.stride[i].basis;
        table.steps[table.count++] = {static_cast<std::uint32_t>(t.shape[i].value), basis == 1 ? step : 0,
                                      basis == 2 ? step : 0};
      }
    }
    return table;
  }

  copy_pass pass_of(tree const& thr_val, bool turned) const {
    tree const parts = algebra::thread_fragments(coordinates(turned), algebra::as_tiler(plan.tiler), thr_val);
    copy_pass pass = {};
    pass.thread = table_of({mode(parts, 0)});
    tree const values = mode(parts, 1);
    tree const others = mode(values, 1);
    tree const rest = mode(parts, 2);
    pass.vector = table_of({others, rest});
    pass.vectors = static_cast<std::uint32_t>((algebra::size(others) * algebra::size(rest)).value);
    place_table const vector = table_of({mode(values, 0)});
    if (at_once > 1) {
      place_table::step const& s = vector.steps[0];
      bool const unit = vector.count == 1 && s.m + s.n == 1;
      if (!unit) not_in_a_row(mode(values, 0), "");
      pass.next_m = s.m;
      pass.next_n = s.n;
      check_in_a_row(pass, turned);
    }
    return pass;
  }

  [[noreturn]] void not_in_a_row(tree const& at, std::string const& where) const {
    std::string fix =
        a.has_unit_stride(a.source_fast)
            ? fmt::format("write --val '{}', or --atom '{}'", text_of(along_fast(at_once, 1)), unit_atom(value_bytes))
            : fmt::format("no mode of these matrices has elements in a row on both sides: write --atom '{}'",
                          unit_atom(value_bytes));
    refuse(options.val.empty() ? "--atom" : "--val",
           "{} moves {} values of {} that lie in a row, but those of --val {} are {}{}; {}", plan.atom, at_once, type,
           layout_text(plan.val), layout_text(at), where, fix);
  }

  /// The values of a vector must be neighbours in both files. Along a mode of extent 1 there are no vectors.
  void check_in_a_row(copy_pass const& pass, bool turned) const {
    std::size_t const mode = pass.next_m == 1 ? 0 : 1;
    if (a.extent[mode] <= 1) return;
    matrix_strides const& s = turned ? a.target : a.source;
    for (matrix_strides const* side : {&s, turned == plan.turned ? &a.target : &s}) {
      std::int64_t const stride = mode == 0 ? side->m : side->n;
      if (stride == 1) continue;
      tree at;
      at.add_leaf(at_once, stride);
      not_in_a_row(at, fmt::format(" in the {} (mode {} of its matrices has stride {})",
                                   side == &a.source ? "input" : "output", mode, stride));
    }
  }

  void distribute() {
    blamed_on("--thr, --val", [&] {
      tree const thr_val = algebra::thread_values(plan.layout_tv, atom_values, atom_values);
      plan.source = layout_of(a.extent, {a.source.m, a.source.n});
      plan.target = layout_of(a.extent, {a.target.m, a.target.n});
      tree const target = plan.turned ? layout_of({tile[1], tile[0]}, {a.target.n, a.target.m})
                                      : layout_of(tile, {a.target.m, a.target.n});
      tree const tiler = algebra::as_tiler(plan.tiler);
      plan.partition_source = algebra::thread_partition(layout_of(tile, {a.source.m, a.source.n}), tiler, thr_val);
      plan.partition_target = algebra::thread_partition(target, tiler, thr_val);
      plan.job.tables.load = pass_of(thr_val, false);
      plan.job.tables.store = pass_of(thr_val, plan.turned);
      return 0;
    });
  }

  void fill_job() {
    auto& job = plan.job;
    auto& t = job.tables;
    job.value_bytes = static_cast<int>(value_bytes);
    job.vector_bytes = static_cast<int>(at_once * value_bytes);
    job.elements = static_cast<std::size_t>(input.count());
    t.rows = a.extent[0];
    t.columns = a.extent[1];
    std::copy(a.batch.begin(), a.batch.end(), t.batch);
    t.tile_m = tile[0];
    t.tile_n = tile[1];
    t.tiles_m = (a.extent[0] + tile[0] - 1) / tile[0];
    t.tiles_n = (a.extent[1] + tile[1] - 1) / tile[1];
    t.columns_first = a.source_fast == 1;
    t.stage_m = static_cast<std::int32_t>(plan.stage.stride[0].value);
    t.stage_n = static_cast<std::int32_t>(plan.stage.stride[1].value);
    t.source = a.source;
    t.target = a.target;
    plan.rows = a.extent[0];
    plan.columns = a.extent[1];
    plan.batches = a.batch[0] * a.batch[1] * a.batch[2];
    job.blocks = static_cast<std::uint64_t>(t.tiles_m * t.tiles_n * plan.batches);
  }
};

}  // namespace

copy_plan plan_copy(npy_head const& input, copy_options const& options) {
  if (input.shape.size() > 5) {
    throw command_error(bad_input,
                        fmt::format("the array has {} modes; run-copy takes up to 5, the last two of which are "
                                    "the matrix: reshape it",
                                    input.shape.size()));
  }
  planner p{input, options, {}, {}, input.value_bytes, std::string(name_of(input.type)), 1, {0, 0}, {}};
  copy_plan& plan = p.plan;
  plan.output = input;
  plan.transposed = options.transpose && input.shape.size() >= 2;
  if (plan.transposed) std::swap(plan.output.shape.back(), plan.output.shape[input.shape.size() - 2]);
  if (options.transpose && !plan.transposed) plan.notes.emplace_back("an array of one mode is its own transpose");
  if (!options.order.empty()) plan.output.fortran_order = options.order == "F";
  p.a = matrices_of(input, plan.output, plan.transposed);
  plan.turned = p.a.source_fast != p.a.target_fast;
  p.read_tile();
  if (!options.thr.empty()) plan.thr = read_layout("--thr", options.thr);
  if (!options.val.empty()) plan.val = read_layout("--val", options.val);
  p.choose_atom();
  p.choose_layouts();
  p.check_layouts();
  p.choose_tile();
  p.distribute();
  p.fill_job();
  return plan;
}

}  // namespace cosmati::cli
