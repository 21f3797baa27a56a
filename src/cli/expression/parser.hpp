// SPDX-License-Identifier: Apache-2.0
/// @file
/// Expressions: `zipped_divide((8,4):(1,8), (4:1, 2:1))`, `take<0,1>(L)`, `((8,4):(1,8))(3)`, ...
#pragma once

#include "call.hpp"

#include <cosmati/layout/text_cursor.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace cosmati::cli {

/// One executed operation of an expression: a function, a method, an operator, `o`, or "( )", the call of a layout.
struct evaluation_step {
  std::string_view name;
  std::size_t begin = 0, end = 0;     ///< the range of the operation in the expression
  std::vector<std::string> argument;  ///< the values of the arguments
  std::string result;
};

/// Parses and evaluates in one pass, on a stack of values that is allocated once.
class evaluator {
 public:
  evaluator();
  /// The value of `text`, valid until the next call. @throws parse_error with the position of the mistake
  value const& operator()(std::string_view text);
  /// Calls `watcher` for each operation from now on, innermost first.
  void watch(std::function<void(evaluation_step const&)> watcher) { watcher_ = std::move(watcher); }

 private:
  static constexpr int slots = 512;
  static constexpr int most_parameters = 16;
  struct operation;

  value& at(int slot) { return stack_[static_cast<std::size_t>(slot)]; }
  void check(int slot);

  // Each function leaves its value in `slot`, and may use the slots above.
  void composition_chain(int slot);
  void binary(int slot, int precedence, bool stride);
  void unary(int slot, bool stride);
  void postfix(int slot, char const* begin);
  void primary(int slot);
  void parenthesis(int slot);
  void literal_number(int slot);
  void name(int slot);
  bool type_name(int slot, std::string_view name, char const* place);
  void function_call(int slot, std::string_view name, char const* place);
  void run(int slot, function const& f, char const* begin, char const* place, int count,
           std::span<template_argument const> parameter);
  void method(int slot, char const* begin);
  int arguments(int slot, char close);
  int parameters(template_argument* out);
  std::int64_t signed_integer();
  operation const* next_operation();
  void braces();
  std::string_view qualified_name();
  template <class Run>
  void at_place(char const* place, Run&& run);
  struct operands {
    std::string_view name;
    char const* begin;  // the begin of the operation's text
    std::span<cli::value const> given;
  };
  template <class Run>
  void operate(int slot, operands const& of, char const* place, Run&& run);

  std::unique_ptr<value[]> stack_;
  text_cursor in_{""};
  std::function<void(evaluation_step const&)> watcher_;
  bool trailing_comma_ = false;  // whether the last argument list ended with a comma
  int depth_ = 0;                // the depth of unary operators
};

}  // namespace cosmati::cli
