// SPDX-License-Identifier: Apache-2.0
/// @file
/// One call of a function in an expression: its arguments, and the place of its result.
#pragma once

#include "value.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace cosmati::cli {

/// `2` in `upcast<2>(L)`, `half_t` in `recast_layout<half_t, float>(L)`, or `LayoutLeft` in
/// `compact_major<LayoutLeft>(s)`.
struct template_argument {
  enum what : std::uint8_t { integer, type, order } is = integer;
  std::int64_t value = 0;  ///< the integer, the type's width in bits, or 1 for LayoutRight
};

/// A call. Its helpers convert an argument to the type that the function needs, or name the wrong argument.
struct call {
  std::string_view name;
  value& result;
  std::span<value> argument;
  std::span<template_argument const> parameter;

  int count() const { return static_cast<int>(argument.size()); }
  kind what(int i) const { return argument[static_cast<std::size_t>(i)].what; }
  value& at(int i) const { return argument[static_cast<std::size_t>(i)]; }
  bool is_tuple(int i) const { return what(i) == kind::tuple; }
  bool is_composed(int i) const { return what(i) == kind::composed; }

  /// Argument i as an integer without a basis.
  std::int64_t integer(int i) const;
  /// Argument i as an integer or a tuple, with or without `_`.
  tree const& tuple(int i) const;
  /// Argument i as a layout. A shape stands for its compact column-major layout.
  tree const& layout(int i) const;
  /// Argument i as a layout or a tiler. Integers in a tuple are tilers too.
  tree const& tiler(int i) const;
  /// Argument i as a tiler for a divide or a product, where the integer 1 is the layout 1:0.
  tree const& divisor(int i) const;
  /// Argument i as the nested integers of a tuple, or the shape of a layout.
  tree const& shape(int i) const;
  /// Template argument i as an integer.
  int number_of(int i) const;
  /// The arguments from `first` on, as one coordinate, shape or tiler.
  value const& gathered(int first) const;

  [[noreturn]] void wrong(int i, char const* wanted) const;
  [[noreturn]] void refuse(char const* why) const;
};

/// One name that expressions know.
struct function {
  std::string_view name;
  void (*run)(call const&);
  std::int8_t fewest;  ///< the number of arguments
  std::int8_t most;    ///< the limit of arguments; -1 for any number
  std::int8_t fewest_parameters = 0;
  std::int8_t most_parameters = 0;
};

/// The function of that name, or null.
function const* find_function(std::string_view name);
/// All names of functions.
std::vector<std::string_view> names_of_functions();

/// @name The tables, one for each family
/// @{
std::span<function const> integer_functions();
std::span<function const> tuple_functions();
std::span<function const> basis_functions();
std::span<function const> tuple_questions();
std::span<function const> coordinate_functions();
std::span<function const> layout_functions();
std::span<function const> divide_functions();
std::span<function const> swizzle_functions();
std::span<function const> swizzle_parts();
/// @}

/// `f(arguments)` where f is a value: applies a layout, a composed layout or a swizzle.
void evaluate(call const& c);
/// Makes a tuple of the arguments: `(4,2)`, `make_shape(4,2)`, `make_tile(4:1,2:1)`.
void make_tuple(call const& c);
/// Makes `shape:stride`.
void make_literal(value& result, value const& shape, value const& stride);
/// Computes `a op b`.
void binary(value& result, std::string_view op, value const& a, value const& b);
/// Computes `op a`.
void unary(value& result, char op);

}  // namespace cosmati::cli
