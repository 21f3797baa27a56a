// SPDX-License-Identifier: Apache-2.0
#include "parser.hpp"

#include "absent_names.hpp"
#include "atom.hpp"
#include "near_names.hpp"

#include <cosmati/number/type_names.hpp>
#include <string>

namespace cosmati::cli {

struct evaluator::operation {
  std::string_view text;
  int precedence;
};

namespace {
/// Checks what a function has made of a shape. 0 is CuTe's empty mode, but no layout has a negative extent.
void check_result(call const& c) {
  value const& v = c.result;
  if (v.what != kind::layout && v.what != kind::composed && v.what != kind::several) return;
  for (int leaf = 0; leaf < v.main.leaves; ++leaf) {
    if (v.main.shape[leaf].value >= 0) continue;
    std::string text;
    append_text(text, v);
    throw error("%.200s has an extent of %lld: extents are 0 or more", text.c_str(),
                static_cast<long long>(v.main.shape[leaf].value));
  }
}

/// The sentence on a name that is no function's: what CuTe has under it, or the nearest names that there are.
std::string no_function(std::string_view word) {
  std::string hint = absent_name(word, name_place::expression);
  if (hint.empty()) hint = did_you_mean(word, names_of_functions());
  return "no function has the name '" + std::string(word.substr(0, 80)) + "'" + hint;
}

constexpr int layout_precedence = 7;
// Closing brackets are not in the list, so `Shape<_4,_2>` reads its arguments as unary expressions.
constexpr std::string_view order_names[] = {"LayoutLeft", "GenColMajor", "LayoutRight", "GenRowMajor"};
constexpr std::string_view tuple_types[] = {"Shape", "Stride", "Coord",    "Step",
                                            "Tile",  "tuple",  "IntTuple", "ArithmeticTuple"};

template <std::size_t N>
int index_in(std::string_view const (&names)[N], std::string_view name) {
  for (std::size_t i = 0; i < N; ++i) {
    if (names[i] == name) return static_cast<int>(i);
  }
  return -1;
}
}  // namespace

evaluator::evaluator() : stack_(new value[slots]) {}

value const& evaluator::operator()(std::string_view text) {
  in_ = text_cursor(text);
  depth_ = 0;
  composition_chain(0);
  in_.skip_blanks();
  if (in_.at != in_.end) in_.fail_here("expected an operator or the end");
  return at(0);
}

void evaluator::check(int slot) {
  if (slot >= slots - 1) in_.fail_at(in_.at, "this expression is nested too deeply");
}

/// Runs an operation. If it refuses, the error points at `place`.
template <class Run>
void evaluator::at_place(char const* place, Run&& run) {
  try {
    run();
  } catch (parse_error const&) {
    throw;
  } catch (error const& e) {
    in_.fail_at(place, e.what());
  }
}

/// Runs an operation, and informs the watcher.
template <class Run>
void evaluator::operate(int slot, operands const& of, char const* place, Run&& run) {
  if (!watcher_) return at_place(place, run);
  evaluation_step s;
  s.name = of.name;
  std::vector<kind> was;
  for (value const& v : of.given) {
    append_text(s.argument.emplace_back(), v);
    was.push_back(v.what);
  }
  at_place(place, run);
  for (std::size_t i = 0; i < was.size(); ++i) {  // a shape stood for its layout
    if (was[i] != kind::tuple || of.given[i].what != kind::layout) continue;
    if (s.name == "make_layout") continue;  // the call of one layout would make a layout with one mode
    s.argument[i].clear();
    append_text(s.argument[i], of.given[i]);
  }
  append_text(s.result, at(slot));
  s.begin = static_cast<std::size_t>(of.begin - in_.begin);
  char const* end = in_.at;
  // a blank was read while looking for an operator
  while (std::string_view(" \t\r\n").find(end[-1]) != std::string_view::npos) --end;
  s.end = static_cast<std::size_t>(end - in_.begin);
  watcher_(s);
}

/// Reads `Sw<3,4,3> o 0 o (8,8):(8,1)`.
void evaluator::composition_chain(int slot) {
  check(slot + 4);
  in_.skip_blanks();
  char const* const begin = in_.at;
  binary(slot, 0, false);
  if (in_.peek() != 'o' || in_.word() != "o") return;
  char const* const place = in_.at;
  ++in_.at;
  binary(slot + 2, 0, false);
  in_.skip_blanks();
  if (in_.word() != "o") in_.fail_here("expected 'o' and a layout: a composed layout is written A o offset o B");
  ++in_.at;
  composition_chain(slot + 3);  // a swizzle may follow a swizzle
  copy_value(at(slot + 1), at(slot));
  operate(slot, {"o", begin, {&at(slot + 1), 3}}, place, [&] {
    find_function("make_composed_layout")->run({"o", at(slot), {&at(slot + 1), 3}, {}});
  });
  postfix(slot, begin);
}

evaluator::operation const* evaluator::next_operation() {
  static constexpr operation table[] = {
      {"||", 1}, {"&&", 2}, {"|", 3},  {"^", 4},  {"&", 5}, {"==", 6}, {"!=", 6},
      {"<=", 6}, {">=", 6}, {"<<", 8}, {">>", 8}, {"<", 6}, {">", 6},  {":", layout_precedence},
      {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};
  switch (in_.peek()) {
    case ':':
      return &table[13];
    case '|':
    case '&':
    case '^':
    case '=':
    case '!':
    case '<':
    case '>':
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
      break;
    default:
      return nullptr;
  }
  std::string_view const rest(in_.at, static_cast<std::size_t>(in_.end - in_.at));
  for (operation const& o : table) {
    if (rest.starts_with(o.text)) return &o;
  }
  return nullptr;
}

/// Reads operators of at least `precedence`. @param stride whether it follows a ':', where `(` is no call
void evaluator::binary(int slot, int precedence, bool stride) {
  check(slot + 2);
  in_.skip_blanks();
  char const* const begin = in_.at;
  unary(slot, stride);
  for (;;) {
    operation const* const o = next_operation();
    if (o == nullptr || o->precedence <= precedence) return;
    char const* const place = in_.at;
    in_.at += o->text.size();
    bool const colon = o->precedence == layout_precedence;
    binary(slot + 1, o->precedence, colon);
    if (colon) {
      copy_value(at(slot + 2), at(slot));
      at_place(place, [&] { make_literal(at(slot), at(slot + 2), at(slot + 1)); });
      postfix(slot, begin);
    } else {
      copy_value(at(slot + 2), at(slot + 1));
      copy_value(at(slot + 1), at(slot));
      operate(slot, {o->text, begin, {&at(slot + 1), 2}}, place,
              [&] { cli::binary(at(slot), o->text, at(slot + 1), at(slot + 2)); });
    }
  }
}

void evaluator::unary(int slot, bool stride) {
  char const c = in_.peek();
  if (c == '-' || c == '+' || c == '~' || c == '!') {
    char const* const place = in_.at++;
    check(slot + 1);
    if (++depth_ > slots) in_.fail_at(place, "this expression is nested too deeply");
    unary(slot, stride);
    --depth_;
    at_place(place, [&] { cli::unary(at(slot), c); });
    return;
  }
  char const* const begin = in_.at;
  primary(slot);
  if (!stride || at(slot).what != kind::tuple) postfix(slot, begin);
}

/// Reads `(arguments)` and `.method(arguments)`.
void evaluator::postfix(int slot, char const* begin) {
  for (;;) {
    char const c = in_.peek();
    if (c == '(') {
      char const* const place = in_.at++;
      copy_value(at(slot + 1), at(slot));
      int const count = arguments(slot + 2, ')');
      std::span<value> const all(&at(slot + 1), static_cast<std::size_t>(count + 1));
      operate(slot, {"( )", begin, all}, place, [&] { evaluate({"a call", at(slot), all, {}}); });
    } else if (c == '.') {
      ++in_.at;
      method(slot, begin);
    } else {
      return;
    }
  }
}

void evaluator::primary(int slot) {
  check(slot + 2);
  char const c = in_.peek();
  if (c == '(') {
    parenthesis(slot);
  } else if (text_cursor::is_digit(c)) {
    literal_number(slot);
  } else if (text_cursor::is_name_start(c) || c == ':') {
    name(slot);
  } else {
    in_.fail_here("expected an integer, '(', or a name");
  }
}

/// Reads `4`, `4_c` or `4@1@0`.
void evaluator::literal_number(int slot) {
  symbolic_integer x = in_.digits();
  if (in_.at != in_.end && *in_.at == '_') {
    if (in_.word() != "_c") in_.fail_here("expected an operator or ','");
    in_.at += 2;
  } else if (in_.at != in_.end && text_cursor::is_name_start(*in_.at)) {
    if (in_.word() != "o") in_.fail_here("expected an operator or ','");
  }
  while (in_.accept('@')) {
    char const* const place = in_.at;
    in_.accept('_');
    std::int64_t const index = in_.digits();
    if (index > 14) in_.fail_at(place, "a basis index must be 14 or less");
    if (x.basis >> 28) in_.fail_at(place, "a basis has at most 8 levels");
    x.basis = (x.basis << 4) | static_cast<std::uint32_t>(index + 1);
  }
  set_integer(at(slot), x);
}

/// Reads `(4,2)`, `(4:1,8:2)`, or a layout in parentheses.
void evaluator::parenthesis(int slot) {
  char const* const place = in_.at++;
  int const count = arguments(slot + 1, ')');
  if (count == 1 && at(slot + 1).what != kind::tuple && !trailing_comma_) {
    copy_value(at(slot), at(slot + 1));
    return;
  }
  at_place(place, [&] { make_tuple({"( )", at(slot), {&at(slot + 1), static_cast<std::size_t>(count)}, {}}); });
}

/// Reads expressions separated by commas, up to `close`, into the slots from `slot` on. @return their number
int evaluator::arguments(int slot, char close) {
  int count = 0;
  trailing_comma_ = false;
  while (in_.peek() != close) {
    if (count != 0) {
      if (!in_.accept(',')) in_.fail_here(std::string("expected ',' or '") + close + "'");
      if (in_.peek() == close) {
        ++in_.at;
        trailing_comma_ = true;
        return count;
      }
    }
    if (count == 100) in_.fail_at(in_.at, "more than 100 arguments");
    check(slot + count);
    composition_chain(slot + count);
    ++count;
  }
  ++in_.at;
  trailing_comma_ = false;
  return count;
}

std::int64_t evaluator::signed_integer() {
  bool const negative = in_.accept('-');
  std::string_view const word = in_.word();
  if (word == "Int" || word == "C") {
    in_.at += word.size();
    in_.expect('<', "as in Int<8>");
    std::int64_t const x = signed_integer();
    in_.expect('>', "as in Int<8>");
    in_.accept("{}");
    return negative ? -x : x;
  }
  bool minus = negative;
  if (word.size() > 1 && word[0] == '_') {
    ++in_.at;
    if (word[1] == 'm') {
      ++in_.at;
      minus = !minus;
    }
  }
  std::int64_t const x = in_.digits();
  in_.accept("{}");
  return minus ? -x : x;
}

/// Reads `<0,2>` or `<half_t, float>`, if present. @return their number
int evaluator::parameters(template_argument* out) {
  if (!in_.accept('<')) return 0;
  int count = 0;
  while (!in_.accept('>')) {
    if (count != 0) in_.expect(',', "or '>'");
    if (count == most_parameters) in_.fail_at(in_.at, "too many template arguments");
    char const c = in_.peek();
    std::string_view const word = in_.word();
    bool const number_word = word.size() > 1 && word[0] == '_' && (text_cursor::is_digit(word[1]) || word[1] == 'm');
    if (c == '-' || text_cursor::is_digit(c) || number_word || word == "Int" || word == "C") {
      out[count++] = {template_argument::integer, signed_integer()};
      continue;
    }
    char const* const place = in_.at;
    std::string_view const name = qualified_name();
    if (name.empty()) in_.fail_here("expected an integer or a type");
    if (int const order = index_in(order_names, name); order >= 0) {
      out[count++] = {template_argument::order, order / 2};
      continue;
    }
    std::string_view full = name;
    if (in_.peek() == '<') {  // complex<float>
      while (in_.at != in_.end && *in_.at != '>') ++in_.at;
      in_.expect('>', "behind the type's arguments");
      full = {name.data(), static_cast<std::size_t>(in_.at - name.data())};
    }
    number_type_row const* const row = find_number_type(full);
    if (row == nullptr) in_.fail_at(place, no_number_type(full));
    out[count++] = {template_argument::type, row->bits};
  }
  return count;
}

void evaluator::braces() {
  if (in_.accept('{')) in_.expect('}', "behind '{'");
}

/// The next name, without its namespaces.
std::string_view evaluator::qualified_name() {
  in_.accept("::");
  for (;;) {
    std::string_view const word = in_.word();
    in_.at += word.size();
    if (word.empty() || !in_.accept("::")) return word;
  }
}

void evaluator::name(int slot) {
  in_.skip_blanks();
  char const* const place = in_.at;
  std::string_view const word = qualified_name();
  if (word.empty()) in_.fail_at(place, "expected a name");
  if (word == "_" && in_.end - in_.at > 1 && in_.at[0] == '-' && text_cursor::is_digit(in_.at[1])) {
    ++in_.at;  // CuTe prints a static -1 as _-1
    set_integer(at(slot), -in_.digits());
    return;
  }
  if (word == "_" || word == "X") {
    at(slot).what = kind::tuple;
    clear(at(slot).main);
    at(slot).main.add_node(tree::any);
    braces();
    return;
  }
  if (word.size() > 1 && word[0] == '_' && (text_cursor::is_digit(word[1]) || (word.size() > 2 && word[1] == 'm'))) {
    in_.at -= word.size();
    set_integer(at(slot), signed_integer());
    return;
  }
  if (word == "true" || word == "false" || word == "true_type" || word == "false_type") {
    set_boolean(at(slot), word[0] == 't');
    braces();
    return;
  }
  if (type_name(slot, word, place)) return;
  function_call(slot, word, place);
}

/// Reads a type that stands for a value: `Layout<Shape<_4,_2>,Stride<_1,_4>>{}`, `Int<4>{}`, `Sw<3,4,3>`,
/// `LayoutRight{}`.
bool evaluator::type_name(int slot, std::string_view word, char const* place) {
  if (int const order = index_in(order_names, word); order >= 0) {
    at(slot).what = kind::order;
    at(slot).flag = order >= 2;
    braces();
    return true;
  }
  if (in_.peek() != '<') {
    if (word == "Layout" && in_.peek() == '(') {
      function_call(slot, "make_layout", place);
      return true;
    }
    return false;
  }
  bool const tuple = index_in(tuple_types, word) >= 0;
  bool const constant = word == "Int" || word == "C";
  bool const swizzle = word == "Sw" || word == "Swizzle";
  bool const basis = word == "E";
  bool const layout = word == "Layout" || word == "ComposedLayout" || word == "ScaledBasis";
  if (!tuple && !constant && !swizzle && !basis && !layout) return false;
  ++in_.at;
  int count = 0;
  while (!in_.accept('>')) {
    if (count != 0) in_.expect(',', "or '>'");
    if (count == 100) in_.fail_at(in_.at, "more than 100 arguments");
    check(slot + 2 + count);
    unary(slot + 1 + count, true);
    ++count;
  }
  at_place(place, [&] {
    call const c{word, at(slot), {&at(slot + 1), static_cast<std::size_t>(count)}, {}};
    if (tuple) {
      make_tuple(c);
    } else if (constant) {
      if (count != 1) c.refuse("expected one integer, as in Int<8>");
      set_integer(at(slot), c.integer(0));
    } else {
      char const* const maker = swizzle                 ? "Swizzle"
                                : basis                 ? "E"
                                : word == "Layout"      ? "make_layout"
                                : word == "ScaledBasis" ? "ScaledBasis"
                                                        : "make_composed_layout";
      function const* const f = find_function(maker);
      if (count < f->fewest || (f->most >= 0 && count > f->most)) c.refuse("wrong number of template arguments");
      f->run(c);
      check_result(c);
    }
  });
  braces();
  return true;
}

/// Calls a function. The arguments are in `slot` + 1 and above; the result goes to `slot`.
void evaluator::function_call(int slot, std::string_view word, char const* place) {
  function const* const f = find_function(word);
  if (f == nullptr) in_.fail_at(place, no_function(word));
  template_argument parameter[most_parameters];
  int const parameter_count = parameters(parameter);
  if (!in_.accept('(')) in_.fail_here("expected '(' and the arguments of " + std::string(word));
  int const count = arguments(slot + 1, ')');
  run(slot, *f, place, place, count, {parameter, static_cast<std::size_t>(parameter_count)});
}

void evaluator::run(int slot, function const& f, char const* begin, char const* place, int count,
                    std::span<template_argument const> parameter) {
  int const parameter_count = static_cast<int>(parameter.size());
  if (count < f.fewest || (f.most >= 0 && count > f.most)) {
    in_.fail_at(place, std::string(f.name) + " takes " + std::to_string(f.fewest) +
                           (f.most < 0           ? " or more"
                            : f.most != f.fewest ? " to " + std::to_string(f.most)
                                                 : "") +
                           " arguments, here are " + std::to_string(count));
  }
  if (parameter_count < f.fewest_parameters || parameter_count > f.most_parameters) {
    in_.fail_at(place,
                std::string(f.name) + " takes " + std::to_string(f.fewest_parameters) +
                    (f.most_parameters != f.fewest_parameters ? " to " + std::to_string(f.most_parameters) : "") +
                    " template arguments, here are " + std::to_string(parameter_count));
  }
  std::span<value> const all(&at(slot + 1), static_cast<std::size_t>(count));
  operate(slot, {f.name, begin, all}, place, [&] {
    call const c{f.name, at(slot), all, parameter};
    f.run(c);
    check_result(c);
  });
}

/// Calls `.compose(x)`: any function, with the value before the dot as its first argument.
void evaluator::method(int slot, char const* begin) {
  in_.skip_blanks();
  char const* place = in_.at;
  std::string_view word = qualified_name();
  if (word == "template") {
    in_.skip_blanks();
    place = in_.at;
    word = qualified_name();
  }
  if (word == "compose") word = "method compose";
  if (word == "tile") word = "method tile";
  if (word == "apply") word = "method apply";
  function const* const f = find_function(word);
  if (f == nullptr) {
    std::vector<std::string_view> names = names_of_functions();
    names.insert(names.end(), {"compose", "tile", "apply"});
    in_.fail_at(place, "no method has this name" + did_you_mean(word, names));
  }
  template_argument parameter[most_parameters];
  int const parameter_count = parameters(parameter);
  in_.expect('(', "and the method's arguments");
  copy_value(at(slot + 1), at(slot));
  int const count = arguments(slot + 2, ')');
  run(slot, *f, begin, place, count + 1, {parameter, static_cast<std::size_t>(parameter_count)});
}

}  // namespace cosmati::cli
