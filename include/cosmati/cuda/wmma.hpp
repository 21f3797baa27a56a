// SPDX-License-Identifier: Apache-2.0
/// @file
/// What CUDA's mma.h provides: nvcuda::wmma, matrices that a warp loads, multiplies and stores.
///
/// Products are summed as the library's `mma.sync` sums them: in float with k ascending, exactly for integers, by fused
/// multiply-adds for double. GPUs sum floats in an order that CUDA does not specify.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#define __CUDA_MMA_H__
#include <cosmati/cuda/wmma_fragment.hpp>
#include <cosmati/cuda/words.hpp>
#include <cstdint>

#define COSMATI_SITE_ char const *file = __builtin_FILE(), int line = __builtin_LINE()

namespace nvcuda::wmma {

namespace detail {

/// A matrix instruction needs all lanes.
inline void meet_all(char const* name, char const* file, int line) {
  unsigned lanes = 0;
  cosmati_sim_meet(
      0xffffffffu, &lanes,
      [](void* const* argument, unsigned who) {
        for (unsigned i = 0; i < 32; ++i) {
          if ((who >> i & 1u) != 0) *static_cast<unsigned*>(argument[i]) = who;
        }
      },
      name, file, line);
  if (lanes != 0xffffffffu)
    cosmati_sim_fail("invalid_argument", "nvcuda::wmma: all 32 lanes of the warp take part, and some do not exist",
                     file, line);
}
/// Reports a pointer or a distance between rows (or columns) that a GPU does not take. A row of the fragment, or 32
/// bytes of it, is aligned.
template <class Fragment>
void check_matrix(void const* p, unsigned distance, bool by_rows, char const* file, int line) {
  constexpr int bits = Fragment::element_bits;
  int const extent = (by_rows ? Fragment::shape::columns : Fragment::shape::rows) * bits / 8;
  if (reinterpret_cast<std::uintptr_t>(p) % static_cast<unsigned>(extent < 32 ? extent : 32) != 0)
    cosmati_sim_fail("misaligned",
                     "nvcuda::wmma: the pointer is not aligned to 32 bytes, or to a row or column that has fewer", file,
                     line);
  if (distance * static_cast<unsigned>(bits) % 128 != 0)
    cosmati_sim_fail("misaligned", "nvcuda::wmma: the leading dimension is not a multiple of 16 bytes", file, line);
}
/// The index of a lane's element i in memory, in stored objects.
template <class Fragment>
std::size_t index_of(int i, unsigned distance, bool by_rows) {
  place const at = Fragment::shape::of(static_cast<int>(cosmati_sim_lane()), i * Fragment::packed);
  std::size_t const outer = static_cast<unsigned>(by_rows ? at.row : at.column);
  std::size_t const inner = static_cast<unsigned>(by_rows ? at.column : at.row);
  return (outer * distance + inner) / Fragment::packed;
}
template <class Fragment>
void load(Fragment& f, void const* p, unsigned distance, bool by_rows, char const* file, int line) {
  meet_all("load_matrix_sync", file, line);
  check_matrix<Fragment>(p, distance, by_rows, file, line);
  auto const* const from = static_cast<typename Fragment::storage_element_type const*>(p);
  constexpr int distinct = Fragment::distinct / Fragment::packed;
  for (int i = 0; i < distinct; ++i) f.x[i] = from[index_of<Fragment>(i, distance, by_rows)];
  for (int i = distinct; i < Fragment::num_storage_elements; ++i) f.x[i] = f.x[i - distinct];
}

/// One element as a number of the sums. @param i the element
template <class Fragment>
auto value_of(Fragment const& f, int i) {
  using T = typename Fragment::element_type;
  if constexpr (std::is_same_v<T, precision::tf32>) {
    return __builtin_bit_cast(float, __builtin_bit_cast(std::uint32_t, f.x[i]) & ~0x1fffu);
  } else if constexpr (Fragment::packed > 1) {
    constexpr int bits = Fragment::element_bits;
    auto const word = static_cast<std::uint32_t>(f.x[i / Fragment::packed]);
    auto const v = static_cast<int>(word >> (bits * (i % Fragment::packed)) & ((1u << bits) - 1u));
    constexpr bool is_signed = std::is_same_v<T, experimental::precision::s4>;
    return static_cast<std::int64_t>(is_signed && v >= 8 ? v - 16 : v);
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<std::int64_t>(f.x[i]);
  } else if constexpr (std::is_same_v<T, double>) {
    return f.x[i];
  } else {
    return static_cast<float>(f.x[i]);
  }
}
/// The matrix of a warp, row by row. @param lane_fragments the fragments of the 32 lanes
template <class Fragment, class V>
void gather(Fragment const* const* lane_fragments, V* matrix) {
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < Fragment::distinct; ++i) {
      place const at = Fragment::shape::of(lane, i);
      matrix[at.row * Fragment::shape::columns + at.column] = static_cast<V>(value_of(*lane_fragments[lane], i));
    }
  }
}
/// A sum as an element of the result.
template <class D>
D as_result(double v, bool) {
  return static_cast<D>(v);
}
template <class D>
D as_result(std::int64_t v, bool saturates) {
  if (saturates) v = v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v;
  return static_cast<D>(static_cast<std::uint32_t>(v));
}
template <class D>
D as_result(float v, bool saturates) {
  D const result = static_cast<D>(v);
  if (!saturates) return result;
  float const most = std::is_same_v<D, float> ? 0x1.fffffep127f : 65504.f, got = static_cast<float>(result);
  return static_cast<D>(got != got ? 0.f : got > most ? most : got < -most ? -most : got);
}

/// How two elements are multiplied and added to a sum.
struct multiply_add {
  float operator()(float a, float b, float sum) const { return sum + a * b; }
  double operator()(double a, double b, double sum) const { return __builtin_fma(a, b, sum); }
  std::int64_t operator()(std::int64_t a, std::int64_t b, std::int64_t sum) const { return sum + a * b; }
};
struct count_xor {
  std::int64_t operator()(std::int64_t a, std::int64_t b, std::int64_t sum) const { return sum + (a ^ b); }
};
struct count_and {
  std::int64_t operator()(std::int64_t a, std::int64_t b, std::int64_t sum) const { return sum + (a & b); }
};

/// What a lane gives to an instruction.
template <class FD, class FA, class FB, class FC>
struct call {
  FD* d;
  FA const* a;
  FB const* b;
  FC const* c;
  bool saturates;
  unsigned lanes;
};
/// Computes the results of all lanes. @tparam Step adds one product
template <class Step, class FD, class FA, class FB, class FC>
void compute(void* const* arguments, unsigned lanes) {
  COSMATI_NAMESPACE::unseen_scope const unseen;
  constexpr int m = FA::shape::rows, k = FA::shape::columns, n = FB::shape::columns;
  using sum = decltype(value_of(*static_cast<FA const*>(nullptr), 0));
  call<FD, FA, FB, FC>* lane[32];
  FA const* of_a[32];
  FB const* of_b[32];
  FC const* of_c[32];
  for (int i = 0; i < 32; ++i) {
    if ((lanes >> i & 1u) == 0) continue;
    lane[i] = static_cast<call<FD, FA, FB, FC>*>(arguments[i]);
    lane[i]->lanes = lanes;
    of_a[i] = lane[i]->a, of_b[i] = lane[i]->b, of_c[i] = lane[i]->c;
  }
  if (lanes != 0xffffffffu) return;
  sum a[m * k], b[k * n], total[m * n];
  gather(of_a, a);
  gather(of_b, b);
  gather(of_c, total);
  Step const step{};
  for (int row = 0; row < m; ++row) {
    for (int i = 0; i < k; ++i) {
      for (int column = 0; column < n; ++column)
        total[row * n + column] = step(a[row * k + i], b[i * n + column], total[row * n + column]);
    }
  }
  for (int l = 0; l < 32; ++l) {
    for (int i = 0; i < FD::distinct; ++i) {
      place const at = FD::shape::of(l, i);
      lane[l]->d->x[i] = as_result<typename FD::element_type>(total[at.row * n + at.column], lane[l]->saturates);
    }
  }
}
template <class Step, class FD, class FA, class FB, class FC>
void multiply(FD& d, FA const& a, FB const& b, FC const& c, bool saturates, char const* name, char const* file,
              int line) {
  call<FD, FA, FB, FC> mine = {&d, &a, &b, &c, saturates, 0};
  cosmati_sim_meet(0xffffffffu, &mine, &compute<Step, FD, FA, FB, FC>, name, file, line);
  if (mine.lanes != 0xffffffffu)
    cosmati_sim_fail("invalid_argument", "nvcuda::wmma: all 32 lanes of the warp take part, and some do not exist",
                     file, line);
}

}  // namespace detail

/// @name Functions of a warp
/// All its lanes call them together, with the same pointer. `distance` is the number of elements from one row, or
/// column, to the next.
/// @{
template <class Use, int m, int n, int k, class T, class Layout>
void fill_fragment(fragment<Use, m, n, k, T, Layout>& f,
                   typename fragment<Use, m, n, k, T, Layout>::storage_element_type const& v) {
  for (auto& x : f.x) x = v;
}
/// Loads a matrix a or b from global or shared memory.
template <class Use, int m, int n, int k, class T, class Layout, class Memory>
requires(!std::is_void_v<Layout>) void load_matrix_sync(fragment<Use, m, n, k, T, Layout>& f, Memory const* p,
                                                        unsigned distance, COSMATI_SITE_) {
  detail::load(f, p, distance, std::is_same_v<Layout, row_major>, file, line);
}
/// Loads an accumulator.
template <int m, int n, int k, class T>
void load_matrix_sync(fragment<accumulator, m, n, k, T>& f, T const* p, unsigned distance, layout_t layout,
                      COSMATI_SITE_) {
  detail::load(f, p, distance, layout == mem_row_major, file, line);
}
template <int m, int n, int k, class T>
void store_matrix_sync(T* p, fragment<accumulator, m, n, k, T> const& f, unsigned distance, layout_t layout,
                       COSMATI_SITE_) {
  using F = fragment<accumulator, m, n, k, T>;
  detail::meet_all("store_matrix_sync", file, line);
  detail::check_matrix<F>(p, distance, layout == mem_row_major, file, line);
  for (int i = 0; i < F::distinct; ++i) p[detail::index_of<F>(i, distance, layout == mem_row_major)] = f.x[i];
}
/// d = a b + c. @param saturates whether sums that are too large become the largest number
template <int m, int n, int k, class D, class A, class LayoutA, class B, class LayoutB, class C>
void mma_sync(fragment<accumulator, m, n, k, D>& d, fragment<matrix_a, m, n, k, A, LayoutA> const& a,
              fragment<matrix_b, m, n, k, B, LayoutB> const& b, fragment<accumulator, m, n, k, C> const& c,
              bool saturates = false, COSMATI_SITE_) {
  static_assert(std::is_same_v<A, B>, "nvcuda::wmma::mma_sync: a and b have the same type");
  static_assert(!std::is_same_v<A, experimental::precision::b1>,
                "nvcuda::wmma::mma_sync: single bits are multiplied by bmma_sync");
  detail::multiply<detail::multiply_add>(d, a, b, c, saturates, "mma_sync", file, line);
}
/// The same of single bits, whose products are counted.
template <class LayoutA, class LayoutB>
void bmma_sync(fragment<accumulator, 8, 8, 128, int>& d,
               fragment<matrix_a, 8, 8, 128, experimental::precision::b1, LayoutA> const& a,
               fragment<matrix_b, 8, 8, 128, experimental::precision::b1, LayoutB> const& b,
               fragment<accumulator, 8, 8, 128, int> const& c,
               experimental::bmmaBitOp operation = experimental::bmmaBitOpXOR,
               experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC, COSMATI_SITE_) {
  if (operation == experimental::bmmaBitOpXOR)
    detail::multiply<detail::count_xor>(d, a, b, c, false, "bmma_sync", file, line);
  else
    detail::multiply<detail::count_and>(d, a, b, c, false, "bmma_sync", file, line);
}
/// @}

}  // namespace nvcuda::wmma

#undef COSMATI_SITE_

#endif

#include <cosmati/core/macros_end.hpp>
