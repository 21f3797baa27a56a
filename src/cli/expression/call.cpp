// SPDX-License-Identifier: Apache-2.0
#include "call.hpp"

#include <array>
#include <cosmati/layout/algebra/unzip.hpp>
#include <cosmati/layout/text_tree.hpp>

namespace cosmati::cli {

void call::wrong(int i, char const* wanted) const {
  std::string text;
  append_text(text, at(i));
  throw error("argument %d of %.*s must be %s, not %s, %.200s", i + 1, static_cast<int>(name.size()), name.data(),
              wanted, name_of(what(i)), text.c_str());
}

void call::refuse(char const* why) const { throw error("%.*s: %s", static_cast<int>(name.size()), name.data(), why); }

std::int64_t call::integer(int i) const {
  value const& v = at(i);
  // (4) is the integer 4, and also the tuple of it
  if (v.what != kind::tuple || v.main.leaves != 1 || v.main.nodes > 2 || v.main.shape[0].basis != 0) {
    wrong(i, "an integer");
  }
  return v.main.shape[0].value;
}

tree const& call::tuple(int i) const {
  if (what(i) != kind::tuple) wrong(i, "an integer or a tuple of integers");
  return at(i).main;
}

namespace {
void check_no_any(call const& c, int i, tree const& t) {
  for (int n = 0; n < t.nodes; ++n) {
    if (t.node[n] == tree::any) c.wrong(i, "a layout or a shape, without '_'");
  }
}

/// Checks the extents of a shape. 0 is CuTe's empty mode. A layout with a negative extent has no elements.
void check_extents(value const& shape) {
  for (int leaf = 0; leaf < shape.main.leaves; ++leaf) {
    if (shape.main.shape[leaf].value >= 0) continue;
    std::string text;
    append_text(text, shape);
    throw error("%.200s has an extent of %lld: extents are 0 or more", text.c_str(),
                static_cast<long long>(shape.main.shape[leaf].value));
  }
}
}  // namespace

tree const& call::layout(int i) const {
  value& v = at(i);
  if (v.what == kind::tuple) {
    check_no_any(*this, i, v.main);
    check_extents(v);
    symbolic_integer current = 1;
    for (int leaf = 0; leaf < v.main.leaves; ++leaf) {
      v.main.stride[leaf] = is(v.main.shape[leaf], 1) ? symbolic_integer(0) : current;
      current = current * v.main.shape[leaf];
    }
    v.what = kind::layout;
  }
  if (v.what != kind::layout) wrong(i, "a layout");
  return v.main;
}

tree const& call::tiler(int i) const {
  value& v = at(i);
  if (v.what == kind::tuple) {
    check_extents(v);
    for (int n = 0; n < v.main.nodes; ++n) {
      if (v.main.node[n] != tree::leaf && v.main.node[n] != tree::any) v.main.node[n] |= tree::tile_flag;
    }
    for (int leaf = 0; leaf < v.main.leaves; ++leaf) v.main.stride[leaf] = 1;
  } else if (v.what != kind::layout && v.what != kind::tiler) {
    wrong(i, "a layout or a tiler");
  }
  return v.main;
}

tree const& call::divisor(int i) const {
  value& v = at(i);
  std::uint64_t const integers = v.what == kind::tuple ? ~std::uint64_t{0} : v.what == kind::tiler ? v.integers : 0;
  tiler(i);
  algebra::units_as_layouts(v.main, integers);
  return v.main;
}

tree const& call::shape(int i) const {
  value const& v = at(i);
  if (v.what != kind::tuple && v.what != kind::layout && v.what != kind::composed && v.what != kind::stacked) {
    wrong(i, "a layout or a tuple of integers");
  }
  return v.main;
}

int call::number_of(int i) const {
  template_argument const& a = parameter[static_cast<std::size_t>(i)];
  if (a.is != template_argument::integer) refuse("expected an integer as template argument");
  if (a.value < -1000000000 || a.value > 1000000000) refuse("this template argument is out of range");
  return static_cast<int>(a.value);
}

value const& call::gathered(int first) const {
  if (count() == first + 1) return at(first);
  static thread_local value all;
  cli::make_tuple({name, all, argument.subspan(static_cast<std::size_t>(first)), {}});
  copy_value(at(first), all);
  return at(first);
}

void make_tuple(call const& c) {
  value& r = c.result;
  bool tiler = false;
  for (value const& v : c.argument) {
    if (v.what == kind::layout || v.what == kind::tiler) tiler = true;
  }
  clear(r.main);
  r.what = tiler ? kind::tiler : kind::tuple;
  r.integers = 0;
  r.main.add_node(tiler ? tree::tile(c.count()) : tree::open(c.count()));
  for (int i = 0; i < c.count(); ++i) {
    value const& v = c.at(i);
    int const leaf = r.main.leaves;
    switch (v.what) {
      case kind::tuple:
        if (tiler) {
          c.tiler(i);
          for (int k = 0; k < v.main.leaves; ++k) r.integers |= std::uint64_t{1} << (leaf + k);
        }
        break;
      case kind::layout:
        break;
      case kind::tiler:
        r.integers |= leaf < 64 ? v.integers << leaf : 0;
        break;
      default:
        c.wrong(i, "an integer, a tuple or a layout");
    }
    r.main.append(v.main);
  }
}

void make_literal(value& result, value const& shape, value const& stride) {
  tree const& s = shape.main;
  tree const& d = stride.main;
  auto const refuse = [&](char const* why) {
    std::string a;
    std::string b;
    append_text(a, shape);
    append_text(b, stride);
    throw error("%.200s:%.200s is no layout: %s", a.c_str(), b.c_str(), why);
  };
  if (shape.what != kind::tuple || stride.what != kind::tuple) refuse("shape and stride must be tuples of integers");
  bool same_nesting = s.nodes == d.nodes && std::memcmp(s.node, d.node, static_cast<std::size_t>(s.nodes)) == 0;
  for (int i = 0; same_nesting && i < s.nodes; ++i) same_nesting = s.node[i] != tree::any;
  if (!same_nesting) refuse("the stride must be nested like the shape, one integer for each extent");
  check_extents(shape);
  copy_tree(result.main, s);
  for (int i = 0; i < s.leaves; ++i) result.main.stride[i] = d.shape[i];
  result.what = kind::layout;
}

namespace {
struct name_table {
  static constexpr std::size_t capacity = 1024;
  std::array<function const*, capacity> entry{};

  static std::size_t hash(std::string_view name) {
    std::uint64_t h = 1469598103934665603u;
    for (char const c : name) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211u;
    return (h ^ (h >> 29)) % capacity;
  }
  void add(std::span<function const> functions) {
    for (function const& f : functions) {
      std::size_t i = hash(f.name);
      while (entry[i] != nullptr) i = (i + 1) % capacity;
      entry[i] = &f;
    }
  }
  name_table() {
    add(integer_functions());
    add(tuple_functions());
    add(basis_functions());
    add(tuple_questions());
    add(coordinate_functions());
    add(layout_functions());
    add(divide_functions());
    add(swizzle_functions());
    add(swizzle_parts());
  }
};
}  // namespace

std::vector<std::string_view> names_of_functions() {
  std::vector<std::string_view> names;
  for (auto const functions :
       {integer_functions, tuple_functions, basis_functions, tuple_questions, coordinate_functions, layout_functions,
        divide_functions, swizzle_functions, swizzle_parts}) {
    for (function const& f : functions()) {
      if (f.name.find(' ') == std::string_view::npos) names.push_back(f.name);
    }
  }
  return names;
}

function const* find_function(std::string_view name) {
  static name_table const table;
  for (std::size_t i = name_table::hash(name);; i = (i + 1) % name_table::capacity) {
    function const* const f = table.entry[i];
    if (f == nullptr || f->name == name) return f;
  }
}

}  // namespace cosmati::cli
