// SPDX-License-Identifier: Apache-2.0
/// @file
/// How `copy` issues an atom whose instruction is more than a load and a store: ldmatrix, stmatrix, movmatrix, shuffle
/// transposes, streaming loads and stores, cp.async with and without predicates, bulk copies.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/copy_check.hpp>
#include <cosmati/algorithm/element.hpp>
#include <cosmati/algorithm/place_bounds.hpp>
#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/arch/cp_async.hpp>
#include <cosmati/arch/ldmatrix.hpp>
#include <cosmati/arch/movmatrix.hpp>
#include <cosmati/arch/stmatrix.hpp>
#include <cosmati/arch/streaming.hpp>

namespace COSMATI_NAMESPACE::detail {

/// An atom that `copy` issues by this header.
template <class Atom>
inline constexpr bool has_instruction =
    names_an_instruction<typename Atom::CopyOp> || is_bulk_copy<typename Atom::CopyOp>;

#if defined(COSMATI_SIMULATED)
/// Element i of a tensor, in words.
template <class T, class Index>
auto description_of(T const& t, Index i) {
  auto const offset = t.layout()(i);
  return element_description<std::remove_cvref_t<decltype(t.layout())>, long long>{
      t.layout(), static_cast<long long>(i), static_cast<long long>(offset), memory_space_v<typename T::iterator>};
}
template <class Description>
void write_description(void const* context, char* out, std::size_t size) {
  (*static_cast<Description const*>(context))(out, size);
}
#endif

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
/// Issues an asynchronous copy from element i of a tensor to element i of another.
template <class Src, class Dst, class Index>
struct copy_of_tensors {
  Src const& src;
  Dst const& dst;
  Index i;
#if defined(COSMATI_SIMULATED)
  void issue(void* shared, void const* global, unsigned bytes, unsigned source_bytes, cache_level level) const {
    auto const to = description_of(dst, i);
    auto const from = description_of(src, i);
    cosmati_sim_cp_async(shared, global, bytes, source_bytes, static_cast<int>(level), address_of(dst.data()),
                         address_of(src.data()), &write_description<decltype(to)>, &to,
                         &write_description<decltype(from)>, &from, nullptr, 0);
  }
#endif
};

/// @name Registers of 32 bits, from element i of a fragment on
/// @{
template <std::size_t count, class T, class Index>
COSMATI_HD inline void take_registers(T const& t, Index i, std::uint32_t (&held)[count]) {
  constexpr int each = bits_of_value<T> < 32 ? 32 / bits_of_value<T> : 1;
  COSMATI_UNROLL
  for (int r = 0; r < int{count}; ++r) {
    [[maybe_unused]] unseen_scope const unseen;
    held[r] = load_vector<4>(address_at(t.data(), t.layout()(i + static_cast<Index>(r * each))));
  }
}
template <std::size_t count, class T, class Index>
COSMATI_HD inline void put_registers(T& t, Index i, std::uint32_t const (&held)[count]) {
  constexpr int each = bits_of_value<T> < 32 ? 32 / bits_of_value<T> : 1;
  COSMATI_UNROLL
  for (int r = 0; r < int{count}; ++r) {
    [[maybe_unused]] unseen_scope const unseen;
    store_vector<4>(address_at(t.data(), t.layout()(i + static_cast<Index>(r * each))), held[r]);
  }
}
/// @}

/// @name cp.async
/// @{
template <class Atom>
COSMATI_HD constexpr bool filled_only([[maybe_unused]] Atom const& atom) {
  if constexpr (requires { atom.pred; })
    return !atom.pred;
  else
    return false;
}
/// One cp.async of the elements from i on. @param elements that are read; the others become zero
template <class Op, class Src, class Dst, class Index>
COSMATI_HD inline void issue_cp_async_at(Src const& src, Dst& dst, Index i, int elements) {
  issue_cp_async<Op::bytes, Op::level, Op::fills_with_zeros>(
      address_at(dst.data(), dst.layout()(i)), address_at(src.data(), src.layout()(i)),
      static_cast<unsigned>(elements * bits_of_value<Src> / 8), copy_of_tensors<Src, Dst, Index>{src, dst, i});
}
/// One element of a vector that does not move as a whole: without waiting if it has 4, 8 or 16 bytes.
template <class Op, class Src, class Dst, class Index>
COSMATI_HD inline void move_element_async(Src const& src, Dst& dst, Index i) {
  constexpr int bytes = bits_of_value<Src> / 8;
  if constexpr (bits_of_value<Src> % 8 != 0)
    store_element(dst, i, load_element(src, i));
  else if constexpr (bytes == 4 || bytes == 8 || bytes == 16)
    issue_cp_async<bytes, cache_level::ca, false>(address_at(dst.data(), dst.layout()(i)),
                                                  address_at(src.data(), src.layout()(i)), 0,
                                                  copy_of_tensors<Src, Dst, Index>{src, dst, i});
  else
    move_one<bytes>(src, dst, i);
}
/// The vector from element i on, of which those elements are copied for which holds(element). With zero fill the others
/// become zero for which fills.inside(element), without it all others stay as they are.
template <class Atom, class Src, class Dst, class Index, class Holds, class Fills>
COSMATI_HD inline void issue_where(Atom const& atom, Src const& src, Dst& dst, Index i, Holds const& holds,
                                   Fills const& fills) {
  using Op = typename Atom::CopyOp;
  constexpr int vector = atom_vectors<Atom>::source;
  constexpr bool fills_all = Op::fills_with_zeros && std::is_same_v<Fills, everything>;
  bool here[std::size_t{vector}], zero[std::size_t{vector}];
  int count = 0, leading = 0;
  bool all = true;  // become what they are to be
  COSMATI_UNROLL
  for (int v = 0; v < vector; ++v) {
    here[v] = holds(i + static_cast<Index>(v)) && !filled_only(atom);
    leading += here[v] && leading == v ? 1 : 0;
    count += here[v] ? 1 : 0;
    zero[v] = fills_all || (Op::fills_with_zeros && fills.inside(i + static_cast<Index>(v)));
    all = all && (here[v] || zero[v]);
  }
  if (count == vector || (Op::fills_with_zeros && all && count == leading))
    return issue_cp_async_at<Op>(src, dst, i, count);
  if (!Op::fills_with_zeros && count == 0) return;
  if constexpr (vector > 1) {
    COSMATI_UNROLL
    for (int v = 0; v < vector; ++v) {
      if (here[v])
        move_element_async<Op>(src, dst, i + static_cast<Index>(v));
      else if (zero[v])
        store_element(dst, i + static_cast<Index>(v), typename Dst::value_type{});
    }
  }
}
/// @}

/// The atom's instruction on its vector number k.
template <class Atom, class Src, class Dst, class Index>
COSMATI_HD inline void issue_instruction([[maybe_unused]] Atom const& atom, Src const& src, Dst& dst, Index k) {
  using Op = typename Atom::CopyOp;
  Index const from = k * static_cast<Index>(atom_vectors<Atom>::source);
  Index const to = k * static_cast<Index>(atom_vectors<Atom>::destination);
  if constexpr (cp_async_atom<Op>) {
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
    auto const held = load_streaming<Op::streamed_bytes>(address_at(src.data(), src.layout()(from)));
    put_registers(dst, to, held.word);
  } else if constexpr (streaming_atom<Op>) {
    register_words<Op::streamed_bytes> held;
    take_registers(src, from, held.word);
    note_vector<Op::streamed_bytes, access_kind::store>(dst, to);
    [[maybe_unused]] unseen_scope const unseen;
    store_streaming<Op::streamed_bytes>(address_at(dst.data(), dst.layout()(to)), held);
  } else {  // registers to registers
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

/// Calls f(k) for every vector number. @tparam n known at compile time, or -1
template <auto n, class Count, class Function>
COSMATI_HD inline void for_each_vector([[maybe_unused]] Count const& count, Function const& f) {
  if constexpr (n >= 0 && n <= 256) {
    COSMATI_UNROLL
    for (int k = 0; k < n; ++k) f(k);
  } else {
    count_up<false>(count, 0, 1, f);
  }
}
template <class Atom, class Src, class Dst>
inline constexpr auto vectors_of = size_or<Src, -1> >= 0   ? size_or<Src, -1> / atom_vectors<Atom>::source
                                   : size_or<Dst, -1> >= 0 ? size_or<Dst, -1> / atom_vectors<Atom>::destination
                                                           : -1;

/// As few copies as the tensors have runs in common; by the calling thread.
template <class Atom, class Src, class Dst>
COSMATI_HD inline void copy_in_bulk([[maybe_unused]] Atom const& atom, Src const& src, Dst& dst) {
  constexpr int bytes = bytes_in_common<Src, Dst>;
  constexpr int elements = bytes * 8 / bits_of_value<Src>;
  constexpr auto n = size_or<Src, -1> >= 0 ? size_or<Src, -1> / elements : -1;
  for_each_vector<n>(size(src) / C<elements>{}, [&](auto k) {
    auto const i = k * static_cast<decltype(k)>(elements);
    if constexpr (is_gmem_v<Src>)
      SM90_BULK_COPY_G2S::copy(address_at(src.data(), src.layout()(i)), atom.barrier,
                               address_at(dst.data(), dst.layout()(i)), bytes);
    else
      SM90_BULK_COPY_S2G::copy(address_at(src.data(), src.layout()(i)), address_at(dst.data(), dst.layout()(i)), bytes);
  });
}
template <class Atom, class Src, class Dst>
COSMATI_HD constexpr void copy_with_instruction(Atom const& atom, Src const& src, Dst& dst) {
  if constexpr (is_bulk_copy<typename Atom::CopyOp>)
    copy_in_bulk(atom, src, dst);
  else
    for_each_vector<vectors_of<Atom, Src, Dst>>(size(src) / C<atom_vectors<Atom>::source>{},
                                                [&](auto k) { issue_instruction(atom, src, dst, k); });
}
/// The elements for which holds(element), by cp.async. @param fills of the others: which may become zero
template <class Atom, class Src, class Dst, class Holds, class Fills = everything>
COSMATI_HD constexpr void copy_with_instruction_where(Atom const& atom, Src const& src, Dst& dst, Holds const& holds,
                                                      Fills const& fills = {}) {
  constexpr int vector = atom_vectors<Atom>::source;
  for_each_vector<vectors_of<Atom, Src, Dst>>(size(src) / C<vector>{}, [&](auto k) {
    issue_where(atom, src, dst, k * static_cast<decltype(k)>(vector), holds, fills);
  });
}

/// @name AutoCopyAsync
/// @{
/// cp.async may move vectors of so many bytes between these tensors.
template <int bytes, class Src, class Dst>
inline constexpr bool may_copy_async = (bytes == 4 || bytes == 8 || bytes == 16) && is_gmem_v<Src>&& is_smem_v<Dst>;

template <int bytes, int vector, class Src, class Dst>
COSMATI_HD inline void move_all_async(Src const& src, Dst& dst) {
  constexpr auto n = size_or<Src, -1> >= 0 ? size_or<Src, -1> / vector : -1;
  constexpr cache_level level = bytes == 16 ? cache_level::cg : cache_level::ca;
  for_each_vector<n>(size(src) / C<vector>{}, [&](auto k) {
    auto const i = k * static_cast<decltype(k)>(vector);
    issue_cp_async<bytes, level, false>(address_at(dst.data(), dst.layout()(i)),
                                        address_at(src.data(), src.layout()(i)), 0,
                                        copy_of_tensors<Src, Dst, decltype(k)>{src, dst, i});
  });
}
/// @}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
