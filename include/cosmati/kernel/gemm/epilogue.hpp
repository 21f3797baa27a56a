// SPDX-License-Identifier: Apache-2.0
/// @file
/// The end of a matrix product: C = epilogue(alpha sums + beta C), from a thread's sums to global memory.
///
/// An epilogue is a function object for the device. It is called as `epilogue(x)`, or as `epilogue(x, m, n, batch)`
/// with the coordinates. x has the sums' type; the result is converted to C's type: to the nearest integer of that
/// type (`saturate_cast`), if it is a type of integers.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/copy.hpp>
#include <cosmati/core/functional.hpp>
#include <cosmati/kernel/gemm/problem.hpp>
#include <cosmati/kernel/gemm/tile_order.hpp>
#include <cosmati/number/saturate_cast.hpp>
#include <cosmati/tensor/local_tile.hpp>

namespace COSMATI_NAMESPACE {

/// @name Epilogues; `identity` is the default
/// @{
/// The larger of the value and zero.
struct gemm_relu {
  template <class T>
  COSMATI_HD constexpr T operator()(T const& x) const {
    return x > T(0) ? x : T(0);
  }
};
/// Adds element m of a vector of M elements to row m, then applies `next`.
template <class T, class Next = identity>
struct gemm_bias_along_m {
  T const* bias;
  Next next = {};
  template <class V>
  COSMATI_HD constexpr auto operator()(V const& x, int m, int, int) const {
    return next(static_cast<V>(x + static_cast<V>(bias[m])));
  }
};
/// Adds element n of a vector of N elements to column n, then applies `next`.
template <class T, class Next = identity>
struct gemm_bias_along_n {
  T const* bias;
  Next next = {};
  template <class V>
  COSMATI_HD constexpr auto operator()(V const& x, int, int n, int) const {
    return next(static_cast<V>(x + static_cast<V>(bias[n])));
  }
};
/// @}

namespace detail {

template <class Epilogue, class Sum>
concept epilogue_of_place = requires(Epilogue const& f, Sum const& x) {
  f(x, 0, 0, 0);
};

/// An epilogue of C for a kernel that computes the transpose of C.
template <class Epilogue>
struct transposed_epilogue {
  Epilogue epilogue;
  template <class T>
  requires(epilogue_of_place<Epilogue, T>) COSMATI_HD constexpr auto operator()(T const& x, int n, int m,
                                                                                int batch) const {
    return epilogue(x, m, n, batch);
  }
  template <class T>
  requires(!epilogue_of_place<Epilogue, T>) COSMATI_HD constexpr auto operator()(T const& x) const {
    return epilogue(x);
  }
};

/// The problem C^T = B^T A^T.
template <class Problem>
auto turned_problem(Problem const& p) {
  using OperandC = std::remove_cvref_t<decltype(p.c)>;
  using Turned = gemm_problem<std::remove_cvref_t<decltype(p.b)>, std::remove_cvref_t<decltype(p.a)>,
                              gemm_operand<typename OperandC::value_type, 1 - OperandC::contiguous>>;
  return Turned{p.n, p.m, p.k, p.batches, p.b, p.a, {p.c.data, p.c.leading, p.c.batch}, p.alpha, p.beta};
}

/// Calls launch(problem, epilogue) for a C that is contiguous along N: the problem's own, or C^T = B^T A^T.
template <class Problem, class Epilogue, class Launch>
void with_contiguous_rows(Problem const& p, Epilogue const& epilogue, Launch const& launch) {
  using OperandC = std::remove_cvref_t<decltype(p.c)>;
  if constexpr (OperandC::contiguous == 1) {
    launch(p, epilogue);
  } else {
    launch(turned_problem(p), transposed_epilogue<Epilogue>{epilogue});
  }
}

/// @param place (m, n) in C; an epilogue without coordinates does not read it
template <class T, class Epilogue, class Sum, class Place>
COSMATI_HD T finished(Epilogue const& epilogue, Sum const& x, [[maybe_unused]] Place const& place,
                      [[maybe_unused]] int batch) {
  if constexpr (epilogue_of_place<Epilogue, Sum>) {
    int const m = static_cast<int>(get<0>(place)), n = static_cast<int>(get<1>(place));
    if constexpr (std::is_integral_v<T>)
      return saturate_cast<T>(epilogue(x, m, n, batch));
    else
      return static_cast<T>(epilogue(x, m, n, batch));
  } else if constexpr (std::is_integral_v<T>) {
    return saturate_cast<T>(epilogue(x));
  } else {
    return static_cast<T>(epilogue(x));
  }
}

/// A thread's share of C, as (V, M, N) or (V, N, M). The mode along which C is contiguous comes first, so that vectors
/// are found.
template <class MC, class T>
COSMATI_HD auto contiguous_first(T& t) {
  if constexpr (gemm_contiguous_mode<MC> == 1)
    return select<0, 2, 1>(t);
  else
    return make_tensor(t.data(), t.layout());
}

}  // namespace detail

/// C = epilogue(alpha sums + beta C) for the part of a tile that this thread holds. If beta is zero, C is not read.
/// @tparam whole whether the tile lies inside C; otherwise elements outside are neither read nor written
/// @tparam vector_bits the widest access that addresses and strides of C allow, if whole
/// @param thread a ThrMMA
/// @param sums its fragment of C
/// @param mC (M, N)
/// @param tile_mn the static extents of the tile
template <bool whole, int vector_bits, class ThrMma, class Sums, class MC, class TileMN, class Sum, class Epilogue>
COSMATI_HD void store_gemm_tile(ThrMma const& thread, Sums const& sums, MC const& mC, TileMN const& tile_mn,
                                gemm_tile const& tile, Sum const& alpha, Sum const& beta, Epilogue const& epilogue) {
  using T = typename MC::value_type;
  auto const at = make_coord(tile.m, tile.n);
  auto to = thread.partition_C(local_tile(mC, tile_mn, at));
  auto const place = thread.partition_C(local_tile(make_identity_tensor(shape(mC)), tile_mn, at));
  bool const overwrite = beta == static_cast<Sum>(0);
  if constexpr (whole) {
    AutoVectorizingCopyWithAssumedAlignment<vector_bits> const wide;
    auto from = detail::contiguous_first<MC>(sums);
    auto out = detail::contiguous_first<MC>(to);
    auto const at_place = detail::contiguous_first<MC>(place);
    auto result = make_tensor<T>(shape(out));
    if (overwrite) {
      COSMATI_UNROLL
      for (int i = 0; i < size(from); ++i)
        result(i) = detail::finished<T>(epilogue, alpha * from(i), at_place(i), tile.batch);
    } else {
      copy(wide, out, result);
      COSMATI_UNROLL
      for (int i = 0; i < size(from); ++i)
        result(i) = detail::finished<T>(epilogue, alpha * from(i) + beta * static_cast<Sum>(result(i)), at_place(i),
                                        tile.batch);
    }
    copy(wide, result, out);
  } else {
    COSMATI_UNROLL
    for (int i = 0; i < size(sums); ++i) {
      if (!elem_less(place(i), shape(mC))) continue;
      Sum const x = overwrite ? alpha * sums(i) : alpha * sums(i) + beta * static_cast<Sum>(static_cast<T>(to(i)));
      to(i) = detail::finished<T>(epilogue, x, place(i), tile.batch);
    }
  }
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
