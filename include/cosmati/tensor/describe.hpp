// SPDX-License-Identifier: Apache-2.0
/// @file
/// Describes a tensor and a coordinate in words, for the reports of the simulated device. For the host only.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/access.hpp>
#include <cosmati/layout/composed_layout.hpp>
#include <cosmati/tensor/pointer.hpp>
#include <cstdio>

namespace COSMATI_NAMESPACE::detail {

/// Appends text to a buffer of fixed size, and cuts what does not fit.
struct text_sink {
  char* out;
  std::size_t room;
  std::size_t used = 0;

  void put(char const* text) {
    for (; *text != 0 && used + 1 < room; ++text) out[used++] = *text;
    if (room != 0) out[used] = 0;
  }
  void put(long long value) {
    char digits[24];
    std::snprintf(digits, sizeof digits, "%lld", value);
    put(digits);
  }
};

template <class T>
void describe(text_sink& s, T const& x) {
  if constexpr (is_underscore_v<T>) {
    s.put("_");
  } else if constexpr (integer<T>) {
    s.put(static_cast<long long>(x));
  } else if constexpr (scaled_basis<T>) {
    s.put("basis");
  } else if constexpr (tuple_type<T>) {
    s.put("(");
    [&]<std::size_t... k>(std::index_sequence<k...>) { ((s.put(k == 0 ? "" : ","), describe(s, get<k>(x))), ...); }
    (std::make_index_sequence<static_cast<std::size_t>(tuple_size_v<T>)>{});
    s.put(")");
  } else if constexpr (composed_layout<T>) {
    s.put("swizzled ");
    describe(s, x.layout_b());
  } else if constexpr (plain_layout<T>) {
    describe(s, x.shape());
    s.put(":");
    describe(s, x.stride());
  }
}

inline char const* name_of(memory_space space) {
  return space == memory_space::gmem   ? "global "
         : space == memory_space::smem ? "shared "
         : space == memory_space::rmem ? "register "
                                       : "";
}

/// Writes the text of an access_note: "global tensor (8,4):(1,8) at (3,1), offset 11".
template <class L, class Coord>
struct element_description {
  L layout;
  Coord coord;
  long long offset;
  memory_space space;
  void operator()(char* out, std::size_t size) const {
    text_sink s{out, size};
    s.put(name_of(space));
    s.put("tensor ");
    describe(s, layout);
    s.put(" at ");
    describe(s, coord);
    s.put(", offset ");
    s.put(offset);
  }
};

/// Writes the same text for element i of a static layout.
template <class L, memory_space space>
struct static_element_description {
  void operator()(std::ptrdiff_t i, char* out, std::size_t size) const {
    auto const index = static_cast<long long>(i);
    element_description<L, long long>{L{}, index, static_cast<long long>(L{}(index)), space}(out, size);
  }
};

/// The address and width of the element that an iterator points at. The address is null if there is no memory.
template <class Iterator>
void const* address_of([[maybe_unused]] Iterator const& it) {
  if constexpr (requires { raw_pointer_cast(it); }) {
    auto const raw = raw_pointer_cast(it);
    if constexpr (std::is_pointer_v<decltype(raw)> || std::is_pointer_v<std::remove_const_t<decltype(raw)>>)
      return static_cast<void const*>(raw);
    else
      return nullptr;
  } else {
    return nullptr;
  }
}

/// The smallest and the largest offset of a layout's elements.
struct offset_range {
  long long low = 0, high = 0;
};
template <class S, class D>
void widen(offset_range& r, S const& shape, D const& stride) {
  if constexpr (integer<S> && integer<D>) {
    long long const last = (static_cast<long long>(shape) - 1) * static_cast<long long>(stride);
    (last < 0 ? r.low : r.high) += last;
  } else if constexpr (tuple_type<S> && tuple_type<D>) {
    [&]<std::size_t... k>(std::index_sequence<k...>) { (widen(r, get<k>(shape), get<k>(stride)), ...); }
    (std::make_index_sequence<static_cast<std::size_t>(tuple_size_v<S>)>{});
  }
}

template <class S>
long long count_of(S const& shape) {
  if constexpr (tuple_type<S>) {
    return [&]<std::size_t... k>(std::index_sequence<k...>) { return (1LL * ... * count_of(get<k>(shape))); }
    (std::make_index_sequence<static_cast<std::size_t>(tuple_size_v<S>)>{});
  } else {
    return static_cast<long long>(shape);
  }
}

/// A coordinate that is not below the extent of its mode.
struct beyond_extent {
  int mode = -1;  // the tensor's mode; -1 if there is none
  long long coordinate = 0, extent = 0;
};
/// The first integer that is not below its extent, in a coordinate of one mode. The coordinate is an integer, also for
/// a nested mode, or one integer for each of its modes. A mode of stride 0 has no limit.
template <class C, class S, class D>
bool is_beyond(beyond_extent& found, C const& coord, S const& shape, D const& stride) {
  if constexpr (integer<C> && integer<S> && integer<D>) {
    auto const c = static_cast<long long>(coord), extent = static_cast<long long>(shape);
    if (static_cast<long long>(stride) == 0 || (c >= 0 && c < extent)) return false;
    found.coordinate = c;
    found.extent = extent;
    return true;
  } else if constexpr (integer<C> && tuple_type<S>) {
    auto const c = static_cast<long long>(coord), extent = count_of(shape);
    offset_range r;
    widen(r, shape, stride);
    if ((r.low == 0 && r.high == 0) || (c >= 0 && c < extent)) return false;
    found.coordinate = c;
    found.extent = extent;
    return true;
  } else if constexpr (tuple_type<C> && tuple_type<S> && tuple_type<D>) {
    if constexpr (tuple_size_v<C> == tuple_size_v<S>) {
      return [&]<std::size_t... k>(std::index_sequence<k...>) {
        return (is_beyond(found, get<k>(coord), get<k>(shape), get<k>(stride)) || ...);
      }
      (std::make_index_sequence<static_cast<std::size_t>(tuple_size_v<S>)>{});
    }
  }
  return false;
}
template <class C, class S, class D>
beyond_extent beyond_of(C const& coord, S const& shape, D const& stride) {
  beyond_extent found;
  if constexpr (tuple_type<C> && tuple_type<S> && tuple_type<D>) {
    if constexpr (tuple_size_v<C> == tuple_size_v<S>) {
      [&]<std::size_t... k>(std::index_sequence<k...>) {
        ((void)(found.mode < 0 && is_beyond(found, get<k>(coord), get<k>(shape), get<k>(stride)) &&
                (found.mode = static_cast<int>(k), true)),
         ...);
      }
      (std::make_index_sequence<static_cast<std::size_t>(tuple_size_v<S>)>{});
    }
  }
  return found;
}

template <class Tensor, class Coord, class Iterator, class Offset>
void note_element(Tensor const& t, Coord const& coord, Iterator const& first, Offset const& offset) {
  if constexpr (requires { first + offset; } && integer<Offset>) {
    void const* const address = address_of(first + offset);
    if (address == nullptr) return;
    element_description<std::remove_cvref_t<decltype(t.layout())>, Coord> const note{
        t.layout(), coord, static_cast<long long>(offset), memory_space_v<Iterator>};
    note_tensor(address, (sizeof_bits_v<typename Tensor::value_type> + 7) / 8, note, address_of(first));
    using Layout = std::remove_cvref_t<decltype(t.layout())>;
    if constexpr (plain_layout<Layout> && !composed_layout<Layout>) {
      offset_range r;
      widen(r, t.shape(), t.stride());
      beyond_extent const beyond = beyond_of(coord, t.shape(), t.stride());
      if (beyond.mode >= 0 || note.offset < r.low || note.offset > r.high)
        note_outside(beyond.mode, beyond.coordinate, beyond.extent);
    }
  }
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
