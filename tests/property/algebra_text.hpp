// SPDX-License-Identifier: Apache-2.0
/// @file
/// Texts of layouts for the tests of the algebra, which is below the library's parser and formatter.
///
///   layout("((2,2),3):((1,2),4)")   tuple("(2,(3,_))")   tiler("[2:1,_,(2,2):(1,4),4]")   str(layout)   tuple_str(t)
#pragma once

#include <cosmati/core/flat_tree.hpp>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace algebra_test {

using cosmati::flat_tree;
using cosmati::span_of_mode;
using cosmati::symbolic_integer;

template <class Num>
struct reader {
  char const* at;
  flat_tree<Num> result;
  int unit_stride = 1;  // stride of the integer 1

  char peek() {
    while (*at == ' ') ++at;
    return *at;
  }
  void expect(char c) {
    if (peek() != c) throw std::runtime_error(std::string("expected '") + c + "' at \"" + at + "\"");
    ++at;
  }
  Num integer() {
    peek();
    char* end = nullptr;
    long long const value = std::strtoll(at, &end, 10);
    if (end == at) throw std::runtime_error(std::string("expected a number at \"") + at + "\"");
    at = end;
    Num x(value);
    if constexpr (std::is_same_v<Num, symbolic_integer>) {
      while (*at == '@') {  // the outermost mode is written last
        x.basis = x.basis << 4 | static_cast<std::uint32_t>(std::strtol(at + 1, &end, 10) + 1);
        at = end;
      }
    }
    return x;
  }
  void tree(flat_tree<Num>& into) {
    if (peek() == '(') {
      ++at;
      int const here = into.nodes;
      into.add_open(0);
      int count = 0;
      while (peek() != ')') {
        if (count++ > 0) expect(',');
        tree(into);
      }
      ++at;
      into.node[here] = flat_tree<Num>::open(count);
    } else if (*at == '_') {
      ++at;
      into.add_node(flat_tree<Num>::any);
    } else {
      into.add_leaf(integer(), Num(0));
    }
  }
  void layout_or_integer() {
    flat_tree<Num> shape, stride;
    tree(shape);
    if (peek() == ':') {
      ++at;
      tree(stride);
      for (int i = 0; i < shape.leaves; ++i) shape.stride[i] = stride.shape[i];
    } else {
      for (int i = 0; i < shape.leaves; ++i)
        shape.stride[i] = Num(cosmati::algebra::is(shape.shape[i], 1) ? unit_stride : 1);
    }
    result.append(shape);
  }
  void tiler() {
    if (peek() != '[') return layout_or_integer();
    ++at;
    int const here = result.nodes;
    result.add_node(flat_tree<Num>::tile(0));
    int count = 0;
    while (peek() != ']') {
      if (count++ > 0) expect(',');
      tiler();
    }
    ++at;
    result.node[here] = flat_tree<Num>::tile(count);
  }
};

/// Reads a layout `shape:stride`, a tiler in square brackets, `_`, or an integer n, which means n:1.
template <class Num = std::int64_t>
flat_tree<Num> layout(std::string const& text) {
  reader<Num> r{text.c_str(), {}};
  r.tiler();
  return r.result;
}
/// Reads a tiler of divides and products, where the integer 1 means 1:0.
template <class Num = std::int64_t>
flat_tree<Num> divisor(std::string const& text) {
  reader<Num> r{text.c_str(), {}, 0};
  r.tiler();
  return r.result;
}
template <class Num = std::int64_t>
flat_tree<Num> tiler(std::string const& text) {
  return layout<Num>(text);
}
/// Reads a tuple of integers and `_`.
template <class Num = std::int64_t>
flat_tree<Num> tuple(std::string const& text) {
  reader<Num> r{text.c_str(), {}};
  r.tree(r.result);
  return r.result;
}

inline std::string str(std::int64_t x) { return std::to_string(x); }
inline std::string str(symbolic_integer const& x) {
  std::string s = x.node >= 0 ? "?" : std::to_string(x.value);
  std::string modes;
  for (std::uint32_t b = x.basis; b != 0; b >>= 4) modes = "@" + std::to_string((b & 15u) - 1) + modes;
  return s + modes;
}

template <class Num>
std::string write(flat_tree<Num> const& f, Num const* value, int& node, int& leaf) {
  std::uint8_t const code = f.node[node++];
  if (code == flat_tree<Num>::leaf) return str(value[leaf++]);
  if (code == flat_tree<Num>::any) return "_";
  std::string s = "(";
  for (int i = 0; i < flat_tree<Num>::children(code); ++i) s += (i ? "," : "") + write(f, value, node, leaf);
  return s + ")";
}
template <class Num>
std::string tuple_str(flat_tree<Num> const& f) {
  int node = 0, leaf = 0;
  std::string const s = write(f, f.shape, node, leaf);
  if (node == f.nodes && leaf == f.leaves) return s;
  return s + " and " + std::to_string(f.nodes - node) + " nodes, " + std::to_string(f.leaves - leaf) + " leaves more";
}
template <class Num>
std::string str(flat_tree<Num> const& f) {
  int node = 0, leaf = 0;
  std::string const strides = write(f, f.stride, node, leaf);
  return tuple_str(f) + ":" + strides;
}

}  // namespace algebra_test
