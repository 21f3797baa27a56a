// SPDX-License-Identifier: Apache-2.0
#include "cuda_kernels.hpp"

namespace cosmati::cli {

namespace {

bool opens(cuda_token const& t) { return t.is("(") || t.is("[") || t.is("{"); }
bool closes(cuda_token const& t) { return t.is(")") || t.is("]") || t.is("}"); }

/// The first token of the declaration that contains token `at`.
std::size_t declaration_begin(std::vector<cuda_token> const& tokens, std::size_t at) {
  while (at > 0) {
    cuda_token const& before = tokens[at - 1];
    if (before.is(";") || before.is("{") || before.is("}")) break;
    --at;
  }
  return at;
}

/// Whether the token may stand behind a function's parameters.
bool follows_parameters(cuda_token const& t) {
  for (char const* const what : {"{", ";", "-", "[", "requires", "noexcept", "try", "__attribute__", ",", "="}) {
    if (t.is(what)) return true;
  }
  return false;
}

/// Whether the `__cluster_dims__` has names among its numbers.
bool has_names(std::vector<cuda_token> const& tokens, std::size_t cluster) {
  std::size_t const end = closing_bracket(tokens, cluster + 1);
  for (std::size_t i = cluster + 2; i < end && end < tokens.size(); ++i) {
    if (tokens[i].kind == cuda_token::kind_type::name) return true;
  }
  return false;
}

/// The index of the `(` that begins the kernel's parameters. Attributes have parentheses, too, and so may the type
/// that it returns.
std::size_t parameters_begin(std::vector<cuda_token> const& tokens, std::size_t at) {
  int depth = 0;  // of template arguments
  for (; at < tokens.size(); ++at) {
    cuda_token const& t = tokens[at];
    if (t.is("<")) ++depth;
    if (t.is(">") && depth > 0) --depth;
    if (t.is(";") || t.is("{") || t.is("}")) break;
    if (!t.is("(") || at == 0) continue;
    cuda_token const& before = tokens[at - 1];
    bool is_other = false;
    for (char const* const word :
         {"__attribute__", "alignas", "decltype", "__declspec", "__cluster_dims__", "sizeof", "requires"})
      is_other = is_other || before.is(word);
    std::size_t const close = closing_bracket(tokens, at);
    if (close + 1 >= tokens.size()) break;
    bool const has_name = before.kind == cuda_token::kind_type::name || before.is(">");
    if (!is_other && has_name && depth == 0 && follows_parameters(tokens[close + 1])) return at;
    at = close;
  }
  return tokens.size();
}

/// The kernel's name before its parameters: `k` of `k(` and of the specialization `k<int, box<4>>(`.
std::string_view name_before(std::vector<cuda_token> const& tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i-- > 0;) {
    if (closes(tokens[i])) {
      i = opening_bracket(tokens, i);
      if (i >= tokens.size()) break;
    }
    if (tokens[i].is(">")) ++depth;
    if (tokens[i].is("<")) --depth;
    if (depth == 0 && tokens[i].kind == cuda_token::kind_type::name) return tokens[i].text;
    if (tokens[i].is(";")) break;
  }
  return {};
}

/// Whether the parameters can have no single address: one has a default or the type `auto`.
bool are_flexible(std::vector<cuda_token> const& tokens, std::size_t open, std::size_t close) {
  for (std::size_t i = open + 1; i < close; ++i) {
    if (tokens[i].is("=") || tokens[i].is("auto")) return true;
    if (opens(tokens[i])) i = closing_bracket(tokens, i);
  }
  return false;
}

/// The text of a parameter's type: what the parameter has before a default, without its name.
std::string type_text(std::vector<cuda_token> const& parameter) {
  std::size_t end = 0, names = 0;  // up to the name that may be the parameter's
  for (std::size_t i = 0; i < parameter.size() && !parameter[i].is("["); ++i) {
    if (parameter[i].kind == cuda_token::kind_type::name && !parameter[i].is("const")) ++names;
    end = i;
  }
  bool drops = names > 1 && parameter[end].kind == cuda_token::kind_type::name && !parameter[end - 1].is(":");
  for (char const* const word : {"int", "char", "short", "long", "unsigned", "float", "double", "bool", "const"}) {
    drops = drops && !parameter[end].is(word);
  }
  std::string text;
  for (std::size_t i = 0; i < parameter.size(); ++i) {
    if (!drops || i != end) text.append(parameter[i].text).append(" ");
  }
  return text;
}

/// The types of a list of parameters. Two spellings of a type are two texts.
std::string types_of(std::vector<cuda_token> const& tokens, std::size_t open, std::size_t close) {
  std::string all;
  std::vector<cuda_token> parameter;
  int depth = 0;
  for (std::size_t i = open + 1; i <= close; ++i) {
    if (i == close || (depth == 0 && tokens[i].is(","))) {
      all += type_text(parameter) + ",";
      parameter.clear();
      continue;
    }
    if (opens(tokens[i]) || tokens[i].is("<")) ++depth;
    if (closes(tokens[i]) || tokens[i].is(">")) --depth;
    if (!tokens[i].is("__restrict__") && !tokens[i].is("__restrict")) parameter.push_back(tokens[i]);
  }
  return all;
}

/// The index of the `{` after a list of parameters, perhaps behind attributes; the number of tokens for a declaration.
std::size_t body_begin(std::vector<cuda_token> const& tokens, std::size_t at) {
  for (; at < tokens.size() && !tokens[at].is(";") && !tokens[at].is("}"); ++at) {
    if (tokens[at].is("{")) return at;
    if (tokens[at].is("(") || tokens[at].is("[")) at = closing_bracket(tokens, at);
  }
  return tokens.size();
}

/// Whether the name at `i` is that of a function that is declared here and is no kernel.
bool declares_host_function(std::vector<cuda_token> const& tokens, std::size_t i) {
  if (i == 0 || i + 1 >= tokens.size() || !tokens[i + 1].is("(")) return false;
  cuda_token const& before = tokens[i - 1];
  if (before.kind != cuda_token::kind_type::name && !before.is("*") && !before.is("&") && !before.is(">")) return false;
  for (char const* const word : {"return", "else", "do", "throw", "case", "new", "co_return"}) {
    if (before.is(word)) return false;
  }
  for (std::size_t at = declaration_begin(tokens, i); at < i; ++at) {
    if (tokens[at].is("__global__")) return false;
  }
  return true;
}

}  // namespace

std::size_t closing_bracket(std::vector<cuda_token> const& tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    if (opens(tokens[i])) ++depth;
    if (closes(tokens[i]) && --depth == 0) return i;
  }
  return tokens.size();
}

std::size_t opening_bracket(std::vector<cuda_token> const& tokens, std::size_t close) {
  int depth = 0;
  for (std::size_t i = close + 1; i-- > 0;) {
    if (closes(tokens[i])) ++depth;
    if (opens(tokens[i]) && --depth == 0) return i;
  }
  return tokens.size();
}

std::map<std::string_view, cuda_kernel> cuda_kernels(std::vector<cuda_token> const& tokens) {
  std::map<std::string_view, cuda_kernel> kernels;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!tokens[i].is("__global__")) continue;
    std::size_t const open = parameters_begin(tokens, i + 1);
    if (open >= tokens.size()) continue;
    std::size_t const close = closing_bracket(tokens, open);
    if (close >= tokens.size()) continue;
    cuda_kernel& k = kernels[name_before(tokens, open)];
    bool is_template = false;  // a pragma may stand before the word
    std::size_t cluster = 0;
    for (std::size_t t = declaration_begin(tokens, i); t < open; ++t) {
      if (tokens[t].is("__cluster_dims__")) cluster = t;
      is_template = is_template || (t < i && tokens[t].is("template"));
    }
    if (cluster != 0) k.cluster = cluster;
    if (cluster != 0 && has_names(tokens, cluster)) k.clusters_have_names = true;
    if (std::size_t const body = body_begin(tokens, close + 1); body < tokens.size())
      k.bodies.push_back({body, cluster});
    std::string const types = types_of(tokens, open, close);
    if (k.parameters.empty()) k.parameters = types;
    // Declarations with other types are overloads, whose bodies another file may have.
    if (types != k.parameters || k.bodies.size() > 1 || is_template || k.clusters_have_names ||
        are_flexible(tokens, open, close))
      k.one_function = false;
  }
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    auto const found = kernels.find(tokens[i].text);
    if (found != kernels.end() && declares_host_function(tokens, i)) found->second.one_function = false;
  }
  return kernels;
}

}  // namespace cosmati::cli
