// SPDX-License-Identifier: Apache-2.0
#include "atom.hpp"

#include "absent_names.hpp"
#include "near_names.hpp"

#include <fmt/format.h>
#include <cosmati/atom/bulk_copy.hpp>
#include <cosmati/atom/cp_async.hpp>
#include <cosmati/atom/ldmatrix.hpp>
#include <cosmati/atom/movmatrix.hpp>
#include <cosmati/atom/shuffle_transpose.hpp>
#include <cosmati/atom/stmatrix.hpp>
#include <cosmati/core/tree_of_type.hpp>
#include <cosmati/layout/algebra/recast.hpp>
#include <cosmati/layout/text_cursor.hpp>

namespace cosmati::cli {

namespace {

/// The parameters that follow the name.
enum class parameters : std::uint8_t { none, alignment, type };

struct known_atom {
  std::string_view name;
  parameters behind;
  void (*fill)(copy_atom& atom) = nullptr;  ///< fills in layouts and instruction; null if the type must be known
  copy_instruction const* (*of_bits)(int bits) = nullptr;  ///< the instruction for a type; null if the atom takes any
                                                           ///< type
  char const* widths = nullptr;                            ///< the allowed widths in words, for types whose `of_bits`
                                                           ///< is null
};

/// A static layout, as a value.
template <class Layout>
flat_tree<symbolic_integer> layout_value() {
  constexpr auto& tree = detail::tree_of<Layout>;
  flat_tree<symbolic_integer> f;
  for (int i = 0, leaf = 0; i < tree.nodes; ++i) {
    if (tree.node[i] == flat_tree<symbolic_integer>::leaf) {
      f.add_leaf(symbolic_integer(tree.shape[leaf]), symbolic_integer(tree.stride[leaf]));
      ++leaf;
    } else {
      f.add_node(tree.node[i]);
    }
  }
  return f;
}
template <class Op>
void take_layouts(copy_atom& atom) {
  using Traits = Copy_Traits<Op>;
  atom.src = layout_value<typename Traits::SrcLayout>();
  atom.dst = layout_value<typename Traits::DstLayout>();
  atom.ref = layout_value<typename Traits::RefLayout>();
}
template <class Op>
copy_instruction const* instruction_of() {
  return &Op::instruction;
}
template <class Op>
void take_traits(copy_atom& atom) {
  take_layouts<Op>(atom);
  atom.special = instruction_of<Op>();
  std::int64_t const bits = decltype(size<1>(typename Copy_Traits<Op>::RefLayout{}))::value;
  atom.bits = bits == 1 ? 0 : bits;
}
/// SM90_BULK_COPY_AUTO is one of two instructions. Both copy value by value until widths are known.
void take_bulk_copy(copy_atom& atom) { take_traits<SM90_BULK_COPY_G2S>(atom); }

template <template <class, class> class Op>
copy_instruction const* wide(int bits) {
  return bits == 128 ? instruction_of<Op<uint128_t, uint128_t>>() : nullptr;
}
template <template <class, class> class Op>
copy_instruction const* any_width(int bits) {
  return bits == 32   ? instruction_of<Op<std::uint32_t, std::uint32_t>>()
         : bits == 64 ? instruction_of<Op<std::uint64_t, std::uint64_t>>()
                      : wide<Op>(bits);
}

constexpr char const* only_128 = "this instruction moves 128 bits";
constexpr char const* down_to_32 = "this instruction moves 32, 64 or 128 bits";
#define COSMATI_ATOM_(name) \
  { #name, parameters::none, take_traits < name> }
constexpr known_atom atoms[] = {
    {"UniversalCopy", parameters::type},
    {"AutoVectorizingCopy", parameters::none},
    {"AutoVectorizingCopyWithAssumedAlignment", parameters::alignment},
    {"DefaultCopy", parameters::none},
    {"SM80_CP_ASYNC_CACHEALWAYS", parameters::type, nullptr, any_width<SM80_CP_ASYNC_CACHEALWAYS>, down_to_32},
    {"SM80_CP_ASYNC_CACHEALWAYS_ZFILL", parameters::type, nullptr, any_width<SM80_CP_ASYNC_CACHEALWAYS_ZFILL>,
     down_to_32},
    {"SM80_CP_ASYNC_CACHEGLOBAL", parameters::type, nullptr, wide<SM80_CP_ASYNC_CACHEGLOBAL>, only_128},
    {"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL", parameters::type, nullptr, wide<SM80_CP_ASYNC_CACHEGLOBAL_ZFILL>, only_128},
    COSMATI_ATOM_(SM75_U32x1_LDSM_N),
    COSMATI_ATOM_(SM75_U32x2_LDSM_N),
    COSMATI_ATOM_(SM75_U32x4_LDSM_N),
    COSMATI_ATOM_(SM75_U16x2_LDSM_T),
    COSMATI_ATOM_(SM75_U16x4_LDSM_T),
    COSMATI_ATOM_(SM75_U16x8_LDSM_T),
    COSMATI_ATOM_(SM90_U32x1_STSM_N),
    COSMATI_ATOM_(SM90_U32x2_STSM_N),
    COSMATI_ATOM_(SM90_U32x4_STSM_N),
    COSMATI_ATOM_(SM90_U16x2_STSM_T),
    COSMATI_ATOM_(SM90_U16x4_STSM_T),
    COSMATI_ATOM_(SM90_U16x8_STSM_T),
    COSMATI_ATOM_(SM75_U32x1_MOVM_T),
    COSMATI_ATOM_(SM50_Shuffle_U32_2x2Trans_XOR1),
    COSMATI_ATOM_(SM50_Shuffle_U32_2x2Trans_XOR4),
    COSMATI_ATOM_(SM90_BULK_COPY_G2S),
    COSMATI_ATOM_(SM90_BULK_COPY_S2G),
    {"SM90_BULK_COPY_AUTO", parameters::none, take_bulk_copy},
};
#undef COSMATI_ATOM_

[[noreturn]] void refuse_atom(text_cursor& in, char const* place, std::string_view name) {
  if (name.empty()) in.fail_at(place, "expected a copy operation, as UniversalCopy<uint128_t> or SM75_U32x4_LDSM_N");
  std::string hint = absent_name(name, name_place::copy_atom);
  if (hint.empty()) {
    std::vector<std::string_view> names = {"Copy_Atom"};
    for (known_atom const& a : atoms) names.push_back(a.name);
    hint = did_you_mean(name, names);
  }
  if (hint.empty()) {
    in.fail_at(place,
               "expected UniversalCopy<T>, AutoVectorizingCopy, AutoVectorizingCopyWithAssumedAlignment<bits>, "
               "DefaultCopy, SM80_CP_ASYNC_...<T>, SM75_U32x4_LDSM_N, SM90_U32x4_STSM_N or another of CuTe's of those "
               "kinds");
  }
  in.fail_at(place, fmt::format("expected a copy operation, and none is called '{:.80}'{}", name, hint));
}

void read_atom(text_cursor& in, copy_atom& atom) {
  in.skip_blanks();
  char const* const place = in.at;
  std::string_view const name = name_behind_namespaces(in);
  if (name == "Copy_Atom") {
    in.expect('<', "and the operation, as in Copy_Atom<UniversalCopy<uint128_t>, half_t>");
    read_atom(in, atom);
    in.expect(',', "and the value type");
    atom.value = &read_number_type(in);
    in.expect('>', "behind the value type");
    in.accept("{}");
    return;
  }
  known_atom const* found = nullptr;
  for (known_atom const& a : atoms) {
    if (a.name == name) found = &a;
  }
  if (found == nullptr) refuse_atom(in, place, name);
  if (found->behind == parameters::alignment) {
    in.expect('<', "and the alignment in bits");
    char const* const number = (in.skip_blanks(), in.at);
    std::int64_t const bits = in.digits();
    if (bits < 8 || bits > 128 || (bits & (bits - 1)) != 0) in.fail_at(number, "expected 8, 16, 32, 64 or 128 bits");
    atom.widest = bits;
    in.expect('>', "behind the alignment");
  } else if (found->behind == parameters::type) {
    in.expect('<', "and the type that is moved at once, as in UniversalCopy<uint128_t>");
    char const* const type = (in.skip_blanks(), in.at);
    number_type_row const& source = read_number_type(in);
    atom.bits = source.bits;
    if (in.accept(',')) {
      char const* const other = (in.skip_blanks(), in.at);
      if (read_number_type(in).bits != source.bits) in.fail_at(other, "expected a type as wide as the source's");
    }
    in.expect('>', "behind the type");
    if (found->of_bits != nullptr) {
      atom.special = found->of_bits(source.bits);
      if (atom.special == nullptr) in.fail_at(type, found->widths);
    }
  }
  if (found->fill != nullptr)
    found->fill(atom);
  else if (atom.bits != 0)
    atom.src = atom.dst = atom.ref = values_of_one_thread(atom.bits);
  else
    take_layouts<DefaultCopy>(atom);
  if (name == "DefaultCopy") atom.widest = 8;
  in.accept("{}");
}

}  // namespace

std::string_view name_behind_namespaces(text_cursor& in) {
  in.accept("::");
  for (;;) {
    std::string_view const word = in.word();
    in.at += word.size();
    if (word.empty() || !in.accept("::")) return word;
  }
}

number_type_row const& read_number_type(text_cursor& in) {
  in.skip_blanks();
  char const* const place = in.at;
  int open = 0;
  while (in.at != in.end && (open > 0 || (*in.at != ',' && *in.at != '>'))) {
    open += *in.at == '<' ? 1 : *in.at == '>' ? -1 : 0;
    ++in.at;
  }
  std::string_view const name(place, static_cast<std::size_t>(in.at - place));
  number_type_row const* const row = find_number_type(name);
  if (row == nullptr) in.fail_at(place, no_number_type(name));
  return *row;
}

std::string no_number_type(std::string_view name) {
  std::vector<std::string_view> names;
  for (number_type_row const& row : number_types) names.push_back(row.name);
  std::string_view plain = name;
  if (plain.ends_with("_t")) plain.remove_suffix(2);
  std::string hint = did_you_mean(plain, names);
  if (hint.empty()) {
    names.clear();
    for (number_type_alias const& alias : number_type_aliases) names.push_back(alias.name);
    hint = did_you_mean(plain, names);
  }
  return fmt::format("no number type is called '{:.80}'{}", name, hint);
}

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

flat_tree<symbolic_integer> values_of_one_thread(std::int64_t count) {
  flat_tree<symbolic_integer> r;
  r.add_open(2);
  r.add_leaf(symbolic_integer(1), symbolic_integer(0));
  r.add_leaf(symbolic_integer(count), symbolic_integer(1));
  return r;
}

value_layouts value_layouts_of(copy_atom const& atom, int bits) {
  if (atom.bits % bits != 0) {
    throw error("%.200s moves %lld bits at once, which is no multiple of a value's %d bits", atom.name.c_str(),
                static_cast<long long>(atom.bits), bits);
  }
  if (atom.bits == 0) return {atom.src, atom.dst, atom.ref};
  value_layouts const r = {algebra::upcast(atom.src, bits), algebra::upcast(atom.dst, bits),
                           algebra::upcast(atom.ref, bits)};
  for (flat_tree<symbolic_integer> const* side : {&r.src, &r.dst}) {
    if (algebra::size(*side, 0).value != atom.threads()) {
      throw error("%.200s takes values of %d bits apart: its threads hold narrower ones", atom.name.c_str(), bits);
    }
  }
  return r;
}

}  // namespace cosmati::cli
