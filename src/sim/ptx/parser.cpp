// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <utility>

#include "../formatted.hpp"
#include "tokens.hpp"

namespace cosmati_sim::ptx {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A name that braces declare, or a label.
struct scope {
  int outer;  // -1: none
  std::map<std::string, int, std::less<>> registers, labels;
  std::map<std::string, bool, std::less<>> predicates;
};

class parser {
 public:
  parser(std::string_view text, int operands) : text_(text), tokens_(tokens_of(text)), operands_(operands) {
    out_.registers = operands;
    scopes_.push_back({-1, {}, {}, {}});
  }

  program run() {
    while (at_ < tokens_.size() && out_.error.empty()) statement();
    for (auto const& [number, from] : branches_) find_target(out_.code[number], from);
    for (instruction& i : out_.code) {
      resolve(i);
      if (i.run == nullptr || i.opcode == "bra") continue;
      for (operand const& o : i.operands) look_for_names(i, o);
    }
    return std::move(out_);
  }

 private:
  bool is(std::string_view what) const { return at_ < tokens_.size() && tokens_[at_].text == what; }
  bool next_is(std::string_view what) const { return at_ + 1 < tokens_.size() && tokens_[at_ + 1].text == what; }
  bool take(std::string_view what) {
    if (!is(what)) return false;
    ++at_;
    return true;
  }
  void fail(std::string why) {
    if (out_.error.empty()) out_.error = std::move(why);
    at_ = tokens_.size();
  }
  std::string here() const {
    return at_ < tokens_.size() ? "`" + tokens_[at_].text + "`" : std::string("the end of the text");
  }
  void skip_statement() {
    while (at_ < tokens_.size() && !take(";")) ++at_;
  }

  void statement() {
    if (take(";")) return;
    if (take("{")) {
      scopes_.push_back({scope_, {}, {}, {}});
      scope_ = static_cast<int>(scopes_.size()) - 1;
    } else if (take("}")) {
      if (scopes_[static_cast<std::size_t>(scope_)].outer < 0) return fail("a `}` closes nothing");
      scope_ = scopes_[static_cast<std::size_t>(scope_)].outer;
    } else if (is(".reg")) {
      declaration();
    } else if (is(".pragma") || is(".loc")) {
      skip_statement();
    } else if (tokens_[at_].text[0] == '.') {
      fail(formatted("the directive {} in an asm statement is not on the simulated device", here()));
    } else if (next_is(":")) {
      scopes_[static_cast<std::size_t>(scope_)].labels[tokens_[at_].text] = static_cast<int>(out_.code.size());
      at_ += 2;
    } else {
      one_instruction();
    }
  }

  void declare(std::string name, bool predicate) {
    scope& s = scopes_[static_cast<std::size_t>(scope_)];
    s.predicates[name] = predicate;
    s.registers[std::move(name)] = out_.registers++;
  }

  /// .reg .b32 a, b, t<4>;
  void declaration() {
    bool predicate = false;
    for (++at_; at_ < tokens_.size() && tokens_[at_].text[0] == '.'; ++at_) predicate |= tokens_[at_].text == ".pred";
    while (at_ < tokens_.size() && !take(";")) {
      std::string const name = tokens_[at_++].text;
      if (take("<")) {
        int const count = at_ < tokens_.size() ? std::atoi(tokens_[at_].text.c_str()) : 0;
        for (int i = 0; i < count; ++i) declare(name + std::to_string(i), predicate);
        ++at_;
        take(">");
      } else {
        declare(name, predicate);
      }
      if (!take(",") && !is(";") && at_ < tokens_.size()) return fail("in .reg, " + here() + " is no register's name");
    }
  }

  void one_instruction() {
    instruction i;
    std::size_t const begin = tokens_[at_].begin;
    if (take("@")) {
      i.guard_negated = take("!");
      operand const guard = simple();
      if (guard.kind != operand_kind::in_register) return fail("behind `@`, " + guard.name + " is no predicate");
      i.guard = guard.index;
      i.guard_negated = i.guard_negated != guard.negated;
    }
    if (at_ >= tokens_.size()) return fail("an instruction is missing behind `@`");
    i.name = tokens_[at_++].text;
    split(i);
    while (at_ < tokens_.size() && !is(";") && !is("}") && out_.error.empty()) {
      i.operands.push_back(one_operand());
      while (take("|")) {
        i.operands.push_back(one_operand());
        i.operands.back().paired = true;
      }
      if (!take(",") && !is(";") && !is("}") && at_ < tokens_.size())
        return fail(formatted("in `{}`, {} is unexpected", i.name, here()));
    }
    std::size_t const end = at_ < tokens_.size() ? tokens_[at_].begin : text_.size();
    if (begin < end) i.text = one_line(text_.substr(begin, end - begin));
    if (!take(";")) return fail(formatted("`{}` does not end with `;`", i.text));
    if (i.opcode == "bra") branches_.push_back({out_.code.size(), scope_});
    out_.code.push_back(std::move(i));
  }

  static std::string one_line(std::string_view text) {
    std::string out;
    for (char const c : text) {
      bool const blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
      if (!blank) out += c;
      if (blank && !out.empty() && out.back() != ' ') out += ' ';
    }
    while (!out.empty() && out.back() == ' ') out.pop_back();
    return out;
  }

  static void split(instruction& i) {
    std::string_view rest = i.name;
    bool first = true;
    while (!rest.empty()) {
      std::size_t const dot = std::min(rest.find('.'), rest.size());
      (first ? i.opcode : i.modifiers.emplace_back()) = std::string(rest.substr(0, dot));
      first = false;
      rest.remove_prefix(std::min(dot + 1, rest.size()));
    }
  }

  void find_target(instruction& i, int from) {
    if (i.operands.empty()) return;
    for (int s = from; s >= 0; s = scopes_[static_cast<std::size_t>(s)].outer) {
      auto const& labels = scopes_[static_cast<std::size_t>(s)].labels;
      auto const found = labels.find(i.operands[0].name);
      if (found == labels.end()) continue;
      i.target = found->second;
      return;
    }
    fail(
        formatted("`{}` goes to a label that the text does not have, and one outside of the asm statement cannot be "
                  "reached: put the label and the branch into one statement",
                  i.text));
  }

  void look_for_names(instruction const& i, operand const& o) {
    if (o.kind == operand_kind::symbol)
      fail(formatted("in `{}`, {} is no register that the text declares", i.text, o.name));
    for (operand const& part : o.parts) look_for_names(i, part);
    for (operand const& part : o.more) look_for_names(i, part);
  }

  operand one_operand() {
    operand o;
    if (take("{")) {
      o.kind = operand_kind::vector;
      while (at_ < tokens_.size() && !take("}")) {
        o.parts.push_back(one_operand());
        if (!take(",") && !is("}")) {
          fail(formatted("in braces, {} is unexpected", here()));
          break;
        }
      }
      return o;
    }
    if (!take("[")) return simple();
    o.kind = operand_kind::address;
    bool minus = false;
    do {
      operand const term = simple();
      if (term.kind == operand_kind::integer) {
        o.value += minus ? 0 - term.value : term.value;
      } else {
        if (minus) fail("an address subtracts a register");
        o.parts.push_back(term);
      }
      minus = is("-");
    } while (take("+") || take("-"));
    while (take(",")) o.more.push_back(one_operand());
    if (!take("]")) fail(formatted("an address ends with {} instead of `]`", here()));
    return o;
  }

  /// A register, a number or a name.
  operand simple() {
    operand o;
    if (at_ >= tokens_.size()) {
      fail("an operand is missing at the end of the text");
      return o;
    }
    bool const minus = take("-");
    o.negated = take("!");
    if (at_ >= tokens_.size()) return o;
    token const& t = tokens_[at_++];
    o.name = t.text;
    if (t.statement_operand >= 0) {
      o.kind = operand_kind::in_register;
      o.index = t.statement_operand;
      if (o.index >= operands_) fail(formatted("%{} is no operand of the statement, which has {}", o.index, operands_));
    } else if (is_digit(t.text[0])) {
      number(t.text, minus, o);
    } else if (t.text == "_") {
      o.kind = operand_kind::nothing;
    } else {
      name(t.text, o);
    }
    return o;
  }

  static void number(std::string const& text, bool minus, operand& o) {
    bool const hexadecimal_real = text.size() > 2 && text[0] == '0' && std::strchr("fFdD", text[1]) != nullptr;
    if (hexadecimal_real) {
      o.value = std::strtoull(text.c_str() + 2, nullptr, 16);
      bool const narrow = text[1] == 'f' || text[1] == 'F';
      o.kind = narrow ? operand_kind::real_32 : operand_kind::real;
      if (minus) o.value ^= narrow ? 0x80000000ull : 1ull << 63;
      return;
    }
    bool const hexadecimal = text.size() > 1 && (text[1] == 'x' || text[1] == 'X');
    if (!hexadecimal && text.find_first_of(".eE") != std::string::npos) {
      double const x = minus ? -std::strtod(text.c_str(), nullptr) : std::strtod(text.c_str(), nullptr);
      std::memcpy(&o.value, &x, sizeof x);
      o.kind = operand_kind::real;
      return;
    }
    bool const binary = text.size() > 1 && (text[1] == 'b' || text[1] == 'B');
    o.value = binary ? std::strtoull(text.c_str() + 2, nullptr, 2) : std::strtoull(text.c_str(), nullptr, 0);
    if (minus) o.value = 0 - o.value;
    o.kind = operand_kind::integer;
  }

  void name(std::string const& text, operand& o) {
    for (int s = scope_; s >= 0; s = scopes_[static_cast<std::size_t>(s)].outer) {
      scope const& in = scopes_[static_cast<std::size_t>(s)];
      auto const found = in.registers.find(text);
      if (found == in.registers.end()) continue;
      o.kind = operand_kind::in_register;
      o.index = found->second;
      o.predicate = in.predicates.at(text);
      return;
    }
    o.kind = operand_kind::symbol;
    if (text == "WARP_SZ") {
      o.kind = operand_kind::integer;
      o.value = 32;
    } else if (text[0] == '%') {
      o.index = special_register(std::string_view(text).substr(1));
      if (o.index < 0) return fail(formatted("{} is neither a declared register nor a special one", text));
      o.kind = operand_kind::special;
    }
  }

  std::string_view text_;
  std::vector<token> tokens_;
  int operands_;
  std::size_t at_ = 0;
  std::vector<scope> scopes_;
  int scope_ = 0;
  std::vector<std::pair<std::size_t, int>> branches_;
  program out_;
};

}  // namespace

program parse(std::string_view text, int operands) { return parser(text, operands).run(); }

}  // namespace cosmati_sim::ptx
