// SPDX-License-Identifier: Apache-2.0
#include "cpp_text.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace cosmati::cli {

namespace {

/// `_8`, or `Int<100>` where no such name is certain to be there.
std::string integer_type(std::int64_t x) {
  bool const power = x > 0 && x <= 512 && (x & (x - 1)) == 0;
  if (x >= 0 && (x <= 10 || power)) return fmt::format("_{}", x);
  return x >= -2147483647 && x <= 2147483647 ? fmt::format("Int<{}>", x) : fmt::format("C<{}LL>", x);
}
/// A stride `4@1@0` is ScaledBasis<_4, 0, 1>.
std::string number_type(symbolic_integer const& x) {
  if (x.basis == 0) return integer_type(x.value);
  std::string out = fmt::format("ScaledBasis<{}", integer_type(x.value));
  for (std::uint32_t levels = x.basis; levels != 0; levels >>= 4) out += fmt::format(", {}", (levels & 0xf) - 1);
  return out + '>';
}

/// Walks one tree from front to back.
struct writer {
  tree const& t;
  std::uint64_t integers = 0;  ///< of a tiler: leaves that are no layouts
  int node = 0;
  int leaf = 0;

  template <class Child>
  std::string children(std::uint8_t code, Child&& child) {
    std::string out;
    for (int i = 0; i < tree::children(code); ++i) out += (i == 0 ? "" : ", ") + child();
    return out;
  }
  /// Shape<_4, Shape<_2, _2>>
  std::string type(bool stride) {
    std::uint8_t const code = t.node[node++];
    if (code == tree::leaf) {
      int const at = leaf++;
      return number_type(stride ? t.stride[at] : t.shape[at]);
    }
    if (code == tree::any) return "Underscore";
    return fmt::format("{}<{}>", stride ? "Stride" : "Shape", children(code, [&] { return type(stride); }));
  }
  std::string layout() {
    int const first_node = node, first_leaf = leaf;
    std::string const shape = type(false);
    node = first_node;
    leaf = first_leaf;
    return fmt::format("Layout<{}, {}>{{}}", shape, type(true));
  }
  /// make_tile(Layout<...>{}, _4{})
  std::string tiler() {
    std::uint8_t const code = t.node[node];
    bool const integer = code == tree::leaf && (integers >> leaf & 1) != 0;
    if (code == tree::any || integer) return value_text();
    if ((code & tree::tile_flag) == 0) return layout();
    ++node;
    return fmt::format("make_tile({})", children(code, [&] { return tiler(); }));
  }
  /// make_tuple(_4{}, _)
  std::string value_text() {
    std::uint8_t const code = t.node[node++];
    if (code == tree::leaf) return number_type(t.shape[leaf++]) + "{}";
    if (code == tree::any) return "_";
    return fmt::format("make_tuple({})", children(code, [&] { return value_text(); }));
  }
};

std::string swizzle_text(AnySwizzle const& s) {
  return fmt::format("Swizzle<{}, {}, {}>{{}}", s.bits, s.base, s.shift);
}

std::string composed_text(value const& v) {
  std::string const inner = writer{v.main}.layout();
  std::string const outer = v.flag ? writer{v.outer}.layout() : swizzle_text(v.swizzle);
  bool const no_offset = v.offset.is_leaf() && v.offset.leaves == 1 && is(v.offset.shape[0], 0);
  if (!v.flag && no_offset) return fmt::format("composition({}, {})", outer, inner);
  return fmt::format("make_composed_layout({}, {}, {})", outer, writer{v.offset}.value_text(), inner);
}

/// `<0, 2>` of `take<0,2>(L)`.
std::string_view template_arguments(std::string_view text) {
  std::size_t const open = text.find_first_of("<(");
  if (open == std::string_view::npos || text[open] == '(') return {};
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    depth += text[i] == '<' ? 1 : text[i] == '>' ? -1 : 0;
    if (depth == 0) return text.substr(open, i + 1 - open);
  }
  return {};
}

std::string type_in_cpp(std::string const& name) {
  static constexpr std::string_view plain[] = {"float", "double", "bool"};
  if (std::find(std::begin(plain), std::end(plain), name) != std::end(plain) || name.find('<') != std::string::npos)
    return name == "complex<half>" || name == "complex<bfloat16>"
               ? fmt::format("{}_t>", name.substr(0, name.size() - 1))
               : name;
  return name + "_t";
}

}  // namespace

std::string cpp_layout(tree const& layout) { return writer{layout}.layout(); }

std::string cpp_text(value const& v) {
  switch (v.what) {
    case kind::boolean:
      return v.flag ? "true_type{}" : "false_type{}";
    case kind::tuple:
      return writer{v.main}.value_text();
    case kind::layout:
      return writer{v.main}.layout();
    case kind::tiler:
      return writer{v.main, v.integers}.tiler();
    case kind::swizzle:
      return swizzle_text(v.swizzle);
    case kind::composed:
      return composed_text(v);
    case kind::order:
      return v.flag ? "LayoutRight{}" : "LayoutLeft{}";
    case kind::inverted:
    case kind::stacked:
    case kind::several:
      break;
  }
  return {};
}

std::string cpp_call(evaluation_step const& step, std::string_view expression,
                     std::vector<std::string> const& argument) {
  std::string all;
  for (std::size_t i = step.name == "( )" ? 1 : 0; i < argument.size(); ++i) {
    all += (all.empty() ? "" : ", ") + argument[i];
  }
  if (step.name == "( )") return fmt::format("{}({})", argument[0], all);
  if (step.name == "o") return fmt::format("make_composed_layout({})", all);
  if (step.name == "method compose") return fmt::format("composition({})", all);
  bool const is_operator = step.name.find_first_of("+-*/%<>=&|^!") != std::string_view::npos;
  if (is_operator && argument.size() == 2) return fmt::format("{} {} {}", argument[0], step.name, argument[1]);
  std::string_view const text = expression.substr(step.begin, step.end - step.begin);
  std::string_view const parameters = text.starts_with(step.name) ? template_arguments(text) : std::string_view();
  return fmt::format("{}{}({})", step.name, parameters, all);
}

std::string cpp_atom(copy_arguments const& copy) {
  if (copy.atom.name.starts_with("Copy_Atom<")) return copy.atom.name;
  return fmt::format("Copy_Atom<{}, {}>", copy.atom.name, type_in_cpp(std::string(copy.type->name)));
}

std::string cpp_tiled_copy(copy_arguments const& copy) {
  if (!copy.operand.empty()) return fmt::format("make_tiled_copy_{}({}{{}}, tiled_mma)", copy.operand, cpp_atom(copy));
  return fmt::format("make_tiled_copy({}{{}},\n                {},\n                {})", cpp_atom(copy),
                     cpp_layout(copy.thr), cpp_layout(copy.val));
}

std::string cpp_tiled_mma(mma_arguments const& mma) {
  std::string permutation;
  for (int i = 0; i < 3; ++i) {
    tree const& p = mma.values.permutation[i];
    std::string const one = !mma.permuted[i]    ? "_"
                            : mma.is_integer[i] ? integer_type(p.shape[0].value) + "{}"
                                                : cpp_layout(p);
    permutation += (i == 0 ? "" : ", ") + one;
  }
  bool const some = mma.permuted[0] || mma.permuted[1] || mma.permuted[2];
  // In C++ the operation's types are as they are written: UniversalFMA<half_t>.
  std::string const operation =
      mma.atom.name.starts_with("UniversalFMA")
          ? fmt::format("UniversalFMA<{}, {}, {}, {}>", type_in_cpp(mma.atom.d), type_in_cpp(mma.atom.a),
                        type_in_cpp(mma.atom.b), type_in_cpp(mma.atom.c))
          : mma.atom.name;
  return fmt::format("make_tiled_mma(MMA_Atom<{}>{{}},\n                   {}{})", operation,
                     cpp_layout(mma.values.atoms),
                     some ? fmt::format(",\n                   make_tile({})", permutation) : "");
}

}  // namespace cosmati::cli
