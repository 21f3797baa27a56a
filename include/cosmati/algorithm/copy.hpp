// SPDX-License-Identifier: Apache-2.0
/// @file
/// `copy`: elements from one tensor to another, by a chosen instruction or by the widest that is proved.
///
/// Nothing is copied that the destination does not have: sizes that are known to differ, vectors that are not contiguous and
/// element types of different sizes are errors that say so.
#pragma once

#include <cosmati/algorithm/vector.hpp>
#include <cosmati/tiled/tiled_copy.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {

template <int source, int destination>
struct source_and_destination_sizes_differ {
  static_assert(source == destination,
                "copy: source and destination have different numbers of elements "
                "(source_and_destination_sizes_differ<SOURCE, DESTINATION>); slice or retile one of them so that both have as many");
  static constexpr bool ok = source == destination;
};
template <class From, class To, int from_bits, int to_bits>
struct element_types_differ_in_size {
  static_assert(from_bits == to_bits,
                "copy: an instruction moves bits, it does not convert: the elements have different sizes "
                "(element_types_differ_in_size<FROM, TO, BITS, BITS>); copy into a fragment of the source's type, convert with "
                "transform or copy(fragment, fragment), then copy that");
  static constexpr bool ok = from_bits == to_bits;
};
template <class Element>
struct destination_is_read_only {
  static_assert(!std::is_const_v<Element>, "copy: the destination's elements are const; make its tensor from a pointer to non-const");
  static constexpr bool ok = !std::is_const_v<Element>;
};
template <class SourceLayout, int adjacent, int needed>
struct source_vector_is_not_contiguous {
  static_assert(adjacent % needed == 0,
                "copy: the atom's vector is not contiguous in the source: source_vector_is_not_contiguous<LAYOUT, ADJACENT, NEEDED>: of the "
                "layout's values only ADJACENT lie one behind the other and the atom needs NEEDED; let the value layout run along the mode "
                "of stride 1, or take an atom of ADJACENT values");
  static constexpr bool ok = adjacent % needed == 0;
};
template <class DestinationLayout, int adjacent, int needed>
struct destination_vector_is_not_contiguous {
  static_assert(adjacent % needed == 0,
                "copy: the atom's vector is not contiguous in the destination: destination_vector_is_not_contiguous<LAYOUT, ADJACENT, "
                "NEEDED>: of the layout's values only ADJACENT lie one behind the other and the atom needs NEEDED; let the value layout run "
                "along the mode of stride 1, or take an atom of ADJACENT values");
  static constexpr bool ok = adjacent % needed == 0;
};
template <int values, int needed>
struct values_are_no_whole_vectors {
  static_assert(values % needed == 0,
                "copy: the tensors' values are no whole number of the atom's vectors (values_are_no_whole_vectors<VALUES, NEEDED>); use a "
                "narrower atom, or pad the tensor's mode");
  static constexpr bool ok = values % needed == 0;
};
template <int bits>
struct threads_would_share_a_byte {
  static_assert(bits % 8 == 0,
                "copy: the atom moves threads_would_share_a_byte<BITS> BITS, no whole bytes, so that threads would write parts of one byte "
                "and lose each other's values; give each thread values that fill whole bytes, and an atom of them");
  static constexpr bool ok = bits % 8 == 0;
};
template <class Atom>
struct copy_needs_another_function {
  static_assert(never<sizeof(Atom) == 0>, "copy(ThrCopy, ...): pass the tiled copy itself, copy(tiled_copy, source partition, destination partition)");
};

template <class Src, class Dst>
COSMATI_HD constexpr bool sizes_agree(Src const& src, Dst const& dst) {
  using N = decltype(size(src));
  using M = decltype(size(dst));
  if constexpr (static_integer<N> && static_integer<M>) {
    return source_and_destination_sizes_differ<static_cast<int>(N::value), static_cast<int>(M::value)>::ok;
  } else {
#if defined(COSMATI_SIMULATED) || !defined(NDEBUG)
    if (!__builtin_is_constant_evaluated() && static_cast<std::int64_t>(size(src)) != static_cast<std::int64_t>(size(dst))) {
      fail("copy: the source has %lld elements and the destination %lld; slice or retile one of them", static_cast<long long>(size(src)),
           static_cast<long long>(size(dst)));
    }
#endif
    return true;
  }
}

template <class T>
struct static_size {
  static constexpr int value = [] {
    if constexpr (static_integer<T>) return static_cast<int>(T::value);
    else return 0;
  }();
};

/// Vectors of `vector` elements over the whole of two tensors.
template <int bytes, int vector, class Src, class Dst>
COSMATI_HD constexpr void move_all(Src const& src, Dst& dst) {
  constexpr int n = static_size<decltype(size(src))>::value;
  constexpr int m = n != 0 ? n : static_size<decltype(size(dst))>::value;
  if constexpr (m != 0) {
    if constexpr (m / vector <= 256) {
      move_static<bytes, vector, m / vector>(src, dst);
    } else {
      COSMATI_NO_UNROLL
      for (int i = 0; i < m; i += vector) move_one<bytes>(src, dst, i);
    }
  } else {
    auto const count = static_cast<std::int64_t>(size(src));
    for (std::int64_t i = 0; i < count; i += vector) move_one<bytes>(src, dst, static_cast<unsigned>(i));
  }
}

/// One element after the other, converted where the types differ.
template <class Src, class Dst>
COSMATI_HD constexpr void move_elements(Src const& src, Dst& dst) {
  using From = typename Src::value_type;
  using To = typename Dst::value_type;
  constexpr int bits = static_cast<int>(sizeof_bits_v<From>);
  if constexpr (std::is_same_v<From, To> && bits % 8 == 0 && bits <= 128 && (bits & (bits - 1)) == 0 &&
                requires { static_cast<void const*>(raw_pointer_cast(src.data())); static_cast<void*>(raw_pointer_cast(dst.data())); }) {
    if (!__builtin_is_constant_evaluated()) return move_all<bits / 8, 1>(src, dst);
  }
  constexpr int n = static_size<decltype(size(src))>::value;
  if constexpr (n != 0) {
    COSMATI_UNROLL
    for (int i = 0; i < n; ++i) dst(i) = static_cast<To>(src(i));
  } else {
    auto const count = static_cast<std::int64_t>(size(src));
    for (std::int64_t i = 0; i < count; ++i) dst(static_cast<unsigned>(i)) = static_cast<To>(src(static_cast<unsigned>(i)));
  }
}

constexpr std::int64_t largest_power_of_two_in(std::int64_t x) { return x & -x; }

/// The widest vector, in elements, for which both layouts are proved; pointers apart.
/// @tparam trusted bits of which run-time strides are assumed to be multiples
template <class L1, class L2, int value_bits, int max_bits, int trusted>
struct proved_vector {
  static constexpr std::int64_t limit = max_bits / value_bits > 0 ? max_bits / value_bits : 1;
  static constexpr std::int64_t step = trusted / value_bits > 0 ? trusted / value_bits : 1;
  static constexpr std::int64_t runs = algebra::gcd(algebra::gcd(layout_facts<L1>::run, layout_facts<L2>::run), limit);
  static constexpr std::int64_t run = largest_power_of_two_in(runs);
  static constexpr std::int64_t aligned =
      algebra::gcd(algebra::gcd(layout_facts<L1>::template alignment<run, step>, layout_facts<L2>::template alignment<run, step>), run);
  static constexpr int value = static_cast<int>(largest_power_of_two_in(aligned == 0 ? run : aligned));
};

template <class L>
concept static_plain_layout = plain_layout<L> && !composed_layout<L> && is_static_v<L> && lifter<std::remove_cvref_t<L>>::simple;

/// The longest vectors first: both tensors divided by the layout that they have in common.
template <class T, class L1, class L2>
COSMATI_HD constexpr auto common_vector_first(T& t, L1 const&, L2 const&) {
  using Common = typename layout_result<max_common_layout_object, L1, L2>::type;
  if constexpr (decltype(size(Common{}))::value <= 1) return make_tensor(t.data(), t.layout());
  else return make_tensor(t.data(), logical_divide(t.layout(), Common{}));
}

/// @tparam max_bits the widest access, @tparam trusted alignment in bits that pointers and run-time strides are assumed to have
template <int max_bits, int trusted, class Src, class Dst>
COSMATI_HD constexpr void move_widest_in_order(Src const& src, Dst& dst) {
  using From = typename Src::value_type;
  using To = typename Dst::value_type;
  constexpr int bits = static_cast<int>(sizeof_bits_v<From>);
  constexpr bool plain = requires { static_cast<void const*>(raw_pointer_cast(src.data())); static_cast<void*>(raw_pointer_cast(dst.data())); };
  if constexpr (!std::is_same_v<From, To> || !plain) {
    move_elements(src, dst);
  } else {
    using L1 = std::remove_cvref_t<decltype(src.layout())>;
    using L2 = std::remove_cvref_t<decltype(dst.layout())>;
    constexpr int kept = smaller_int(bytes_kept_together<typename Src::iterator>, bytes_kept_together<typename Dst::iterator>);
    constexpr int vector = proved_vector<L1, L2, bits, smaller_int(max_bits, 8 * kept), trusted>::value;
    constexpr int bytes = vector * bits / 8;
    if constexpr (vector == 1 || vector * bits % 8 != 0) {
      move_elements(src, dst);
    } else {
      if (__builtin_is_constant_evaluated()) return move_elements(src, dst);
      constexpr int p1 = pointer_alignment_bits_v<Src> > trusted ? pointer_alignment_bits_v<Src> : trusted;
      constexpr int p2 = pointer_alignment_bits_v<Dst> > trusted ? pointer_alignment_bits_v<Dst> : trusted;
      if constexpr (p1 >= bytes * 8 && p2 >= bytes * 8) {
        move_all<bytes, vector>(src, dst);
      } else if constexpr (!in_registers<Src> && !in_registers<Dst>) {
        // The layouts allow it and the types say too little of the addresses: the addresses themselves decide.
        if ((p1 >= bytes * 8 || may_begin_at<bytes>(src.data())) && (p2 >= bytes * 8 || may_begin_at<bytes>(dst.data()))) move_all<bytes, vector>(src, dst);
        else move_elements(src, dst);
      } else {
        move_elements(src, dst);
      }
    }
  }
}
template <int max_bits, int trusted, class Src, class Dst>
COSMATI_HD constexpr void move_widest(Src const& src, Dst& dst) {
  using L1 = std::remove_cvref_t<decltype(src.layout())>;
  using L2 = std::remove_cvref_t<decltype(dst.layout())>;
  if constexpr (static_plain_layout<L1> && static_plain_layout<L2> && std::is_same_v<typename Src::value_type, typename Dst::value_type>) {
    if constexpr (std::is_same_v<L1, L2> && layout_facts<L1>::run == static_size<decltype(size(L1{}))>::value) {
      move_widest_in_order<max_bits, trusted>(src, dst);
    } else {
      auto const s = common_vector_first(src, L1{}, L2{});
      auto d = common_vector_first(dst, L1{}, L2{});
      move_widest_in_order<max_bits, trusted>(s, d);
    }
  } else {
    move_widest_in_order<max_bits, trusted>(src, dst);
  }
}

/// The values that one call of a single-thread instruction moves, 0 where it is no such instruction.
template <class Atom>
inline constexpr int atom_vector = static_cast<int>(Atom::NumValSrc::value);

template <class T>
inline constexpr int bits_of_value = static_cast<int>(sizeof_bits_v<typename T::value_type>);
template <class T, int otherwise>
inline constexpr int size_or = static_integer<decltype(size(std::declval<T>()))> ? static_size<decltype(size(std::declval<T>()))>::value : otherwise;
/// T's size if both sizes are known, else 0.
template <class T, class Other>
inline constexpr int known_size = size_or<T, 0> != 0 && size_or<Other, 0> != 0 ? size_or<T, 0> : 0;
/// How many values lie one behind the other from the first on; no more than a swizzled pointer leaves together.
template <class T>
inline constexpr int run_of = [] {
  constexpr int run = static_cast<int>(layout_facts<typename T::layout_type>::run % (1 << 30));
  constexpr int kept = bytes_kept_together<typename T::iterator> * 8 / bits_of_value<T>;
  return run < kept ? run : kept > 1 ? kept : 1;
}();
/// Values that one instruction must find side by side: 1 where `copy` chooses the width itself.
template <class Atom>
inline constexpr int vector_of_atom = auto_vector_bits<typename Atom::CopyOp> > 0 ? 1 : atom_vector<Atom>;

/// What must hold for a vector atom; each failure is a compile error that names it.
template <class Atom, class Src, class Dst>
COSMATI_HD constexpr bool vectors_fit() {
  using L1 = std::remove_cvref_t<decltype(std::declval<Src>().layout())>;
  using L2 = std::remove_cvref_t<decltype(std::declval<Dst>().layout())>;
  using From = typename Src::value_type;
  using To = typename Dst::value_type;
  constexpr int v = atom_vector<Atom>;
  using N = decltype(size(std::declval<Src>()));
  if constexpr (!destination_is_read_only<typename Dst::element_type>::ok) return false;
  else if constexpr (!element_types_differ_in_size<From, To, static_cast<int>(sizeof_bits_v<From>), static_cast<int>(sizeof_bits_v<To>)>::ok) return false;
  else if constexpr (!element_types_differ_in_size<typename Atom::ValType, From, static_cast<int>(sizeof_bits_v<typename Atom::ValType>), static_cast<int>(sizeof_bits_v<From>)>::ok) return false;
  else if constexpr (!values_are_no_whole_vectors<(static_integer<N> ? static_size<N>::value : v), v>::ok) return false;
  else if constexpr (!source_vector_is_not_contiguous<L1, run_of<Src>, v>::ok) return false;
  else if constexpr (!destination_vector_is_not_contiguous<L2, run_of<Dst>, v>::ok) return false;
  else return true;
}

template <class Atom, class Src, class Dst>
COSMATI_HD constexpr void copy_with_atom(Src const& src, Dst& dst) {
  if constexpr (vectors_fit<Atom, Src, Dst>()) {
    constexpr int v = atom_vector<Atom>;
    constexpr int bits = v * Atom::value_bits;
    if constexpr (bits % 8 == 0) {
      if (!__builtin_is_constant_evaluated()) return move_all<bits / 8, v>(src, dst);
    } else if constexpr (is_memory<Dst>) {
      (void)threads_would_share_a_byte<bits>{};
    }
    move_elements(src, dst);
  }
}

}  // namespace detail

/// @name copy
/// @{
/// The widest accesses that layouts and addresses prove; elements are converted where the types differ.
template <class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
COSMATI_HD constexpr void copy(Tensor<SrcEngine, SrcLayout> const& src, Tensor<DstEngine, DstLayout>& dst) {
  if constexpr (detail::destination_is_read_only<typename DstEngine::element_type>::ok) {
    if (detail::sizes_agree(src, dst)) detail::move_widest<128, 0>(src, dst);
  }
}
/// The instruction that the atom names, once a vector. @pre src and dst have as many values, each vector contiguous and aligned
template <class... A, class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
COSMATI_HD constexpr void copy(Copy_Atom<A...> const&, Tensor<SrcEngine, SrcLayout> const& src, Tensor<DstEngine, DstLayout>& dst) {
  using Atom = Copy_Atom<A...>;
  using Src = Tensor<SrcEngine, SrcLayout>;
  using Dst = Tensor<DstEngine, DstLayout>;
  constexpr int auto_bits = detail::auto_vector_bits<typename Atom::CopyOp>;
  if constexpr (auto_bits > 0) {
    if constexpr (detail::destination_is_read_only<typename DstEngine::element_type>::ok &&
                  detail::element_types_differ_in_size<typename Src::value_type, typename Dst::value_type, static_cast<int>(sizeof_bits_v<typename Src::value_type>),
                                                       static_cast<int>(sizeof_bits_v<typename Dst::value_type>)>::ok) {
      if (detail::sizes_agree(src, dst)) detail::move_widest<auto_bits, (auto_bits > 8 ? auto_bits : 0)>(src, dst);
    }
  } else {
    if (detail::sizes_agree(src, dst)) detail::copy_with_atom<Atom>(src, dst);
  }
}
/// Partitions of a tiled copy. A partition that is known to reach beyond its tensor is an error: give bounds.
template <class A, class TV, class Tiler, class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
COSMATI_HD constexpr void copy(TiledCopy<A, TV, Tiler> const& tiled_copy, Tensor<SrcEngine, SrcLayout> const& src, Tensor<DstEngine, DstLayout>& dst);
template <class A, class TV, class Tiler, class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
COSMATI_HD constexpr void copy(TiledCopy<A, TV, Tiler> const& tiled_copy, Tensor<SrcEngine, SrcLayout> const& src, Tensor<DstEngine, DstLayout>&& dst);
/// A policy: AutoVectorizingCopyWithAssumedAlignment<N>, AutoVectorizingCopy, DefaultCopy, AutoCopyAsync.
template <int N, class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
COSMATI_HD constexpr void copy(AutoVectorizingCopyWithAssumedAlignment<N> const&, Tensor<SrcEngine, SrcLayout> const& src, Tensor<DstEngine, DstLayout>& dst) {
  if constexpr (detail::destination_is_read_only<typename DstEngine::element_type>::ok) {
    if (detail::sizes_agree(src, dst)) detail::move_widest<N, (N > 8 ? N : 0)>(src, dst);
  }
}
template <class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
COSMATI_HD constexpr void copy(AutoCopyAsync const&, Tensor<SrcEngine, SrcLayout> const& src, Tensor<DstEngine, DstLayout>& dst) { copy(src, dst); }
template <class TC, class Idx, class Src, class Dst>
COSMATI_HD constexpr void copy(ThrCopy<TC, Idx> const&, Src const&, Dst&&) { (void)detail::copy_needs_another_function<TC>{}; }
/// Trusts that addresses and run-time strides are multiples of 16 bytes.
template <class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
COSMATI_HD constexpr void copy_aligned(Tensor<SrcEngine, SrcLayout> const& src, Tensor<DstEngine, DstLayout>& dst) { copy(AutoVectorizingCopy{}, src, dst); }
/// @}

/// @name Destinations that are temporaries, as slices and partitions are
/// @{
template <class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
COSMATI_HD constexpr void copy(Tensor<SrcEngine, SrcLayout> const& src, Tensor<DstEngine, DstLayout>&& dst) { copy(src, dst); }
template <class Policy, class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
COSMATI_HD constexpr void copy(Policy const& policy, Tensor<SrcEngine, SrcLayout> const& src, Tensor<DstEngine, DstLayout>&& dst) { copy(policy, src, dst); }
template <class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
COSMATI_HD constexpr void copy_aligned(Tensor<SrcEngine, SrcLayout> const& src, Tensor<DstEngine, DstLayout>&& dst) { copy_aligned(src, dst); }
/// @}

}  // namespace COSMATI_NAMESPACE
