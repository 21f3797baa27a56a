// SPDX-License-Identifier: Apache-2.0
/// @file
/// Reads tuples, layouts and tilers from text into one `flat_tree`, without intermediate values.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/flat_tree.hpp>
#include <cosmati/layout/text_cursor.hpp>

namespace COSMATI_NAMESPACE::detail {

/// The kind of a literal's part.
enum class literal_kind : std::uint8_t { tuple, layout, tiler };

/// Reads literals into `out`, from front to back. Strides are checked against the shape while they are read.
struct flat_reader {
  using value = flat_tree<symbolic_integer>;
  static constexpr int max_children = 100;  // the code of a node is one byte
  text_cursor& in;
  value& out;
  std::uint64_t integers = 0;  ///< the leaves of a tiler that were written as plain integers

  flat_reader(text_cursor& from, value& to) : in(from), out(to) {}

  /// Turns integers in the nodes [first, last) into tilers: `n` stands for `n:1`, a tuple for a tuple of tilers.
  void make_tiler(int first, int last, int leaf) {
    for (int i = first; i < last; ++i) {
      if (out.node[i] == value::leaf) {
        out.stride[leaf] = 1;
        integers |= std::uint64_t{1} << leaf;
        ++leaf;
      } else if (out.node[i] != value::any) {
        out.node[i] |= value::tile_flag;
      }
    }
  }

  /// Reads `8`, `-8`, `_8`, `_-8`, `Int<8>` or `C<8>`, each with an optional `{}`.
  std::int64_t integer() {
    bool negative = false;
    while (in.peek() == '-' || in.peek() == '+') negative ^= *in.at++ == '-';
    std::string_view const word = in.word();
    std::int64_t read = 0;
    if (word == "Int" || word == "C") {
      in.at += word.size();
      in.expect('<', "as in Int<8>");
      bool const minus = in.accept('-');
      read = in.digits();
      if (minus) read = -read;
      in.expect('>', "as in Int<8>");
    } else if (word == "_" && in.end - in.at > 2 && in.at[1] == '-' && text_cursor::is_digit(in.at[2])) {
      in.at += 2;  // CuTe prints a static -1 as _-1
      read = -in.digits();
    } else if (word.size() > 1 && word[0] == '_' && text_cursor::is_digit(word[1])) {
      ++in.at;
      read = in.digits();
    } else if (word.size() > 2 && word[0] == '_' && word[1] == 'm' && text_cursor::is_digit(word[2])) {
      in.at += 2;
      read = -in.digits();
    } else if (word.empty() || !text_cursor::is_digit(word[0])) {
      in.fail_here("expected an integer");
    } else {
      read = in.digits();
    }
    in.accept("{}");
    return negative ? -read : read;
  }

  /// Reads `4`, or with bases `4@1@0`, innermost first. A number that does not fit its bases is an error.
  symbolic_integer stride_number() {
    symbolic_integer x = integer();
    char const* const place = in.at;
    while (in.accept('@')) {
      char const* const level_place = in.at;
      in.accept('_');
      std::int64_t const index = in.digits();
      if (index > 14) in.fail_at(level_place, "a basis index must be 14 or less");
      if (x.basis >> 28) in.fail_at(place, "a basis has at most 8 levels");
      x.basis = (x.basis << 4) | static_cast<std::uint32_t>(index + 1);
    }
    return x;
  }

  void room_for_node(char const* place) const {
    if (out.nodes == 2 * max_leaves || out.leaves == max_leaves) {
      in.fail_at(place, "more than " + std::to_string(max_leaves) + " integers in one layout or tuple");
    }
  }

  /// Reads the strides of the nodes that start at `node`. The shape decides where tuples are.
  void strides(int& node, int& leaf) {
    std::uint8_t const code = out.node[node++];
    if (code == value::any) in.fail_here("a layout's shape cannot contain '_': expected no stride");
    if (code == value::leaf) {
      if (in.peek() == '(') in.fail_here("expected one integer, the stride of extent " + text_of(leaf));
      out.stride[leaf++] = stride_number();
      return;
    }
    int const children = value::children(code);
    if (!in.accept('(')) in.fail_here("expected '(': the shape has a tuple of " + std::to_string(children) + " here");
    for (int i = 0; i < children; ++i) {
      if (i != 0 && !in.accept(',')) {
        in.fail_here("expected ',': the shape has " + std::to_string(children) + " modes here, the stride " +
                     std::to_string(i));
      }
      strides(node, leaf);
    }
    char const* const after_number = (in.skip_blanks(), in.at);
    if (children != 0) in.accept(',');
    if (!in.accept(')')) {
      in.at = after_number;
      in.fail_here("expected ')': the shape has " + std::to_string(children) + (children == 1 ? " mode" : " modes") +
                   " here, the stride has more");
    }
  }
  std::string text_of(int leaf) const { return std::to_string(out.shape[leaf].value); }

  /// Adds compact column-major strides. Extent 1 gets stride 0, as CuTe's static integers do.
  void compact(int first_leaf, int last_leaf) {
    symbolic_integer current = 1;
    for (int i = first_leaf; i < last_leaf; ++i) {
      out.stride[i] = is(out.shape[i], 1) ? symbolic_integer(0) : current;
      current = current * out.shape[i];
    }
  }

  /// Reads `:strides`, if present, for everything since `node` and `leaf`.
  bool strides_follow(int node, int leaf) {
    if (!in.accept(':')) return false;
    strides(node, leaf);
    return true;
  }

  /// Reads one tuple, layout or tiler.
  literal_kind item() {
    char const* const place = (in.skip_blanks(), in.at);
    room_for_node(place);
    int const first_node = out.nodes;
    int const first_leaf = out.leaves;
    std::string_view const word = in.word();
    bool const negative = word == "_" && in.end - in.at > 1 && in.at[1] == '-';
    if ((word == "_" && !negative) || word == "X") {
      ++in.at;
      out.add_node(value::any);
      return literal_kind::tuple;
    }
    if (!in.accept('(')) {
      char const c = in.peek();
      if (word.empty() && c != '-' && c != '+') in.fail_here("expected an integer or '('");
      symbolic_integer const x = stride_number();
      out.add_leaf(x);
      return strides_follow(first_node, first_leaf) ? literal_kind::layout : literal_kind::tuple;
    }
    out.add_open(0);
    int children = 0;
    bool tiler = false;
    while (in.peek() != ')') {
      if (children != 0) {
        in.expect(',', "or ')'");
        if (in.peek() == ')') break;
      }
      if (children == max_children) in.fail_here("expected at most " + std::to_string(max_children) + " modes");
      int const child = out.nodes;
      literal_kind const kind = item();
      if (kind == literal_kind::layout) layouts_.add(child);
      if (kind != literal_kind::tuple) tiler = true;
      ++children;
    }
    in.expect(')', "");
    out.node[first_node] = value::open(children);
    if (!tiler) return strides_follow(first_node, first_leaf) ? literal_kind::layout : literal_kind::tuple;
    out.node[first_node] = value::tile(children);
    span_of_mode mode{first_node + 1, first_node + 1, first_leaf, first_leaf};
    for (int i = 0; i < children; ++i) {
      mode = subtree(out, mode.node_end, mode.leaf_end);
      bool const already = out.node[mode.node] != value::any && (out.node[mode.node] & value::tile_flag) != 0;
      if (!already && !layouts_.has(mode.node)) make_tiler(mode.node, mode.node_end, mode.leaf);
    }
    if (in.peek() == ':') in.fail_here("a tuple of layouts has no stride: expected ',' or the end");
    return literal_kind::tiler;
  }

 private:
  struct node_set {
    std::uint64_t bits[2]{};
    void add(int i) { bits[i >> 6] |= std::uint64_t{1} << (i & 63); }
    bool has(int i) const { return (bits[i >> 6] >> (i & 63)) & 1; }
  };
  node_set layouts_;
};

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
