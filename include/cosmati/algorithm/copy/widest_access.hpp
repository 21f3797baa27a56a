// SPDX-License-Identifier: Apache-2.0
/// @file
/// The width of accesses if no instruction is named: the widest access that layouts and addresses prove.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/copy/place_facts.hpp>
#include <cosmati/algorithm/copy/vectors.hpp>

namespace COSMATI_NAMESPACE::detail {

constexpr std::int64_t largest_power_of_two_in(std::int64_t x) { return x & -x; }

/// The widest vector, in elements, that both layouts prove. Pointers are not considered.
/// @tparam trusted the number of bits that run-time strides are assumed to be multiples of
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

/// Whether everything but the offset before a swizzle is static.
template <class L>
inline constexpr bool has_static_modes = is_static_v<L>;
template <class A, class O, class B>
inline constexpr bool has_static_modes<ComposedLayout<A, O, B>> = is_static_v<B>;

/// Whether addresses are assumed to be aligned to the widest vector that the layouts allow. They are if both layouts
/// are static and elements are whole bytes. A wrong address is a hazard on the simulated device and a trap on the GPU.
/// The simulated device tests the address of an untagged pointer, because its local arrays are less aligned than the
/// registers that nvcc makes of them.
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
/// Tests at run time whether an access of `bytes` may begin at the tensor's address. On the simulated device it is also
/// true for a misaligned address of static layouts, unless it is that of an array of this thread, which nvcc would keep
/// in registers. The access is then a hazard, as it would trap on the GPU.
template <int bytes, class Other, class T>
COSMATI_HD bool may_move_vectors(T const& t) {
  if (may_begin_at<bytes>(t.data())) return true;
#if defined(COSMATI_SIMULATED)
  if constexpr (has_trusted_layout<T, Other>)
    return cosmati_cuda::sim_active() != 0 && cosmati_sim_is_on_stack(address_behind(t.data())) == 0;
#endif
  return false;
}

/// The alignment that AutoVectorizingCopyWithAssumedAlignment<N> assumes of pointers and run-time strides, in bits.
template <int N>
inline constexpr int trusted_bits = N > 8 ? N : 0;

/// Whether only another order of the elements puts the longest vectors first: the layouts are static, and they differ
/// or have gaps.
template <class Src, class Dst>
inline constexpr bool has_another_order = [] {
  using L1 = typename Src::layout_type;
  using L2 = typename Dst::layout_type;
  if constexpr (static_plain_layout<L1> && static_plain_layout<L2> &&
                std::is_same_v<typename Src::value_type, typename Dst::value_type>)
    return !std::is_same_v<L1, L2> || layout_facts<L1>::run != static_size<decltype(size(L1{}))>::value;
  else
    return false;
}();
/// One side of a copy with the longest vectors first. It is divided by the common layout of both sides.
template <class Src, class Dst, class T>
COSMATI_HD constexpr decltype(auto) common_vector_first(T& t) {
  if constexpr (!has_another_order<Src, Dst>) {
    return (t);
  } else {
    using Common =
        typename layout_result<max_common_layout_object, typename Src::layout_type, typename Dst::layout_type>::type;
    if constexpr (decltype(size(Common{}))::value <= 1)
      return make_tensor(t.data(), t.layout());
    else
      return make_tensor(t.data(), logical_divide(t.layout(), Common{}));
  }
}

/// The widest access by which two tensors move in the order of their elements.
/// @tparam max_bits the limit of an access
/// @tparam trusted the alignment in bits that pointers and run-time strides are assumed to have
template <int max_bits, int trusted, class Src, class Dst>
struct widest_access {
  static constexpr int bits = bits_of_value<Src>;
  static constexpr int kept =
      smaller_int(bytes_kept_together<typename Src::iterator>, bytes_kept_together<typename Dst::iterator>);
  /// The number of elements of the widest vector that both layouts allow.
  static constexpr int proved = [] {
    if constexpr (std::is_same_v<typename Src::value_type, typename Dst::value_type> && both_have_addresses<Src, Dst>)
      return proved_vector<typename Src::layout_type, typename Dst::layout_type, bits, smaller_int(max_bits, 8 * kept),
                           trusted>::value;
    else
      return 1;
  }();
  static constexpr int vector =
      is_bits_of_one_access(proved * bits) ? proved : 1;  ///< the number of elements of an access
  static constexpr int bytes = vector > 1 ? vector* bits / 8 : bytes_of_element<Src, Dst>;
  /// The alignment in bits of a side's address: that of its type, or the one assumed for all.
  template <class T>
  static constexpr int assumed_bits = pointer_alignment_bits_v<T> < trusted ? trusted : pointer_alignment_bits_v<T>;
  template <class T, class Other>
  static constexpr int aligned_bits = is_trusted<T, Other> ? trusted : assumed_bits<T>;
  template <class T, class Other>
  static constexpr bool is_aligned = is_trusted<T, Other> || aligned_bits<T, Other> >= 8 * bytes;
};

/// In debug builds for the GPU, fails with a sentence about a wrong address. The simulated device checks the access
/// itself.
template <class Widest, class Other, class T>
COSMATI_HD constexpr void check_alignment([[maybe_unused]] T const& t, [[maybe_unused]] char const* side) {
#if defined(__CUDA_ARCH__) && COSMATI_CHECKS_POINTERS
  if constexpr (Widest::template aligned_bits<T, Other> < 8 * Widest::bytes) {
    if (!may_begin_at<Widest::bytes>(t.data()))
      fail(
          "copy: the %s begins at %p, no multiple of the %d bytes that its static layout allows at once; begin it at "
          "one, "
          "or copy single elements by Copy_Atom<UniversalCopy<T>, T>",
          side, static_cast<void const*>(address_behind(t.data())), Widest::bytes);
  }
#endif
}

/// The alignment in bits of the threads' first addresses, as far as their places tell.
template <class T>
inline constexpr int bits_between_threads = step_of_threads<T> > 0
                                                ? static_cast<int>(largest_power_of_two_in(step_of_threads<T>)) *
                                                      static_cast<int>(sizeof_bits_v<typename T::value_type>)
                                                : 128;

/// Copies a tensor by the widest accesses, up to `widest_bits`, that layouts and addresses prove.
/// @tparam trusted the alignment in bits that pointers and run-time strides are assumed to have
/// @tparam async uses cp.async if that is possible
template <int widest_bits, int trusted, bool async = false, class Src, class Dst>
COSMATI_HD constexpr void copy_widest(Src const& src, Dst& dst) {
  auto const& s = common_vector_first<Src, Dst>(src);
  auto&& d = common_vector_first<Src, Dst>(dst);
  using S = std::remove_cvref_t<decltype(s)>;
  using D = std::remove_cvref_t<decltype(d)>;
  constexpr int max_bits =
      has_trusted_layout<Src, Dst>
          ? smaller_int(widest_bits, smaller_int(bits_between_threads<Src>, bits_between_threads<Dst>))
          : widest_bits;
  using Widest = widest_access<max_bits, trusted, S, D>;
  constexpr int bytes = Widest::bytes;
  if constexpr (Widest::vector == 1) {
    copy_vectors<bytes, 1, async>(s, d);
  } else if constexpr (Widest::template is_aligned<S, D> && Widest::template is_aligned<D, S>) {
    check_alignment<Widest, D>(s, "source");
    check_alignment<Widest, S>(d, "destination");
    copy_vectors<bytes, Widest::vector, async>(s, d);
  } else if constexpr (in_registers<S> || in_registers<D>) {
    copy_vectors<bytes_of_element<S, D>, 1, async>(s, d);
  } else {
    // The layouts allow vectors, but the types say too little about the addresses. The addresses decide at run time.
    if (!__builtin_is_constant_evaluated() &&
        (Widest::template aligned_bits<S, D> >= 8 * bytes || may_move_vectors<bytes, D>(s)) &&
        (Widest::template aligned_bits<D, S> >= 8 * bytes || may_move_vectors<bytes, S>(d)))
      copy_vectors<bytes, Widest::vector, async>(s, d);
    else
      copy_vectors<bytes_of_element<S, D>, 1, async>(s, d);
  }
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
