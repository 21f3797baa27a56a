// SPDX-License-Identifier: Apache-2.0
/// @file
/// cp.async between two tensors: one instruction for each vector, with and without predicates.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/copy/facts.hpp>
#include <cosmati/algorithm/copy/place_bounds.hpp>
#include <cosmati/algorithm/element.hpp>
#include <cosmati/arch/cp_async.hpp>

namespace COSMATI_NAMESPACE::detail {

#if defined(COSMATI_SIMULATED)
/// Describes element i of a tensor.
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

/// Issues an asynchronous copy from element i of one tensor to element i of another.
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

/// @name cp.async
/// @{
template <class Atom>
COSMATI_HD constexpr bool filled_only([[maybe_unused]] Atom const& atom) {
  if constexpr (requires { atom.pred; })
    return !atom.pred;
  else
    return false;
}
/// One cp.async of the elements from i on. @param elements the number that is read; the others become zero
template <class Op, class Src, class Dst, class Index>
COSMATI_HD inline void issue_cp_async_at(Src const& src, Dst& dst, Index i, int elements) {
  issue_cp_async<Op::bytes, Op::level, Op::fills_with_zeros>(
      address_at(dst.data(), dst.layout()(i)), address_at(src.data(), src.layout()(i)),
      static_cast<unsigned>(elements * bits_of_value<Src> / 8), copy_of_tensors<Src, Dst, Index>{src, dst, i});
}
/// Copies one element of a vector that does not move as a whole. It does so asynchronously if the element has 4, 8 or
/// 16 bytes.
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
    detail::store<bytes>(dst, i, detail::load<bytes>(src, i));
}
/// Copies the elements of the vector from element i for which holds(element) is true. With zero fill, the others become
/// zero if fills.inside(element) is true. Otherwise they stay as they are.
template <class Atom, class Src, class Dst, class Index, class Holds, class Fills>
COSMATI_HD inline void issue_where(Atom const& atom, Src const& src, Dst& dst, Index i, Holds const& holds,
                                   Fills const& fills) {
  using Op = typename Atom::CopyOp;
  constexpr int vector = atom_vectors<Atom>::source;
  constexpr bool fills_all = Op::fills_with_zeros && std::is_same_v<Fills, everything>;
  bool here[std::size_t{vector}], zero[std::size_t{vector}];
  int count = 0, leading = 0;
  bool all = true;  // whether the instruction gives every element its final value
  COSMATI_UNROLL
  for (int v = 0; v < vector; ++v) {
    here[v] = holds(i + static_cast<Index>(v)) && !filled_only(atom);
    leading += here[v] && leading == v ? 1 : 0;
    count += here[v] ? 1 : 0;
    zero[v] = fills_all || (Op::fills_with_zeros && fills.inside(i + static_cast<Index>(v)));
    all = all && (here[v] || zero[v]);
  }
  bool const whole_bytes = bits_of_value<Src> % 8 == 0 || count * bits_of_value<Src> % 8 == 0;
  if (count == vector || (Op::fills_with_zeros && all && count == leading && whole_bytes))
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

/// Copies the elements for which holds(element) is true, by a cp.async atom. @param fills tells which of the others
/// become zero
template <class Atom, class Src, class Dst, class Holds, class Fills = everything>
COSMATI_HD constexpr void copy_async_where(Atom const& atom, Src const& src, Dst& dst, Holds const& holds,
                                           Fills const& fills = {}) {
  constexpr int vector = atom_vectors<Atom>::source;
  for_each_vector<vectors_of<Atom, Src, Dst>>(size(src) / C<vector>{}, [&](auto k) {
    issue_where(atom, src, dst, k * static_cast<decltype(k)>(vector), holds, fills);
  });
}

/// @name AutoCopyAsync
/// @{
/// Whether cp.async can move vectors of `bytes` bytes between these tensors.
template <int bytes, class Src, class Dst>
inline constexpr bool may_copy_async = (bytes == 4 || bytes == 8 || bytes == 16) && is_gmem_v<Src>&& is_smem_v<Dst> &&
                                       (COSMATI_TARGET_SM == 0 || COSMATI_TARGET_SM >= 80);

template <int bytes, int vector, class Src, class Dst>
COSMATI_HD inline void copy_vectors_async(Src const& src, Dst& dst) {
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
