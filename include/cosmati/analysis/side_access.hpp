// SPDX-License-Identifier: Apache-2.0
/// @file
/// The addresses of a tiled copy's threads on one side: `side_access`, and the warp accesses that it makes.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/analysis/memory_instruction.hpp>
#include <cosmati/layout/any_swizzle.hpp>
#include <cosmati/tiled/algebra.hpp>

namespace COSMATI_NAMESPACE {

/// Extents and strides without nesting: index -> offset. Modes of extent 1 are left out; modes that continue each other
/// are merged.
struct plain_modes {
  int count = 0;
  std::int64_t extent[algebra::max_leaves] = {};
  std::int64_t stride[algebra::max_leaves] = {};

  /// Adds a mode of extent `n` and stride `d`. An extent of 1 is dropped, and a mode that continues the last one is
  /// merged with it.
  constexpr void add(std::int64_t n, std::int64_t d) {
    if (n == 1) return;
    if (count > 0 && d == stride[count - 1] * extent[count - 1]) {
      extent[count - 1] *= n;
      return;
    }
    extent[count] = n;
    stride[count++] = d;
  }
  constexpr std::int64_t size() const {
    std::int64_t n = 1;
    for (int i = 0; i < count; ++i) n *= extent[i];
    return n;
  }
  constexpr std::int64_t operator()(std::int64_t index) const {
    std::int64_t offset = 0;
    for (int i = 0; i < count && index != 0; ++i) {
      offset += index % extent[i] * stride[i];
      index /= extent[i];
    }
    return offset;
  }
};

/// The modes of a layout without nesting.
template <class Num>
constexpr plain_modes plain_modes_of(flat_tree<Num> const& layout) {
  plain_modes m;
  for (int i = 0; i < layout.leaves; ++i) {
    m.add(algebra::known(layout.shape[i], "what a copy costs"), algebra::known(layout.stride[i], "what a copy costs"));
  }
  return m;
}

/// The modes of every `n`th index: cut(m, n)(i) == m(n * i). @returns false if n does not divide them
constexpr bool cut_modes(plain_modes const& m, std::int64_t n, plain_modes& out) {
  for (int i = 0; i < m.count; ++i) {
    if (n == 1) {
      out.add(m.extent[i], m.stride[i]);
    } else if (n % m.extent[i] == 0) {
      n /= m.extent[i];
    } else if (m.extent[i] % n == 0) {
      out.add(m.extent[i] / n, m.stride[i] * n);
      n = 1;
    } else {
      return false;
    }
  }
  return true;
}

/// The addresses of each thread's instructions in elements: the thread's offset plus the instruction's offset, then
/// swizzled.
struct side_access {
  plain_modes threads;
  plain_modes steps;           ///< the offsets of one thread's instructions
  std::int64_t offset = 0;     ///< the offset of the first element, before the swizzle
  AnySwizzle swizzle;          ///< swizzles offsets in elements
  AnySwizzle address_swizzle;  ///< swizzles addresses in bytes
  int value_bits = 32;

  /// The number of threads that take part.
  constexpr std::int64_t thread_count() const { return threads.size(); }
  /// The address of an offset, in bytes.
  constexpr std::int64_t bytes_at(std::int64_t plain) const {
    return address_swizzle(swizzle(offset + plain) * value_bits / 8);
  }
  /// The period of the costs in elements. Adding a multiple of it to every offset changes no cost, because lines, banks
  /// and swizzles repeat.
  constexpr std::int64_t period() const {
    std::int64_t bits = 1024;
    auto const reaches = [](AnySwizzle const& s) {
      return s.is_identity() ? std::int64_t{1}
                             : std::int64_t{1} << (s.bits + s.base + (s.shift < 0 ? -s.shift : s.shift));
    };
    bits = least_common(bits, reaches(swizzle) * value_bits);
    bits = least_common(bits, reaches(address_swizzle) * 8);
    return least_common(bits, value_bits) / value_bits;
  }

 private:
  static constexpr std::int64_t least_common(std::int64_t a, std::int64_t b) { return a / algebra::gcd(a, b) * b; }
};

/// The distinct offsets modulo a period that sums of modes give, and how often each occurs.
/// @tparam capacity the limit of distinct residues; few are found quickly at compile time
template <int capacity>
struct residue_list {
  std::int64_t period = 1;
  int count = 0;
  std::int64_t residue[std::size_t{capacity}] = {};
  std::int64_t times[std::size_t{capacity}] = {};
  std::int64_t old[std::size_t{capacity}] = {};

  constexpr explicit residue_list(std::int64_t of) : period(of), count(1) { times[0] = 1; }

  /// Adds a mode. @returns false if there are too many distinct residues
  constexpr bool add_mode(std::int64_t extent, std::int64_t stride) {
    std::int64_t const step = (stride % period + period) % period;
    if (step == 0) {
      for (int i = 0; i < count; ++i) times[i] *= extent;
      return true;
    }
    std::int64_t const turn = period / algebra::gcd(step, period);  // the number of steps after which they repeat
    std::int64_t const different = extent < turn ? extent : turn;
    int const before = count;
    for (int i = 0; i < before; ++i) {
      old[i] = times[i];
      times[i] *= extent / turn + (extent % turn != 0 ? 1 : 0);
    }
    for (std::int64_t k = 1; k < different; ++k) {
      std::int64_t const n = extent / turn + (k < extent % turn ? 1 : 0);
      for (int i = 0; i < before; ++i) {
        if (!add((residue[i] + k * step) % period, old[i] * n)) return false;
      }
    }
    return true;
  }

 private:
  constexpr bool add(std::int64_t r, std::int64_t n) {
    for (int i = 0; i < count; ++i) {
      if (residue[i] == r) {
        times[i] += n;
        return true;
      }
    }
    if (count == capacity) return false;
    residue[count] = r;
    times[count++] = n;
    return true;
  }
};

/// How often each residue occurs.
using residue_counts = residue_list<256>;

/// Counts of many residues. The period must not exceed the table.
struct residue_table {
  static constexpr int longest = 1 << 16;
  std::int64_t period = 1;
  std::int64_t times[longest] = {};

  constexpr explicit residue_table(std::int64_t of) : period(of) { times[0] = 1; }
  /// Adds a mode.
  constexpr void add_mode(std::int64_t extent, std::int64_t stride) {
    std::int64_t const step = (stride % period + period) % period;
    std::int64_t const turn = period / algebra::gcd(step, period);
    // Along each cycle of residues that are a step apart, `extent` neighbours are summed.
    std::int64_t const whole = extent / turn, more = extent % turn;
    std::int64_t cycle[longest] = {};
    for (std::int64_t first = 0; first < period / turn; ++first) {
      std::int64_t all = 0, sum = 0;
      for (std::int64_t k = 0; k < turn; ++k) {
        cycle[k] = times[(first + k * step) % period];
        all += cycle[k];
      }
      for (std::int64_t k = 0; k < more; ++k) sum += cycle[(turn - k) % turn];
      for (std::int64_t k = 0; k < turn; ++k) {  // the sum is that of cycle[k - more + 1] to cycle[k]
        times[(first + k * step) % period] = whole * all + sum;
        if (more != 0) sum += cycle[(k + 1) % turn] - cycle[(k + 1 - more + turn) % turn];
      }
    }
  }
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
