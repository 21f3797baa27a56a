// SPDX-License-Identifier: Apache-2.0
#include "pasted_line.hpp"

#include <cosmati/layout/text_cursor.hpp>
#include <map>

namespace cosmati::cli {

namespace {

using names_of_text = std::map<std::string, std::string, std::less<>>;

constexpr std::string_view blanks = " \t\r\n";
constexpr int deepest = 16;  // names that stand for names

std::string_view trimmed(std::string_view text) {
  std::size_t const begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}
std::string without_comments(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::string_view const rest = text.substr(at);
    std::size_t const end = rest.starts_with("//") ? rest.find('\n') : rest.starts_with("/*") ? rest.find("*/") : 0;
    if (end == 0) {
      out += text[at++];
    } else {
      out += ' ';
      at = end == std::string_view::npos ? text.size() : at + end + (rest[1] == '*' ? 2 : 1);
    }
  }
  return out;
}

/// The pieces between separators that stand in no bracket.
std::vector<std::string_view> pieces(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  std::string open;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char const c = text[i];
    bool const opens_types = c == '<' && i > 0 && text_cursor::is_name(text[i - 1]);
    if (c == '(' || c == '{' || c == '[' || opens_types) open += c;
    bool const closes_types = c == '>' && !open.empty() && open.back() == '<';
    if ((c == ')' || c == '}' || c == ']' || closes_types) && !open.empty()) open.pop_back();
    if (c != separator || !open.empty()) continue;
    out.push_back(trimmed(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  if (std::string_view const last = trimmed(text.substr(begin)); !last.empty() || !out.empty()) out.push_back(last);
  return out;
}

/// What stands between the bracket at `open` and the one that closes it. Nothing where none does.
std::string_view inside(std::string_view text, std::size_t open) {
  if (open >= text.size()) return {};
  char const opens = text[open], closes = opens == '(' ? ')' : opens == '<' ? '>' : '}';
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    depth += text[i] == opens ? 1 : text[i] == closes ? -1 : 0;
    if (depth == 0) return text.substr(open + 1, i - open - 1);
  }
  return text.substr(open + 1);
}

/// The word at the end: `b` of `auto const& b`.
std::string_view last_word(std::string_view text) {
  std::size_t begin = text.size();
  while (begin > 0 && text_cursor::is_name(text[begin - 1])) --begin;
  return text.substr(begin);
}

/// `auto thr = Layout<...>{}`, `using Atom = Copy_Atom<...>`, `Copy_Atom<...> atom`: the name and what it stands for.
void read_definition(std::string_view statement, names_of_text& names) {
  std::vector<std::string_view> const sides = pieces(statement, '=');
  if (sides.size() == 2) {
    std::string_view const name = last_word(sides[0]);
    if (!name.empty()) names[std::string(name)] = sides[1];
    return;
  }
  std::string_view declared = statement;
  if (declared.ends_with("{}")) declared = trimmed(declared.substr(0, declared.size() - 2));
  std::string_view const name = last_word(declared);
  std::string_view const type = trimmed(declared.substr(0, declared.size() - name.size()));
  if (!name.empty() && type.ends_with('>')) names[std::string(name)] = type;
}

/// The text with each of these names replaced by what it stands for.
std::string with_names(std::string_view text, names_of_text const& names, int depth = 0) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (!text_cursor::is_name(text[at])) {
      out += text[at++];
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && text_cursor::is_name(text[end])) ++end;
    std::string_view const word = text.substr(at, end - at);
    auto const found = names.find(word);
    bool const is_known = found != names.end() && depth < deepest;
    out += is_known ? with_names(found->second, names, depth + 1) : std::string(word);
    at = end;
  }
  return out;
}

/// Where the name is called or given types, as `name(` or `name<`; npos where it is not.
std::size_t find_call(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    std::size_t const end = at + name.size();
    bool const begins = at == 0 || !text_cursor::is_name(text[at - 1]);
    if (begins && end < text.size() && (text[end] == '(' || text[end] == '<')) return at;
  }
  return std::string_view::npos;
}
std::vector<std::string_view> arguments_of(std::string_view text, std::string_view name) {
  return pieces(inside(text, find_call(text, name) + name.size()), ',');
}

/// `X` of `X{}`, `X()`, `decltype(X)` and `decltype(X){}`.
std::string_view type_of(std::string_view text) {
  text = trimmed(text);
  for (std::string_view const made : {"{}", "()"}) {
    if (text.ends_with(made)) text = trimmed(text.substr(0, text.size() - 2));
  }
  return text.starts_with("decltype(") ? type_of(inside(text, 8)) : text;
}
/// `X` of `Name<X>`; the text where it is no such.
std::string_view unwrapped(std::string_view text, std::string_view name) {
  std::size_t const at = find_call(text, name);
  return at == std::string_view::npos ? text : trimmed(inside(text, at + name.size()));
}

/// A layout, a shape or a tile as the commands write it; the text itself where it is none, for the option to refuse.
std::string value_text(std::string_view text) {
  try {
    evaluator evaluate;
    std::string out;
    append_text(out, evaluate(text));
    return out;
  } catch (error const&) {
    return std::string(text);
  }
}

/// Whether only the program knows what the name stands for.
bool is_name(std::string_view text) {
  return !text.empty() && text_cursor::is_name_start(text[0]) && last_word(text) == text;
}

void read_copy_atom(std::string_view text, pasted_line& line) {
  text = type_of(text);
  std::size_t const at = find_call(text, "Copy_Atom");
  if (at == std::string_view::npos) {
    line.copy.atom = text;
    return;
  }
  std::vector<std::string_view> const parts = arguments_of(text, "Copy_Atom");
  line.copy.atom = parts.empty() ? std::string_view() : type_of(unwrapped(parts[0], "Copy_Traits"));
  if (parts.size() < 2) return;
  if (number_type_row const* const row = find_number_type(parts[1]))
    line.copy.type = row->name;
  else
    line.notes.push_back(
        fmt::format("{} is a name of the program's: choose the value type that it stands for", parts[1]));
}

void read_product(std::string_view text, pasted_line& line, mma_texts& mma) {
  text = trimmed(text);
  bool const is_type = find_call(text, "make_tiled_mma") == std::string_view::npos;
  std::string_view const maker = is_type ? "TiledMMA" : "make_tiled_mma";
  if (find_call(text, maker) == std::string_view::npos) {
    line.notes.push_back(
        fmt::format("the line does not say what {} is: paste its make_tiled_mma(...) too, or give --mma", text));
    return;
  }
  std::vector<std::string_view> const parts = arguments_of(text, maker);
  if (!parts.empty()) mma.atom = type_of(unwrapped(type_of(parts[0]), "MMA_Atom"));
  if (parts.size() > 1) mma.atom_layout = value_text(parts[1]);
  if (parts.size() > 2) mma.permutation = value_text(parts[2]);
}

void read_threads_and_values(std::vector<std::string_view> const& parts, pasted_line& line) {
  auto const read = [&](std::size_t i, char const* option, std::string& text) {
    if (parts.size() <= i) return;
    if (is_name(parts[i]))
      line.notes.push_back(fmt::format("the line does not say what {} is: give {}", parts[i], option));
    else
      text = value_text(parts[i]);
  };
  read(1, "--thr", line.copy.thr);
  read(2, "--val", line.copy.val);
}

constexpr std::string_view makers[] = {"make_tiled_copy_A", "make_tiled_copy_B", "make_tiled_copy_C",
                                       "make_tiled_copy_S", "make_tiled_copy_D", "make_tiled_copy_C_atom",
                                       "make_tiled_copy",   "make_cotiled_copy", "make_tiled_mma"};

std::string_view maker_in(std::string_view text) {
  for (std::string_view const name : makers) {
    if (find_call(text, name) != std::string_view::npos) return name;
  }
  return {};
}

}  // namespace

bool is_pasted_line(std::string_view text) { return !maker_in(text).empty(); }

pasted_line take_apart(std::string const& option, std::string_view text) {
  std::string const plain = without_comments(text);
  std::string_view const maker = maker_in(plain);
  names_of_text names;
  std::string statement;
  for (std::string_view const s : pieces(plain, ';')) {
    if (statement.empty() && find_call(s, maker) != std::string_view::npos) statement = s;
    read_definition(s, names);
  }
  if (std::size_t const call = find_call(statement, maker); call != std::string::npos) statement.erase(0, call);
  std::string const whole = with_names(statement, names);
  pasted_line line;
  if (maker == "make_tiled_mma") {
    line.is_product = true;
    read_product(whole, line, line.mma);
    return line;
  }
  std::string_view const kind = maker.substr(std::string_view("make_tiled_copy").size());
  if (kind != "" && kind != "_A" && kind != "_B" && kind != "_C") {
    throw command_error(
        bad_input,
        fmt::format("{}: {} is not taken apart: paste the make_tiled_copy that it is made of", option, maker));
  }
  std::vector<std::string_view> const parts = arguments_of(whole, maker);
  if (parts.size() < 2 || (kind == "" && parts.size() > 3) || (kind != "" && parts.size() > 2)) {
    throw command_error(
        bad_input, fmt::format("{}: {} takes an atom and {}, here are {} arguments", option, maker,
                               kind == "" ? "the layouts of threads and values" : "a tiled product", parts.size()));
  }
  read_copy_atom(parts[0], line);
  if (kind == "") {
    read_threads_and_values(parts, line);
  } else {
    line.copy.operand = kind.substr(1);
    line.copy.val.clear();
    read_product(parts[1], line, line.copy.mma);
  }
  return line;
}

void take_apart_atom(copy_texts& texts) {
  if (!is_pasted_line(texts.atom)) return;
  pasted_line line = take_apart("--atom", texts.atom);
  if (line.is_product)
    throw command_error(bad_input, "--atom: make_tiled_mma makes a product: 'cosmati tiled-mma --atom' takes the line");
  if (!texts.thr.empty() || !texts.operand.empty())
    throw command_error(bad_input, "--atom: the line says the whole copy: leave --thr, --val and --operand away");
  if (!texts.type.empty()) line.copy.type = texts.type;
  if (!texts.mma.atom.empty()) line.copy.mma = texts.mma;
  bool const explained = line.copy.operand.empty() ? !line.copy.thr.empty() : !line.copy.mma.atom.empty();
  if (!explained || (line.copy.type.empty() && !line.notes.empty()))
    throw command_error(bad_input,
                        fmt::format("--atom: {}", line.notes.empty() ? "it has no thread layout" : line.notes[0]));
  texts = line.copy;
}

void take_apart_atom(std::string const& option, mma_texts& texts) {
  if (!is_pasted_line(texts.atom)) return;
  pasted_line const line = take_apart(option, texts.atom);
  if (!line.is_product)
    throw command_error(bad_input,
                        option + ": make_tiled_copy makes a copy: 'cosmati tiled-copy --atom' takes the line");
  if (!texts.atom_layout.empty() || !texts.permutation.empty())
    throw command_error(bad_input,
                        option + ": the line says the whole product: leave --atom-layout and --permutation away");
  texts = line.mma;
}

}  // namespace cosmati::cli
