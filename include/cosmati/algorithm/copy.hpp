// SPDX-License-Identifier: Apache-2.0
/// @file
/// `copy`: elements from one tensor to another, by a chosen instruction or by the widest that is proved.
///
/// Nothing is copied that the destination does not have: sizes that are known to differ, vectors that are not
/// contiguous and element types of different sizes are errors that say so.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/copy_check.hpp>
#include <cosmati/algorithm/copy_instruction.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {

template <class Src, class Dst>
COSMATI_HD constexpr bool sizes_agree(Src const& src, Dst const& dst) {
  using N = decltype(size(src));
  using M = decltype(size(dst));
  if constexpr (static_integer<N> && static_integer<M>) {
    return N::value == M::value;
  } else {
#if defined(COSMATI_SIMULATED) || !defined(NDEBUG)
    if (!__builtin_is_constant_evaluated() &&
        static_cast<std::int64_t>(size(src)) != static_cast<std::int64_t>(size(dst))) {
      fail("copy: the source has %lld elements and the destination %lld; slice or retile one of them",
           static_cast<long long>(size(src)), static_cast<long long>(size(dst)));
    }
#endif
    return true;
  }
}

/// Vectors of `vector` elements over the whole of two tensors. @tparam async by cp.async where that is possible
template <int bytes, int vector, bool async = false, class Src, class Dst>
COSMATI_HD constexpr void move_all(Src const& src, Dst& dst) {
  if constexpr (async && may_copy_async<bytes, Src, Dst> && (COSMATI_TARGET_SM == 0 || COSMATI_TARGET_SM >= 80))
    return move_all_async<bytes, vector>(src, dst);
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
    count_up(size(src), 0, vector, [&](auto i) { move_one<bytes>(src, dst, i); });
  }
}

/// Memory that no constant evaluation knows: copies of it have no code for that.
template <class T>
inline constexpr bool in_device_memory = is_gmem_v<T> || is_smem_v<T>;

/// One element after the other, as C++ assigns them.
template <class Src, class Dst>
COSMATI_HD constexpr void assign_elements(Src const& src, Dst& dst) {
  using To = typename Dst::value_type;
  constexpr int n = static_size<decltype(size(src))>::value;
  if constexpr (n != 0) {
    COSMATI_UNROLL
    for (int i = 0; i < n; ++i) dst(i) = static_cast<To>(src(i));  // NOLINT(bugprone-signed-char-misuse)
  } else {
    count_up(size(src), 0, 1, [&](auto i) { dst(i) = static_cast<To>(src(i)); });
  }
}
/// One element after the other, converted where the types differ.
template <bool async = false, class Src, class Dst>
COSMATI_HD constexpr void move_elements(Src const& src, Dst& dst) {
  using From = typename Src::value_type;
  using To = typename Dst::value_type;
  constexpr int bits = static_cast<int>(sizeof_bits_v<From>);
  if constexpr (std::is_same_v<From, To> && bits % 8 == 0 && bits <= 128 && (bits & (bits - 1)) == 0 && requires {
                  static_cast<void const*>(raw_pointer_cast(src.data()));
                  static_cast<void*>(raw_pointer_cast(dst.data()));
                }) {
    if constexpr (in_device_memory<Src> || in_device_memory<Dst>)
      move_all<bits / 8, 1, async>(src, dst);
    else if (!__builtin_is_constant_evaluated())
      move_all<bits / 8, 1, async>(src, dst);
    else
      assign_elements(src, dst);
  } else {
    assign_elements(src, dst);
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
  static constexpr std::int64_t aligned = algebra::gcd(
      algebra::gcd(layout_facts<L1>::template alignment<run, step>, layout_facts<L2>::template alignment<run, step>),
      run);
  static constexpr int value = static_cast<int>(largest_power_of_two_in(aligned == 0 ? run : aligned));
};

template <class L>
concept static_plain_layout =
    plain_layout<L> && !composed_layout<L> && is_static_v<L> && is_simple<std::remove_cvref_t<L>>;

/// All but the offset before a swizzle is static.
template <class L>
inline constexpr bool has_static_modes = is_static_v<L>;
template <class A, class O, class B>
inline constexpr bool has_static_modes<ComposedLayout<A, O, B>> = is_static_v<B>;

/// Addresses are taken as aligned to the widest vector that the layouts allow, where both layouts are static and
/// elements are whole bytes. A wrong address is a hazard on the simulated device and a trap on the GPU. The simulated
/// device asks the address of an untagged pointer: local arrays are less aligned there than the registers that nvcc
/// makes of them.
template <class T, class Other>
inline constexpr bool has_trusted_layout =
    sizeof_bits_v<typename T::value_type> % 8 == 0 &&
    has_static_modes<typename T::layout_type>&& has_static_modes<typename Other::layout_type>;
template <class T, class Other>
inline constexpr bool is_trusted = has_trusted_layout<T, Other> &&
#if defined(__CUDA_ARCH__)
                                   true;
#else
                                       in_device_memory<T>;
#endif
/// Whether a vector may begin at the tensor's address, which the types do not say.
template <int bytes, class Other, class T>
COSMATI_HD bool may_move_vectors(T const& t) {
  if (may_begin_at<bytes>(t.data())) return true;
#if defined(COSMATI_SIMULATED)
  if constexpr (has_trusted_layout<T, Other>) {
    auto const here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    auto const there = reinterpret_cast<std::uintptr_t>(address_behind(t.data()));
    return (here < there ? there - here : here - there) > 65536;  // not an array of this thread's
  }
#endif
  return false;
}

/// In debug builds for the GPU, a sentence about a wrong address. The simulated device sees the access itself.
template <int bytes, class T>
COSMATI_HD void check_trusted([[maybe_unused]] T const& t, [[maybe_unused]] char const* side) {
#if defined(__CUDA_ARCH__) && COSMATI_CHECKS_POINTERS
  if (!may_begin_at<bytes>(t.data()))
    fail(
        "copy: the %s begins at %p, no multiple of the %d bytes that its static layout allows at once; begin it at "
        "one, "
        "or copy single elements by Copy_Atom<UniversalCopy<T>, T>",
        side, static_cast<void const*>(address_behind(t.data())), bytes);
#endif
}

/// The longest vectors first: both tensors divided by the layout that they have in common.
template <class T, class L1, class L2>
COSMATI_HD constexpr auto common_vector_first(T& t, L1 const&, L2 const&) {
  using Common = typename layout_result<max_common_layout_object, L1, L2>::type;
  if constexpr (decltype(size(Common{}))::value <= 1)
    return make_tensor(t.data(), t.layout());
  else
    return make_tensor(t.data(), logical_divide(t.layout(), Common{}));
}

/// @tparam max_bits the widest access, @tparam trusted alignment in bits that pointers and run-time strides are assumed
/// to have, @tparam async by cp.async where that is possible
template <int max_bits, int trusted, bool async = false, class Src, class Dst>
COSMATI_HD constexpr void move_widest_in_order(Src const& src, Dst& dst) {
  using From = typename Src::value_type;
  using To = typename Dst::value_type;
  constexpr int bits = static_cast<int>(sizeof_bits_v<From>);
  constexpr bool plain = requires {
    static_cast<void const*>(raw_pointer_cast(src.data()));
    static_cast<void*>(raw_pointer_cast(dst.data()));
  };
  if constexpr (!std::is_same_v<From, To> || !plain) {
    move_elements<async>(src, dst);
  } else {
    using L1 = std::remove_cvref_t<decltype(src.layout())>;
    using L2 = std::remove_cvref_t<decltype(dst.layout())>;
    constexpr int kept =
        smaller_int(bytes_kept_together<typename Src::iterator>, bytes_kept_together<typename Dst::iterator>);
    constexpr int vector = proved_vector<L1, L2, bits, smaller_int(max_bits, 8 * kept), trusted>::value;
    constexpr int bytes = vector * bits / 8;
    if constexpr (vector == 1 || vector * bits % 8 != 0) {
      move_elements<async>(src, dst);
    } else {
      if (__builtin_is_constant_evaluated()) return move_elements(src, dst);
      constexpr bool trusts_src = is_trusted<Src, Dst>, trusts_dst = is_trusted<Dst, Src>;
      constexpr int p1 =
          trusts_src || pointer_alignment_bits_v<Src> < trusted ? trusted : pointer_alignment_bits_v<Src>;
      constexpr int p2 =
          trusts_dst || pointer_alignment_bits_v<Dst> < trusted ? trusted : pointer_alignment_bits_v<Dst>;
      if constexpr ((trusts_src || p1 >= bytes * 8) && (trusts_dst || p2 >= bytes * 8)) {
        if constexpr (trusts_src && p1 < bytes * 8) check_trusted<bytes>(src, "source");
        if constexpr (trusts_dst && p2 < bytes * 8) check_trusted<bytes>(dst, "destination");
        move_all<bytes, vector, async>(src, dst);
      } else if constexpr (!in_registers<Src> && !in_registers<Dst>) {
        // The layouts allow it and the types say too little of the addresses: the addresses themselves decide.
        if ((p1 >= bytes * 8 || may_move_vectors<bytes, Dst>(src)) &&
            (p2 >= bytes * 8 || may_move_vectors<bytes, Src>(dst)))
          move_all<bytes, vector, async>(src, dst);
        else
          move_elements<async>(src, dst);
      } else {
        move_elements<async>(src, dst);
      }
    }
  }
}
/// Bits of which the threads' first addresses are multiples, as far as their places tell.
template <class T>
inline constexpr int bits_between_threads = step_of_threads<T> > 0
                                                ? static_cast<int>(largest_power_of_two_in(step_of_threads<T>)) *
                                                      static_cast<int>(sizeof_bits_v<typename T::value_type>)
                                                : 128;
template <int widest_bits, int trusted, bool async = false, class Src, class Dst>
COSMATI_HD constexpr void move_widest(Src const& src, Dst& dst) {
  constexpr int max_bits =
      has_trusted_layout<Src, Dst>
          ? smaller_int(widest_bits, smaller_int(bits_between_threads<Src>, bits_between_threads<Dst>))
          : widest_bits;
  using L1 = std::remove_cvref_t<decltype(src.layout())>;
  using L2 = std::remove_cvref_t<decltype(dst.layout())>;
  if constexpr (static_plain_layout<L1> && static_plain_layout<L2> &&
                std::is_same_v<typename Src::value_type, typename Dst::value_type>) {
    if constexpr (std::is_same_v<L1, L2> && layout_facts<L1>::run == static_size<decltype(size(L1{}))>::value) {
      move_widest_in_order<max_bits, trusted, async>(src, dst);
    } else {
      auto const s = common_vector_first(src, L1{}, L2{});
      auto d = common_vector_first(dst, L1{}, L2{});
      move_widest_in_order<max_bits, trusted, async>(s, d);
    }
  } else {
    move_widest_in_order<max_bits, trusted, async>(src, dst);
  }
}

/// The atom's instruction once a vector; `copy_check` has passed.
template <class Atom, class Src, class Dst>
COSMATI_HD constexpr void copy_with_atom([[maybe_unused]] Atom const& atom, Src const& src, Dst& dst) {
  constexpr int auto_bits = auto_vector_bits<typename Atom::CopyOp>;
  if constexpr (has_instruction<Atom> || own_copy_operation<typename Atom::CopyOp>)
    return copy_with_instruction(atom, src, dst);
  if (!sizes_agree(src, dst)) return;
  if constexpr (auto_bits > 0) {
    move_widest<auto_bits, (auto_bits > 8 ? auto_bits : 0)>(src, dst);
  } else {
    constexpr int v = atom_vector<Atom>;
    constexpr int bits = v * Atom::value_bits;
    if constexpr (bits % 8 != 0)
      move_elements(src, dst);
    else if constexpr (in_device_memory<Src> || in_device_memory<Dst>)
      move_all<bits / 8, v>(src, dst);
    else if (!__builtin_is_constant_evaluated())
      move_all<bits / 8, v>(src, dst);
    else
      move_elements(src, dst);
  }
}

}  // namespace detail

/// @name copy
/// @{
/// The widest accesses that layouts and addresses prove; elements are converted where the types differ.
template <class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
requires detail::copyable<detail::copy_by_layout, Tensor<SrcEngine, SrcLayout>, Tensor<DstEngine, DstLayout>>
    COSMATI_HD constexpr void copy(Tensor<SrcEngine, SrcLayout> const& src, Tensor<DstEngine, DstLayout>& dst) {
  if (detail::sizes_agree(src, dst)) detail::move_widest<128, 0>(src, dst);
}
/// The instruction that the atom names, once a vector. @pre each vector is aligned as the instruction needs
template <class... A, class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
requires detail::copyable<Copy_Atom<A...>, Tensor<SrcEngine, SrcLayout>, Tensor<DstEngine, DstLayout>>
    COSMATI_HD constexpr void copy(Copy_Atom<A...> const& atom, Tensor<SrcEngine, SrcLayout> const& src,
                                   Tensor<DstEngine, DstLayout>& dst) {
  detail::copy_with_atom(atom, src, dst);
}
/// A policy: AutoVectorizingCopyWithAssumedAlignment<N>, AutoVectorizingCopy, DefaultCopy; AutoCopyAsync (by cp.async
/// where a vector of 4, 8 or 16 bytes goes from global to shared memory and the target has it: wait for it always).
template <int N, class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
requires detail::copyable<detail::copy_by_layout, Tensor<SrcEngine, SrcLayout>, Tensor<DstEngine, DstLayout>>
    COSMATI_HD constexpr void copy(AutoVectorizingCopyWithAssumedAlignment<N> const&,
                                   Tensor<SrcEngine, SrcLayout> const& src, Tensor<DstEngine, DstLayout>& dst) {
  if (detail::sizes_agree(src, dst)) detail::move_widest<N, (N > 8 ? N : 0)>(src, dst);
}
template <class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
requires detail::copyable<detail::copy_by_layout, Tensor<SrcEngine, SrcLayout>, Tensor<DstEngine, DstLayout>>
    COSMATI_HD constexpr void copy(AutoCopyAsync const&, Tensor<SrcEngine, SrcLayout> const& src,
                                   Tensor<DstEngine, DstLayout>& dst) {
  if (detail::sizes_agree(src, dst)) detail::move_widest<128, 0, true>(src, dst);
}
/// The traits of a bulk copy, with its mbarrier where it has one: of any type of element.
template <class Op, class... X, class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
requires(detail::is_bulk_copy<Op>) COSMATI_HD
    constexpr void copy(Copy_Traits<Op, X...> const& traits, Tensor<SrcEngine, SrcLayout> const& src,
                        Tensor<DstEngine, DstLayout>& dst) {
  copy(Copy_Atom<Copy_Traits<Op, X...>, typename Tensor<SrcEngine, SrcLayout>::value_type>{traits}, src, dst);
}
/// Trusts that addresses and run-time strides are multiples of 16 bytes.
template <class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
requires detail::copyable<detail::copy_by_layout, Tensor<SrcEngine, SrcLayout>, Tensor<DstEngine, DstLayout>>
    COSMATI_HD constexpr void copy_aligned(Tensor<SrcEngine, SrcLayout> const& src, Tensor<DstEngine, DstLayout>& dst) {
  copy(AutoVectorizingCopy{}, src, dst);
}
/// @}

/// @name Destinations that are temporaries, as slices and partitions are
/// @{
template <class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
requires detail::copyable<detail::copy_by_layout, Tensor<SrcEngine, SrcLayout>, Tensor<DstEngine, DstLayout>>
    COSMATI_HD constexpr void copy(Tensor<SrcEngine, SrcLayout> const& src, Tensor<DstEngine, DstLayout>&& dst) {
  copy(src, dst);
}
template <class How, class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
requires detail::copyable<How, Tensor<SrcEngine, SrcLayout>, Tensor<DstEngine, DstLayout>> COSMATI_HD constexpr void
copy(How const& how, Tensor<SrcEngine, SrcLayout> const& src, Tensor<DstEngine, DstLayout>&& dst) {
  copy(how, src, dst);
}
template <class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
requires detail::copyable<detail::copy_by_layout, Tensor<SrcEngine, SrcLayout>, Tensor<DstEngine, DstLayout>>
    COSMATI_HD constexpr void copy_aligned(Tensor<SrcEngine, SrcLayout> const& src,
                                           Tensor<DstEngine, DstLayout>&& dst) {
  copy_aligned(src, dst);
}
/// @}

/// @name Destinations that are constants: views may be, tensors that own their elements may not
/// @{
template <class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
requires(detail::copyable<detail::copy_by_layout, Tensor<SrcEngine, SrcLayout>, Tensor<DstEngine, DstLayout>> &&
         !is_owning_v<DstEngine>) COSMATI_HD
    constexpr void copy(Tensor<SrcEngine, SrcLayout> const& src, Tensor<DstEngine, DstLayout> const& dst) {
  copy(src, Tensor<DstEngine, DstLayout>(dst));
}
template <class How, class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
requires(detail::copyable<How, Tensor<SrcEngine, SrcLayout>, Tensor<DstEngine, DstLayout>> &&
         !is_owning_v<DstEngine>) COSMATI_HD
    constexpr void copy(How const& how, Tensor<SrcEngine, SrcLayout> const& src,
                        Tensor<DstEngine, DstLayout> const& dst) {
  copy(how, src, Tensor<DstEngine, DstLayout>(dst));
}
template <class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
requires(is_owning_v<DstEngine>)
    COSMATI_HD detail::destination_is_read_only<typename DstEngine::element_type const> copy(
        Tensor<SrcEngine, SrcLayout> const& src, Tensor<DstEngine, DstLayout> const& dst);
template <class How, class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
requires(is_owning_v<DstEngine>)
    COSMATI_HD detail::destination_is_read_only<typename DstEngine::element_type const> copy(
        How const& how, Tensor<SrcEngine, SrcLayout> const& src, Tensor<DstEngine, DstLayout> const& dst);
/// @}

/// @name Copies that are known to be wrong
/// Declared only: the type of the result says what is wrong (core/refused.hpp).
/// @{
template <class SrcEngine, class SrcLayout, tensor_type Dst>
requires(!detail::copyable<detail::copy_by_layout, Tensor<SrcEngine, SrcLayout>, std::remove_cvref_t<Dst>>)
    COSMATI_HD detail::mistake_in_copy<detail::copy_by_layout, Tensor<SrcEngine, SrcLayout>, Dst> copy(
        Tensor<SrcEngine, SrcLayout> const& src, Dst&& dst);
template <class How, class SrcEngine, class SrcLayout, tensor_type Dst>
requires(!detail::copyable<How, Tensor<SrcEngine, SrcLayout>, std::remove_cvref_t<Dst>>)
    COSMATI_HD detail::mistake_in_copy<How, Tensor<SrcEngine, SrcLayout>, Dst> copy(
        How const& how, Tensor<SrcEngine, SrcLayout> const& src, Dst&& dst);
template <class SrcEngine, class SrcLayout, tensor_type Dst>
requires(!detail::copyable<detail::copy_by_layout, Tensor<SrcEngine, SrcLayout>, std::remove_cvref_t<Dst>>)
    COSMATI_HD detail::mistake_in_copy<detail::copy_by_layout, Tensor<SrcEngine, SrcLayout>, Dst> copy_aligned(
        Tensor<SrcEngine, SrcLayout> const& src, Dst&& dst);
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
