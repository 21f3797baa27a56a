// SPDX-License-Identifier: Apache-2.0
/// @file
/// Issues the atoms whose instruction is more than a load and a store: ldmatrix, stmatrix, movmatrix, shuffle
/// transposes, streaming loads and stores, cp.async with and without predicates, bulk copies.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/copy/check/sizes_agree.hpp>
#include <cosmati/algorithm/copy/cp_async.hpp>
#include <cosmati/algorithm/copy/own_operation.hpp>
#include <cosmati/algorithm/copy/widest_access.hpp>
#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/arch/ldmatrix.hpp>
#include <cosmati/arch/movmatrix.hpp>
#include <cosmati/arch/stmatrix.hpp>
#include <cosmati/arch/streaming.hpp>

namespace COSMATI_NAMESPACE::detail {

/// Whether `copy` issues an atom by this header.
template <class Atom>
inline constexpr bool has_instruction =
    names_an_instruction<typename Atom::CopyOp> || is_bulk_copy<typename Atom::CopyOp>;

/// Reports a matrix's row as element i of a tensor.
template <class T, class Index>
struct row_of_tensor {
  T const& tensor;
  Index i;
  char const* file = nullptr;
  int line = 0;
  COSMATI_HD void operator()([[maybe_unused]] access_kind kind, [[maybe_unused]] void const* row,
                             [[maybe_unused]] char const* name) const {
#if defined(COSMATI_SIMULATED)
    note_access(kind, row, 16, 16, description_of(tensor, i), address_of(tensor.data()), name);
#endif
  }
};
/// @name Registers of 32 bits, starting at element i of a fragment
/// @{
template <std::size_t count, class T, class Index>
COSMATI_HD inline void take_registers(T const& t, Index i, std::uint32_t (&held)[count]) {
  constexpr int values_of_register = bits_of_value<T> < 32 ? 32 / bits_of_value<T> : 1;
  COSMATI_UNROLL
  for (int r = 0; r < int{count}; ++r) {
    held[r] = load_vector<4>(address_at(t.data(), t.layout()(i + static_cast<Index>(r * values_of_register))));
  }
}
template <std::size_t count, class T, class Index>
COSMATI_HD inline void put_registers(T& t, Index i, std::uint32_t const (&held)[count]) {
  constexpr int values_of_register = bits_of_value<T> < 32 ? 32 / bits_of_value<T> : 1;
  COSMATI_UNROLL
  for (int r = 0; r < int{count}; ++r) {
    store_vector<4>(address_at(t.data(), t.layout()(i + static_cast<Index>(r * values_of_register))), held[r]);
  }
}
/// @}

/// Issues the atom's instruction for vector k.
template <class Atom, class Src, class Dst, class Index>
COSMATI_HD inline void issue_instruction([[maybe_unused]] Atom const& atom, Src const& src, Dst& dst, Index k) {
  using Op = typename Atom::CopyOp;
  Index const from = k * static_cast<Index>(atom_vectors<Atom>::source);
  Index const to = k * static_cast<Index>(atom_vectors<Atom>::destination);
  if constexpr (own_copy_operation<Op>) {
    call_own_operation<Op>(src, from, dst, to);
  } else if constexpr (cp_async_atom<Op>) {
    issue_cp_async_at<Op>(src, dst, from, filled_only(atom) ? 0 : atom_vectors<Atom>::source);
  } else if constexpr (ldmatrix_atom<Op>) {
    std::uint32_t held[Op::count];
    load_matrices<Op::count, Op::transposes>(address_at(src.data(), src.layout()(from)), held,
                                             row_of_tensor<Src, Index>{src, from});
    put_registers(dst, to, held);
  } else if constexpr (stmatrix_atom<Op>) {
    std::uint32_t held[Op::count];
    take_registers(src, from, held);
    store_matrices<Op::count, Op::transposes>(held, address_at(dst.data(), dst.layout()(to)),
                                              row_of_tensor<Dst, Index>{dst, to});
  } else if constexpr (streaming_atom<Op> && Op::instruction.source == memory_space::gmem) {
    note_vector<Op::streamed_bytes, access_kind::load>(src, from);
    [[maybe_unused]] unseen_scope const unseen;
    auto const loaded = load_streaming<Op::streamed_bytes>(address_at(src.data(), src.layout()(from)));
    put_registers(dst, to, loaded.word);
  } else if constexpr (streaming_atom<Op>) {
    register_words<Op::streamed_bytes> held;
    take_registers(src, from, held.word);
    note_vector<Op::streamed_bytes, access_kind::store>(dst, to);
    [[maybe_unused]] unseen_scope const unseen;
    store_streaming<Op::streamed_bytes>(address_at(dst.data(), dst.layout()(to)), held);
  } else {  // from registers to registers
    constexpr int given = static_cast<int>(sizeof(typename Op::SRegisters) / 4);
    constexpr int taken = static_cast<int>(sizeof(typename Op::DRegisters) / 4);
    std::uint32_t give[std::size_t{given}], take[std::size_t{taken}];
    take_registers(src, from, give);
    if constexpr (given == 1)
      Op::copy(give[0], take[0]);
    else
      Op::copy(give[0], give[1], take[0], take[1]);
    put_registers(dst, to, take);
  }
}

/// A layout whose first elements are the run that bulk copies move.
template <class Run, class L>
COSMATI_HD constexpr auto runs_first(L const& layout) {
  if constexpr (Run::is_in_order)
    return layout;
  else
    return zipped_divide(layout, typename Run::run{});
}
/// As few bulk copies as the common runs of the tensors allow, by the calling thread.
template <class Atom, class Src, class Dst>
COSMATI_HD inline void copy_in_bulk([[maybe_unused]] Atom const& atom, Src const& src, Dst& dst) {
  using Run = run_of_bulk_copy<Src, Dst>;
  constexpr int bytes = Run::bytes;
  constexpr int elements = bytes * 8 / bits_of_value<Src>;
  constexpr auto n = size_or<Src, -1> >= 0 ? size_or<Src, -1> / elements : -1;
  auto const from = runs_first<Run>(src.layout());
  auto const to = runs_first<Run>(dst.layout());
  for_each_vector<n>(size(src) / C<elements>{}, [&](auto k) {
    auto const i = k * static_cast<decltype(k)>(elements);
    if constexpr (is_gmem_v<Src>)
      SM90_BULK_COPY_G2S::copy(address_at(src.data(), from(i)), atom.barrier, address_at(dst.data(), to(i)), bytes);
    else
      SM90_BULK_COPY_S2G::copy(address_at(src.data(), from(i)), address_at(dst.data(), to(i)), bytes);
  });
}
/// Copies a tensor by the atom's instruction, once for each vector. If the atom leaves the width open, it uses the
/// widest access. @pre `copy_check` has passed
template <class Atom, class Src, class Dst>
COSMATI_HD constexpr void copy_by_instruction([[maybe_unused]] Atom const& atom, Src const& src, Dst& dst) {
  using Op = typename Atom::CopyOp;
  if constexpr (moves_tensors<Atom>) {
    atom.template move<static_cast<int>(Atom::NumValSrc::value)>(src, dst);
  } else if constexpr (has_own_unpack<Atom, Src, Dst>) {
    for_each_vector<vectors_of<Atom, Src, Dst>>(size(src) / C<atom_vectors<Atom>::source>{}, [&](auto k) {
      using Index = decltype(k);
      auto const from = vector_at<atom_vectors<Atom>::source>(src, k * static_cast<Index>(atom_vectors<Atom>::source));
      auto to =
          vector_at<atom_vectors<Atom>::destination>(dst, k * static_cast<Index>(atom_vectors<Atom>::destination));
      copy_unpack(static_cast<typename Atom::Traits const&>(atom), from, to);
    });
  } else if constexpr (is_bulk_copy<Op>) {
    copy_in_bulk(atom, src, dst);
  } else if constexpr (waits_for_its_load<Op, Dst>) {
    copy_vectors<Op::bytes, atom_vector<Atom>>(src, dst);
  } else if constexpr (names_an_instruction<Op> || own_copy_operation<Op>) {
    if constexpr (atom_vectors<Atom>::source == atom_vectors<Atom>::destination) {
      if (!sizes_agree(src, dst)) return;
    }
    for_each_vector<vectors_of<Atom, Src, Dst>>(size(src) / C<atom_vectors<Atom>::source>{},
                                                [&](auto k) { issue_instruction(atom, src, dst, k); });
  } else if (!sizes_agree(src, dst)) {
    return;
  } else if constexpr (auto_vector_bits<Op> > 0) {
    copy_widest<auto_vector_bits<Op>, trusted_bits<auto_vector_bits<Op>>>(src, dst);
  } else {
    constexpr int bits = atom_vector<Atom> * Atom::value_bits;
    copy_vectors<bits % 8 == 0 ? bits / 8 : bytes_of_element<Src, Dst>, atom_vector<Atom>>(src, dst);
  }
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
