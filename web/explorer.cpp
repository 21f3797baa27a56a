// SPDX-License-Identifier: Apache-2.0
// The explorer's side of the library: questions and answers as JSON, pictures as arrays. The page (*.js) draws them.
#include "check/examine.hpp"
#include "check/report.hpp"
#include "cpp_text.hpp"
#include "describe.hpp"
#include "figures.hpp"
#include "larger_tensor.hpp"
#include "pasted_line.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <cosmati/layout/text_tree.hpp>
#include <cosmati/render/arrows_svg.hpp>
#include <cosmati/render/cost.hpp>
#include <cosmati/render/latex.hpp>
#include <cosmati/render/svg.hpp>
#include <cosmati/render/typst.hpp>
#include <deque>
#include <nlohmann/json.hpp>

namespace cosmati::cli {

namespace {

using nlohmann::json;

/// Larger pictures take longer than a keystroke may.
constexpr std::int64_t most_cells = 1 << 17;
constexpr std::int32_t none = -1;

/// What cells have in common with their fellows; the page's figure.js has the same order.
enum key : std::uint8_t { color, thread, value_of_thread, offset, bank, sector, key_count };

struct drawn_grid {
  std::vector<std::int32_t> keys;      ///< [key][cell]
  std::vector<std::int32_t> outlines;  ///< row, column, rows, columns of each
  std::string texts;                   ///< of the cells, one behind the other, each ended by a unit separator

  std::int32_t& at(key k, std::size_t cell, std::size_t cells) { return keys[k * cells + cell]; }
};
struct drawn {
  figure what;
  std::vector<drawn_grid> grid;
};

/// The pictures of the last question, and of `draw` since. A deque: the page holds places of its elements' arrays.
/// Two states may stand side by side: each has pictures of its own, with other numbers.
constexpr std::size_t places = 2, numbers_of_a_place = 1 << 16;
std::deque<drawn> pictures_of[places];
std::size_t place_now = 0;

/// The picture of this number, or null.
drawn* picture_at(std::size_t number) {
  std::size_t const place = number / numbers_of_a_place, index = number % numbers_of_a_place;
  if (place >= places || index >= pictures_of[place].size()) return nullptr;
  return &pictures_of[place][index];
}

std::int32_t small(std::int64_t x) { return x >= 0 && x <= 2147483647 ? static_cast<std::int32_t>(x) : none; }

/// The offset that a cell of a layout's picture stands for; -1 where it is none.
std::int64_t offset_in(figure_cell const& cell) { return cell.offset < 0 ? -1 : cell.offset; }

void set_place(drawn_grid& g, std::size_t cell, std::size_t cells, std::int64_t at, int bits) {
  if (at < 0) return;
  g.at(offset, cell, cells) = small(at);
  g.at(bank, cell, cells) = small(at * bits / 32 % 32);
  g.at(sector, cell, cells) = small(at * bits / 256);
}

/// @param bits of an element, where cells show offsets
std::size_t draw(figure f, int bits = 0) {
  std::deque<drawn>& pictures = pictures_of[place_now];
  pictures.push_back({std::move(f), {}});
  drawn& d = pictures.back();
  for (figure_grid const& g : d.what.grid) {
    drawn_grid& out = d.grid.emplace_back();
    std::size_t const n = g.cell.size();
    out.keys.assign(n * key_count, none);
    out.texts.reserve(n * 8);
    for (std::size_t i = 0; i < n; ++i) {
      figure_cell const& c = g.cell[i];
      out.at(color, i, n) = c.color < 0 ? none : cosmati::detail::palette_index(c.color);
      out.at(thread, i, n) = c.lanes.empty() ? small(c.thread) : none;  // several: the page gets the list
      out.at(value_of_thread, i, n) = c.lanes.empty() ? small(c.value) : none;
      if (bits > 0) set_place(out, i, n, offset_in(c), bits);
      out.texts += c.text;
      out.texts += '\x1f';
    }
    for (figure_outline const& o : g.outline) {
      for (int const x : {o.row, o.column, o.rows, o.columns}) out.outlines.push_back(x);
    }
  }
  return place_now * numbers_of_a_place + pictures.size() - 1;
}

/// What the page needs beside the arrays.
json words_of_picture(std::size_t index, std::string const& role) {
  drawn const& d = *picture_at(index);
  json j = {{"id", index},
            {"role", role},
            {"title", d.what.title},
            {"words", d.what.words},
            {"caption", d.what.caption()},
            {"notes", d.what.note},
            {"grids", json::array()}};
  j["key"] = json::array();
  for (figure_key const& k : d.what.key) j["key"].push_back({cosmati::detail::palette_index(k.color), k.text});
  for (std::size_t i = 0; i < d.what.grid.size(); ++i) {
    figure_grid const& g = d.what.grid[i];
    json grid = {{"title", g.title},     {"rows", g.rows},
                 {"columns", g.columns}, {"outlines", d.grid[i].outlines.size() / 4},
                 {"down", g.down},       {"right", g.right}};
    grid["axes"] = g.axes();
    if (std::any_of(g.outline.begin(), g.outline.end(), [](figure_outline const& o) { return !o.text.empty(); })) {
      grid["labels"] = json::array();
      for (figure_outline const& o : g.outline) grid["labels"].push_back(o.text);
    }
    if (!g.row_label.empty()) grid["row_label"] = g.row_label;
    if (!g.column_label.empty()) grid["column_label"] = g.column_label;
    json lanes = json::object();
    for (std::size_t c = 0; c < g.cell.size(); ++c) {
      if (!g.cell[c].lanes.empty()) lanes[std::to_string(c)] = g.cell[c].lanes;
    }
    if (!lanes.empty()) grid["lanes"] = std::move(lanes);
    j["grids"].push_back(std::move(grid));
  }
  return j;
}

std::string text_at(json const& request, char const* name, std::string const& otherwise = {}) {
  return request.value(name, otherwise);
}
std::string too_large(char const* what, std::int64_t cells) {
  return fmt::format("{} has {} elements; the explorer draws up to {}.", what, cells, most_cells);
}

/// The picture of a value; nothing where it has none, and a note where it is too large.
void add_picture(json& j, value const& v, int bits, std::string const& role) {
  bool const layout = v.what == kind::layout || (v.what == kind::composed && !v.flag && v.offset.is_leaf());
  if (!layout || algebra::size(v.main).value < 1) return;
  if (std::int64_t const cells = algebra::size(v.main).value; cells > most_cells)
    j["too_large"] = too_large("The layout", cells);
  else
    j["figures"].push_back(words_of_picture(draw(figure_of(v, bits), bits), role));
}

/// A shape alone stands for its compact layout.
bool is_shape(value const& v) {
  if (v.what != kind::tuple) return false;
  for (int i = 0; i < v.main.nodes; ++i) {
    if (v.main.node[i] == tree::any) return false;
  }
  for (int i = 0; i < v.main.leaves; ++i) {
    if (v.main.shape[i].basis != 0 || v.main.shape[i].value < 1) return false;
  }
  return true;
}

std::string program(std::string const& lines) {
  return "#include <cosmati/cosmati.hpp>\nusing namespace cosmati;\n\n" + lines;
}
/// The same names: only header and namespace differ.
std::string cute_program(std::string const& lines) {
  return "#include <cute/tensor.hpp>\nusing namespace cute;\n\n" + lines;
}

/// Each operation as a line of C++ that names the results of those before it.
std::string lines_of_steps(std::vector<evaluation_step> const& steps, std::string const& expression,
                           std::string const& whole) {
  if (steps.empty()) return whole.empty() ? whole : fmt::format("auto const result = {};\n", whole);
  std::string lines;
  evaluator evaluate;
  std::vector<std::pair<std::string, std::string>> named;  // text of a result, its variable
  for (evaluation_step const& s : steps) {
    std::vector<std::string> arguments;
    for (std::string const& text : s.argument) {
      auto const known = std::find_if(named.rbegin(), named.rend(), [&](auto const& n) { return n.first == text; });
      arguments.push_back(known != named.rend() ? known->second : cpp_text(evaluate(text)));
      if (arguments.back().empty()) return {};
    }
    std::string const name = &s == &steps.back() ? "result" : fmt::format("step{}", named.size() + 1);
    lines += fmt::format("auto const {} = {};  // {}\n", name, cpp_call(s, expression, arguments), s.result);
    named.emplace_back(s.result, name);
  }
  return lines;
}

json ask_algebra(json const& request) {
  std::string const expression = text_at(request, "expression");
  int const bits = request.value("bits", 16);
  evaluator evaluate;
  std::vector<evaluation_step> steps;
  evaluate.watch([&](evaluation_step const& s) { steps.push_back(s); });
  value v;
  copy_value(v, evaluate_argument(evaluate, "expression", expression));
  evaluate.watch({});
  json j;
  std::string text;
  append_text(text, v);
  j["result"] = text;
  j["kind"] = name_of(v.what);
  j["steps"] = json::array();
  for (evaluation_step const& s : steps) {
    j["steps"].push_back(
        {{"name", s.name}, {"begin", s.begin}, {"end", s.end}, {"arguments", s.argument}, {"result", s.result}});
  }
  j["figures"] = json::array();
  bool const shape_alone = steps.empty() && is_shape(v);
  if (v.what == kind::layout || v.what == kind::composed || shape_alone) {
    try {
      j["layout"] = describe_layout(expression, true);
    } catch (command_error const&) {
      // A composed layout of another kind than `cosmati layout` takes: its text is all there is.
    }
  }
  if (shape_alone) call{"layout", v, {&v, 1}, {}}.layout(0);
  figure of_step = steps.empty() ? figure() : figure_of_step(steps.back());
  if (!of_step.grid.empty() && of_step.cells() <= most_cells)
    j["figures"].push_back(words_of_picture(draw(std::move(of_step), bits), "result"));
  else
    add_picture(j, v, bits, "result");
  if (figure modes = figure_of_modes(steps.empty() ? nullptr : &steps.back(), v); !modes.grid.empty())
    j["figures"].push_back(words_of_picture(draw(std::move(modes)), "modes"));
  if (mode_arrows const arrows = arrows_of(steps.empty() ? nullptr : &steps.back(), v); !arrows.column.empty())
    j["arrows"] = to_svg(arrows);
  std::string const lines = lines_of_steps(steps, expression, cpp_text(v));
  j["cpp"] = lines.empty() ? "" : program(lines);
  j["cute"] = lines.empty() ? "" : cute_program(lines);
  return j;
}

/// A text's picture, beside those that there are.
json ask_draw(json const& request) {
  evaluator evaluate;
  value v;
  json j = {{"figures", json::array()}};
  copy_value(v, evaluate_argument(evaluate, "expression", text_at(request, "text")));
  add_picture(j, v, request.value("bits", 16), text_at(request, "role"));
  return j;
}

/// Each cell of the tile: the offset from the tensor's picture on the copy's, and the owner from the copy's on the
/// tensor's. Both list the same elements in the same order.
void connect(drawn& copy, drawn& tensor, bool is_source, int bits) {
  bool const one_for_both = copy.grid.size() == tensor.grid.size();  // equal sides are drawn once
  for (std::size_t g = 0; g < tensor.grid.size(); ++g) {
    std::size_t const other = is_source || one_for_both ? g : tensor.grid.size() + g;
    if (other >= copy.grid.size()) return;
    std::size_t const n = tensor.what.grid[g].cell.size();
    if (copy.what.grid[other].cell.size() != n) return;
    for (std::size_t i = 0; i < n; ++i) {
      set_place(copy.grid[other], i, n, offset_in(tensor.what.grid[g].cell[i]), bits);
      tensor.grid[g].at(thread, i, n) = copy.grid[other].at(thread, i, n);
      tensor.grid[g].at(value_of_thread, i, n) = copy.grid[other].at(value_of_thread, i, n);
    }
  }
}
/// Banks and sectors that a cost's cells stand for.
void set_units(drawn& cost, bool is_global) {
  for (std::size_t g = 0; g < cost.grid.size(); ++g) {
    std::vector<figure_cell> const& cell = cost.what.grid[g].cell;
    for (std::size_t i = 0; i < cell.size(); ++i)
      cost.grid[g].at(is_global ? sector : bank, i, cell.size()) = small(cell[i].unit);
  }
}

struct copy_texts_of_page : check_texts {
  explicit copy_texts_of_page(json const& request) {
    atom = text_at(request, "atom");
    type = text_at(request, "type");
    thr = text_at(request, "thr");
    val = text_at(request, "val", val);
    src = text_at(request, "src");
    dst = text_at(request, "dst");
    space = text_at(request, "space");
    bounds = text_at(request, "bounds");
    operand = text_at(request, "operand");
    if (!operand.empty()) {
      mma.atom = text_at(request, "mma");
      mma.atom_layout = text_at(request, "layout");
      mma.permutation = text_at(request, "permutation");
      thr.clear();
    }
    if (std::string const sm = text_at(request, "arch"); !sm.empty()) arch = sm;
    if (val.empty()) val = "1:0";
  }
};

std::string lines_of_copy(copy_arguments const& copy, check_findings const* f) {
  std::string lines = fmt::format("auto const tiled_copy =\n    {};\n", cpp_tiled_copy(copy));
  if (f == nullptr) return lines;
  for (auto const& s : f->sides) {
    value v;
    v.what = s->tensor.composed ? kind::composed : kind::layout;
    copy_tree(v.main, s->tensor.layout);
    v.swizzle = s->tensor.swizzle;
    if (s->tensor.composed) set_leaf(v.offset, symbolic_integer(s->tensor.offset));
    lines += fmt::format("auto const {}_layout = {};\n", s->is_source ? "src" : "dst", cpp_text(v));
  }
  return lines;
}

/// Costs and the tensors' first tiles. @param copy_picture the tiled copy's, for its cells' offsets
void add_check(json& j, examined const& found, std::ptrdiff_t copy_picture) {
  check_findings const& f = found.findings;
  j["check"] = report_json(f, {}, found.notes);
  j["check_text"] = report_text(f, {}, found.notes);
  int const bits = f.copy.type->bits;
  for (auto const& side : f.sides) {
    figure tile = first_tile(f, *side);
    if (tile.grid.empty()) continue;
    std::size_t const id = draw(std::move(tile), bits);
    if (copy_picture >= 0)
      connect(*picture_at(static_cast<std::size_t>(copy_picture)), *picture_at(id), side->is_source, bits);
    j["figures"].push_back(words_of_picture(id, side->is_source ? "source tile" : "destination tile"));
  }
  for (figure& cost : picture_cost(values_of(f.copy, f.operation), f.tensor(true), f.tensor(false))) {
    bool const is_source = cost.title.starts_with("source");
    bool is_global = true;
    for (auto const& side : f.sides) {
      if (side->is_source == is_source) is_global = side->is_global();
    }
    std::size_t const id = draw(std::move(cost));
    set_units(*picture_at(id), is_global);
    j["figures"].push_back(words_of_picture(id, is_source ? "source cost" : "destination cost"));
  }
}

json error_of(std::string what);

/// No thread layout: the instruction alone.
json ask_atom(copy_texts const& texts) {
  copy_arguments const atom = read_atom(texts);
  json j = {{"figures", json::array()}};
  j["figures"].push_back(words_of_picture(blamed_on("--atom", [&] { return draw(figure_of_atom(atom)); }), "copy"));
  j["atom"] = {{"name", atom.atom.name},
               {"threads", atom.atom.threads()},
               {"val_layout_src", layout_text(atom.atom_values.src)},
               {"val_layout_dst", layout_text(atom.atom_values.dst)},
               {"val_layout_ref", layout_text(atom.atom_values.ref)}};
  std::string const lines = fmt::format("auto const atom = {}{{}};\n", cpp_atom(atom));
  j["cpp"] = program(lines);
  j["cute"] = cute_program(lines);
  return j;
}

json ask_copy(json const& request) {
  copy_texts_of_page texts(request);
  if (texts.operand.empty() && texts.thr.find_first_not_of(" \t") == std::string::npos) return ask_atom(texts);
  json j;
  evaluator evaluate;
  copy_arguments const copy = read_copy(evaluate, texts);
  j["figures"] = json::array();
  std::ptrdiff_t copy_picture = -1;
  if (copy.threads * copy.values <= most_cells) {
    blamed_on("--thr, --val", [&] { return copy_picture = static_cast<std::ptrdiff_t>(draw(figure_of(copy))); });
  } else {
    j["too_large"] = too_large("The tile", copy.threads * copy.values);
  }
  // What follows may fail while the copy itself is right: its picture stays.
  examined found;
  bool has_findings = false;
  auto const attempt = [&](auto&& f) {
    try {
      f();
    } catch (command_error const& e) {
      if (!j.contains("error")) j["error"] = error_of(e.what());
    } catch (error const& e) {
      if (!j.contains("error")) j["error"] = error_of(e.what());
    }
  };
  attempt([&] {
    tiled_copy_texts t;
    static_cast<copy_texts&>(t) = texts;
    t.src = texts.src;
    t.dst = texts.dst;
    if (request.contains("thread")) t.threads = {request["thread"].get<std::int64_t>()};
    try {
      j["copy"] = describe_tiled_copy(t, true);
    } catch (command_error const&) {
      t.src = t.dst = "";
      j["copy"] = describe_tiled_copy(t, true);
      throw;
    }
  });
  if (!texts.src.empty() || !texts.dst.empty()) {
    attempt([&] {
      std::string const note = take_a_tile(evaluate, texts);
      if (!note.empty()) j["taken"] = {{"src", texts.src}, {"dst", texts.dst}};
      found = examine(texts);
      if (!note.empty()) found.notes.insert(found.notes.begin(), note);
      has_findings = true;
      add_check(j, found, copy_picture);
    });
  }
  if (copy_picture >= 0)
    j["figures"].insert(j["figures"].begin(), words_of_picture(static_cast<std::size_t>(copy_picture), "copy"));
  std::string lines;
  if (!texts.operand.empty())
    lines = fmt::format("auto const tiled_mma =\n    {};\n", cpp_tiled_mma(read_mma(evaluate, texts.mma)));
  lines += lines_of_copy(copy, has_findings ? &found.findings : nullptr);
  j["cpp"] = program(lines);
  j["cute"] = cute_program(lines);
  return j;
}

/// A product: who holds what of A, B and C.
json ask_mma(json const& request) {
  tiled_mma_texts t;
  t.atom = text_at(request, "atom");
  t.atom_layout = text_at(request, "layout");
  t.permutation = text_at(request, "permutation");
  t.a = text_at(request, "a");
  t.b = text_at(request, "b");
  t.c = text_at(request, "c");
  evaluator evaluate;
  mma_arguments const mma = read_mma(evaluate, t);
  json j = {{"figures", json::array()}};
  bool const alone = t.atom_layout.empty() && t.permutation.empty();
  blamed_on(alone ? "--atom" : "--atom-layout, --permutation", [&] {
    std::int64_t cells = 0;
    for (auto const& modes : mma_values::modes)
      cells += mma.values.tile_extent(modes[0]) * mma.values.tile_extent(modes[1]);
    if (cells > most_cells)
      j["too_large"] = too_large("The tile", cells);
    else
      j["figures"].push_back(
          words_of_picture(draw(alone ? picture_atom(mma.atom.name, mma.atom.values) : figure_of(mma)), "product"));
    return 0;
  });
  std::string const lines = fmt::format("auto const tiled_mma =\n    {};\n", cpp_tiled_mma(mma));
  j["cpp"] = "#include <cosmati/cosmati.hpp>\n#include <cosmati/mma.hpp>\nusing namespace cosmati;\n\n" + lines;
  j["cute"] = cute_program(lines);
  if (mma.threads() > most_threads) {
    j["error"] =
        error_of(fmt::format("--atom-layout: the product has {} threads, and a block of a kernel has at most {}: "
                             "give fewer atoms",
                             mma.threads(), most_threads));
  }
  try {
    j["mma"] = describe_tiled_mma(t);
  } catch (command_error const& e) {  // of a tensor: the picture stays
    t.a = t.b = t.c = "";
    j["mma"] = describe_tiled_mma(t);
    j["error"] = error_of(e.what());
  }
  return j;
}

/// "31,45,57"
std::vector<std::int64_t> integers_at(json const& request, char const* name) {
  std::vector<std::int64_t> all;
  std::string const text = text_at(request, name);
  for (std::size_t at = 0; at < text.size();) {
    std::size_t const comma = std::min(text.find(',', at), text.size());
    std::int64_t x = 0;
    char const* begin = text.data() + at;
    while (begin != text.data() + comma && *begin == ' ') ++begin;
    auto const end = std::from_chars(begin, text.data() + comma, x);
    if (end.ec != std::errc() || end.ptr != text.data() + comma)
      throw command_error(bad_input, fmt::format("--{}: expected integers with commas between them, as 2,0,1", name));
    all.push_back(x);
    at = comma + 1;
  }
  return all;
}

json ask_plan(json const& request) {
  plan_texts t;
  t.shape = integers_at(request, "shape");
  t.permute = integers_at(request, "permute");
  if (t.shape.empty()) {
    t.source = text_at(request, "src");
    t.target = text_at(request, "dst");
  }
  t.bytes = request.value("bytes", 4);
  if (!text_at(request, "threads").empty()) {
    std::vector<std::int64_t> const threads = integers_at(request, "threads");
    if (threads.size() != 1 || threads[0] < 1 || threads[0] > 1024)
      throw command_error(bad_input, "--threads: expected an integer, 1 to 1024");
    t.threads = static_cast<int>(threads[0]);
  }
  json j = {{"plan", describe_plan(t)}, {"figures", json::array()}};
  if (j["plan"].contains("code"))
    j["cpp"] = fmt::format("#include <cosmati/{}.hpp>\n\n", t.threads > 0 ? "cosmati" : "kernel/copy") +
               j["plan"]["code"].get<std::string>();
  return j;
}

json ask_export(json const& request) {
  std::size_t const id = request.value("figure", std::size_t{0});
  drawn const* const found = picture_at(id);
  if (found == nullptr) throw command_error(failure, "there is no such picture");
  std::string const format = text_at(request, "format");
  figure const& f = found->what;
  return {{"text", format == "svg" ? to_svg(f) : format == "latex" ? to_latex(f) : to_typst(f)}};
}

/// A line of C++ as the fields of the view that it belongs to. Fields that it does not say are left out.
json ask_pasted(json const& request) {
  std::string const text = text_at(request, "text");
  if (!is_pasted_line(text)) return json::object();
  pasted_line const line = take_apart("atom", text);
  json fields = json::object();
  auto const add = [&](char const* name, std::string const& words) {
    if (!words.empty()) fields[name] = words;
  };
  if (line.is_product) {
    add("atom", line.mma.atom);
    fields.update({{"layout", line.mma.atom_layout}, {"permutation", line.mma.permutation}});
  } else {
    add("atom", line.copy.atom);
    add("type", line.copy.type);
    fields["operand"] = line.copy.operand;
    add("thr", line.copy.thr);
    if (line.copy.operand.empty()) add("val", line.copy.val);
    if (!line.copy.mma.atom.empty()) {
      add("mma", line.copy.mma.atom);
      fields.update({{"layout", line.copy.mma.atom_layout}, {"permutation", line.copy.mma.permutation}});
    }
  }
  return {{"view", line.is_product ? "mma" : "copy"}, {"fields", fields}, {"notes", line.notes}};
}

json ask_about() {
  json j;
  j["palette"] = cosmati::detail::palette;
  j["functions"] = json::array();
  for (auto const functions : {integer_functions, tuple_functions, tuple_questions, coordinate_functions,
                               layout_functions, divide_functions, swizzle_functions, swizzle_parts}) {
    for (function const& f : functions()) j["functions"].push_back(f.name);
  }
  j["mma_atoms"] = mma_atom_names();
  j["types"] = json::array();
  for (number_type_row const& row : number_types) j["types"].push_back(row.name);
  return j;
}

/// "--thr: (8,4: ..." as the field and the sentence.
json error_of(std::string what) {
  std::size_t const colon = what.find(": ");
  std::string fields;
  if (colon != std::string::npos && (what.starts_with("--") || what.starts_with("expression: "))) {
    fields = what.substr(0, colon);
    what.erase(0, colon + 2);
  }
  json j = {{"text", what}, {"fields", json::array()}};
  for (std::size_t at = 0; at < fields.size();) {
    std::size_t const comma = std::min(fields.find(", ", at), fields.size());
    std::string const field = fields.substr(at, comma - at);
    j["fields"].push_back(field == "--atom-layout" ? "layout" : field.starts_with("--") ? field.substr(2) : field);
    at = comma + 2;
  }
  return j;
}

json answer(json const& request) {
  std::string const what = text_at(request, "what");
  place_now = std::min(request.value("place", std::size_t{0}), places - 1);
  if (what == "algebra" || what == "copy" || what == "mma" || what == "plan") pictures_of[place_now].clear();
  try {
    if (what == "algebra") return ask_algebra(request);
    if (what == "copy") return ask_copy(request);
    if (what == "mma") return ask_mma(request);
    if (what == "plan") return ask_plan(request);
    if (what == "draw") return ask_draw(request);
    if (what == "export") return ask_export(request);
    if (what == "pasted") return ask_pasted(request);
    if (what == "about") return ask_about();
    return {{"error", error_of("no question is called '" + what + "'")}};
  } catch (std::exception const& e) {
    return {{"error", error_of(e.what())}};
  }
}

drawn_grid const* grid_at(int picture, int grid) {
  drawn const* const d = picture < 0 ? nullptr : picture_at(static_cast<std::size_t>(picture));
  if (d == nullptr || grid < 0 || static_cast<std::size_t>(grid) >= d->grid.size()) return nullptr;
  return &d->grid[static_cast<std::size_t>(grid)];
}

}  // namespace
}  // namespace cosmati::cli

extern "C" {

/// The answer to a question, both JSON; valid until the next one.
char const* cosmati_ask(char const* request) {
  static std::string text;
  auto const parsed = nlohmann::json::parse(request, nullptr, false);
  text = cosmati::cli::answer(parsed.is_object() ? parsed : nlohmann::json::object())
             .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return text.c_str();
}
/// Six integers of each cell, [key][cell].
std::int32_t const* cosmati_keys(int picture, int grid) {
  auto const* const g = cosmati::cli::grid_at(picture, grid);
  return g == nullptr ? nullptr : g->keys.data();
}
/// Four integers of each outline.
std::int32_t const* cosmati_outlines(int picture, int grid) {
  auto const* const g = cosmati::cli::grid_at(picture, grid);
  return g == nullptr ? nullptr : g->outlines.data();
}
char const* cosmati_texts(int picture, int grid) {
  auto const* const g = cosmati::cli::grid_at(picture, grid);
  return g == nullptr ? nullptr : g->texts.c_str();
}
}
