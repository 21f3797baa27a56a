// SPDX-License-Identifier: Apache-2.0
#include "atom.hpp"

#include <fmt/format.h>
#include <cosmati/layout/text_cursor.hpp>

namespace cosmati::cli {

namespace {

struct known_atom {
  std::string_view name;
  enum : std::uint8_t { universal, automatic, automatic_aligned, asynchronous } what;
  int fewest_bits = 0;
};
constexpr known_atom atoms[] = {
    {"UniversalCopy", known_atom::universal},
    {"AutoVectorizingCopy", known_atom::automatic},
    {"AutoVectorizingCopyWithAssumedAlignment", known_atom::automatic_aligned},
    {"DefaultCopy", known_atom::automatic},
    {"SM80_CP_ASYNC_CACHEALWAYS", known_atom::asynchronous, 32},
    {"SM80_CP_ASYNC_CACHEALWAYS_ZFILL", known_atom::asynchronous, 32},
    {"SM80_CP_ASYNC_CACHEGLOBAL", known_atom::asynchronous, 128},
    {"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL", known_atom::asynchronous, 128},
};

std::string_view name_behind_namespaces(text_cursor& in) {
  in.accept("::");
  for (;;) {
    std::string_view const word = in.word();
    in.at += word.size();
    if (word.empty() || !in.accept("::")) return word;
  }
}

/// A number type up to ',' or '>', brackets balanced.
number_type_row const& read_type(text_cursor& in) {
  in.skip_blanks();
  char const* const place = in.at;
  int open = 0;
  while (in.at != in.end && (open > 0 || (*in.at != ',' && *in.at != '>'))) {
    open += *in.at == '<' ? 1 : *in.at == '>' ? -1 : 0;
    ++in.at;
  }
  std::string_view const name(place, static_cast<std::size_t>(in.at - place));
  number_type_row const* const row = find_number_type(name);
  if (row == nullptr) in.fail_at(place, fmt::format("no number type is called '{}'", name));
  return *row;
}

void read_atom(text_cursor& in, copy_atom& atom) {
  in.skip_blanks();
  char const* const place = in.at;
  std::string_view const name = name_behind_namespaces(in);
  if (name == "Copy_Atom") {
    in.expect('<', "and the operation, as in Copy_Atom<UniversalCopy<uint128_t>, half_t>");
    read_atom(in, atom);
    in.expect(',', "and the value type");
    atom.value = &read_type(in);
    in.expect('>', "behind the value type");
    in.accept("{}");
    return;
  }
  known_atom const* found = nullptr;
  for (known_atom const& a : atoms) {
    if (a.name == name) found = &a;
  }
  if (found == nullptr) {
    in.fail_at(place,
               "expected UniversalCopy<T>, AutoVectorizingCopy, AutoVectorizingCopyWithAssumedAlignment<bits>, "
               "DefaultCopy or SM80_CP_ASYNC_...<T>");
  }
  if (found->what == known_atom::automatic_aligned) {
    in.expect('<', "and the alignment in bits");
    char const* const number = (in.skip_blanks(), in.at);
    std::int64_t const bits = in.digits();
    if (bits < 8 || bits > 128 || (bits & (bits - 1)) != 0) in.fail_at(number, "expected 8, 16, 32, 64 or 128 bits");
    in.expect('>', "behind the alignment");
  } else if (found->what != known_atom::automatic) {
    in.expect('<', "and the type that is moved at once, as in UniversalCopy<uint128_t>");
    char const* const type = (in.skip_blanks(), in.at);
    number_type_row const& source = read_type(in);
    atom.bits = source.bits;
    if (in.accept(',')) {
      char const* const other = (in.skip_blanks(), in.at);
      if (read_type(in).bits != source.bits) in.fail_at(other, "expected a type as wide as the source's");
    }
    in.expect('>', "behind the type");
    if (found->fewest_bits > atom.bits || (found->fewest_bits != 0 && atom.bits > 128)) {
      in.fail_at(type, found->fewest_bits == 128 ? "this instruction moves 128 bits"
                                                 : "this instruction moves 32, 64 or 128 bits");
    }
  }
  in.accept("{}");
}

}  // namespace

copy_atom parse_copy_atom(std::string_view text) {
  copy_atom atom;
  text_cursor in(text);
  read_atom(in, atom);
  in.skip_blanks();
  if (in.at != in.end) in.fail_here("expected the end");
  for (char const c : text) {
    if (c != ' ') atom.name += c;
  }
  return atom;
}

flat<number> value_layout(copy_atom const& atom, int bits) {
  if (atom.bits % bits != 0) {
    throw error("%.200s moves %lld bits at once, which is no multiple of a value's %d bits", atom.name.c_str(),
                static_cast<long long>(atom.bits), bits);
  }
  flat<number> r;
  r.add_open(2);
  r.add_leaf(1, 0);
  r.add_leaf(atom.bits == 0 ? 1 : atom.bits / bits, atom.bits == 0 ? 0 : 1);
  return r;
}

}  // namespace cosmati::cli
