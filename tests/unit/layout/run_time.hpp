// SPDX-License-Identifier: Apache-2.0
/// @file
/// Texts of layouts in which some integers are known at run time only: `(?12,8):(1,?12)`. Results are written as CuTe
/// prints them: `_8` is known, `12` was computed at run time.
#pragma once

#include <cctype>
#include <cosmati/core/flat.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "property/algebra_text.hpp"

namespace algebra_test {

class run_time {
 public:
  using numbers = flat<number>;

  /// A layout, tiler or integer; `?n` is an argument of run time with the value n.
  numbers layout(std::string const& text) { return read(text, true); }
  numbers tuple(std::string const& text) { return read(text, false); }

  std::string show(number const& x) const {
    std::string s = x.node < 0 ? "_" + std::to_string(x.value) : std::to_string(evaluate(x.node));
    number basis(0, x.basis);
    return s + algebra_test::str(basis).substr(1);
  }
  std::string str(numbers const& f) const { return tree(f, f.shape) + ":" + tree(f, f.stride); }
  std::string tuple_str(numbers const& f) const { return tree(f, f.shape); }
  int steps() const { return list_.size; }

 private:
  numbers read(std::string const& text, bool as_layout) {
    // The known values first; then those behind a `?` are made arguments, in the order of the text.
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
    numbers f = as_layout ? algebra_test::layout<number>(plain) : algebra_test::tuple<number>(plain);
    auto const make_argument = [&](number& x) {
      cosmati::expression e{cosmati::expression::input, 0, static_cast<std::int16_t>(values_.size()), 0};
      values_.push_back(x.value);
      x.node = list_.record(e);
      x.list = &list_;
    };
    // Only whole layouts of one tree are marked here: all shapes stand before all strides.
    for (int i = 0; i < f.leaves && static_cast<std::size_t>(i) < argument.size(); ++i) {
      if (argument[static_cast<std::size_t>(i)]) make_argument(f.shape[i]);
    }
    for (int i = 0; i < f.leaves && static_cast<std::size_t>(f.leaves + i) < argument.size(); ++i) {
      if (argument[static_cast<std::size_t>(f.leaves + i)]) make_argument(f.stride[i]);
    }
    return f;
  }
  std::int64_t evaluate(int node) const {
    cosmati::expression const& e = list_.step[node];
    if (e.op == cosmati::expression::input) return values_[static_cast<std::size_t>(e.b)];
    if (e.op == cosmati::expression::constant) return e.value;
    std::int64_t const a = evaluate(e.a), b = evaluate(e.b);
    switch (e.op) {
      case cosmati::expression::add:
        return a + b;
      case cosmati::expression::subtract:
        return a - b;
      case cosmati::expression::multiply:
        return a * b;
      case cosmati::expression::divide:
        return a / b;
      case cosmati::expression::modulo:
        return a % b;
      case cosmati::expression::ceil_divide:
        return a / b + (a % b != 0);
      case cosmati::expression::minimum:
        return a < b ? a : b;
      case cosmati::expression::maximum:
        return a < b ? b : a;
      case cosmati::expression::absolute:
        return a < 0 ? -a : a;
      default:
        return a < 0 ? -1 : a > 0;
    }
  }
  std::string tree(numbers const& f, number const* value) const {
    int node = 0, leaf = 0;
    return tree(f, value, node, leaf);
  }
  std::string tree(numbers const& f, number const* value, int& node, int& leaf) const {
    std::uint8_t const code = f.node[node++];
    if (code == numbers::leaf) return show(value[leaf++]);
    if (code == numbers::any) return "_";
    std::string s = "(";
    for (int i = 0; i < numbers::children(code); ++i) s += (i ? "," : "") + tree(f, value, node, leaf);
    return s + ")";
  }

  cosmati::expression_list list_;
  std::vector<std::int64_t> values_;
};

}  // namespace algebra_test
