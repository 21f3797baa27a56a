// SPDX-License-Identifier: Apache-2.0
/// @file
/// Thrust's placeholders: `2 * _1 + _2` is a function of two arguments.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cstddef>
#include <tuple>
#include <type_traits>

namespace thrust {

namespace detail {

/// A function that operators make larger ones of.
template <class Function>
struct placeholder_expression {
  Function function;
  template <class... Arguments>
  decltype(auto) operator()(Arguments&&... arguments) const {
    return function(arguments...);
  }
};
template <std::size_t number>
struct argument_of_number {
  template <class... Arguments>
  decltype(auto) operator()(Arguments&... arguments) const {
    return std::get<number>(std::tie(arguments...));
  }
};

template <class T>
inline constexpr bool is_placeholder = false;
template <class Function>
inline constexpr bool is_placeholder<placeholder_expression<Function>> = true;

/// The value of an operand, which is an expression or a constant.
template <class Operand, class... Arguments>
decltype(auto) operand_value(Operand const& operand, Arguments&... arguments) {
  if constexpr (is_placeholder<Operand>) {
    return operand(arguments...);
  } else {
    return (operand);
  }
}

template <class Function>
placeholder_expression<Function> expression_of(Function function) {
  return {function};
}

#define COSMATI_BINARY_(sign)                                                                          \
  template <class Left, class Right>                                                                   \
  requires(is_placeholder<Left> || is_placeholder<Right>) auto operator sign(Left left, Right right) { \
    return expression_of([left, right](auto&... arguments) -> decltype(auto) {                         \
      return operand_value(left, arguments...) sign operand_value(right, arguments...);                \
    });                                                                                                \
  }
#define COSMATI_UNARY_(sign)                                                                                    \
  template <class Operand>                                                                                      \
  requires is_placeholder<Operand>                                                                              \
  auto operator sign(Operand operand) {                                                                         \
    return expression_of(                                                                                       \
        [operand](auto&... arguments) -> decltype(auto) { return sign operand_value(operand, arguments...); }); \
  }
COSMATI_BINARY_(+)
COSMATI_BINARY_(-)
COSMATI_BINARY_(*)
COSMATI_BINARY_(/)
COSMATI_BINARY_(%)
COSMATI_BINARY_(&)
COSMATI_BINARY_(|)
COSMATI_BINARY_(^)
COSMATI_BINARY_(<<)
COSMATI_BINARY_(>>)
COSMATI_BINARY_(==)
COSMATI_BINARY_(!=)
COSMATI_BINARY_(<)
COSMATI_BINARY_(>)
COSMATI_BINARY_(<=)
COSMATI_BINARY_(>=)
COSMATI_BINARY_(&&)
COSMATI_BINARY_(||)
COSMATI_BINARY_(+=)
COSMATI_BINARY_(-=)
COSMATI_BINARY_(*=)
COSMATI_BINARY_(/=)
COSMATI_UNARY_(-)
COSMATI_UNARY_(!)
COSMATI_UNARY_(~)
#undef COSMATI_BINARY_
#undef COSMATI_UNARY_

}  // namespace detail

/// The arguments of a function by their number, from 1 on.
namespace placeholders {
inline constexpr detail::placeholder_expression<detail::argument_of_number<0>> _1{};
inline constexpr detail::placeholder_expression<detail::argument_of_number<1>> _2{};
inline constexpr detail::placeholder_expression<detail::argument_of_number<2>> _3{};
inline constexpr detail::placeholder_expression<detail::argument_of_number<3>> _4{};
inline constexpr detail::placeholder_expression<detail::argument_of_number<4>> _5{};
}  // namespace placeholders

}  // namespace thrust

#endif

#include <cosmati/core/macros_end.hpp>
