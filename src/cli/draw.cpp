// SPDX-License-Identifier: Apache-2.0
// cosmati draw: pictures of layouts, (thread, value) layouts, atoms, tiled copies and tiled MMAs.
#include "command.hpp"
#include "expression/parser.hpp"
#include "figures.hpp"
#include "named_files.hpp"
#include "number_range.hpp"
#include "whole_file.hpp"

#include <fmt/format.h>
#include <cosmati/render/arrows_svg.hpp>
#include <cosmati/render/html.hpp>
#include <cosmati/render/latex.hpp>
#include <cosmati/render/terminal.hpp>
#include <cosmati/render/typst.hpp>
#include <memory>

namespace cosmati::cli {

namespace {

struct options : copy_texts {
  std::string layout, tile, out;
  std::string format = "terminal";
  int bits = 16;
  picture_size size;
  bool modes = false;
  bool arrows = false;
};

/// Which mode goes where, of the last operation.
std::string arrows_written(options const& o) {
  if (o.layout.empty()) throw command_error(bad_input, "--arrows: expected a layout, or an expression that makes one");
  evaluator evaluate;
  value v;
  evaluation_step last;
  bool stepped = false;
  evaluate.watch([&](evaluation_step const& s) {
    last = s;
    stepped = true;
  });
  copy_value(v, evaluate_argument(evaluate, "LAYOUT", o.layout));
  mode_arrows const arrows = blamed_on("--arrows", [&] { return arrows_of(stepped ? &last : nullptr, v); });
  if (arrows.column.empty()) throw command_error(bad_input, "--arrows: expected an expression that makes a layout");
  if (o.format == "svg") return to_svg(arrows);
  if (o.format == "html") return html_page(arrows.title, "<figure>\n" + to_svg(arrows) + "</figure>\n");
  if (o.format != "terminal")
    throw command_error(
        bad_input, fmt::format("--arrows: there are no arrows as {}; give --format svg, html or terminal", o.format));
  return to_text(arrows);
}

figure subject_of(options const& o) {
  evaluator evaluate;
  bool const is_copy = !o.thr.empty() || !o.atom.empty() || !o.operand.empty();
  bool const is_product = !o.mma.atom.empty() && o.operand.empty();
  if ((o.layout.empty() ? 0 : 1) + (is_copy ? 1 : 0) + (is_product ? 1 : 0) > 1)
    throw command_error(bad_input,
                        "draw: give a layout, a copy by --atom or --thr, or a product by --mma: one of them");
  if (is_product) {
    mma_arguments const mma = read_mma(evaluate, o.mma, "--mma");
    if (!o.mma.atom_layout.empty() || !o.mma.permutation.empty())
      return blamed_on("--atom-layout, --permutation", [&] { return figure_of(mma); });
    return blamed_on("--mma", [&] { return picture_atom(mma.atom.name, mma.values); });
  }
  if (!o.layout.empty()) {
    value v;
    evaluation_step last;
    bool stepped = false;
    evaluate.watch([&](evaluation_step const& s) {
      last = s;
      stepped = true;
    });
    copy_value(v, evaluate_argument(evaluate, "LAYOUT", o.layout));
    evaluate.watch({});
    if (o.modes) {
      figure f = blamed_on("--modes", [&] { return figure_of_modes(stepped ? &last : nullptr, v); });
      if (f.grid.empty()) throw command_error(bad_input, "--modes: expected an expression that makes a layout");
      return f;
    }
    if (o.tile.empty()) {
      return blamed_on("LAYOUT", [&] {
        figure f = figure_of_step(last);
        return f.grid.empty() ? figure_of(v, o.bits) : f;
      });
    }
    value tile;
    copy_value(tile, evaluate_argument(evaluate, "--tile", o.tile));
    if (tile.what != kind::tuple) throw command_error(bad_input, "--tile: expected a shape, as (64,4)");
    if (v.what != kind::layout || v.main.rank() != 2)
      throw command_error(bad_input, "LAYOUT: --tile wants a layout (thread, value) -> index in the tile");
    return blamed_on("--tile", [&] {
      figure f = picture_tv(AnyLayout(v.main), cosmati::detail::extents_of(AnyTuple(tile.main)));
      return f;
    });
  }
  if (!is_copy) throw command_error(bad_input, "draw: expected a layout, a copy by --atom or --thr, or --mma");
  if (o.thr.empty() && o.operand.empty()) {
    copy_arguments const atom = read_atom(o);
    return blamed_on("--atom", [&] { return figure_of_atom(atom); });
  }
  copy_arguments const copy = read_copy(evaluate, o);
  return blamed_on("--thr, --val", [&] { return figure_of(copy); });
}

std::string written(options const& o, figure const& f) {
  if (o.format == "svg") return to_svg(f, o.size);
  if (o.format == "html") return to_html(f, o.size);
  if (o.format == "typst") return to_typst(f, o.size);
  if (o.format == "latex") return to_latex(f, o.size);
  return to_terminal(f, o.out.empty() && terminal_has_color());
}

void run(options const& o) {
  if (!o.out.empty()) {
    named_files files("draw: ");
    files.writes("--out", o.out);
    check_can_write(o.out);
  }
  std::string const text = o.arrows ? arrows_written(o) : written(o, subject_of(o));
  if (o.out.empty())
    write_output(text);
  else
    write_text(o.out, text);
}

}  // namespace

void add_draw_command(CLI::App& app) {
  CLI::App* const command =
      app.add_subcommand("draw", "Draw a layout, who owns a tile, an atom, a tiled copy or a tiled MMA");
  auto const o = std::make_shared<options>();
  command->add_option("layout", o->layout, "A layout, swizzled or not, or any expression that makes one");
  command->add_option("--tile", o->tile, "The layout is (thread, value) -> index in a tile of this shape");
  command->add_flag(
      "--modes", o->modes,
      "Show which mode goes to which digit of the offset: of the layout, or of the last operation's layouts");
  command->add_flag(
      "--arrows", o->arrows,
      "Arrows from each mode to where it goes, through both layouts of a composition; as svg, html or text");
  add_copy_options(*command, *o);
  command
      ->add_option("--bits", o->bits,
                   "Bits of an element; they decide which banks the colours of a swizzled layout show")
      ->check(integer_in(1, 128))
      ->capture_default_str();
  command
      ->add_option(
          "--width", o->size.width,
          "The greatest width in pixels of 1/96 inch; 0: as wide as all columns need. \"...\" stands for omitted "
          "parts")
      ->check(integer_in(0, 1 << 20))
      ->capture_default_str();
  command->add_option("--height", o->size.height, "The greatest height in pixels; 0: as high as all rows need")
      ->check(integer_in(0, 1 << 20))
      ->capture_default_str();
  command->add_option("--format", o->format, "svg, html, typst, latex or terminal")
      ->check(CLI::IsMember({"svg", "html", "typst", "latex", "terminal"}))
      ->capture_default_str();
  command->add_option("--out", o->out, "A file, instead of standard output");
  command->footer(
      "Examples:\n"
      "  cosmati draw '((2,2),4):((1,8),2)'\n"
      "  cosmati draw 'complement((2,2):(1,8), 64)' --modes\n"
      "  cosmati draw 'composition((4,8):(8,1), (8,4):(1,8))' --arrows --format svg --out arrows.svg\n"
      "  cosmati draw 'Sw<3,3,3> o 0 o (8,64):(64,1)' --format svg --out rows.svg\n"
      "  cosmati draw --atom 'UniversalCopy<uint128_t>' --type half --thr '(8,4):(1,8)' --val '8:1' --format html\n"
      "  cosmati draw --mma SM80_16x8x16_F32F16F16F32_TN --atom-layout '(2,2,1)' --format svg --out product.svg\n"
      "  cosmati draw --atom SM75_U32x4_LDSM_N --type half --mma SM80_16x8x16_F32F16F16F32_TN --operand A");
  command->callback([o] { run(*o); });
}

}  // namespace cosmati::cli
