// SPDX-License-Identifier: Apache-2.0
/// @file
/// `gemm`: D = A B + C of tensors that a thread holds, by a matrix instruction, in these combinations of ranks:
///
/// | A       | B       | C and D   |                                                            |
/// |---------|---------|-----------|------------------------------------------------------------|
/// | (V)     | (V)     | (V)       | one instruction                                            |
/// | (M)     | (N)     | (M, N)    | instructions of one value: an outer product                |
/// | (M, K)  | (N, K)  | (M, N)    | the same, summed over k                                    |
/// | (V,M)   | (V,N)   | (V,M,N)   | each of M with each of N                                   |
/// | (V,M,K) | (V,N,K) | (V,M,N)   | the same, summed over k; A, B may lie in shared memory     |
///
/// Of partitions in shared memory that the instruction reads by itself (`wgmma`), descriptors are made.
#pragma once
#include <cosmati/core/macros_begin.hpp>

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
struct gemm_has_no_such_ranks : refused {
  static constexpr bool ok = d == c && ((a == 1 && b == 1 && (c == 1 || c == 2)) || (a == 2 && b == 2 && c == 2) ||
                                        (a == 2 && b == 2 && c == 3) || (a == 3 && b == 3 && c == 3));
  static_assert(ok,
                "gemm: gemm_has_no_such_ranks<A, B, C, D>: wanted are the ranks 1, 1, 1 (one instruction), 1, 1, 2 "
                "and 2, 2, 2 (of an atom of one thread), 2, 2, 3 or 3, 3, 3; slice with _, for instance tCrA(_, _, k), "
                "or group_modes");
};
/// @tparam what 'M', 'N' or 'K'
template <char what, int first, int second>
struct gemm_extents_differ : refused {
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
/// Whether two extents agree. A run-time extent (0) agrees with all.
constexpr bool extents_agree(int n, int m) { return n == 0 || m == 0 || n == m; }

/// Finds the mistake in the tensors of a gemm: nothing_wrong, or the class that names it.
template <class Mma, class D, class A, class B, class C_>
struct gemm_check {
  static constexpr int a = A::rank, b = B::rank, c = C_::rank, d = D::rank;
  static constexpr bool values = !(c == 2);  ///< whether mode 0 counts an instruction's values
  static constexpr bool ranks = d == c && ((a == 1 && b == 1 && (c == 1 || c == 2)) ||
                                           (a == 2 && b == 2 && (c == 2 || c == 3)) || (a == 3 && b == 3 && c == 3));
  /// The layout of one instruction's values.
  template <class T>
  static constexpr auto value_layout() {
    if constexpr (!values)
      return Layout<C<1>, C<0>>{};
    else if constexpr (T::rank == 1)
      return typename T::layout_type{};
    else
      return layout<0>(typename T::layout_type{});
  }
  template <char which, class T>
  using operand = typename operand_check<Mma, which, decltype(value_layout<T>()), typename T::value_type>::says;
  template <class T>
  static constexpr bool is_fine = std::is_same_v<T, nothing_wrong>;
  template <class T>
  static constexpr bool in_registers = is_rmem_v<T>&& is_static_v<typename T::layout_type>;

  static constexpr auto find() {
    if constexpr (!mma_atom_type<Mma>) {  // clang 14 evaluates this before it checks the constraints
      return std::type_identity<nothing_wrong>{};
    } else if constexpr (!ranks) {
      return std::type_identity<gemm_has_no_such_ranks<a, b, c, d>>{};
    } else {
      constexpr int first = values ? 1 : 0;  // the mode of A and B that is M or N
      if constexpr (c > 1) {
        constexpr int am = static_extent<A, first>, cm = static_extent<C_, first>;
        constexpr int bn = static_extent<B, first>, cn = static_extent<C_, first + 1>;
        if constexpr (!extents_agree(am, cm))
          return std::type_identity<gemm_extents_differ<'M', am, cm>>{};
        else if constexpr (!extents_agree(bn, cn))
          return std::type_identity<gemm_extents_differ<'N', bn, cn>>{};
        else if constexpr (a == first + 2) {
          constexpr int ak = static_extent<A, first + 1>, bk = static_extent<B, first + 1>;
          if constexpr (!extents_agree(ak, bk))
            return std::type_identity<gemm_extents_differ<'K', ak, bk>>{};
          else
            return find_in_fragments();
        } else
          return find_in_fragments();
      } else
        return find_in_fragments();
    }
  }
  static constexpr auto find_in_fragments() {
    if constexpr (in_registers<A> && in_registers<B> && in_registers<C_> && in_registers<D>) {
      if constexpr (!is_fine<operand<'A', A>>)
        return std::type_identity<operand<'A', A>>{};
      else if constexpr (!is_fine<operand<'B', B>>)
        return std::type_identity<operand<'B', B>>{};
      else if constexpr (!is_fine<operand<'C', C_>>)
        return std::type_identity<operand<'C', C_>>{};
      else
        return std::type_identity<operand<'D', D>>{};
    } else {
      return std::type_identity<nothing_wrong>{};
    }
  }
  using says = typename decltype(find())::type;
  static constexpr bool ok = std::is_same_v<says, nothing_wrong>;
};
template <class Mma, class D, class A, class B, class C_>
using check_of_gemm = gemm_check<Mma, std::remove_cvref_t<D>, A, B, std::remove_cvref_t<C_>>;

/// A tensor with one more mode of extent 1 in front.
template <class T>
COSMATI_HD constexpr auto with_value_mode(T&& t) {
  return make_tensor(t.data(), prepend<std::remove_cvref_t<T>::rank + 1>(t.layout(), Layout<C<1>, C<0>>{}));
}

/// The number of bytes of a thread's values for one instruction.
template <class T>
inline constexpr int instruction_bytes = static_extent<T, 0>* static_cast<int>(sizeof_bits_v<typename T::value_type>) /
                                         8;

template <class Mma, class D, class A, class B, class C_>
COSMATI_HD void gemm_at(Mma const& mma, D& d, A const& a, B const& b, C_ const& c, int m, int n) {
  auto part = d(_, m, n);
  mma.call(part, a(_, m), b(_, n), c(_, m, n));
}

/// (V, M) x (V, N) => (V, M, N), `rows` rows at a time, back and forth along N.
template <int rows, class Mma, class D, class A, class B, class C_>
COSMATI_HD void gemm_by_rows(Mma const& mma, D& d, A const& a, B const& b, C_ const& c) {
  constexpr int M = static_extent<A, 1>, N = static_extent<B, 1>;
  COSMATI_UNROLL
  for (int first = 0; first < M; first += rows) {
    COSMATI_UNROLL
    for (int i = 0; i < N; ++i) {
      int const n = first / rows % 2 == 0 ? i : N - 1 - i;
      COSMATI_UNROLL
      for (int m = first; m < first + rows && m < M; ++m) gemm_at(mma, d, a, b, c, m, n);
    }
  }
}
/// The product, one column at a time, back and forth along M. The last A of a column is then the first of the next.
template <class Mma, class D, class A, class B, class C_>
COSMATI_HD void gemm_by_columns(Mma const& mma, D& d, A const& a, B const& b, C_ const& c) {
  constexpr int M = static_extent<A, 1>, N = static_extent<B, 1>;
  COSMATI_UNROLL
  for (int n = 0; n < N; ++n) {
    COSMATI_UNROLL
    for (int i = 0; i < M; ++i) gemm_at(mma, d, a, b, c, n % 2 == 0 ? i : M - 1 - i, n);
  }
}
/// The product in the order that keeps operands of this size in the register cache. Operands of one register go two
/// rows at a time, those of two registers one row, and larger ones one column.
template <class Mma, class D, class A, class B, class C_>
COSMATI_HD void gemm_outer(Mma const& mma, D& d, A const& a, B const& b, C_ const& c) {
  constexpr int bytes = instruction_bytes<A> == instruction_bytes<B> ? instruction_bytes<A> : 0;
  if constexpr (bytes == 4)
    gemm_by_rows<2>(mma, d, a, b, c);
  else if constexpr (bytes == 8)
    gemm_by_rows<1>(mma, d, a, b, c);
  else
    gemm_by_columns(mma, d, a, b, c);
}

/// Whether the instruction takes a descriptor of this tensor in shared memory, not its values.
template <class Mma, class A>
concept described_a = is_smem_v<A> && requires(A const& a) {
  Mma::Traits::operand_A(a);
};
template <class Mma, class B>
concept described_b = is_smem_v<B> && requires(B const& b) {
  Mma::Traits::operand_B(b);
};

template <class Mma, class D, class A, class B, class C_>
COSMATI_HD void gemm_by_rank(Mma const& mma, D& d, A const& a, B const& b, C_ const& c) {
  if constexpr (described_a<Mma, A>) {
    gemm_by_rank(mma, d, Mma::make_fragment_A(a), b, c);
  } else if constexpr (described_b<Mma, B>) {
    gemm_by_rank(mma, d, a, Mma::make_fragment_B(b), c);
  } else if constexpr (A::rank == 1 && C_::rank == 1) {
    mma.call(d, a, b, c);
  } else if constexpr (C_::rank == 2) {  // without a mode of values
    auto sum = with_value_mode(d);
    gemm_by_rank(mma, sum, with_value_mode(a), with_value_mode(b), with_value_mode(c));
  } else if constexpr (A::rank == 2) {
    gemm_outer(mma, d, a, b, c);
  } else {
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
/// Fragments of A and B are a thread's values in registers, those of a partition by the same tiled MMA. D may be C.
/// @tparam Mma MMA_Atom or TiledMMA (or its ThrMMA)
/// @{
/// D = A B + C
template <detail::mma_atom_type Mma, tensor_type D, class AE, class AL, class BE, class BL, class CE, class CL>
requires(detail::check_of_gemm<Mma, D, Tensor<AE, AL>, Tensor<BE, BL>, Tensor<CE, CL>>::ok) COSMATI_HD
    void gemm(Mma const& mma, D&& d, Tensor<AE, AL> const& a, Tensor<BE, BL> const& b, Tensor<CE, CL> const& c) {
  detail::gemm_by_rank(mma, d, a, b, c);
}
/// C = A B + C
template <detail::mma_atom_type Mma, class AE, class AL, class BE, class BL, tensor_type C_>
requires(detail::check_of_gemm<Mma, C_, Tensor<AE, AL>, Tensor<BE, BL>, C_>::ok) COSMATI_HD
    void gemm(Mma const& mma, Tensor<AE, AL> const& a, Tensor<BE, BL> const& b, C_&& c) {
  detail::gemm_by_rank(mma, c, a, b, c);
}
/// Products without a matrix instruction: each thread's multiply-adds in the tensors' own types.
template <tensor_type D, class AE, class AL, class BE, class BL, class CE, class CL>
COSMATI_HD auto gemm(D&& d, Tensor<AE, AL> const& a, Tensor<BE, BL> const& b, Tensor<CE, CL> const& c) {
  using Op = UniversalFMA<typename std::remove_cvref_t<D>::value_type, typename AE::value_type, typename BE::value_type,
                          typename CE::value_type>;
  return gemm(MMA_Atom<Op>{}, d, a, b, c);
}
template <class AE, class AL, class BE, class BL, tensor_type C_>
COSMATI_HD auto gemm(Tensor<AE, AL> const& a, Tensor<BE, BL> const& b, C_&& c) {
  return gemm(c, a, b, c);
}
/// @}

/// @name Products that are known to be wrong: the type of the result names the mistake (core/refused.hpp)
/// @{
template <detail::mma_atom_type Mma, tensor_type D, class AE, class AL, class BE, class BL, class CE, class CL>
requires(!detail::check_of_gemm<Mma, D, Tensor<AE, AL>, Tensor<BE, BL>, Tensor<CE, CL>>::ok) COSMATI_HD
    typename detail::check_of_gemm<Mma, D, Tensor<AE, AL>, Tensor<BE, BL>, Tensor<CE, CL>>::says
    gemm(Mma const& mma, D&& d, Tensor<AE, AL> const& a, Tensor<BE, BL> const& b, Tensor<CE, CL> const& c);
template <detail::mma_atom_type Mma, class AE, class AL, class BE, class BL, tensor_type C_>
requires(!detail::check_of_gemm<Mma, C_, Tensor<AE, AL>, Tensor<BE, BL>, C_>::ok) COSMATI_HD
    typename detail::check_of_gemm<Mma, C_, Tensor<AE, AL>, Tensor<BE, BL>, C_>::says
    gemm(Mma const& mma, Tensor<AE, AL> const& a, Tensor<BE, BL> const& b, C_&& c);
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
