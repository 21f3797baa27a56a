// SPDX-License-Identifier: Apache-2.0
/// @file
/// Run-time integers for tests of the algebra: arguments that an operation does not know, and the values that follow
/// from its recorded steps.
#pragma once

#include <cosmati/core/flat_tree.hpp>
#include <cosmati/layout/run_time_checks.hpp>
#include <cstdint>
#include <vector>

namespace algebra_test {

class run_time_inputs {
 public:
  /// A number that is unknown to the operation and is `value` at run time.
  cosmati::symbolic_integer input(std::int64_t value) {
    cosmati::symbolic_integer x(value);
    x.node = list_.record({cosmati::expression::input, 0, static_cast<std::int16_t>(values_.size()), 0});
    x.list = &list_;
    values_.push_back(value);
    return x;
  }
  /// The run-time value of a number of a result, without its basis.
  std::int64_t value(cosmati::symbolic_integer const& x) const { return x.node < 0 ? x.value : evaluate(x.node); }
  /// Whether all assumptions of an operation about its run-time integers hold.
  /// @param strictly whether divides that may round up are checked like divides that may not. A twin that knows the
  ///   integers merges modes that continue each other.
  bool checks_hold(bool strictly = true) const {
    for (int i = 0; i < list_.check_count; ++i) {
      cosmati::run_time_check check = list_.check[i];
      if (strictly) check.may_round_up = false;
      bool const composes = check.what == cosmati::run_time_check::composition;
      int const count = composes ? 2 * (check.left + check.right + check.rests) : 3;
      std::vector<std::int64_t> values;
      for (int k = 0; k < count; ++k) {
        auto const& x = list_.operand[check.first + k];
        values.push_back(x.node < 0 ? x.value : evaluate(x.node));
      }
      try {
        if (composes)
          cosmati::detail::check_composition<64>(check, values.data());
        else
          cosmati::detail::check_integers(check, values[0], values[1], values[2]);
      } catch (cosmati::error const&) {
        return false;
      }
    }
    return true;
  }
  /// Number of recorded steps, arguments included.
  int steps() const { return list_.size; }

 private:
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
        return b == 0 ? 0 : a / b;
      case cosmati::expression::modulo:
        return b == 0 ? 0 : a % b;
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

  cosmati::expression_list list_;
  std::vector<std::int64_t> values_;
};

}  // namespace algebra_test
