// SPDX-License-Identifier: Apache-2.0
/// @file
/// `verify(tiled_copy, src, dst)`: whether a copy writes every element of the destination exactly once, from the right
/// element, in bounds and aligned. For static layouts it is proved at compile time, otherwise checked at the call.
///
/// @code
///   static_assert(verify(tiled_copy, in_global(gmem_layout), in_shared(smem_layout)));
///   static_assert(assert_verified(tiled_copy, in_global(gmem_layout), in_shared(smem_layout)));  // says what is wrong
/// @endcode
///
/// analysis/words.hpp describes a verdict in words.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/analysis/values_of_types.hpp>
#include <cosmati/analysis/verify_values.hpp>
#include <cosmati/core/refused.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
template <class TiledCopy, class Src, class Dst, class Bounds = no_bounds_given>
struct static_verdict {
  static constexpr copy_verdict value =
      verify_values(copy_values_of<TiledCopy>(), tensor_values_of<Src>(), tensor_values_of<Dst>(),
                    !std::is_same_v<Bounds, no_bounds_given>, static_bounds<Bounds>());
};
template <class Src, class Dst>
inline constexpr bool are_static_places = is_static_place<Src>&& is_static_place<Dst>;
}  // namespace detail

/// @name verify
/// @param src, dst layouts in_global(...) or in_shared(...), in_registers, or tensors
/// @param bounds a shape; only elements within it are copied, as with `copy(tiled_copy, src, dst, bounds)`
/// @{
template <class TiledCopy, class Src, class Dst>
requires(detail::are_static_places<Src, Dst>) COSMATI_HD constexpr copy_verdict
    verify(TiledCopy const&, Src const&, Dst const&) {
  return detail::static_verdict<TiledCopy, Src, Dst>::value;
}
template <class TiledCopy, class Src, class Dst, class Bounds>
requires(detail::are_static_places<Src, Dst>&& is_static_v<Bounds>) COSMATI_HD constexpr copy_verdict
    verify(TiledCopy const&, Src const&, Dst const&, Bounds const&) {
  return detail::static_verdict<TiledCopy, Src, Dst, Bounds>::value;
}
/// On the host, if an integer is known at run time only.
template <class TiledCopy, class Src, class Dst>
requires(!detail::are_static_places<Src, Dst>) copy_verdict verify(TiledCopy const&, Src const& src, Dst const& dst) {
  return verify_values(detail::copy_values_at_run_time<TiledCopy>(), detail::tensor_values_at_run_time(src),
                       detail::tensor_values_at_run_time(dst));
}
template <class TiledCopy, class Src, class Dst, class Bounds>
requires(!(detail::are_static_places<Src, Dst> && is_static_v<Bounds>)) copy_verdict
    verify(TiledCopy const&, Src const& src, Dst const& dst, Bounds const& bounds) {
  return verify_values(detail::copy_values_at_run_time<TiledCopy>(), detail::tensor_values_at_run_time(src),
                       detail::tensor_values_at_run_time(dst), true, detail::bounds_at_run_time(bounds));
}
/// @}

namespace detail {

/// @name Refusals of assert_verified
/// @{
template <int tile_modes, int tensor_modes>
struct tensor_lacks_modes_of_the_tile : refused {
  static_assert(tile_modes <= tensor_modes,
                "verify: tensor_lacks_modes_of_the_tile<TILE, TENSOR>: the tile has TILE modes and the tensor TENSOR; "
                "give the tensor a mode for each");
};
template <int mode, int source, int destination>
struct source_and_destination_shapes_differ : refused {
  static_assert(source == destination,
                "verify: source_and_destination_shapes_differ<MODE, SOURCE, DESTINATION>: along MODE the source has "
                "SOURCE elements, the destination DESTINATION; copy between tensors of one shape");
};
template <int elements, int named>
struct tile_is_not_covered : refused {
  static_assert(elements < 0,
                "verify: tile_is_not_covered<ELEMENTS, VALUES>: the VALUES of all threads do not name each of the "
                "tile's ELEMENTS once; make the tiled copy with make_tiled_copy, of compact layouts");
};
template <int mode, int tile, int extent>
struct tiles_reach_beyond_the_tensor {
  template <int thread, int value>
  struct first_by : refused {
    static_assert(
        thread < 0,
        "verify: tiles_reach_beyond_the_tensor<MODE, TILE, EXTENT>::first_by<THREAD, VALUE>: along MODE tiles "
        "of TILE do not end where the EXTENT elements do: VALUE of THREAD is no element; give bounds to "
        "verify and copy, or choose a tile that divides EXTENT");
  };
};
template <int mode, int bound, int extent>
struct bounds_exceed_the_tensor : refused {
  static_assert(bound <= extent,
                "verify: bounds_exceed_the_tensor<MODE, BOUND, EXTENT>: along MODE the bounds are BOUND and the tensor "
                "has EXTENT elements; give bounds that lie inside both tensors");
};
template <int thread, int value>
struct element_is_written_twice {
  template <int other_thread, int other_value, int offset>
  struct also_by : refused {
    static_assert(thread < 0,
                  "verify: element_is_written_twice<THREAD, VALUE>::also_by<THREAD, VALUE, OFFSET>: the destination's "
                  "layout has both at OFFSET; give it strides that keep its elements apart");
  };
};
template <bool source, int needed>
struct vector_is_not_in_a_row {
  template <int value, int distance>
  struct but_value : refused {
    static_assert(value < 0,
                  "verify: vector_is_not_in_a_row<SOURCE, NEEDED>::but_value<VALUE, DISTANCE>: the atom moves NEEDED "
                  "values that must lie side by side, but a thread's VALUE lies DISTANCE elements from its value 0 (0: "
                  "the run ends there); let the value layout run along the mode of stride 1, or take an atom of VALUE "
                  "values");
  };
};
template <bool source, int vector, int offset>
struct vector_is_not_aligned {
  template <int thread, int value>
  struct of : refused {
    static_assert(thread < 0,
                  "verify: vector_is_not_aligned<SOURCE, VECTOR, OFFSET>::of<THREAD, VALUE>: vectors of VECTOR values "
                  "must start at a multiple of VECTOR, and this one starts at OFFSET; pad the strides to multiples of "
                  "VECTOR, or take a narrower atom");
  };
};
/// @}

constexpr int as_int(std::int64_t x) { return static_cast<int>(x); }
template <class Verdict>
constexpr auto mistake_in_verdict() {
  constexpr copy_verdict v = Verdict::value;
  constexpr int number = as_int(v.number), found = as_int(v.found);
  constexpr int thread = as_int(v.place.thread), value = as_int(v.place.value);
  if constexpr (v.fault == copy_fault::rank) {
    return std::type_identity<tensor_lacks_modes_of_the_tile<number, found>>{};
  } else if constexpr (v.fault == copy_fault::shapes_differ) {
    return std::type_identity<source_and_destination_shapes_differ<v.mode, number, found>>{};
  } else if constexpr (v.fault == copy_fault::tile_not_covered) {
    return std::type_identity<tile_is_not_covered<number, found>>{};
  } else if constexpr (v.fault == copy_fault::beyond) {
    using At = tiles_reach_beyond_the_tensor<v.mode, number, found>;
    return std::type_identity<typename At::template first_by<thread, value>>{};
  } else if constexpr (v.fault == copy_fault::bounds) {
    return std::type_identity<bounds_exceed_the_tensor<v.mode, number, found>>{};
  } else if constexpr (v.fault == copy_fault::written_twice) {
    using At = element_is_written_twice<thread, value>;
    return std::type_identity<typename At::template also_by<as_int(v.other.thread), as_int(v.other.value), found>>{};
  } else if constexpr (v.fault == copy_fault::source_vector || v.fault == copy_fault::destination_vector) {
    using At = vector_is_not_in_a_row<v.at_source, number>;
    return std::type_identity<typename At::template but_value<value, found>>{};
  } else {
    using At = vector_is_not_aligned<v.at_source, number, found>;
    return std::type_identity<typename At::template of<thread, value>>{};
  }
}
template <class... A>
using mistake_in_copied = typename decltype(mistake_in_verdict<static_verdict<A...>>())::type;
}  // namespace detail

/// @name assert_verified: true, or a compile error that names the numbers
/// @{
template <class TiledCopy, class Src, class Dst, class... Bounds>
requires(detail::static_verdict<TiledCopy, Src, Dst, Bounds...>::value.ok()) COSMATI_HD
    constexpr bool assert_verified(TiledCopy const&, Src const&, Dst const&, Bounds const&...) {
  return true;
}
template <class TiledCopy, class Src, class Dst, class... Bounds>
requires(!detail::static_verdict<TiledCopy, Src, Dst, Bounds...>::value.ok())
    COSMATI_HD detail::mistake_in_copied<TiledCopy, Src, Dst, Bounds...> assert_verified(TiledCopy const&, Src const&,
                                                                                         Dst const&, Bounds const&...);
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
