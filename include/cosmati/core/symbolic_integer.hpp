// SPDX-License-Identifier: Apache-2.0
/// @file
/// The integers on which the algebra computes: those known now, and those that only a kernel will know at run time.
///
/// Every operation of the algebra is one function template over its number type. There are two number types:
/// - `std::int64_t`, if all operands are known while compiling. Overflow ends the constant evaluation.
/// - `symbolic_integer` otherwise. It is a value, or a node of an `expression_list` that stands for a run-time value.
///   Either may carry a basis (the `@0` of `4@0`). `AnyLayout` uses it with known values only, and checks for overflow.
///
/// These are plain `constexpr` host functions. Kernels use the types of the results, and never call the functions.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/error.hpp>
#include <cosmati/core/overflow.hpp>
#include <cstdint>

namespace COSMATI_NAMESPACE {
namespace algebra {

/// One step of a computation on run-time integers.
struct expression {
  /// The operation of the step.
  enum operation : std::uint8_t {
    input,
    constant,
    add,
    subtract,
    multiply,
    divide,
    modulo,
    ceil_divide,
    minimum,
    maximum,
    absolute,
    sign
  };
  operation op = constant;
  std::int16_t a = 0;      ///< node of the left operand; for `input`: the index of the argument
  std::int16_t b = 0;      ///< node of the right operand; for `input`: the index of the leaf, strides after shapes
  std::int64_t value = 0;  ///< the value, for `constant`
};

/// An assumption about run-time integers that an operation made. Debug builds and the simulated device check it.
struct run_time_check {
  /// The assumption, with its operands.
  enum kind : std::uint8_t {
    composition,   ///< shape and stride of each left mode, of each right mode, and of each mode that counts tiles
    groups,        ///< upcast: a stride or the group divides the other, if the extent is above 1
    whole_groups,  ///< upcast: a stride is a multiple of the group, if the extent is above 1
    parts,         ///< downcast: a stride is not 1 or -1, if the extent is above 1; also the factor
    tiles,         ///< tile_to_shape: the extent of the target's mode is a multiple of the block's
    reach          ///< complement: a stride is at least the reach of the modes before it, if the extent is above 1
  };
  kind what = composition;
  std::int8_t left = 0, right = 0, rests = 0;  ///< the numbers of modes, for `composition`
  std::int16_t first = 0;                      ///< index of the first operand
  bool may_round_up = false;                   ///< whether modes that continue in the next may be padded, for
                                               ///< `composition`
};

/// The steps that one operation on `symbolic_integer`s recorded.
struct expression_list {
  static constexpr int capacity = 96, operands = 48, most_checks = 16;
  expression step[capacity]{};
  int size = 0;
  /// An operand of a check: a known value, or a step.
  struct operand_of_check {
    std::int64_t value = 0;
    std::int16_t node = -1;
  };
  operand_of_check operand[operands]{};
  run_time_check check[most_checks]{};
  std::int16_t operand_count = 0, check_count = 0;
  /// Appends an expression and returns its number.
  constexpr int record(expression e);
  /// Whether a check with so many operands still fits. A check that does not fit is left out.
  constexpr bool has_room(int count) const { return check_count < most_checks && operand_count + count <= operands; }
};

// Each function is named for a mistake. The compiler prints the name when a constant evaluation calls the function.
[[noreturn]] inline void integer_overflow(char const* operation, std::int64_t a, std::int64_t b) {
  throw error("integer overflow: %lld %s %lld does not fit 64 bits", static_cast<long long>(a), operation,
              static_cast<long long>(b));
}
[[noreturn]] inline void division_by_zero(char const* operation, std::int64_t a) {
  throw error("%lld %s 0: division by zero; is an extent of the layout 0?", static_cast<long long>(a), operation);
}
[[noreturn]] inline void too_many_run_time_expressions(int capacity) {
  throw error("more than %d intermediate run-time integers in one operation; make some of the layout static", capacity);
}
[[noreturn]] inline void bases_cannot_be_combined(char const* operation) {
  throw error("two strides with a basis (such as 1@0) cannot be combined by %s", operation);
}
[[noreturn]] inline void undecidable_for_a_run_time_integer(char const* question) {
  throw error("%s cannot be decided while an integer is known only at run time; make it static (Int<N>{})", question);
}

constexpr int expression_list::record(expression e) {
  if (size == capacity) too_many_run_time_expressions(capacity);
  step[size] = e;
  return size++;
}

/// An integer that is known now, or at run time only. A stride such as `1@0` has a basis too.
struct symbolic_integer {
  std::int64_t value = 0;           ///< meaningful if the integer is known
  std::uint32_t basis = 0;          ///< 0: no basis; otherwise one nibble per level, the outermost lowest, each the
                                    ///< index + 1
  std::int32_t node = -1;           ///< >= 0: a step of `list`
  expression_list* list = nullptr;  ///< the list that records run-time integers; null while all integers are known

  constexpr symbolic_integer() = default;
  constexpr symbolic_integer(std::int64_t v)
      : value(v) {}  // NOLINT(google-explicit-constructor): numbers read as integers
  constexpr symbolic_integer(std::int64_t v, std::uint32_t b) : value(v), basis(b) {}
};

/// @name Questions with the same answers for both number types
/// @{
constexpr bool is_known(std::int64_t) { return true; }
constexpr bool is_known(symbolic_integer const& x) { return x.node < 0; }
/// The value of a known number. For an unknown number it is an error, whose text includes `question`.
constexpr std::int64_t known(std::int64_t x, char const*) { return x; }
constexpr std::int64_t known(symbolic_integer const& x, char const* question) {
  if (x.node >= 0) undecidable_for_a_run_time_integer(question);
  return x.value;
}
constexpr std::uint32_t basis_of(std::int64_t) { return 0; }
constexpr std::uint32_t basis_of(symbolic_integer const& x) { return x.basis; }
/// Whether x is known to be exactly `v`, without a basis.
constexpr bool is(std::int64_t x, std::int64_t v) { return x == v; }
constexpr bool is(symbolic_integer const& x, std::int64_t v) { return x.node < 0 && x.basis == 0 && x.value == v; }
/// Whether x is known to be zero, with or without a basis.
constexpr bool is_zero(std::int64_t x) { return x == 0; }
constexpr bool is_zero(symbolic_integer const& x) { return x.node < 0 && x.value == 0; }
/// Whether two numbers are known to be equal; false if either is a run-time integer.
constexpr bool same(std::int64_t a, std::int64_t b) { return a == b; }
constexpr bool same(symbolic_integer const& a, symbolic_integer const& b) {
  return a.node < 0 && b.node < 0 && a.value == b.value && a.basis == b.basis;
}
/// @}

namespace detail {
constexpr std::int64_t checked_product(std::int64_t a, std::int64_t b) {
#if defined(__CUDACC__)
  if (!COSMATI_NAMESPACE::detail::product_fits(a, b)) integer_overflow("*", a, b);
  return a * b;
#else
  std::int64_t r = 0;
  if (__builtin_mul_overflow(a, b, &r)) integer_overflow("*", a, b);
  return r;
#endif
}
constexpr std::int64_t checked_sum(std::int64_t a, std::int64_t b) {
#if defined(__CUDACC__)
  if (!COSMATI_NAMESPACE::detail::sum_fits(a, b)) integer_overflow("+", a, b);
  return a + b;
#else
  std::int64_t r = 0;
  if (__builtin_add_overflow(a, b, &r)) integer_overflow("+", a, b);
  return r;
#endif
}
constexpr std::int64_t checked_difference(std::int64_t a, std::int64_t b) {
#if defined(__CUDACC__)
  if (!COSMATI_NAMESPACE::detail::difference_fits(a, b)) integer_overflow("-", a, b);
  return a - b;
#else
  std::int64_t r = 0;
  if (__builtin_sub_overflow(a, b, &r)) integer_overflow("-", a, b);
  return r;
#endif
}
constexpr int node_of(symbolic_integer const& x, expression_list& list) {
  if (x.node >= 0) return x.node;
  for (int i = 0; i < list.size; ++i) {
    if (list.step[i].op == expression::constant && list.step[i].value == x.value) return i;
  }
  return list.record({expression::constant, 0, 0, x.value});
}
constexpr symbolic_integer record(expression::operation op, symbolic_integer const& a, symbolic_integer const& b,
                                  std::uint32_t basis) {
  expression_list& list = a.list ? *a.list : *b.list;
  symbolic_integer r;
  int const left = node_of(a, list);
  int const right = node_of(b, list);
  r.node = list.record({op, static_cast<std::int16_t>(left), static_cast<std::int16_t>(right), 0});
  r.list = &list;
  r.basis = basis;
  return r;
}
/// Records a check of three run-time integers. For known integers there is nothing to do.
constexpr void check_at_run_time(run_time_check::kind, std::int64_t, std::int64_t, std::int64_t) {}
constexpr void add_operand(expression_list& list, symbolic_integer const& x) {
  list.operand[list.operand_count].value = x.value;
  list.operand[list.operand_count].node = static_cast<std::int16_t>(x.node);
  ++list.operand_count;
}
constexpr void check_at_run_time(run_time_check::kind what, symbolic_integer const& a, symbolic_integer const& b,
                                 symbolic_integer const& extent) {
  expression_list* const list = a.list ? a.list : b.list ? b.list : extent.list;
  if (list == nullptr || !list->has_room(3)) return;
  list->check[list->check_count++] = {what, 0, 0, 0, list->operand_count};
  add_operand(*list, a);
  add_operand(*list, b);
  add_operand(*list, extent);
}
constexpr std::uint32_t common_basis(symbolic_integer const& a, symbolic_integer const& b, char const* operation) {
  if (a.basis && b.basis) bases_cannot_be_combined(operation);
  return a.basis | b.basis;
}
}  // namespace detail

/// @name Arithmetic
/// Division truncates as in C++. An operation with a run-time integer is recorded, not computed.
/// @{
constexpr symbolic_integer operator*(symbolic_integer const& a, symbolic_integer const& b) {
  std::uint32_t const basis = detail::common_basis(a, b, "*");
  if (is_known(a) && is_known(b)) {
    return {detail::checked_product(a.value, b.value), basis};
  }
  if (is_zero(a) || is_zero(b)) return {0, basis};
  symbolic_integer r = is(a, 1) ? b : is(b, 1) ? a : detail::record(expression::multiply, a, b, basis);
  r.basis = basis;
  return r;
}
constexpr symbolic_integer operator+(symbolic_integer const& a, symbolic_integer const& b) {
  if (is(a, 0)) return b;
  if (is(b, 0)) return a;
  if (a.basis != b.basis) bases_cannot_be_combined("+");
  if (!is_known(a) || !is_known(b)) return detail::record(expression::add, a, b, a.basis);
  return {detail::checked_sum(a.value, b.value), a.basis};
}
constexpr symbolic_integer operator-(symbolic_integer const& a, symbolic_integer const& b) {
  if (is(b, 0)) return a;
  if (a.basis != b.basis) bases_cannot_be_combined("-");
  if (!is_known(a) || !is_known(b)) return detail::record(expression::subtract, a, b, a.basis);
  return {detail::checked_difference(a.value, b.value), a.basis};
}
constexpr symbolic_integer operator/(symbolic_integer const& a, symbolic_integer const& b) {
  if (b.basis) bases_cannot_be_combined("/");
  if (is(b, 1)) return a;
  if (is_zero(b)) division_by_zero("/", a.value);
  if (is_zero(a)) return a;
  if (!is_known(a) || !is_known(b)) return detail::record(expression::divide, a, b, a.basis);
  return {a.value / b.value, a.basis};
}
constexpr symbolic_integer operator%(symbolic_integer const& a, symbolic_integer const& b) {
  if (b.basis) bases_cannot_be_combined("%");
  if (is(b, 1)) return {0, a.basis};
  if (is_zero(b)) division_by_zero("%", a.value);
  if (is_zero(a)) return a;
  if (!is_known(a) || !is_known(b)) return detail::record(expression::modulo, a, b, a.basis);
  return {a.value % b.value, a.basis};
}
/// The quotient rounded up. @pre a >= 0, b > 0
constexpr std::int64_t ceil_divide(std::int64_t a, std::int64_t b) {
  if (b == 0) division_by_zero("ceil_div", a);
  return a / b + (a % b != 0);
}
constexpr symbolic_integer ceil_divide(symbolic_integer const& a, symbolic_integer const& b) {
  if (b.basis) bases_cannot_be_combined("ceil_div");
  if (is(b, 1)) return a;
  if (is_zero(b)) division_by_zero("ceil_div", a.value);
  if (is_zero(a)) return a;
  if (!is_known(a) || !is_known(b)) return detail::record(expression::ceil_divide, a, b, a.basis);
  return {ceil_divide(a.value, b.value), a.basis};
}
constexpr std::int64_t smaller(std::int64_t a, std::int64_t b) { return b < a ? b : a; }
constexpr symbolic_integer smaller(symbolic_integer const& a, symbolic_integer const& b) {
  if (!is_known(a) || !is_known(b)) return detail::record(expression::minimum, a, b, detail::common_basis(a, b, "min"));
  return b.value < a.value ? b : a;
}
constexpr std::int64_t larger(std::int64_t a, std::int64_t b) { return a < b ? b : a; }
constexpr symbolic_integer larger(symbolic_integer const& a, symbolic_integer const& b) {
  if (!is_known(a) || !is_known(b)) return detail::record(expression::maximum, a, b, detail::common_basis(a, b, "max"));
  return a.value < b.value ? b : a;
}
/// |x|. The basis stays.
constexpr std::int64_t magnitude(std::int64_t x) { return x < 0 ? -x : x; }
constexpr symbolic_integer magnitude(symbolic_integer const& x) {
  if (!is_known(x)) return detail::record(expression::absolute, x, x, x.basis);
  return {x.value < 0 ? -x.value : x.value, x.basis};
}
/// -1, 0 or 1.
constexpr std::int64_t sign_of(std::int64_t x) { return x < 0 ? -1 : x > 0; }
constexpr symbolic_integer sign_of(symbolic_integer const& x) {
  if (!is_known(x)) return detail::record(expression::sign, x, x, 0);
  return {x.value < 0 ? -1 : x.value > 0};
}
/// @}

}  // namespace algebra

using algebra::expression;
using algebra::expression_list;
using algebra::run_time_check;
using algebra::symbolic_integer;

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
