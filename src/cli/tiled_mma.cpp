// SPDX-License-Identifier: Apache-2.0
// cosmati tiled-mma: the properties of a tiled matrix instruction, and its partitions of A, B and C.
#include "command.hpp"
#include "describe.hpp"

#include <fmt/format.h>
#include <cosmati/layout/text_tree.hpp>
#include <memory>

namespace cosmati::cli {

namespace {

struct options : tiled_mma_texts {
  bool json = false;
};

struct operand {
  char const* name;  ///< the name a, b or c
  mma_operand which;
  std::string type;
  tree of_atom;
  std::string layout, partition;  ///< texts; empty without a tensor
};

struct description : mma_arguments {
  std::vector<operand> operands;
  std::vector<std::string> notes;
};

void cut(description& d, evaluator& evaluate, operand& of, std::string const& text) {
  if (text.empty()) return;
  std::string const option = fmt::format("--{}", of.name);
  value tensor;
  read_tensor(evaluate, option, text, tensor);
  if (tensor.main.rank() < 2) {
    throw command_error(
        bad_input, fmt::format("{}: {} has one mode; A is (M,K), B (N,K), C (M,N)", option, layout_text(tensor.main)));
  }
  of.layout = text_as(tensor, tensor.main);
  tree const partition = blamed_on(option, [&] { return d.values.partition(of.which, tensor.main); });
  of.partition = text_as(tensor, partition);
  for (int i = 0; i < 2; ++i) {
    int const mode = mma_values::modes[static_cast<int>(of.which)][i];
    std::int64_t const extent = algebra::size(tensor.main, i).value, tile = d.values.tile_extent(mode);
    if (extent % tile != 0) {
      d.notes.push_back(
          fmt::format("{}: the tile's {} = {} does not divide mode {} of extent {}: the last tile is ragged", of.name,
                      "MNK"[mode], tile, i, extent));
    }
  }
}

description describe(tiled_mma_texts const& o) {
  description d;
  evaluator evaluate;
  static_cast<mma_arguments&>(d) = read_mma(evaluate, o);
  d.operands = {{"a", mma_operand::A, d.atom.a, d.atom.values.a, {}, {}},
                {"b", mma_operand::B, d.atom.b, d.atom.values.b, {}, {}},
                {"c", mma_operand::C, d.atom.c, d.atom.values.c, {}, {}}};
  cut(d, evaluate, d.operands[0], o.a);
  cut(d, evaluate, d.operands[1], o.b);
  cut(d, evaluate, d.operands[2], o.c);
  tree const threads = d.values.threads();
  if (d.threads() > 1024) d.notes.push_back(fmt::format("{} threads: a block has up to 1024", d.threads()));
  if (algebra::cosize(threads).value != d.threads()) {
    d.notes.push_back(
        fmt::format("the numbers of the threads leave gaps, {}: each layout of (thread, value) ends at the first, as "
                    "CuTe's do; pictures show every thread",
                    layout_text(threads)));
  }
  return d;
}

std::string text_of(description const& d) {
  std::string out = fmt::format("TiledMMA\n  ThrLayoutVMNK:  {}\n  PermutationMNK: {}\n",
                                layout_text(d.values.threads()), d.permutation_given);
  out += fmt::format("  Tile (M,N,K):   ({},{},{})\n  Threads:        {}\n", d.values.tile_extent(0),
                     d.values.tile_extent(1), d.values.tile_extent(2), d.threads());
  for (operand const& of : d.operands)
    out += fmt::format("  Layout{}_TV:     {}\n", static_cast<char>(of.name[0] - 'a' + 'A'),
                       layout_text(d.values.layout_tv(of.which)));
  mma_values const& atom = d.atom.values;
  out += fmt::format("MMA_Atom {}\n  ThrID:          {}\n  Shape_MNK:      ({},{},{})\n", d.atom.name,
                     layout_text(atom.atom_threads), atom.atom_extent[0], atom.atom_extent[1], atom.atom_extent[2]);
  for (operand const& of : d.operands)
    out += fmt::format("  Layout{}_TV:     {}  {}\n", static_cast<char>(of.name[0] - 'a' + 'A'),
                       layout_text(of.of_atom), of.type);
  for (operand const& of : d.operands) {
    if (!of.layout.empty())
      out += fmt::format("{}\n  Layout:         {}\n  Partition:      {}\n", of.name, of.layout, of.partition);
  }
  for (std::string const& n : d.notes) out += fmt::format("note: {}\n", n);
  return out;
}

nlohmann::json json_of(description const& d) {
  nlohmann::json j;
  mma_values const& v = d.values;
  j["atom"] = d.atom.name;
  j["types"] = {{"a", d.atom.a}, {"b", d.atom.b}, {"c", d.atom.c}, {"d", d.atom.d}};
  j["thr_id"] = layout_text(d.atom.values.atom_threads);
  j["shape_mnk"] = d.atom.values.atom_extent;
  j["thr_layout_vmnk"] = layout_text(v.threads());
  j["permutation"] = d.permutation_given;
  j["threads"] = d.threads();
  j["tile"] = {v.tile_extent(0), v.tile_extent(1), v.tile_extent(2)};
  for (operand const& of : d.operands) {
    std::string const name = of.name;
    j["atom_" + name + "_tv"] = layout_text(of.of_atom);
    j["layout_" + name + "_tv"] = layout_text(v.layout_tv(of.which));
    if (of.layout.empty()) continue;
    j["layout_" + name] = of.layout;
    j["partition_" + name] = of.partition;
  }
  j["notes"] = d.notes;
  return j;
}

}  // namespace

nlohmann::json describe_tiled_mma(tiled_mma_texts const& texts) { return json_of(describe(texts)); }

void add_tiled_mma_command(CLI::App& app) {
  CLI::App* const command =
      app.add_subcommand("tiled-mma", "Describe a tiled matrix instruction: tile, threads, partitions");
  auto const o = std::make_shared<options>();
  add_mma_options(*command, "--atom", *o);
  command->get_option("--atom")->required();
  command->add_option("--a", o->a, "Layout of A (M,K), for its partition");
  command->add_option("--b", o->b, "Layout of B (N,K)");
  command->add_option("--c", o->c, "Layout of C (M,N)");
  command->add_flag("--json", o->json, "Answer as JSON");
  command->footer(
      "Example:\n"
      "  cosmati tiled-mma --atom SM80_16x8x16_F32F16F16F32_TN --atom-layout '(2,2,1)' --permutation '(32,32,16)' \\\n"
      "      --a '(128,64):(64,1)' --b '(128,64):(64,1)' --c '(128,128)'");
  command->callback([o] { write_output(o->json ? describe_tiled_mma(*o).dump() + '\n' : text_of(describe(*o))); });
}

}  // namespace cosmati::cli
