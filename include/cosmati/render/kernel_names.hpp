// SPDX-License-Identifier: Apache-2.0
/// @file
/// Short names of kernels for people. Template arguments are cut, but two kernels stay distinguishable.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/config.hpp>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace COSMATI_NAMESPACE::detail {

inline constexpr std::size_t kernel_name_piece = 40;  // characters of template arguments that stay together

constexpr bool is_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/// The position of the template arguments in a name that is cut; the name's size if it is not cut.
inline std::size_t cut_of_kernel_name(std::string const& name) {
  std::size_t const open = name.find('<');
  return open != std::string::npos && name.size() - open > 60 ? open + kernel_name_piece : name.size();
}

/// For names that are alike up to `from`: appends to each text the part that distinguishes it from the others.
inline void tell_kernels_apart(std::vector<std::string> const& names, std::vector<std::size_t> const& alike,
                               std::size_t from, std::vector<std::string>& text) {
  std::string const& first = names[alike.front()];
  auto const differs = [&](std::size_t at) {
    for (std::size_t const i : alike) {
      if (at >= names[i].size() || at >= first.size() || names[i][at] != first[at]) return true;
    }
    return false;
  };
  std::size_t begin = from;
  while (!differs(begin)) ++begin;
  std::size_t const at = begin;
  while (begin > from && at - begin < kernel_name_piece / 2 && is_of_word(first[begin - 1])) --begin;
  std::map<std::string, std::vector<std::size_t>> by_piece;
  for (std::size_t const i : alike) {
    std::string const piece = begin < names[i].size() ? names[i].substr(begin, kernel_name_piece) : std::string();
    text[i] += (begin > from ? "..." : "") + piece;
    by_piece[piece].push_back(i);
  }
  for (auto const& [piece, same] : by_piece) {
    std::size_t const end = begin + kernel_name_piece;
    if (same.size() > 1)
      tell_kernels_apart(names, same, end, text);
    else if (end < names[same.front()].size())
      text[same.front()] += "...>";
  }
}

/// A short text for each of the names, which are distinct. Up to some sixty characters of template arguments stay as
/// they are. Otherwise the text has their beginning, and the pieces that distinguish it from other names with that
/// beginning.
inline std::vector<std::string> short_kernel_names(std::vector<std::string> const& names) {
  std::vector<std::string> text(names.size());
  std::map<std::string, std::vector<std::size_t>> alike;
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::size_t const cut = cut_of_kernel_name(names[i]);
    text[i] = names[i].substr(0, cut);
    if (cut < names[i].size()) alike[text[i]].push_back(i);
  }
  for (auto const& [beginning, same] : alike) {
    if (same.size() == 1)
      text[same.front()] += "...>";
    else
      tell_kernels_apart(names, same, beginning.size(), text);
  }
  return text;
}

/// The short texts by name.
inline std::map<std::string, std::string> kernel_texts(std::vector<std::string> const& names) {
  std::map<std::string, std::string> texts;
  std::vector<std::string> const all = short_kernel_names(names);
  for (std::size_t i = 0; i < names.size(); ++i) texts[names[i]] = all[i];
  return texts;
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
