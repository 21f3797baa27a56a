// SPDX-License-Identifier: Apache-2.0
/// @file
/// Text that `print` writes.
#pragma once

#include <cosmati/tiled/print.hpp>
#include <string>

struct string_sink {
  std::string out;
  void text(char const* s) { out += s; }
  void character(char c) { out += c; }
  void integer(long long x) { out += std::to_string(x); }
  void address(void const* p) { out += p == nullptr ? "null" : "address"; }
  void real(double x) { out += std::to_string(x); }
};

template <class T>
std::string text_of(T const& x) {
  string_sink sink;
  using cosmati::detail::put_text;
  put_text(sink, x);
  return sink.out;
}

/// A tiled copy, its source's and destination's TV layouts, its threads and the extent of the tile's first mode.
template <class TC>
std::string described(TC const& tc) {
  using namespace cosmati;
  return text_of(tc) + text_of(tc.get_layoutS_TV()) + "\n" + text_of(tc.get_layoutD_TV()) + "\n" + text_of(size(tc)) +
         "\n" + text_of(tile_size<0>(tc)) + "\n";
}

/// All threads' fragments and one thread's partition of a tensor, source and destination, and where the thread begins.
template <class TC, class T>
std::string partitioned(TC const& tc, T const& t, int thread) {
  using namespace cosmati;
  auto const thr = tc.get_slice(thread);
  auto const s = thr.partition_S(t);
  auto const d = thr.partition_D(t);
  auto const first = [&](auto const& p) {
    return std::to_string(raw_pointer_cast(p.data()) - raw_pointer_cast(t.data()));
  };
  return text_of(tc.tidfrg_S(t.layout())) + "\n" + text_of(tc.tidfrg_D(t.layout())) + "\n" + text_of(s.layout()) +
         "\n" + text_of(d.layout()) + "\n" + first(s) + " " + first(d) + "\n";
}
