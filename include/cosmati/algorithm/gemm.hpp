// SPDX-License-Identifier: Apache-2.0
/// @file
/// `gemm`: D = A B + C of tensors that a thread holds, by a matrix instruction; in every combination of ranks.
///
/// | A       | B       | C and D   |                                                            |
/// |---------|---------|-----------|------------------------------------------------------------|
/// | (V)     | (V)     | (V)       | one instruction                                            |
/// | (M)     | (N)     | (M, N)    | instructions of one value: an outer product                |
/// | (M, K)  | (N, K)  | (M, N)    | the same, summed over k                                    |
/// | (V,M)   | (V,N)   | (V,M,N)   | each of M with each of N                                   |
/// | (V,M,K) | (V,N,K) | (V,M,N)   | the same, summed over k; A, B may lie in shared memory     |
#pragma once

#include <cosmati/algorithm/copy.hpp>
#include <cosmati/tiled/tiled_mma.hpp>

namespace COSMATI_NAMESPACE {
namespace detail {

template <class M>
concept mma_atom_type = requires {
  typename M::MMA_Op;
  typename M::LayoutA_TV;
  typename M::Shape_MNK;
};

template <int a, int b, int c, int d>
struct gemm_has_no_such_ranks {
  static constexpr bool ok = d == c && ((a == 1 && b == 1 && (c == 1 || c == 2)) || (a == 2 && b == 2 && c == 2) ||
                                        (a == 2 && b == 2 && c == 3) || (a == 3 && b == 3 && c == 3));
  static_assert(ok,
                "gemm: gemm_has_no_such_ranks<A, B, C, D>: wanted are the ranks 1, 1, 1 (one instruction), 1, 1, 2 "
                "and 2, 2, 2 (of an atom of one thread), 2, 2, 3 or 3, 3, 3; slice with _, for instance tCrA(_, _, k), "
                "or group_modes");
};
/// @tparam what 'M', 'N' or 'K'
template <char what, int first, int second>
struct gemm_extents_differ {
  static constexpr bool ok = first == second;
  static_assert(ok,
                "gemm: gemm_extents_differ<MODE, FIRST, SECOND>: M is one extent of A and C, N of B and C, K of A and "
                "B, but along MODE one tensor has FIRST, the other SECOND; partition all three with the same tiled "
                "MMA, and slice A and B alike");
};
template <class T, int k>
inline constexpr int static_extent = [] {
  using N = decltype(size<k>(std::declval<T const&>()));
  if constexpr (static_integer<N>)
    return static_cast<int>(N::value);
  else
    return 0;
}();
/// Extents known at run time agree with all.
template <char what, class T, int k, class U, int j>
inline constexpr bool extents_agree = [] {
  constexpr int n = static_extent<T, k>, m = static_extent<U, j>;
  return sizeof(gemm_extents_differ<what, (n == 0 || m == 0 ? 0 : n), (n == 0 || m == 0 ? 0 : m)>) != 0;
}();

/// A tensor with one more mode in front, of extent 1.
template <class T>
COSMATI_HD constexpr auto with_value_mode(T&& t) {
  return make_tensor(t.data(), prepend<std::remove_cvref_t<T>::rank + 1>(t.layout(), Layout<C<1>, C<0>>{}));
}

/// (V, M) x (V, N) => (V, M, N): back and forth along M, so that a column's last A is the next one's first.
template <class Mma, class D, class A, class B, class C_>
COSMATI_HD void gemm_outer(Mma const& mma, D& d, A const& a, B const& b, C_ const& c) {
  constexpr int M = static_extent<A, 1>, N = static_extent<B, 1>;
  COSMATI_UNROLL
  for (int n = 0; n < N; ++n) {
    COSMATI_UNROLL
    for (int i = 0; i < M; ++i) {
      int const m = n % 2 == 0 ? i : M - 1 - i;
      auto part = d(_, m, n);
      mma.call(part, a(_, m), b(_, n), c(_, m, n));
    }
  }
}

template <class Mma, class D, class A, class B, class C_>
COSMATI_HD void gemm_by_rank(Mma const& mma, D& d, A const& a, B const& b, C_ const& c) {
  static_assert(sizeof(gemm_has_no_such_ranks<A::rank, B::rank, C_::rank, D::rank>) != 0);
  if constexpr (A::rank == 1 && C_::rank == 1) {
    mma.call(d, a, b, c);
  } else if constexpr (C_::rank == 2) {  // no mode of values
    auto sum = with_value_mode(d);
    gemm_by_rank(mma, sum, with_value_mode(a), with_value_mode(b), with_value_mode(c));
  } else if constexpr (A::rank == 2) {
    static_assert(extents_agree<'M', A, 1, C_, 1> && extents_agree<'N', B, 1, C_, 2>);
    gemm_outer(mma, d, a, b, c);
  } else {
    static_assert(extents_agree<'M', A, 1, C_, 1> && extents_agree<'N', B, 1, C_, 2> && extents_agree<'K', A, 2, B, 2>);
    constexpr int K = static_extent<A, 2>;
    if constexpr (is_rmem_v<A> && is_rmem_v<B>) {
      COSMATI_UNROLL
      for (int k = 0; k < K; ++k) {
        if (k == 0)
          gemm_outer(mma, d, a(_, _, k), b(_, _, k), c);
        else
          gemm_outer(mma, d, a(_, _, k), b(_, _, k), d);
      }
    } else {
      auto rA = make_fragment_like<typename Mma::FrgTypeA>(a(_, _, 0));
      auto rB = make_fragment_like<typename Mma::FrgTypeB>(b(_, _, 0));
      COSMATI_UNROLL
      for (int k = 0; k < K; ++k) {
        copy(a(_, _, k), rA);
        copy(b(_, _, k), rB);
        if (k == 0)
          gemm_outer(mma, d, rA, rB, c);
        else
          gemm_outer(mma, d, rA, rB, d);
      }
    }
  }
}

}  // namespace detail

/// @name gemm
/// Fragments of A and B are a thread's values in registers, those of a partition by the same tiled MMA; D may be C.
/// @tparam Mma MMA_Atom or TiledMMA (or its ThrMMA)
/// @{
/// D = A B + C
template <detail::mma_atom_type Mma, tensor_type D, class AE, class AL, class BE, class BL, class CE, class CL>
COSMATI_HD void gemm(Mma const& mma, D&& d, Tensor<AE, AL> const& a, Tensor<BE, BL> const& b, Tensor<CE, CL> const& c) {
  detail::gemm_by_rank(mma, d, a, b, c);
}
/// C = A B + C
template <detail::mma_atom_type Mma, class AE, class AL, class BE, class BL, tensor_type C_>
COSMATI_HD void gemm(Mma const& mma, Tensor<AE, AL> const& a, Tensor<BE, BL> const& b, C_&& c) {
  detail::gemm_by_rank(mma, c, a, b, c);
}
/// The same without a matrix instruction: by multiply-adds of each thread, in the tensors' own types.
template <tensor_type D, class AE, class AL, class BE, class BL, class CE, class CL>
COSMATI_HD void gemm(D&& d, Tensor<AE, AL> const& a, Tensor<BE, BL> const& b, Tensor<CE, CL> const& c) {
  using Op = UniversalFMA<typename std::remove_cvref_t<D>::value_type, typename AE::value_type, typename BE::value_type,
                          typename CE::value_type>;
  detail::gemm_by_rank(MMA_Atom<Op>{}, d, a, b, c);
}
template <class AE, class AL, class BE, class BL, tensor_type C_>
COSMATI_HD void gemm(Tensor<AE, AL> const& a, Tensor<BE, BL> const& b, C_&& c) {
  gemm(c, a, b, c);
}
/// @}

}  // namespace COSMATI_NAMESPACE
