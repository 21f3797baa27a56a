// SPDX-License-Identifier: Apache-2.0
// Arithmetic on integers, and the operators.
#include "call.hpp"

#include <bit>
#include <cosmati/core/algebra/algebra.hpp>

namespace cosmati::cli {

namespace {

using int64 = std::int64_t;

/// Sets `to` to the sum of two strides or coordinates: integers, bases, or tuples of them.
void add(value& to, tree const& a, tree const& b, bool minus) {
  tree const* const operand[] = {&a, &b};
  bool const tuples = !a.is_leaf() || !b.is_leaf() || a.shape[0].basis != b.shape[0].basis;
  if (!tuples) return set_integer(to, minus ? a.shape[0] - b.shape[0] : a.shape[0] + b.shape[0]);
  int modes = 0;
  for (tree const* t : operand) {
    int const rank = t->is_leaf() ? static_cast<int>(t->shape[0].basis & 0xf) : t->rank();
    bool const flat_tuple = t->is_leaf() ? t->shape[0].basis != 0 && t->shape[0].basis <= 0xf : t->leaves == rank;
    if (!flat_tuple || t->nodes != t->leaves + !t->is_leaf()) {
      throw error("only integers, bases such as 1@0, and flat tuples of integers can be added");
    }
    modes = rank > modes ? rank : modes;
  }
  to.what = kind::tuple;
  clear(to.main);
  to.main.add_open(modes);
  for (int i = 0; i < modes; ++i) {
    symbolic_integer term[2];
    for (int k = 0; k < 2; ++k) {
      tree const& t = *operand[k];
      if (!t.is_leaf()) {
        if (i < t.leaves) term[k] = t.shape[i];
      } else if (static_cast<int>(t.shape[0].basis) == i + 1) {
        term[k] = t.shape[0].value;
      }
    }
    to.main.add_leaf(minus ? term[0] - term[1] : term[0] + term[1]);
  }
}

/// A tuple of one integer counts as the integer.
tree const& unwrapped(value const& v, tree& room) {
  if (v.main.nodes == 2 && v.main.leaves == 1) {
    clear(room);
    room.add_leaf(v.main.shape[0]);
    return room;
  }
  return v.main;
}

bool is_zero_value(value const& v) {
  if (v.what == kind::boolean) return !v.flag;
  if (v.what != kind::tuple || v.main.leaves != 1)
    throw error("expected an integer or a truth value, not %s", name_of(v.what));
  return v.main.shape[0].value == 0;
}

bool equal(value const& a, value const& b) {
  if (a.what != b.what) return false;
  auto const same_tree = [](tree const& x, tree const& y, bool strides) {
    if (x.nodes != y.nodes || std::memcmp(x.node, y.node, static_cast<std::size_t>(x.nodes)) != 0) return false;
    for (int i = 0; i < x.leaves; ++i) {
      if (!same(x.shape[i], y.shape[i]) || (strides && !same(x.stride[i], y.stride[i]))) return false;
    }
    return true;
  };
  switch (a.what) {
    case kind::boolean:
    case kind::order:
      return a.flag == b.flag;
    case kind::tuple:
      return same_tree(a.main, b.main, false);
    case kind::layout:
      return same_tree(a.main, b.main, true);
    case kind::tiler:
      return a.integers == b.integers && same_tree(a.main, b.main, true);
    case kind::swizzle:
      return a.swizzle == b.swizzle;
    case kind::several:
      if (a.around != b.around || !same_tree(a.outer, b.outer, a.around.layout)) return false;
      [[fallthrough]];
    case kind::stacked:
      if (a.above != b.above || a.above_offset != b.above_offset) return false;
      [[fallthrough]];
    case kind::composed:
      return a.flag == b.flag && (a.flag ? same_tree(a.outer, b.outer, true) : a.swizzle == b.swizzle) &&
             same_tree(a.offset, b.offset, false) && same_tree(a.main, b.main, true);
    case kind::inverted:
      return a.swizzle == b.swizzle && same_tree(a.offset, b.offset, false) && same_tree(a.main, b.main, true);
  }
  return false;
}

int64 checked_shift(int64 x, int64 by) {
  if (by < 0) return by <= -64 ? (x < 0 ? -1 : 0) : x >> -by;
  int64 r = 0;
  if (by >= 63 || __builtin_mul_overflow(x, int64{1} << by, &r)) algebra::integer_overflow("<<", x, by);
  return r;
}

template <int64 (*F)(int64)>
void one(call const& c) {
  set_integer(c.result, F(c.integer(0)));
}
template <int64 (*F)(int64, int64)>
void two(call const& c) {
  set_integer(c.result, F(c.integer(0), c.integer(1)));
}

unsigned as_unsigned(int64 x) {
  if (x < 0 || x > 0xffffffffll) throw error("%lld is no unsigned 32-bit integer", static_cast<long long>(x));
  return static_cast<unsigned>(x);
}
int64 bit_ceil_of(int64 x) { return x <= 1 ? 1 : checked_shift(1, std::bit_width(static_cast<std::uint64_t>(x - 1))); }
int64 bit_floor_of(int64 x) { return std::bit_floor(as_unsigned(x)); }
int64 bit_width_of(int64 x) { return std::bit_width(as_unsigned(x)); }
int64 countl_one_of(int64 x) { return std::countl_one(as_unsigned(x)); }
int64 countl_zero_of(int64 x) { return std::countl_zero(as_unsigned(x)); }
int64 countr_one_of(int64 x) { return std::countr_one(as_unsigned(x)); }
int64 countr_zero_of(int64 x) { return std::countr_zero(as_unsigned(x)); }
int64 popcount_of(int64 x) { return std::popcount(as_unsigned(x)); }
int64 log_2_of(int64 x) {
  if (x <= 0) throw error("log_2(%lld): the integer must be positive", static_cast<long long>(x));
  return std::bit_width(static_cast<std::uint64_t>(x)) - 1;
}
int64 rotl_of(int64 x, int64 by) { return std::rotl(as_unsigned(x), static_cast<int>(by & 31)); }
int64 rotr_of(int64 x, int64 by) { return std::rotr(as_unsigned(x), static_cast<int>(by & 31)); }
int64 shiftl_of(int64 x, int64 by) { return checked_shift(x, by); }
int64 shiftr_of(int64 x, int64 by) { return checked_shift(x, -by); }
int64 lcm_of(int64 a, int64 b) {
  if (a == 0 || b == 0) return 0;
  int64 r = 0;
  if (__builtin_mul_overflow(a / algebra::gcd(a, b), b, &r)) algebra::integer_overflow("lcm", a, b);
  return algebra::magnitude(r);
}

void abs_of(call const& c) {
  tree const& t = c.tuple(0);
  if (t.leaves != 1 || t.nodes > 2) c.wrong(0, "an integer");
  set_integer(c.result, algebra::magnitude(t.shape[0]));
}
void signum_of(call const& c) { set_integer(c.result, algebra::sign_of(c.integer(0))); }
void has_single_bit(call const& c) {
  set_boolean(c.result, std::has_single_bit(static_cast<std::uint64_t>(c.integer(0))));
}

/// max, min and gcd accept any mix of integers and tuples.
template <symbolic_integer (*F)(tree const&)>
void over_all(call const& c) {
  if (c.count() == 1) return set_integer(c.result, F(c.tuple(0)));
  symbolic_integer best = F(c.tuple(0));
  for (int i = 1; i < c.count(); ++i) {
    tree pair;
    pair.add_open(2);
    pair.add_leaf(best);
    pair.add_leaf(F(c.tuple(i)));
    best = F(pair);
  }
  set_integer(c.result, best);
}

void lcm_all(call const& c) {
  int64 r = c.integer(0);
  for (int i = 1; i < c.count(); ++i) r = lcm_of(r, c.integer(i));
  set_integer(c.result, r);
}

void divmod(call const& c) {
  int64 const a = c.integer(0);
  int64 const b = c.integer(1);
  c.result.what = kind::tuple;
  clear(c.result.main);
  c.result.main.add_open(2);
  c.result.main.add_leaf(symbolic_integer(a) / symbolic_integer(b));
  c.result.main.add_leaf(symbolic_integer(a) % symbolic_integer(b));
}

void safe_div(call const& c) {
  symbolic_integer const a = c.tuple(0).shape[0];
  if (c.tuple(0).leaves != 1) c.wrong(0, "an integer");
  set_integer(c.result, algebra::safe_div(a, symbolic_integer(c.integer(1))));
}

}  // namespace

void binary(value& result, std::string_view op, value const& a, value const& b) {
  char const c = op[0];
  char const d = op.size() > 1 ? op[1] : '\0';
  if (c == '&' && d == '&') return set_boolean(result, !is_zero_value(a) && !is_zero_value(b));
  if (c == '|' && d == '|') return set_boolean(result, !is_zero_value(a) || !is_zero_value(b));
  if (c == '=' && d == '=') return set_boolean(result, equal(a, b));
  if (c == '!' && d == '=') return set_boolean(result, !equal(a, b));
  if (a.what != kind::tuple || b.what != kind::tuple) {
    throw error("'%.*s' needs integers, not %s and %s", static_cast<int>(op.size()), op.data(), name_of(a.what),
                name_of(b.what));
  }
  tree left;
  tree right;
  tree const& x = unwrapped(a, left);
  tree const& y = unwrapped(b, right);
  if (c == '+' || c == '-') return add(result, x, y, c == '-');
  if (!x.is_leaf() || !y.is_leaf()) {
    if (c == '*' && y.is_leaf() && y.nodes == 1) {  // a coordinate times a number
      copy_value(result, a);
      for (int i = 0; i < result.main.leaves; ++i) result.main.shape[i] = result.main.shape[i] * y.shape[0];
      return;
    }
    throw error("'%.*s' needs integers, not tuples", static_cast<int>(op.size()), op.data());
  }
  symbolic_integer const& m = x.shape[0];
  symbolic_integer const& n = y.shape[0];
  if (c == '*') return set_integer(result, m * n);
  if (c == '/') return set_integer(result, m / n);
  if (c == '%') return set_integer(result, m % n);
  if (m.basis != 0 || n.basis != 0) algebra::bases_cannot_be_combined(std::string(op).c_str());
  if (c == '<' && d == '<') return set_integer(result, checked_shift(m.value, n.value));
  if (c == '>' && d == '>') return set_integer(result, checked_shift(m.value, -n.value));
  if (c == '<') return set_boolean(result, d == '=' ? m.value <= n.value : m.value < n.value);
  if (c == '>') return set_boolean(result, d == '=' ? m.value >= n.value : m.value > n.value);
  set_integer(result, c == '&' ? m.value & n.value : c == '|' ? m.value | n.value : m.value ^ n.value);
}

void unary(value& v, char op) {
  if (op == '!') return set_boolean(v, is_zero_value(v));
  if (v.what != kind::tuple || v.main.leaves != 1 || v.main.nodes > 2) {
    throw error("'%c' needs an integer, not %s", op, name_of(v.what));
  }
  symbolic_integer const x = v.main.shape[0];
  if (op == '~' && x.basis != 0) algebra::bases_cannot_be_combined("~");
  set_integer(v, op == '-' ? x * symbolic_integer(-1) : op == '~' ? symbolic_integer(~x.value) : x);
}

std::span<function const> integer_functions() {
  static constexpr function table[] = {
      {"abs", abs_of, 1, 1},
      {"signum", signum_of, 1, 1},
      {"has_single_bit", has_single_bit, 1, 1},
      {"max", over_all<&algebra::max<symbolic_integer>>, 1, -1},
      {"min", over_all<&algebra::min<symbolic_integer>>, 1, -1},
      {"gcd", over_all<&algebra::gcd<symbolic_integer>>, 1, -1},
      {"lcm", lcm_all, 1, -1},
      {"shiftl", two<shiftl_of>, 2, 2},
      {"shiftr", two<shiftr_of>, 2, 2},
      {"rotl", two<rotl_of>, 2, 2},
      {"rotr", two<rotr_of>, 2, 2},
      {"bit_ceil", one<bit_ceil_of>, 1, 1},
      {"bit_floor", one<bit_floor_of>, 1, 1},
      {"bit_width", one<bit_width_of>, 1, 1},
      {"countl_one", one<countl_one_of>, 1, 1},
      {"countl_zero", one<countl_zero_of>, 1, 1},
      {"countr_one", one<countr_one_of>, 1, 1},
      {"countr_zero", one<countr_zero_of>, 1, 1},
      {"popcount", one<popcount_of>, 1, 1},
      {"log_2", one<log_2_of>, 1, 1},
      {"divmod", divmod, 2, 2},
      {"safe_div", safe_div, 2, 2},
  };
  return table;
}

}  // namespace cosmati::cli
