// SPDX-License-Identifier: Apache-2.0
/// @file
/// For the simulated device: the lanes of a warp exchange 16-bit pieces by an atom's two layouts. Every warp-wide copy
/// is such an exchange, with a load before it (ldmatrix) or a store after it (stmatrix).
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/simulated.hpp>
#include <cosmati/core/error.hpp>
#include <cosmati/layout/layout.hpp>
#include <cosmati/layout/modes.hpp>

#if defined(COSMATI_SIMULATED)
namespace COSMATI_NAMESPACE::detail {

/// The piece, and the lane it comes from, that each lane receives. @tparam From, To (lane, bit) -> bit
template <class From, class To>
struct exchange_table {
  static constexpr int given = static_cast<int>(decltype(size<1>(From{}))::value) / 16;
  static constexpr int taken = static_cast<int>(decltype(size<1>(To{}))::value) / 16;
  struct piece {
    std::uint8_t lane, index;
  };
  int of_each = taken;
  piece of[32][std::size_t{taken}] = {};

  constexpr exchange_table() {
    piece owner[std::size_t{32 * (taken > given ? taken : given)}] = {};
    for (int lane = 31; lane >= 0; --lane) {  // the lowest lane wins if several lanes give the same piece
      for (int i = 0; i < given; ++i)
        owner[From{}(lane, 16 * i) / 16] = {static_cast<std::uint8_t>(lane), static_cast<std::uint8_t>(i)};
    }
    for (int lane = 0; lane < 32; ++lane) {
      for (int i = 0; i < taken; ++i) of[lane][i] = owner[To{}(lane, 16 * i) / 16];
    }
  }
};
template <class From, class To>
inline constexpr exchange_table<From, To> exchange_of{};

/// Writes the lanes of a mask, such as "0-15, 31". @param out has room for 32 numbers
inline void name_lanes(unsigned mask, char* out, std::size_t size) {
  std::size_t used = 0;
  out[0] = 0;
  for (int first = 0; first < 32; ++first) {
    if ((mask >> first & 1u) == 0) continue;
    int last = first;
    while (last < 31 && (mask >> (last + 1) & 1u) != 0) ++last;
    int const n = first == last ? std::snprintf(out + used, size - used, "%s%d", used != 0 ? ", " : "", first)
                                : std::snprintf(out + used, size - used, "%s%d-%d", used != 0 ? ", " : "", first, last);
    used += static_cast<std::size_t>(n);
    first = last;
  }
}

/// @param lanes the lanes that reached an instruction of the whole warp
[[noreturn]] inline void lanes_are_missing(unsigned lanes, char const* name) {
  char missing[120];
  name_lanes(~lanes, missing, sizeof missing);
  fail_as("divergence",
          "%s: all 32 lanes of a warp execute it together, but lanes %s of this one exited before, or never were; let "
          "every lane come here, and launch a multiple of 32 threads",
          name, missing);
}

/// Every lane gives 16-bit pieces and receives others. The launch ends with an error unless all 32 lanes take part.
template <class From, class To>
void exchange(void const* give, void* take, char const* name, char const* file, int line) {
  using table = exchange_table<From, To>;
  static_assert(sizeof(table) == sizeof(int) + 64 * table::taken);
  unsigned const lanes =
      cosmati_sim_exchange(static_cast<std::uint16_t const*>(give), static_cast<std::uint16_t*>(take),
                           &exchange_of<From, To>.of_each, name, file, line);
  if (lanes != 0xffffffffu) lanes_are_missing(lanes, name);
}

}  // namespace COSMATI_NAMESPACE::detail
#endif

#include <cosmati/core/macros_end.hpp>
