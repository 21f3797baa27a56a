// SPDX-License-Identifier: Apache-2.0
// cosmati tiled-copy: the properties of a tiled copy, its partitions of source and destination, and which thread moves
// what.
#include "command.hpp"
#include "describe.hpp"
#include "table.hpp"

#include <fmt/format.h>
#include <cosmati/layout/text_tree.hpp>
#include <memory>

namespace cosmati::cli {

namespace {

struct options : tiled_copy_texts {
  bool json = false;
};

/// A tensor's layout, perhaps with a swizzle, and its partition.
struct side {
  char const* name;
  value tensor;
  bool in_registers = false;  ///< as the atom needs on this side
  std::int64_t at_once = 1;   ///< the contiguous values that the atom needs
  tree partition;
  tree offsets;  ///< thread -> offset of its first value

  std::int64_t offset(std::int64_t thread) const {
    std::int64_t const plain = algebra::crd2idx(symbolic_integer(thread), offsets).value;
    return tensor.what == kind::composed ? tensor.swizzle(tensor.offset.shape[0].value + plain) : plain;
  }
};

/// The data of one tiled copy.
struct description : copy_arguments {
  tree src_values, dst_values;  ///< the result of algebra::thread_values
  tree src_tv, dst_tv;          ///< (thread, value) -> index in the tile
  std::vector<std::unique_ptr<side>> sides;
  std::vector<std::string> notes;
};

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
  if (s.in_registers) return;  // make_fragment_like arranges the values of a fragment
  tree const vector = algebra::coalesce(mode(mode(s.partition, 0), 0));
  bool const contiguous = s.at_once == 1 || (vector.is_leaf() && is(vector.stride[0], 1));
  if (!contiguous) {
    d.notes.push_back(
        fmt::format("{}: {} needs {} values in a row, but a thread's are {}: not vectorizable; let the values "
                    "run along the mode of stride 1",
                    s.name, d.atom.name, s.at_once, layout_text(vector)));
  }
}

void add_side(description& d, evaluator& evaluate, bool is_source, std::string const& text) {
  if (text.empty()) return;
  char const* const name = is_source ? "src" : "dst";
  std::string const option = fmt::format("--{}", name);
  auto s = std::make_unique<side>();
  s->name = name;
  if (d.atom.special != nullptr)
    s->in_registers = (is_source ? d.atom.special->source : d.atom.special->destination) == memory_space::rmem;
  s->at_once = algebra::size(is_source ? d.atom_values.src : d.atom_values.dst, 1).value;
  read_tensor(evaluate, option, text, s->tensor);
  blamed_on(option, [&] {
    tree const& layout = s->tensor.main;
    tree const tiler = algebra::as_tiler(d.tiler);
    tree const& values = is_source ? d.src_values : d.dst_values;
    s->partition = algebra::thread_partition(layout, tiler, values);
    s->offsets = algebra::thread_offsets(layout, tiler, values);
    return 0;
  });
  note_on(d, *s);
  d.sides.push_back(std::move(s));
}

description describe(tiled_copy_texts const& o) {
  description d;
  evaluator evaluate;
  static_cast<copy_arguments&>(d) = read_copy(evaluate, o);
  tree const tiler = algebra::as_tiler(d.tiler);
  d.src_values = algebra::thread_values(d.layout_tv, d.atom_values.ref, d.atom_values.src);
  d.dst_values = algebra::thread_values(d.layout_tv, d.atom_values.ref, d.atom_values.dst);
  d.src_tv = algebra::side_layout_tv(tiler, d.src_values);
  d.dst_tv = algebra::side_layout_tv(tiler, d.dst_values);
  add_side(d, evaluate, true, o.src);
  add_side(d, evaluate, false, o.dst);
  for (std::int64_t const t : o.threads) {
    if (t < 0 || t >= d.threads) {
      throw command_error(
          bad_input, fmt::format("--threads: there is no thread {}, the copy has threads 0 to {}", t, d.threads - 1));
    }
  }
  return d;
}

/// The thread that reads or writes each element of the tile; the first if there are several.
struct mover {
  std::int64_t thread = -1;
  std::int64_t value = -1;
};
std::vector<mover> movers_of(description const& d, tree const& side_tv) {
  std::vector<mover> who(static_cast<std::size_t>(d.threads * d.values));
  std::int64_t const values = algebra::size(side_tv, 1).value;
  for (std::int64_t v = 0; v < values; ++v) {
    for (std::int64_t t = d.threads; t-- > 0;) {
      std::int64_t const at = algebra::crd2idx(symbolic_integer(t + d.threads * v), side_tv).value;
      who[static_cast<std::size_t>(at)] = {t, v};
    }
  }
  return who;
}
/// Whether source and destination have the same threads.
bool sides_agree(description const& d) { return layout_text(d.src_tv) == layout_text(d.dst_tv); }

std::vector<std::int64_t> extents_of(tree const& tiler) {
  std::vector<std::int64_t> extent;
  extent.reserve(static_cast<std::size_t>(tiler.leaves));
  for (int i = 0; i < tiler.leaves; ++i) extent.push_back(tiler.shape[i].value);
  return extent;
}

std::string thr_id(description const& d) {
  return d.atom.threads() == 1 ? "1:0" : fmt::format("{}:1", d.atom.threads());
}
std::string movers_text(description const& d, tree const& side_tv) {
  std::vector<mover> const who = movers_of(d, side_tv);
  return table_text({extents_of(d.tiler), [&](std::int64_t i) {
                       mover const& m = who[static_cast<std::size_t>(i)];
                       return fmt::format("{}/{}", m.thread, m.value);
                     }});
}

std::string text_of(description const& d, options const& o) {
  std::string out;
  out += "TiledCopy\n";
  out += fmt::format("  Tiler_MN:       {}\n", tuple_text(d.tiler));
  out += fmt::format("  TiledLayout_TV: {}\n", layout_text(d.layout_tv));
  out += fmt::format("Copy_Atom\n  ThrID:        {}\n", thr_id(d));
  out += fmt::format("  ValLayoutSrc: {}\n", layout_text(d.atom_values.src));
  out += fmt::format("  ValLayoutDst: {}\n", layout_text(d.atom_values.dst));
  out += fmt::format("  ValLayoutRef: {}\n", layout_text(d.atom_values.ref));
  out += fmt::format("  ValueType:    {}b ({})\n", d.type->bits, d.type->name);
  out += fmt::format("Threads, values: {}, {}\n", d.threads, d.values);
  out += fmt::format("  LayoutS_TV:     {}\n  LayoutD_TV:     {}\n", layout_text(d.src_tv), layout_text(d.dst_tv));
  for (auto const& s : d.sides) {
    out += fmt::format("{}\n  Layout:         {}\n  Partition:      {}\n", s->name, text_as(s->tensor, s->tensor.main),
                       text_as(s->tensor, s->partition));
    for (std::int64_t const t : o.threads)
      out += fmt::format("  Thread {:<4}      first value at offset {}\n", t, s->offset(t));
  }
  for (std::string const& n : d.notes) out += fmt::format("note: {}\n", n);
  if (sides_agree(d)) {
    out += "\nWho moves each element of the tile: thread/value\n" + movers_text(d, d.src_tv);
  } else {
    out += "\nWho reads each element of the source's tile: thread/value\n" + movers_text(d, d.src_tv);
    out += "\nWho writes each element of the destination's tile: thread/value\n" + movers_text(d, d.dst_tv);
  }
  return out;
}

void add_movers(nlohmann::json& j, std::string const& prefix, description const& d, tree const& side_tv) {
  std::vector<mover> const who = movers_of(d, side_tv);
  j[prefix + "thread_table"] = table_json(
      extents_of(d.tiler), [&](std::int64_t i) -> nlohmann::json { return who[static_cast<std::size_t>(i)].thread; });
  j[prefix + "value_table"] = table_json(
      extents_of(d.tiler), [&](std::int64_t i) -> nlohmann::json { return who[static_cast<std::size_t>(i)].value; });
}
nlohmann::json json_of(description const& d, tiled_copy_texts const& o, bool quick) {
  nlohmann::json j;
  j["atom"] = d.atom.name;
  j["type"] = d.type->name;
  j["value_bits"] = d.type->bits;
  j["threads"] = d.threads;
  j["values"] = d.values;
  j["tiler"] = tuple_text(d.tiler);
  j["layout_tv"] = layout_text(d.layout_tv);
  j["src_tv"] = layout_text(d.src_tv);
  j["dst_tv"] = layout_text(d.dst_tv);
  j["thr_id"] = thr_id(d);
  j["val_layout_src"] = layout_text(d.atom_values.src);
  j["val_layout_dst"] = layout_text(d.atom_values.dst);
  j["val_layout_ref"] = layout_text(d.atom_values.ref);
  for (auto const& s : d.sides) {
    j[fmt::format("layout_{}", s->name)] = text_as(s->tensor, s->tensor.main);
    j[fmt::format("partition_{}", s->name)] = text_as(s->tensor, s->partition);
    if (o.threads.empty()) continue;
    nlohmann::json offsets = nlohmann::json::array();
    for (std::int64_t const t : o.threads) offsets.push_back(s->offset(t));
    j[fmt::format("{}_offsets", s->name)] = offsets;
  }
  j["notes"] = d.notes;
  constexpr std::int64_t most = 1 << 16;
  if (!quick && d.threads * d.values <= most) {
    add_movers(j, "", d, d.src_tv);
    if (!sides_agree(d)) add_movers(j, "dst_", d, d.dst_tv);
  }
  return j;
}

void run(options const& o) {
  write_output(o.json ? describe_tiled_copy(o, false).dump() + '\n' : text_of(describe(o), o));
}

}  // namespace

nlohmann::json describe_tiled_copy(tiled_copy_texts const& texts, bool quick) {
  return json_of(describe(texts), texts, quick);
}

void add_tiled_copy_command(CLI::App& app) {
  CLI::App* const command =
      app.add_subcommand("tiled-copy", "Describe a tiled copy: tile, thread-value layout, partitions");
  auto const o = std::make_shared<options>();
  add_copy_options(*command, *o);
  command->add_option("--src", o->src, "Layout of the source, for its partition");
  command->add_option("--dst", o->dst, "Layout of the destination");
  command->add_option("--threads", o->threads, "Threads whose first offsets are printed: 1,24,28")->delimiter(',');
  command->add_flag("--json", o->json, "Answer as JSON");
  command->footer(
      "Example:\n"
      "  cosmati tiled-copy --atom 'UniversalCopy<uint128_t>' --type half --thr '(8,4):(1,8)' --val '8:1' \\\n"
      "      --src '(128,32,32):(1,128,4096)' --dst '(128,32)' --threads 1,24,28");
  command->callback([o] { run(*o); });
}

}  // namespace cosmati::cli
