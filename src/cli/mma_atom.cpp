// SPDX-License-Identifier: Apache-2.0
#include "mma_atom.hpp"

#include "absent_names.hpp"
#include "atom.hpp"
#include "near_names.hpp"

#include <fmt/format.h>
#include <cosmati/atom/mma_operations.hpp>
#include <cosmati/layout/text_cursor.hpp>
#include <cosmati/number/type_names.hpp>

namespace cosmati::cli {

namespace {

template <class T>
std::string type_text() {
  if constexpr (std::is_same_v<T, gauss_complex>)
    return "gauss_complex";
  else
    return std::string(type_name<T>());
}
template <class Op>
mma_atom atom_of(char const* name) {
  using Atom = MMA_Atom<Op>;
  return {name,
          type_text<typename Atom::ValTypeA>(),
          type_text<typename Atom::ValTypeB>(),
          type_text<typename Atom::ValTypeC>(),
          type_text<typename Atom::ValTypeD>(),
          std::is_same_v<typename Atom::LayoutC_TV, typename Atom::LayoutD_TV>,
          mma_values_of(Atom{})};
}

struct known_operation {
  std::string_view name;
  mma_atom (*make)(char const* name);
};
std::vector<known_operation> const& operations() {
  static std::vector<known_operation> const all = [] {
    std::vector<known_operation> found;
    mma_operations::for_each_operation([&]<class Op>(mma_operations::named<Op> const& op) {
      found.push_back({op.name, atom_of<Op>});
    });
    return found;
  }();
  return all;
}

/// UniversalFMA<D, A, B, C>. Omitted types have the defaults of C++.
mma_atom universal(text_cursor& in) {
  std::string type[4];
  int count = 0;
  if (in.accept('<')) {
    do {
      if (count == 4) in.fail_here("expected '>': UniversalFMA has the types of D, A, B and C");
      type[count++] = read_number_type(in).name;
    } while (in.accept(','));
    in.expect('>', "behind the types, as in UniversalFMA<float>");
  }
  if (count == 0) in.fail_here("expected '<' and a type, as in UniversalFMA<float>");
  mma_atom atom = atom_of<UniversalFMA<float>>("UniversalFMA");
  atom.d = type[0];
  atom.a = count > 1 ? type[1] : atom.d;
  atom.b = count > 2 ? type[2] : atom.a;
  atom.c = count > 3 ? type[3] : atom.d;
  return atom;
}

[[noreturn]] void refuse_atom(text_cursor& in, char const* place, std::string_view name) {
  if (name.empty()) in.fail_at(place, "expected a matrix instruction, as SM80_16x8x16_F32F16F16F32_TN");
  std::string hint = absent_name(name, name_place::mma_atom);
  if (hint.empty()) {
    std::vector<std::string_view> names = {"UniversalFMA", "MMA_Atom"};
    for (known_operation const& op : operations()) names.push_back(op.name);
    hint = did_you_mean(name, names);
  }
  if (hint.empty())
    in.fail_at(place, "expected UniversalFMA<T>, SM80_16x8x16_F32F16F16F32_TN or another of CuTe's names for mma.sync");
  in.fail_at(place, fmt::format("expected a matrix instruction, and none is called '{:.80}'{}", name, hint));
}

mma_atom read_atom(text_cursor& in) {
  in.skip_blanks();
  char const* const place = in.at;
  std::string_view const name = name_behind_namespaces(in);
  if (name == "MMA_Atom") {
    in.expect('<', "and the operation, as in MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>");
    mma_atom atom = read_atom(in);
    in.expect('>', "behind the operation");
    in.accept("{}");
    return atom;
  }
  if (name == "UniversalFMA") {
    mma_atom atom = universal(in);
    atom.name.clear();
    for (char const* c = place; c != in.at; ++c) {
      if (*c != ' ') atom.name += *c;
    }
    in.accept("{}");
    return atom;
  }
  for (known_operation const& op : operations()) {
    if (op.name != name) continue;
    in.accept("{}");
    return op.make(op.name.data());
  }
  refuse_atom(in, place, name);
}

}  // namespace

mma_atom parse_mma_atom(std::string_view text) {
  text_cursor in(text);
  mma_atom atom = read_atom(in);
  in.skip_blanks();
  if (in.at != in.end) in.fail_here("expected the end");
  return atom;
}

std::vector<std::string> mma_atom_names() {
  std::vector<std::string> names = {"UniversalFMA<float>"};
  for (known_operation const& op : operations()) names.emplace_back(op.name);
  return names;
}

}  // namespace cosmati::cli
