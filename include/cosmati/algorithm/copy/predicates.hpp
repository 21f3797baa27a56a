// SPDX-License-Identifier: Apache-2.0
/// @file
/// The predicates of `copy_if`: which predicate decides about an element, and how many elements share a predicate.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/copy/layout_facts.hpp>
#include <cosmati/algorithm/element.hpp>
#include <cosmati/core/error.hpp>

namespace COSMATI_NAMESPACE {
namespace algebra {

/// The number of consecutive indices, starting at each multiple of that number, that share one offset.
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

/// Predicates for the elements of a source. @tparam Pred a tensor, or a function of the element's index
template <class Pred, class Src>
struct predicates {
  Pred const& pred;
  /// The number of elements that one predicate decides about; 0 if it is known at run time.
  static constexpr auto each = [] {
    if constexpr (!tensor_type<Pred>) {
      return 1;
    } else if constexpr (elements_of<Pred> >= 0 && elements_of<Src> >= 0) {
      return elements_of<Pred> > 0 && elements_of<Src> > elements_of<Pred> ? elements_of<Src> / elements_of<Pred> : 1;
    } else {
      constexpr int vector = extent_of_mode<Src, 0>;
      if constexpr (Pred::rank == Src::rank) {
        constexpr int first_extent = extent_of_mode<Pred, 0>;
        return vector > 0 && first_extent > 0 && vector % first_extent == 0 ? vector / first_extent : 0;
      } else if constexpr (Pred::rank + 1 == Src::rank) {
        return vector > 0 ? vector : 0;
      } else {
        return 0;
      }
    }
  }();
  /// The elements [k * uniform, (k + 1) * uniform) share one predicate.
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
  /// Computes what is known at run time only: the number of elements for each predicate. It also checks the number of
  /// predicates.
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

/// A predicate for another order of the elements.
template <class Holds, class Order>
struct reordered {
  Holds const& holds;
  template <class Index>
  COSMATI_HD constexpr bool operator()(Index i) const {
    return holds(static_cast<Index>(Order{}(i)));
  }
};
/// The number of elements that share a predicate in the new order, from the number in the old order.
template <class Order, int share>
struct share_in_order {
  static constexpr std::int64_t run = layout_facts<Order>::run;
  static constexpr int value =
      static_cast<int>(algebra::gcd(share, algebra::gcd(run, layout_facts<Order>::template alignment<run, 1>)));
};

}  // namespace detail
}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
