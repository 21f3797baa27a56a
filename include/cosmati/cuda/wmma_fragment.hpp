// SPDX-License-Identifier: Apache-2.0
/// @file
/// The fragments of nvcuda::wmma: a warp's matrix, of which each lane holds some elements.
///
/// An element is where `mma.sync` has it (PTX ISA, fragments of m16n8k16 and its kin), with more tiles of 8 rows or
/// columns one after the other. For m16n16k16 this is what GPUs since sm_80 do, which execute two m16n8k16. A fragment
/// of halves has 16 elements by CUDA's definition: where fewer are distinct, they repeat.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/bf16.hpp>
#include <cosmati/cuda/fp16.hpp>
#include <cosmati/number/tfloat32.hpp>
#include <type_traits>

namespace nvcuda::wmma {

/// @name What a fragment is, and the order of a matrix in memory
/// @{
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };
/// @}

namespace precision {
struct tf32 {};
}  // namespace precision
namespace experimental {
namespace precision {
struct u4 {};
struct s4 {};
struct b1 {};
}  // namespace precision
/// How products of bits are made, and summed.
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}  // namespace experimental

namespace detail {

/// How elements are stored. @tparam T the type of the fragment
template <class T>
struct element {
  using stored = T;
  static constexpr int bits = 8 * static_cast<int>(sizeof(T));
};
template <>
struct element<precision::tf32> {
  using stored = float;
  static constexpr int bits = 32;
};
template <>
struct element<experimental::precision::s4> {
  using stored = int;
  static constexpr int bits = 4;
};
template <>
struct element<experimental::precision::u4> {
  using stored = unsigned;
  static constexpr int bits = 4;
};
template <>
struct element<experimental::precision::b1> {
  using stored = unsigned;
  static constexpr int bits = 1;
};

/// The row and column of an element in its matrix.
struct place {
  int row, column;
};
/// The extents of a fragment's matrix, and the places of its elements. @tparam bits of an element
template <class Use, int m, int n, int k, int bits>
struct shape_of;
template <int m, int n, int k, int bits>
struct shape_of<matrix_a, m, n, k, bits> {
  static constexpr int rows = m, columns = k;
  static constexpr place of(int lane, int i) {
    constexpr int in_word = bits >= 32 ? 1 : 32 / bits, row_tiles = m / 8;
    int const word = i / in_word;
    return {lane / 4 + 8 * (word % row_tiles), in_word * (lane % 4) + i % in_word + 4 * in_word * (word / row_tiles)};
  }
};
template <int m, int n, int k, int bits>
struct shape_of<matrix_b, m, n, k, bits> {
  static constexpr int rows = k, columns = n;
  static constexpr place of(int lane, int i) {
    constexpr int in_word = bits >= 32 ? 1 : 32 / bits, k_tiles = k / (4 * in_word);
    int const word = i / in_word;
    return {in_word * (lane % 4) + i % in_word + 4 * in_word * (word % k_tiles), lane / 4 + 8 * (word / k_tiles)};
  }
};
template <int m, int n, int k, int bits>
struct shape_of<accumulator, m, n, k, bits> {
  static constexpr int rows = m, columns = n;
  static constexpr place of(int lane, int i) {
    constexpr int row_tiles = m == 8 ? 1 : 2;  // of one mma.sync
    int const row_tile = i / 2 % row_tiles, tile = i / (2 * row_tiles);
    bool const down = m == 32;  // further tiles are below, or to the right
    return {lane / 4 + 8 * row_tile + (down ? 16 * tile : 0), 2 * (lane % 4) + i % 2 + (down ? 0 : 8 * tile)};
  }
};

/// Whether CUDA has the shape for the type.
template <int m, int n, int k, class T>
constexpr bool is_shape() {
  constexpr bool sixteen = k == 16 && ((m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32));
  if (std::is_same_v<T, precision::tf32>) return m == 16 && n == 16 && k == 8;
  if (std::is_same_v<T, float>) return sixteen || (m == 16 && n == 16 && k == 8);
  if (std::is_same_v<T, double>) return m == 8 && n == 8 && k == 4;
  if (std::is_same_v<T, int>) return sixteen || (m == 8 && n == 8 && (k == 32 || k == 128));
  if (element<T>::bits == 4) return m == 8 && n == 8 && k == 32;
  if (element<T>::bits == 1) return m == 8 && n == 8 && k == 128;
  return sixteen;
}

}  // namespace detail

/// A lane's elements of a matrix of the warp. @tparam Layout row_major or col_major, void of an accumulator
template <class Use, int m, int n, int k, class T, class Layout = void>
class alignas(8) fragment {
  static_assert(detail::is_shape<m, n, k, T>(),
                "nvcuda::wmma::fragment: CUDA has no fragment of this type and shape m, n, k");

 public:
  using element_type = T;
  using storage_element_type = typename detail::element<T>::stored;
  using use = Use;
  using layout = Layout;
  using shape = detail::shape_of<Use, m, n, k, detail::element<T>::bits>;
  static constexpr int element_bits = detail::element<T>::bits;
  /// Elements of a lane that are distinct, and in one object of `x`.
  static constexpr int distinct = shape::rows * shape::columns / 32;
  static constexpr int packed = element_bits < 8 ? 32 / element_bits : 1;
  enum {
    num_elements = std::is_same_v<T, __half> && !std::is_same_v<Use, accumulator> ? 16 : distinct,
    num_storage_elements = num_elements / packed
  };
  storage_element_type x[num_storage_elements];
};

/// Rounds to tf32, ties away from zero.
inline float __float_to_tf32(float v) { return __builtin_bit_cast(float, COSMATI_NAMESPACE::tfloat32_t(v).storage); }

}  // namespace nvcuda::wmma

#endif

#include <cosmati/core/macros_end.hpp>
