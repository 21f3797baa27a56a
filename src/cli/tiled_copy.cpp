// SPDX-License-Identifier: Apache-2.0
// cosmati tiled-copy: what a tiled copy is, how it cuts its source and destination, and who moves what.
#include "atom.hpp"
#include "command.hpp"
#include "expression/parser.hpp"
#include "table.hpp"

#include <fmt/format.h>
#include <cosmati/layout/text_flat.hpp>
#include <cosmati/tiled/algebra.hpp>
#include <memory>

namespace cosmati::cli {

namespace {

struct options {
  std::string atom;
  std::string type;
  std::string thr;
  std::string val = "1:0";
  std::string src;
  std::string dst;
  std::vector<std::int64_t> threads;
  bool json = false;
};

/// A tensor's layout, perhaps after a swizzle, and its partition.
struct side {
  char const* name;
  value tensor;
  tree partition;
  tree offsets;  ///< thread -> offset of its first value

  std::string text(tree const& layout) const {
    if (tensor.what != kind::composed) return layout_text(layout);
    value v;
    copy_value(v, tensor);
    copy_tree(v.main, layout);
    std::string out;
    append_text(out, v);
    return out;
  }
  std::int64_t offset(std::int64_t thread) const {
    std::int64_t const plain = algebra::crd2idx(number(thread), offsets).value;
    return tensor.what == kind::composed ? tensor.swizzle(tensor.offset.shape[0].value + plain) : plain;
  }
};

/// Everything about one tiled copy.
struct description {
  copy_atom atom;
  number_type_row const* type = nullptr;
  tree val_layout;
  tree tiler;
  tree layout_tv;
  tree thread_values;
  tree side_tv;  ///< of source and destination: these atoms treat both alike
  std::int64_t threads = 0;
  std::int64_t values = 0;
  std::vector<std::unique_ptr<side>> sides;
  std::vector<std::string> notes;
};

tree layout_argument(evaluator& evaluate, std::string const& option, std::string const& text) {
  value v;
  copy_value(v, evaluate_argument(evaluate, option, text));
  try {
    return call{option, v, {&v, 1}, {}}.layout(0);
  } catch (error const& e) {
    throw command_error(bad_input, fmt::format("{}: {}", option, e.what()));
  }
}

/// Runs `f`; what it refuses is blamed on `option`.
template <class F>
auto blamed_on(std::string const& option, F&& f) {
  try {
    return f();
  } catch (error const& e) {
    throw command_error(bad_input, fmt::format("{}: {}", option, e.what()));
  }
}

void note_on(description& d, side const& s) {
  tree const& t = s.tensor.main;
  tree const shape = algebra::product_each(algebra::shape(t));
  for (int i = 0; i < d.tiler.leaves && i < shape.leaves; ++i) {
    if (shape.shape[i].value % d.tiler.shape[i].value != 0) {
      d.notes.push_back(
          fmt::format("{}: the tile's extent {} does not divide mode {} of extent {}: the last tile is ragged", s.name,
                      d.tiler.shape[i].value, i, shape.shape[i].value));
    }
  }
  std::int64_t const count = algebra::size(d.val_layout).value;
  tree const vector = algebra::coalesce(mode(mode(s.partition, 0), 0));
  bool const contiguous = count == 1 || (vector.is_leaf() && is(vector.stride[0], 1));
  if (!contiguous) {
    d.notes.push_back(
        fmt::format("{}: {} needs {} values in a row, but a thread's are {}: not vectorizable; let the values "
                    "run along the mode of stride 1",
                    s.name, d.atom.name, count, layout_text(vector)));
  }
}

void add_side(description& d, evaluator& evaluate, char const* name, std::string const& text) {
  if (text.empty()) return;
  std::string const option = fmt::format("--{}", name);
  auto s = std::make_unique<side>();
  s->name = name;
  copy_value(s->tensor, evaluate_argument(evaluate, option, text));
  if (s->tensor.what == kind::composed) {
    if (s->tensor.flag || !s->tensor.offset.is_leaf())
      throw command_error(bad_input, option + ": expected a layout or a swizzled layout");
  } else {
    blamed_on(option, [&] { return call{option, s->tensor, {&s->tensor, 1}, {}}.layout(0).leaves; });
  }
  blamed_on(option, [&] {
    tree const& layout = s->tensor.main;
    tree const tiler = algebra::as_tiler(d.tiler);
    s->partition = algebra::thread_partition(layout, tiler, d.thread_values);
    s->offsets = algebra::thread_offsets(layout, tiler, d.thread_values);
    return 0;
  });
  note_on(d, *s);
  d.sides.push_back(std::move(s));
}

description describe(options const& o) {
  description d;
  evaluator evaluate;
  try {
    d.atom = parse_copy_atom(o.atom.empty() ? "AutoVectorizingCopy" : o.atom);
  } catch (parse_error const& e) {
    throw command_error(bad_input, fmt::format("--atom: {}", e.what()));
  }
  std::string const type = !o.type.empty()           ? o.type
                           : d.atom.value != nullptr ? std::string(d.atom.value->name)
                                                     : "float";
  d.type = find_number_type(type);
  if (d.type == nullptr) {
    std::string known;
    for (number_type_row const& row : number_types) known += fmt::format(" {}", row.name);
    throw command_error(bad_input, fmt::format("--type: no number type is called '{}'\n{}\nknown are{}", type,
                                               caret_lines(type, 0), known));
  }
  if (d.atom.value != nullptr && d.atom.value->bits != d.type->bits) {
    throw command_error(bad_input, fmt::format("--type: {} has {} bits, the value type of --atom {}", d.type->name,
                                               d.type->bits, d.atom.value->bits));
  }
  d.val_layout = blamed_on("--atom", [&] { return value_layout(d.atom, d.type->bits); });
  tree const thr = layout_argument(evaluate, "--thr", o.thr);
  tree const val = layout_argument(evaluate, "--val", o.val);
  d.threads = algebra::size(thr).value;
  d.values = algebra::size(val).value;
  std::int64_t const at_once = algebra::size(d.val_layout).value;
  if (d.values % at_once != 0) {
    throw command_error(
        bad_input, fmt::format("--val: {} has {} values, but {} moves {} values of {} at once: give a multiple of {}",
                               layout_text(val), d.values, d.atom.name, at_once, d.type->name, at_once));
  }
  blamed_on("--thr, --val", [&] {
    d.tiler = algebra::tiler_of(thr, val);
    d.layout_tv = algebra::layout_tv_of(thr, val);
    d.thread_values = algebra::thread_values(d.layout_tv, d.val_layout, d.val_layout);
    d.side_tv = algebra::side_layout_tv(algebra::as_tiler(d.tiler), d.thread_values);
    return 0;
  });
  if (algebra::size(d.side_tv).value != d.threads * d.values) {
    throw command_error(
        bad_input,
        fmt::format("--val: {} moves {} values at once, and these would not stay together: the values of the "
                    "thread-value layout {} are split where {} does not divide; give {} a mode of the value "
                    "layout, the one of stride 1, that is a multiple of {}",
                    d.atom.name, at_once, layout_text(d.layout_tv), at_once, layout_text(val), at_once));
  }
  add_side(d, evaluate, "src", o.src);
  add_side(d, evaluate, "dst", o.dst);
  for (std::int64_t const t : o.threads) {
    if (t < 0 || t >= d.threads) {
      throw command_error(
          bad_input, fmt::format("--threads: there is no thread {}, the copy has threads 0 to {}", t, d.threads - 1));
    }
  }
  return d;
}

/// Who moves each element of the tile.
struct mover {
  std::int64_t thread = -1;
  std::int64_t value = -1;
};
std::vector<mover> movers_of(description const& d) {
  std::vector<mover> who(static_cast<std::size_t>(d.threads * d.values));
  for (std::int64_t v = 0; v < d.values; ++v) {
    for (std::int64_t t = 0; t < d.threads; ++t) {
      std::int64_t const at = algebra::crd2idx(number(t + d.threads * v), d.side_tv).value;
      who[static_cast<std::size_t>(at)] = {t, v};
    }
  }
  return who;
}

std::vector<std::int64_t> extents_of(tree const& tiler) {
  std::vector<std::int64_t> extent;
  extent.reserve(static_cast<std::size_t>(tiler.leaves));
  for (int i = 0; i < tiler.leaves; ++i) extent.push_back(tiler.shape[i].value);
  return extent;
}

std::string text_of(description const& d, options const& o) {
  std::string out;
  out += "TiledCopy\n";
  out += fmt::format("  Tiler_MN:       {}\n", tuple_text(d.tiler));
  out += fmt::format("  TiledLayout_TV: {}\n", layout_text(d.layout_tv));
  out += "Copy_Atom\n  ThrID:        1:0\n";
  for (char const* const which : {"Src", "Dst", "Ref"})
    out += fmt::format("  ValLayout{}: {}\n", which, layout_text(d.val_layout));
  out += fmt::format("  ValueType:    {}b ({})\n", d.type->bits, d.type->name);
  out += fmt::format("Threads, values: {}, {}\n", d.threads, d.values);
  out += fmt::format("  LayoutS_TV:     {}\n  LayoutD_TV:     {}\n", layout_text(d.side_tv), layout_text(d.side_tv));
  for (auto const& s : d.sides) {
    out += fmt::format("{}\n  Layout:         {}\n  Partition:      {}\n", s->name, s->text(s->tensor.main),
                       s->text(s->partition));
    for (std::int64_t const t : o.threads)
      out += fmt::format("  Thread {:<4}      first value at offset {}\n", t, s->offset(t));
  }
  for (std::string const& n : d.notes) out += fmt::format("note: {}\n", n);
  std::vector<mover> const who = movers_of(d);
  out += "\nWho moves each element of the tile: thread/value\n";
  out += table_text({extents_of(d.tiler), [&](std::int64_t i) {
                       mover const& m = who[static_cast<std::size_t>(i)];
                       return fmt::format("{}/{}", m.thread, m.value);
                     }});
  return out;
}

nlohmann::json json_of(description const& d, options const& o) {
  nlohmann::json j;
  j["atom"] = d.atom.name;
  j["type"] = d.type->name;
  j["value_bits"] = d.type->bits;
  j["threads"] = d.threads;
  j["values"] = d.values;
  j["tiler"] = tuple_text(d.tiler);
  j["layout_tv"] = layout_text(d.layout_tv);
  j["src_tv"] = layout_text(d.side_tv);
  j["dst_tv"] = layout_text(d.side_tv);
  j["thr_id"] = "1:0";
  for (char const* const key : {"val_layout_src", "val_layout_dst", "val_layout_ref"})
    j[key] = layout_text(d.val_layout);
  for (auto const& s : d.sides) {
    j[fmt::format("layout_{}", s->name)] = s->text(s->tensor.main);
    j[fmt::format("partition_{}", s->name)] = s->text(s->partition);
    if (o.threads.empty()) continue;
    nlohmann::json offsets = nlohmann::json::array();
    for (std::int64_t const t : o.threads) offsets.push_back(s->offset(t));
    j[fmt::format("{}_offsets", s->name)] = offsets;
  }
  j["notes"] = d.notes;
  constexpr std::int64_t most = 1 << 16;
  if (d.threads * d.values <= most) {
    std::vector<mover> const who = movers_of(d);
    j["thread_table"] = table_json(
        extents_of(d.tiler), [&](std::int64_t i) -> nlohmann::json { return who[static_cast<std::size_t>(i)].thread; });
    j["value_table"] = table_json(
        extents_of(d.tiler), [&](std::int64_t i) -> nlohmann::json { return who[static_cast<std::size_t>(i)].value; });
  }
  return j;
}

void run(options const& o) {
  description const d = describe(o);
  write_output(o.json ? json_of(d, o).dump() + '\n' : text_of(d, o));
}

}  // namespace

void add_tiled_copy_command(CLI::App& app) {
  CLI::App* const command =
      app.add_subcommand("tiled-copy", "Describe a tiled copy: tile, thread-value layout, partitions");
  auto const o = std::make_shared<options>();
  command->add_option("--atom", o->atom,
                      "The copy operation, as in CuTe: UniversalCopy<uint128_t>, AutoVectorizingCopy, ...");
  command->add_option("--type", o->type,
                      "The value type: half, bfloat16, float, double, int8 ... uint64, fp8 and sub-byte names");
  command->add_option("--thr", o->thr, "Thread layout: (m,n) -> thread")->required();
  command->add_option("--val", o->val, "Value layout: (m,n) -> value")->capture_default_str();
  command->add_option("--src", o->src, "Layout of the source, for its partition");
  command->add_option("--dst", o->dst, "Layout of the destination");
  command->add_option("--threads", o->threads, "Threads whose first offsets are wanted: 1,24,28")->delimiter(',');
  command->add_flag("--json", o->json, "Answer as JSON");
  command->footer(
      "Example:\n"
      "  cosmati tiled-copy --atom 'UniversalCopy<uint128_t>' --type half --thr '(8,4):(1,8)' --val '8:1' \\\n"
      "      --src '(128,32,32):(1,128,4096)' --dst '(128,32)' --threads 1,24,28");
  command->callback([o] { run(*o); });
}

}  // namespace cosmati::cli
