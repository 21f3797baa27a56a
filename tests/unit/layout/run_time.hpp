// SPDX-License-Identifier: Apache-2.0
/// @file
/// Texts of layouts in which some integers are known only at run time: `(?12,8):(1,?12)`. Results are written as CuTe
/// prints them: `_8` is static, `12` is computed at run time.
#pragma once

#include <cctype>
#include <cosmati/core/flat_tree.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "property/algebra_text.hpp"
#include "property/run_time_inputs.hpp"

namespace algebra_test {

class run_time {
 public:
  using numbers = flat_tree<symbolic_integer>;

  /// Reads a layout, tiler or integer. `?n` is a run-time argument with the value n.
  numbers layout(std::string const& text) { return read(text, true); }
  numbers tuple(std::string const& text) { return read(text, false); }

  std::string show(symbolic_integer const& x) const {
    std::string s = (x.node < 0 ? "_" : "") + std::to_string(inputs_.value(x));
    symbolic_integer basis(0, x.basis);
    return s + algebra_test::str(basis).substr(1);
  }
  std::string str(numbers const& f) const { return tree(f, f.shape) + ":" + tree(f, f.stride); }
  std::string tuple_str(numbers const& f) const { return tree(f, f.shape); }
  int steps() const { return inputs_.steps(); }

 private:
  numbers read(std::string const& text, bool as_layout) {
    // First the text is read with known values. Then the values after a `?` become arguments, in the order of the text.
    std::string plain;
    std::vector<bool> argument;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '?') continue;
      bool const begins = (std::isdigit(static_cast<unsigned char>(text[i])) || text[i] == '-') &&
                          (i == 0 || (!std::isdigit(static_cast<unsigned char>(text[i - 1])) && text[i - 1] != '-' &&
                                      text[i - 1] != '@'));
      if (begins) argument.push_back(i > 0 && text[i - 1] == '?');
      plain += text[i];
    }
    numbers f =
        as_layout ? algebra_test::layout<symbolic_integer>(plain) : algebra_test::tuple<symbolic_integer>(plain);
    auto const make_argument = [&](symbolic_integer& x) { x = inputs_.input(x.value); };
    // Arguments are marked only in whole layouts of one tree, where all shapes stand before all strides.
    for (int i = 0; i < f.leaves && static_cast<std::size_t>(i) < argument.size(); ++i) {
      if (argument[static_cast<std::size_t>(i)]) make_argument(f.shape[i]);
    }
    for (int i = 0; i < f.leaves && static_cast<std::size_t>(f.leaves + i) < argument.size(); ++i) {
      if (argument[static_cast<std::size_t>(f.leaves + i)]) make_argument(f.stride[i]);
    }
    return f;
  }
  std::string tree(numbers const& f, symbolic_integer const* value) const {
    int node = 0, leaf = 0;
    return tree(f, value, node, leaf);
  }
  std::string tree(numbers const& f, symbolic_integer const* value, int& node, int& leaf) const {
    std::uint8_t const code = f.node[node++];
    if (code == numbers::leaf) return show(value[leaf++]);
    if (code == numbers::any) return "_";
    std::string s = "(";
    for (int i = 0; i < numbers::children(code); ++i) s += (i ? "," : "") + tree(f, value, node, leaf);
    return s + ")";
  }

  run_time_inputs inputs_;
};

}  // namespace algebra_test
