// SPDX-License-Identifier: Apache-2.0
/// @file
/// What `wgmma.mma_async` computes, on the simulated device. Each warp of the group multiplies its 16 rows when its
/// lanes meet; registers get the sums when the instruction's group is waited for.
///
/// Sums are those of `mma.sync` (arch/mma_simulated.hpp): products are exact and added in float, k ascending. Operands
/// are read where the descriptor says, so that a wrong stride, swizzle or major reads what a GPU would read.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/mma_simulated.hpp>
#include <cosmati/atom/wgmma_descriptor.hpp>
#include <cosmati/atom/wgmma_sparse_instruction.hpp>

#if defined(COSMATI_SIMULATED)
#pragma push_macro("__builtin_memcpy")  // registers; see runtime/seen_builtins.hpp
#undef __builtin_memcpy
namespace COSMATI_NAMESPACE::detail {

#define COSMATI_UNWATCHED_ __attribute__((no_sanitize("thread", "undefined")))

/// What a lane brings to an instruction.
struct wgmma_lane {
  void* d;
  std::uint32_t const* a;  ///< registers, where A is there
  std::uint64_t a_descriptor, b_descriptor;
  int adds;
  char const* file;
  int line;
  unsigned lanes;           ///< those that met
  bool found;               ///< the descriptors' addresses are in shared memory
  std::uint32_t e;          ///< the metadata of a sparse product
  bool metadata_are_wrong;  ///< some are none that PTX defines
};

/// The bytes of an element of an operand. Eight elements of b1 count as one element of one byte.
template <class T>
inline constexpr int operand_bytes = sizeof_bits_v<T> >= 8 ? static_cast<int>(sizeof_bits_v<T>) / 8 : 1;

/// Rows [first, first + rows) of an operand in shared memory, row after row of `extent_k` elements of 1 byte or more.
/// @return whether the descriptor's address is in shared memory
template <class T, GMMA::Major major, int rows, int extent_k>
COSMATI_UNWATCHED_ bool read_operand(std::uint64_t bits, int first, bool reports, char const* name,
                                     wgmma_lane const& by, unsigned char* out) {
  wgmma_descriptor const d = decoded(bits);
  constexpr int bytes = operand_bytes<T>, in_chunk = 16 / bytes;
  auto const base = reinterpret_cast<std::uintptr_t>(cosmati_sim_shared_of(d.address));
  if (base == 0) return false;
  // By whole chunks: they are what an exchange moves.
  constexpr bool along_k = major == GMMA::Major::K;
  constexpr int run = along_k ? extent_k : rows, across = along_k ? rows : extent_k;
  for (int j = 0; j < across; ++j) {
    for (int i = 0; i < run; i += in_chunk) {
      int const mn = along_k ? first + j : first + i, k = along_k ? i : j;
      std::uintptr_t const at = exchanged_address(base + operand_byte(d, major, bytes, mn, k), d.layout);
      if (reports) cosmati_sim_matrix_read(reinterpret_cast<void const*>(at), 16, name, by.file, by.line);
      unsigned char chunk[16];
      __builtin_memcpy(chunk, reinterpret_cast<void const*>(at), 16);
      for (int e = 0; e < in_chunk && i + e < run; ++e) {
        int const row = along_k ? j : i + e, column = along_k ? i + e : j;
        __builtin_memcpy(out + (row * extent_k + column) * bytes, chunk + e * bytes, bytes);
      }
    }
  }
  return true;
}

/// A's 16 rows of the warp from its lanes' registers: the layout of `mma.sync`'s A.
template <class Op>
COSMATI_UNWATCHED_ void read_registers(void* const* arguments, unsigned char* out) {
  constexpr int bytes = operand_bytes<typename Op::ValTypeA>, extent_k = 32 / bytes, each = 4 / bytes;
  for (int lane = 0; lane < 32; ++lane) {
    auto const* const registers = static_cast<wgmma_lane const*>(arguments[lane])->a;
    for (int r = 0; r < 4; ++r) {
      int const row = lane / 4 + 8 * (r % 2), column = lane % 4 * each + r / 2 * 4 * each;
      __builtin_memcpy(out + (row * extent_k + column) * bytes, &registers[r], 4);
    }
  }
}

/// sum(m, n) += the number of bits that are set in both a(m, k) and b(n, k), which are bytes.
template <int N>
COSMATI_UNWATCHED_ void add_bit_products(unsigned char const* a, unsigned char const* b, std::int64_t* sum) {
  for (int i = 0; i < 16 * N; ++i) {
    for (int k = 0; k < 32; ++k) sum[i] += __builtin_popcount(a[i / N * 32 + k] & b[i % N * 32 + k]);
  }
}

/// sum(m, n) += a(m, k) b(n, k) over the elements of A that are stored, in the order in which they are.
/// @param a rows of packed_K, @param b rows of N, one for each k, @return whether all metadata are some that PTX
/// defines
template <class Op, class X, class Total>
COSMATI_UNWATCHED_ bool add_sparse_products(void* const* arguments, X const* a, X const* b, Total* sum) {
  constexpr int chunk = Op::chunk, stored = chunk / 2;
  for (int m = 0; m < 16; ++m) {
    for (int k = 0; k < Op::K; k += chunk) {
      metadata_place const at = place_of_metadata<Op>(m, k);
      std::uint32_t const bits = static_cast<wgmma_lane const*>(arguments[at.thread])->e >> at.shift & 0xfu;
      for (int i = 0; i < stored; ++i) {
        int const place = place_in_chunk<Op>(bits, i);
        if (place < 0) return false;
        auto const x = static_cast<Total>(a[m * Op::packed_K + k / 2 + i]);
        for (int n = 0; n < Op::N; ++n) sum[m * Op::N + n] += x * static_cast<Total>(b[(k + place) * Op::N + n]);
      }
    }
  }
  return true;
}

/// The warp's part of one product. @param warp of the warpgroup
template <class Op>
COSMATI_UNWATCHED_ void multiply_warp(void* const* arguments, int warp, char const* name) {
  using A = typename Op::ValTypeA;
  using B = typename Op::ValTypeB;
  using D = typename Op::ValTypeD;
  constexpr bool bits = sizeof_bits_v<A> == 1, sparse = !wgmma_operation<Op>;
  constexpr int N = Op::N, K = bits ? 32 : Op::K, bytes = operand_bytes<A>, stored_K = sparse ? K / 2 : K;  // of A
  using X = typename held_value<std::conditional_t<bits, std::uint8_t, A>>::type;
  using Total = std::conditional_t<std::is_same_v<X, std::int32_t>, std::int64_t, X>;
  wgmma_lane& first = *static_cast<wgmma_lane*>(arguments[0]);
  unsigned char a_bytes[std::size_t{16 * stored_K * bytes}], b_bytes[std::size_t{N * K * bytes}];
  bool found = true;
  if constexpr (Op::source_of_A == wgmma_source::shared)
    found = read_operand<A, Op::major_A, 16, stored_K>(first.a_descriptor, 16 * warp, true, name, first, a_bytes);
  else
    read_registers<Op>(arguments, a_bytes);
  found = found && read_operand<B, Op::major_B, N, K>(first.b_descriptor, 0, warp == 0, name, first, b_bytes);
  for (int lane = 0; lane < 32; ++lane) static_cast<wgmma_lane*>(arguments[lane])->found = found;
  if (!found) return;

  cosmati_sim_matrix_counts(N, Op::source_of_A == wgmma_source::shared ? 1 : 0, warp);
  constexpr int each = static_cast<int>(sizeof(typename Op::DRegisters)), values = N / 2;
  Total total[std::size_t{16 * N}] = {};
  // Where value v of a lane stands in `total`, which has rows of N.
  auto const index = [](int lane, int v) {
    return (lane / 4 + 8 * (v / 2 % 2)) * N + 8 * (v / 4) + 2 * (lane % 4) + v % 2;
  };
  for (int lane = 0; lane < 32 && first.adds != 0; ++lane) {
    auto const* const held = static_cast<unsigned char const*>(
        cosmati_sim_matrix_sums(static_cast<unsigned>(lane), static_cast<wgmma_lane*>(arguments[lane])->d));
    for (int v = 0; v < values; ++v) total[index(lane, v)] = static_cast<Total>(held_value<D>::get(held, v));
  }
  if constexpr (bits) {
    add_bit_products<N>(a_bytes, b_bytes, total);
  } else {
    X a[std::size_t{16 * stored_K}], b[std::size_t{N * K}];
    constexpr int sign = Op::scale_A == Op::scale_B ? 1 : -1;
    for (int i = 0; i < 16 * stored_K; ++i) a[i] = static_cast<X>(sign * held_value<A>::get(a_bytes, i));
    for (int n = 0; n < N; ++n) {
      for (int k = 0; k < K; ++k) b[k * N + n] = static_cast<X>(held_value<B>::get(b_bytes, n * K + k));
    }
    if constexpr (sparse) {
      bool const right = add_sparse_products<Op>(arguments, a, b, total);
      for (int lane = 0; lane < 32; ++lane) static_cast<wgmma_lane*>(arguments[lane])->metadata_are_wrong = !right;
    } else {
      add_products<16, N, K>(a, b, total);
    }
  }
  for (int lane = 0; lane < 32; ++lane) {
    unsigned char result[std::size_t{each}];
    using Sum = std::conditional_t<std::is_floating_point_v<Total>, double, std::int64_t>;
    for (int v = 0; v < values; ++v) put_sum<Op>(result, v, static_cast<Sum>(total[index(lane, v)]));
    cosmati_sim_matrix_result(static_cast<unsigned>(lane), static_cast<wgmma_lane*>(arguments[lane])->d, result, each,
                              std::is_floating_point_v<Total> ? unsigned{sizeof(D)} : 0);
  }
}

/// Checks that the rows of a sparse product's B are found: K is 64 bytes, and an exchange within 32 has no place for
/// it.
template <class Op>
void check_sparse_operand(std::uint64_t b, char const* name) {
  if (wgmma_operation<Op> || Op::major_B != GMMA::Major::K || decoded(b).layout != GMMA::LayoutType::B32) return;
  fail_as("invalid_argument",
          "%s: B's rows have 64 bytes along K, and its descriptor's chunks are exchanged within 32; take a layout "
          "without exchange, or one within 64 or 128 bytes",
          name);
}

/// `Op` by the calling lane's warp. @param a a descriptor or registers, @param e the metadata of a sparse product
template <class Op, class A>
void simulate_wgmma(void* d, A const* a, std::uint64_t const* b, int adds, char const* file, int line,
                    std::uint32_t e = 0) {
  char const* const name = wgmma_mnemonic<Op>::value;
  wgmma_lane mine = {d, nullptr, 0, b[0], adds, file, line, 0, true, e, false};
  check_sparse_operand<Op>(b[0], name);
  if constexpr (Op::source_of_A == wgmma_source::shared)
    mine.a_descriptor = a[0];
  else
    mine.a = a;
  cosmati_sim_matrix_begins(mine.a, name, file, line);
  cosmati_sim_meet(
      0xffffffffu, &mine,
      [](void* const* arguments, unsigned lanes) {
        if (lanes == 0xffffffffu)
          multiply_warp<Op>(arguments, static_cast<int>(cosmati_sim_warp() % 4), wgmma_mnemonic<Op>::value);
        for (int lane = 0; lane < 32; ++lane) {
          if (arguments[lane] != nullptr) static_cast<wgmma_lane*>(arguments[lane])->lanes = lanes;
        }
      },
      name, file, line);
  if (mine.lanes != 0xffffffffu) lanes_are_missing(mine.lanes, name);
  if (!mine.found)
    fail_as("out_of_bounds",
            "%s: a descriptor's address is not in the block's shared memory; make it of an address in shared memory",
            name);
  if (mine.metadata_are_wrong)
    fail_as("invalid_argument", "%s: the metadata of a warp have four bits that PTX does not define; %s", name,
            sizeof_bits_v<typename Op::ValTypeA> == 32 ? "those of tf32 are 0b0100 and 0b1110"
                                                       : "they are two different places of four elements");
}

#undef COSMATI_UNWATCHED_

}  // namespace COSMATI_NAMESPACE::detail
#pragma pop_macro("__builtin_memcpy")
#endif

#include <cosmati/core/macros_end.hpp>
