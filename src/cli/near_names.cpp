// SPDX-License-Identifier: Apache-2.0
#include "near_names.hpp"

#include <algorithm>

namespace cosmati::cli {

namespace {

char small_letter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
std::string in_small_letters(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), small_letter);
  return out;
}

/// How many letters are left away, added, changed, or swapped with their neighbour.
std::size_t slips_between(std::string const& a, std::string const& b) {
  std::size_t const width = b.size() + 1;
  std::vector<std::size_t> table((a.size() + 1) * width);
  auto const at = [&](std::size_t i, std::size_t j) -> std::size_t& { return table[i * width + j]; };
  for (std::size_t i = 0; i <= a.size(); ++i) at(i, 0) = i;
  for (std::size_t j = 0; j <= b.size(); ++j) at(0, j) = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t const changed = a[i - 1] == b[j - 1] ? 0 : 1;
      at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + changed});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  }
  return at(a.size(), b.size());
}

/// Whether one of the words of `name`, which underscores part, begins with `part`.
bool has_word(std::string const& name, std::string const& part) {
  if (part.size() < 4) return false;
  for (std::size_t at = name.find(part); at != std::string::npos; at = name.find(part, at + 1)) {
    if (at > 0 && name[at - 1] == '_') return true;
  }
  return false;
}

}  // namespace

std::vector<std::string_view> near_names(std::string_view typed, std::vector<std::string_view> const& known) {
  constexpr std::size_t most = 3, longest = 200;
  if (typed.empty() || typed.size() > longest) return {};
  std::string const wanted = in_small_letters(typed);
  std::size_t const allowed = wanted.size() < 3 ? 0 : 1 + wanted.size() / 5;
  struct candidate {
    std::size_t slips;
    std::string_view name;
  };
  std::vector<candidate> near;
  for (std::string_view const name : known) {
    if (std::any_of(near.begin(), near.end(), [&](candidate const& c) { return c.name == name; })) continue;
    std::string const other = in_small_letters(name);
    bool const goes_on = wanted.size() > 2 && other.starts_with(wanted);
    std::size_t const slips = slips_between(wanted, other);
    if (goes_on || has_word(other, wanted))
      near.push_back({std::min<std::size_t>(slips, 1), name});
    else if (slips <= allowed)
      near.push_back({slips, name});
  }
  std::stable_sort(near.begin(), near.end(), [](candidate const& a, candidate const& b) { return a.slips < b.slips; });
  std::vector<std::string_view> out;
  for (candidate const& c : near) {
    if (out.size() == most || c.slips > near.front().slips) break;
    out.push_back(c.name);
  }
  return out;
}

std::string did_you_mean(std::string_view typed, std::vector<std::string_view> const& known) {
  std::vector<std::string_view> const near = near_names(typed, known);
  if (near.empty()) return {};
  std::string out = "; did you mean ";
  for (std::size_t i = 0; i < near.size(); ++i) {
    if (i != 0) out += i + 1 == near.size() ? " or " : ", ";
    out += near[i];
  }
  return out + "?";
}

}  // namespace cosmati::cli
