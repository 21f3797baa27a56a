// SPDX-License-Identifier: Apache-2.0
// cosmati layout: the properties of a layout, and its table.
#include "command.hpp"
#include "describe.hpp"
#include "expression/parser.hpp"
#include "table.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cosmati/layout/algebra/algebra.hpp>
#include <cosmati/layout/text_tree.hpp>
#include <memory>

namespace cosmati::cli {

namespace {

struct options {
  std::string layout;
  bool json = false;
};

/// A layout, perhaps with a swizzle.
struct subject {
  std::string text;
  tree layout;
  value const* composed = nullptr;

  /// @pre the layout is composed
  std::int64_t swizzled(std::int64_t index) const {
    return composed->swizzle(composed->offset.shape[0].value + algebra::crd2idx(symbolic_integer(index), layout).value);
  }
  std::string cell(std::int64_t index) const {
    if (composed != nullptr) return std::to_string(swizzled(index));
    return tuple_text(algebra::crd2idx(algebra::make_leaf(symbolic_integer(index)), layout));
  }
};

subject subject_of(value& v, std::string const& text) {
  subject s;
  if (v.what == kind::composed) {
    if (v.flag || !v.offset.is_leaf())
      throw command_error(bad_input, text + ": expected a layout or a swizzled layout");
    s.composed = &v;
    s.layout = v.main;
  } else {
    call const c{"layout", v, {&v, 1}, {}};
    s.layout = c.layout(0);
  }
  append_text(s.text, v);
  return s;
}

bool has_basis(tree const& t) {
  return std::any_of(t.stride, t.stride + t.leaves, [](symbolic_integer const& d) { return d.basis != 0; });
}

/// Whether the layout is injective, and bijective onto 0, 1, ... A swizzle permutes aligned blocks, so all offsets are
/// examined.
struct one_to_one {
  bool injective = false;
  bool bijective = false;
  bool decided = true;
};
one_to_one examine(subject const& s, std::int64_t most = 1 << 22) {
  std::int64_t const size = algebra::size(s.layout).value;
  if (s.composed == nullptr && !has_basis(s.layout)) {
    return {algebra::is_injective(s.layout), algebra::is_bijective(s.layout)};
  }
  if (size > most) return {false, false, false};
  auto const distinct = [](auto& values) {
    std::sort(values.begin(), values.end());
    return std::adjacent_find(values.begin(), values.end()) == values.end();
  };
  if (s.composed != nullptr) {
    std::vector<std::int64_t> values;
    for (std::int64_t i = 0; i < size; ++i) values.push_back(s.swizzled(i));
    bool const injective = distinct(values);
    return {injective, injective && (values.empty() || values.back() < size)};
  }
  std::vector<std::string> values;
  for (std::int64_t i = 0; i < size; ++i) values.push_back(s.cell(i));
  bool const injective = distinct(values);
  return {injective, injective && algebra::cosize(s.layout).value == size};
}

nlohmann::json nested(tree const& t, bool strides, int& node, int& leaf) {
  std::uint8_t const code = t.node[node++];
  if (code == tree::leaf) {
    symbolic_integer const& x = strides ? t.stride[leaf] : t.shape[leaf];
    ++leaf;
    if (x.basis == 0) return x.value;
    std::string text;
    cosmati::append_text(text, x);
    return text;
  }
  nlohmann::json list = nlohmann::json::array();
  for (int i = 0; i < tree::children(code); ++i) list.push_back(nested(t, strides, node, leaf));
  return list;
}

std::vector<std::int64_t> extents_of(tree const& t) {
  std::vector<std::int64_t> extent;
  extent.reserve(static_cast<std::size_t>(t.rank()));
  for (int i = 0; i < t.rank(); ++i) extent.push_back(algebra::size(t, i).value);
  return extent;
}

void evaluate_layout(std::string const& text, value& v) {
  evaluator evaluate;
  copy_value(v, evaluate_argument(evaluate, "layout", text));
  if (v.what == kind::tuple || v.what == kind::layout || v.what == kind::composed) return;
  throw command_error(
      bad_input, fmt::format("layout: {}\n  expected a layout such as (8,4):(1,8), not {}", text, name_of(v.what)));
}

void run(options const& o) {
  if (o.json) return write_output(describe_layout(o.layout, false).dump() + '\n');
  value v;
  evaluate_layout(o.layout, v);
  subject const s = subject_of(v, o.layout);
  std::int64_t const size = algebra::size(s.layout).value;
  one_to_one const map = examine(s);
  auto const yes = [&](bool b) { return !map.decided ? "too large to say" : b ? "yes" : "no"; };
  std::string out = s.text + '\n';
  out += fmt::format("size       {}\ncosize     {}\nrank       {}\ndepth      {}\ninjective  {}\nbijective  {}\n", size,
                     algebra::cosize(s.layout).value, s.layout.rank(), algebra::depth(s.layout), yes(map.injective),
                     yes(map.bijective));
  if (size > 0) out += '\n' + table_text({extents_of(s.layout), [&](std::int64_t i) { return s.cell(i); }});
  write_output(out);
}

}  // namespace

nlohmann::json describe_layout(std::string const& text, bool quick) {
  value v;
  evaluate_layout(text, v);
  subject const s = subject_of(v, text);
  std::int64_t const size = algebra::size(s.layout).value;
  one_to_one const map = quick ? examine(s, 1 << 15) : examine(s);
  nlohmann::json j;
  j["layout"] = s.text;
  int node = 0;
  int leaf = 0;
  j["shape"] = nested(s.layout, false, node, leaf);
  node = leaf = 0;
  j["stride"] = nested(s.layout, true, node, leaf);
  j["size"] = size;
  j["cosize"] = algebra::cosize(s.layout).value;
  j["rank"] = s.layout.rank();
  j["depth"] = algebra::depth(s.layout);
  j["injective"] = map.decided ? nlohmann::json(map.injective) : nlohmann::json();
  j["bijective"] = map.decided ? nlohmann::json(map.bijective) : nlohmann::json();
  if (s.composed != nullptr) {
    AnySwizzle const& w = s.composed->swizzle;
    j["swizzle"] = {w.bits, w.base, w.shift};
    j["offset"] = s.composed->offset.shape[0].value;
  }
  constexpr std::int64_t most = 1 << 20;
  if (!quick && size <= most) {
    bool const text = has_basis(s.layout);
    j["table"] = table_json(extents_of(s.layout), [&](std::int64_t i) -> nlohmann::json {
      return text ? nlohmann::json(s.cell(i)) : nlohmann::json(std::stoll(s.cell(i)));
    });
  }
  return j;
}

void add_layout_command(CLI::App& app) {
  CLI::App* const command = app.add_subcommand("layout", "Describe a layout: size, cosize, rank, table");
  auto const o = std::make_shared<options>();
  command->add_option("L", o->layout, "The layout, shape:stride; a shape alone is compact, first mode fastest")
      ->required();
  command->add_flag("--json", o->json, "Answer as JSON");
  command->footer(
      "Examples:\n"
      "  cosmati layout '(4,8):(8,1)'\n"
      "  cosmati layout '(4,(2,3))'                        compact, column-major\n"
      "  cosmati layout 'Sw<2,0,3> o 0 o (8,8):(8,1)'      after a swizzle\n"
      "  cosmati layout 'raked_product((4,2):(2,1), 3:1)'  any expression of `cosmati eval`");
  command->callback([o] { run(*o); });
}

}  // namespace cosmati::cli
