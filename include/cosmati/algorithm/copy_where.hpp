// SPDX-License-Identifier: Apache-2.0
/// @file
/// Copies of elements for which a function of the index holds: vectors where all of theirs hold, single elements where
/// some do.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/copy.hpp>
#include <cosmati/algorithm/element.hpp>

namespace COSMATI_NAMESPACE {
namespace algebra {

/// The number of indices from 0 on, and from every multiple of it on, that share one offset.
template <class Num>
constexpr std::int64_t uniform_run(flat_tree<Num> const& layout) {
  std::int64_t run = 1;
  for (int i = 0; i < layout.leaves; ++i) {
    if (!is_known(layout.shape[i])) break;
    if (!is(layout.shape[i], 1) && !is(layout.stride[i], 0)) break;
    run *= known(layout.shape[i], "");
  }
  return run;
}

}  // namespace algebra

namespace detail {

template <class L>
inline constexpr int uniform_run_of = 1;
template <plain_layout L>
requires(!composed_layout<L>) inline constexpr int uniform_run_of<L> =
    static_cast<int>(algebra::uniform_run(layout_facts<L>::value) % (1 << 30));

template <class T, int mode>
inline constexpr auto extent_of_mode = [] {
  using N = decltype(size<mode>(std::declval<T const&>()));
  if constexpr (static_integer<N>)
    return narrowest<static_cast<std::int64_t>(N::value)>;
  else
    return -1;
}();

/// Predicates over the elements of a source. @tparam Pred a tensor, or a function of the element's index
template <class Pred, class Src>
struct predicates {
  Pred const& pred;
  /// Elements that one predicate decides about; 0: known at run time.
  static constexpr auto each = [] {
    if constexpr (!tensor_type<Pred>) {
      return 1;
    } else if constexpr (elements_of<Pred> >= 0 && elements_of<Src> >= 0) {
      return elements_of<Pred> > 0 && elements_of<Src> > elements_of<Pred> ? elements_of<Src> / elements_of<Pred> : 1;
    } else {
      constexpr int vector = extent_of_mode<Src, 0>;
      if constexpr (Pred::rank == Src::rank) {
        constexpr int own = extent_of_mode<Pred, 0>;
        return vector > 0 && own > 0 && vector % own == 0 ? vector / own : 0;
      } else if constexpr (Pred::rank + 1 == Src::rank) {
        return vector > 0 ? vector : 0;
      } else {
        return 0;
      }
    }
  }();
  /// Elements [k * uniform, (k + 1) * uniform) share one answer.
  static constexpr int uniform = [] {
    if constexpr (tensor_type<Pred>)
      return (each > 0 ? each : 1) * uniform_run_of<typename Pred::layout_type>;
    else
      return 1;
  }();

  std::int64_t each_ = each;

  COSMATI_HD constexpr predicates(Pred const& p, [[maybe_unused]] Src const& src) : pred(p) {
    if constexpr (tensor_type<Pred>) count(p, src);
  }
  COSMATI_ANY_FUNCTION
  template <class Index>
  COSMATI_HD constexpr bool operator()(Index i) const {
    if constexpr (!tensor_type<Pred>)
      return static_cast<bool>(pred(i));
    else if constexpr (each == 1)
      return static_cast<bool>(load_element(pred, i));
    else if constexpr (each > 1)
      return static_cast<bool>(load_element(pred, i / static_cast<Index>(each)));
    else
      return static_cast<bool>(load_element(pred, i / static_cast<Index>(each_)));
  }

 private:
  /// What is known at run time only: elements of a predicate, and whether there are as many predicates as needed.
  COSMATI_HD constexpr void count([[maybe_unused]] Pred const& p, [[maybe_unused]] Src const& src) {
    if constexpr (elements_of<Pred> < 0 || elements_of<Src> < 0) {
      auto const n = static_cast<std::int64_t>(size(src));
      auto const m = static_cast<std::int64_t>(size(p));
      if constexpr (each == 0) each_ = m > 0 && n > m ? n / m : 1;
#if defined(COSMATI_SIMULATED) || !defined(NDEBUG)
      if (!__builtin_is_constant_evaluated() && m * each_ != n) {
        fail(
            "copy_if: %lld predicates for %lld elements; give one an element, or one a vector (the source's shape "
            "without its first "
            "mode)",
            static_cast<long long>(m), static_cast<long long>(n));
      }
#endif
    }
  }
};

/// One element, converted where the types differ.
template <class Src, class Dst, class Index>
COSMATI_HD constexpr void move_element(Src const& src, Dst& dst, Index i) {
  using From = typename Src::value_type;
  if constexpr (std::is_same_v<From, typename Dst::value_type> && is_one_access<Src> && is_one_access<Dst>) {
    if (!__builtin_is_constant_evaluated()) return move_one<static_cast<int>(sizeof(From))>(src, dst, i);
  }
  store_element(dst, i, load_element(src, i));
}

/// Loads of up to eight vectors go out before the first store waits for one.
template <int bytes, int vector, int count, class Holds, class Src, class Dst>
COSMATI_HD inline void move_batches_where(Holds const& holds, Src const& src, Dst& dst) {
  using V = typename vector_type<bytes>::type;
  constexpr int batch = count < 8 ? (count > 0 ? count : 1) : 8;
  COSMATI_UNROLL
  for (int first = 0; first < count; first += batch) {
#if defined(__CUDA_ARCH__)
    V held[batch];
#else
    V held[std::size_t{batch}] = {};  // g++ does not see that the same condition guards both uses
#endif
    bool here[std::size_t{batch}];
    COSMATI_UNROLL
    for (int j = 0; j < batch; ++j) {
      [[maybe_unused]] access_step const together;
      int const i = (first + j) * vector;
      here[j] = (count % batch == 0 || first + j < count) && holds(i);
      if (here[j]) {
        note_vector<bytes, access_kind::load>(src, i);
        [[maybe_unused]] unseen_scope const unseen;
        held[j] = load_vector<bytes>(address_at(src.data(), src.layout()(i)));
      }
    }
    COSMATI_UNROLL
    for (int j = 0; j < batch; ++j) {
      [[maybe_unused]] access_step const together;
      int const i = (first + j) * vector;
      if (here[j]) {
        note_vector<bytes, access_kind::store>(dst, i);
        [[maybe_unused]] unseen_scope const unseen;
        store_vector<bytes>(address_at(dst.data(), dst.layout()(i)), held[j]);
      }
    }
  }
}

/// Vectors of `vector` elements, `bytes` each. @tparam uniform all predicates of a vector are known to be equal
template <int bytes, int vector, bool uniform, class Holds, class Src, class Dst>
COSMATI_HD constexpr void move_where(Holds const& holds, Src const& src, Dst& dst) {
  constexpr auto n = elements_of<Src> >= 0 ? elements_of<Src> : elements_of<Dst>;
  auto const step = [&](auto i) {
    [[maybe_unused]] access_step const together;
    if constexpr (bytes == 0 || vector == 1) {
      if (holds(i)) move_element(src, dst, i);
    } else if constexpr (uniform) {
      if (holds(i)) move_one<bytes>(src, dst, i);
    } else {
      bool here[std::size_t{vector}];
      bool all = true;
      COSMATI_UNROLL
      for (int v = 0; v < vector; ++v) {
        here[v] = holds(i + static_cast<decltype(i)>(v));
        all = all && here[v];
      }
      if (all) return move_one<bytes>(src, dst, i);
      COSMATI_UNROLL
      for (int v = 0; v < vector; ++v) {
        if (here[v]) move_element(src, dst, i + static_cast<decltype(i)>(v));
      }
    }
  };
  if constexpr (n >= 0 && n / vector <= 256) {
    if constexpr (uniform && bytes != 0 && is_memory<Src> && is_memory<Dst>) {
      move_batches_where<bytes, vector, n / vector>(holds, src, dst);
    } else {
      COSMATI_UNROLL
      for (int i = 0; i < n; i += vector) step(i);
    }
  } else {
    count_up<false>(size(src), 0, vector, step);
  }
}
template <class Holds, class Src, class Dst>
COSMATI_HD constexpr void move_elements_where(Holds const& holds, Src const& src, Dst& dst) {
  for_each_index(src, [&](auto i) {
    [[maybe_unused]] access_step const together;
    if (holds(i)) move_element(src, dst, i);
  });
}

/// A predicate asked in another order of the elements.
template <class Holds, class Order>
struct reordered {
  Holds const& holds;
  template <class Index>
  COSMATI_HD constexpr bool operator()(Index i) const {
    return holds(static_cast<Index>(Order{}(i)));
  }
};
template <class Src, class Dst>
inline constexpr bool same_addressed_values =
    std::is_same_v<typename Src::value_type, typename Dst::value_type>&& has_addresses<Src>&& has_addresses<Dst>;

/// A vector of so many elements as are proved, or as share one answer.
template <class Src, class Dst, int max_bits, int trusted, int share, bool split>
struct vector_where {
  static constexpr int bits = bits_of_value<Src>;
  static constexpr int kept_1 = bytes_kept_together<typename Src::iterator>;
  static constexpr int kept_2 = bytes_kept_together<typename Dst::iterator>;
  static constexpr int kept = 8 * (kept_1 < kept_2 ? kept_1 : kept_2);
  static constexpr int proved = proved_vector<typename Src::layout_type, typename Dst::layout_type, bits,
                                              (max_bits < kept ? max_bits : kept), trusted>::value;
  static constexpr int value = split ? proved : static_cast<int>(largest_power_of_two_in(algebra::gcd(proved, share)));
};
/// How many elements in a new order, of those that shared an answer in the old, do so still.
template <class Order, int share>
struct share_in_order {
  static constexpr std::int64_t run = layout_facts<Order>::run;
  static constexpr int value =
      static_cast<int>(algebra::gcd(share, algebra::gcd(run, layout_facts<Order>::template alignment<run, 1>)));
};

/// @tparam share how many elements from each multiple of itself on share one answer
/// @tparam split vectors may be wider than that: their predicates decide at run time
template <int max_bits, int trusted, int share, bool split, class Holds, class Src, class Dst>
COSMATI_HD constexpr void move_widest_where(Holds const& holds, Src const& src, Dst& dst) {
  constexpr int bits = static_cast<int>(sizeof_bits_v<typename Src::value_type>);
  constexpr int vector = vector_where<Src, Dst, max_bits, trusted, share, split>::value;
  constexpr int bytes = vector * bits / 8;
  if constexpr (vector == 1 || vector * bits % 8 != 0) {
    move_elements_where(holds, src, dst);
  } else {
    if (__builtin_is_constant_evaluated()) return move_elements_where(holds, src, dst);
    constexpr bool uniform = share % vector == 0;
    constexpr int p1 = pointer_alignment_bits_v < Src >> trusted ? pointer_alignment_bits_v<Src> : trusted;
    constexpr int p2 = pointer_alignment_bits_v < Dst >> trusted ? pointer_alignment_bits_v<Dst> : trusted;
    if constexpr (p1 >= bytes * 8 && p2 >= bytes * 8) {
      move_where<bytes, vector, uniform>(holds, src, dst);
    } else if constexpr (!in_registers<Src> && !in_registers<Dst>) {
      if ((p1 >= bytes * 8 || may_begin_at<bytes>(src.data())) && (p2 >= bytes * 8 || may_begin_at<bytes>(dst.data())))
        move_where<bytes, vector, uniform>(holds, src, dst);
      else
        move_elements_where(holds, src, dst);
    } else {
      move_elements_where(holds, src, dst);
    }
  }
}

template <int max_bits, int trusted, bool split, class Pred, class Src, class Dst>
COSMATI_HD constexpr void copy_widest_if(Pred const& pred, Src const& src, Dst& dst) {
  predicates<Pred, Src> const holds(pred, src);
  constexpr int share = predicates<Pred, Src>::uniform;
  using L1 = typename Src::layout_type;
  using L2 = typename Dst::layout_type;
  if constexpr (!same_addressed_values<Src, Dst>) {
    move_elements_where(holds, src, dst);
  } else if constexpr (static_plain_layout<L1> && static_plain_layout<L2> && elements_of<Src> > 1) {
    using Common = typename layout_result<max_common_layout_object, L1, L2>::type;
    if constexpr (decltype(size(Common{}))::value <= 1) {
      move_elements_where(holds, src, dst);
    } else {
      using Order = decltype(logical_divide(Layout<C<elements_of<Src>>>{}, Common{}));
      auto const s = make_tensor(src.data(), logical_divide(src.layout(), Common{}));
      auto d = make_tensor(dst.data(), logical_divide(dst.layout(), Common{}));
      move_widest_where<max_bits, trusted, share_in_order<Order, share>::value, split>(
          reordered<predicates<Pred, Src>, Order>{holds}, s, d);
    }
  } else {
    move_widest_where<max_bits, trusted, share, split>(holds, src, dst);
  }
}

}  // namespace detail
}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
