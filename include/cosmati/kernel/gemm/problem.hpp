// SPDX-License-Identifier: Apache-2.0
/// @file
/// The arguments of a matrix product: tensors A (M, K[, L]), B (N, K[, L]) and C (M, N[, L]) in global memory, with
/// checks.
///
/// The mode with the static stride `_1` is contiguous. It tells what BLAS calls T or N (A and B contiguous along K: TN;
/// along M and N: NT). Extents and the other strides are run-time or static integers. An operand without batches (rank
/// 2) serves every batch.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/error.hpp>
#include <cosmati/core/refused.hpp>
#include <cosmati/number/number_types.hpp>
#include <cosmati/runtime/device_memory.hpp>
#include <cosmati/tensor/tensor.hpp>
#include <cstddef>
#include <cstdint>

namespace COSMATI_NAMESPACE {

/// @name The type of the sums of a product
/// @{
/// The type of the sums of products of T.
template <class T>
struct gemm_sum {
  using type = T;
};
/// float for TF32 and for types of 16 bits and fewer; int for integers of 8 bits.
#define COSMATI_GEMM_SUM_(T, Sum) \
  template <>                     \
  struct gemm_sum<T> {            \
    using type = Sum;             \
  };
COSMATI_GEMM_SUM_(half_t, float)
COSMATI_GEMM_SUM_(bfloat16_t, float)
COSMATI_GEMM_SUM_(tfloat32_t, float)
COSMATI_GEMM_SUM_(float_e4m3_t, float)
COSMATI_GEMM_SUM_(float_e5m2_t, float)
COSMATI_GEMM_SUM_(std::int8_t, int)
COSMATI_GEMM_SUM_(std::uint8_t, int)
#undef COSMATI_GEMM_SUM_
template <class A, class B>
using gemm_sum_t = decltype(std::declval<typename gemm_sum<A>::type>() + std::declval<typename gemm_sum<B>::type>());
/// @}

namespace detail {

/// The mode, 0 or 1, with the static stride 1; -1 if there is none.
template <class Stride>
inline constexpr int contiguous_mode = -1;
template <class X, class Y, class... L>
inline constexpr int contiguous_mode<tuple<X, Y, L...>> = [] {
  if constexpr (static_integer<X>) {
    if (X::value == 1) return 0;
  }
  if constexpr (static_integer<Y>) {
    if (Y::value == 1) return 1;
  }
  return -1;
}();

/// Whether each mode has one stride.
template <class Stride>
inline constexpr bool has_flat_strides = false;
template <class... Stride_>
inline constexpr bool has_flat_strides<tuple<Stride_...>> = (integer<Stride_> && ...);

/// The contiguous mode of a tensor.
template <class T>
inline constexpr int gemm_contiguous_mode =
    contiguous_mode<std::remove_cvref_t<decltype(std::declval<T const&>().layout().stride())>>;

template <char name, int rank>
struct gemm_operand_rank : refused {
  static constexpr bool ok = rank == 2 || rank == 3;
  static_assert(ok,
                "gemm: gemm_operand_rank<NAME, RANK>: A is (M, K), B (N, K), C (M, N), each with a third mode if there "
                "are batches; group_modes makes one mode of several");
};
template <char name, int mode>
struct gemm_operand_is_contiguous : refused {
  static constexpr bool ok = mode >= 0;
  static_assert(ok,
                "gemm: gemm_operand_is_contiguous<NAME, MODE>: one of the first two strides must be the static integer "
                "_1{}, so that the kernel knows which mode is contiguous: make_stride(_1{}, ld) or make_stride(ld, "
                "_1{})");
};
template <char name, bool is>
struct gemm_operand_has_flat_modes : refused {
  static constexpr bool ok = is;
  static_assert(ok,
                "gemm: gemm_operand_has_flat_modes<NAME, ...>: each mode has one stride; a nested mode such as (2,2) "
                "must be one integer: coalesce the layout, or call once for each of its parts");
};
template <char name, bool is>
struct gemm_operand_in_global_memory : refused {
  static constexpr bool ok = is;
  static_assert(ok, "gemm: gemm_operand_in_global_memory<NAME, ...>: make the tensor of make_gmem_ptr(device address)");
};

template <bool is>
struct gemm_result_is_writable : refused {
  static constexpr bool ok = is;
  static_assert(ok, "gemm: gemm_result_is_writable: C is a tensor of const elements; make it of a T*, not a T const*");
};

template <char name, class T>
constexpr auto gemm_operand_mistake() {
  if constexpr (T::rank != 2 && T::rank != 3)
    return std::type_identity<gemm_operand_rank<name, T::rank>>{};
  else if constexpr (!is_gmem_v<T>)
    return std::type_identity<gemm_operand_in_global_memory<name, false>>{};
  else if constexpr (!has_flat_strides<std::remove_cvref_t<decltype(std::declval<T const&>().layout().stride())>>)
    return std::type_identity<gemm_operand_has_flat_modes<name, false>>{};
  else if constexpr (gemm_contiguous_mode<T> < 0)
    return std::type_identity<gemm_operand_is_contiguous<name, -1>>{};
  else
    return std::type_identity<void>{};
}
/// The check of a product's tensors: void, or the class that names the mistake.
template <class TA, class TB, class TC>
constexpr auto gemm_mistake() {
  if constexpr (!std::is_void_v<typename decltype(gemm_operand_mistake<'A', TA>())::type>)
    return gemm_operand_mistake<'A', TA>();
  else if constexpr (!std::is_void_v<typename decltype(gemm_operand_mistake<'B', TB>())::type>)
    return gemm_operand_mistake<'B', TB>();
  else if constexpr (is_gmem_v<TC> &&
                     std::is_const_v<std::remove_pointer_t<decltype(raw_pointer_cast(std::declval<TC>().data()))>>)
    return std::type_identity<gemm_result_is_writable<false>>{};
  else
    return gemm_operand_mistake<'C', TC>();
}
template <class TA, class TB, class TC>
using gemm_mistake_t = typename decltype(gemm_mistake<TA, TB, TC>())::type;

template <class Sum>
struct gemm_scalars_are_sums : refused {
  static constexpr bool ok = !std::is_integral_v<Sum>;
  static_assert(ok,
                "gemm: gemm_scalars_are_sums<SUM>: alpha and beta are integers as the sums are, so that a fraction "
                "would become 0; scale in the epilogue: gemm_then(gemm_convert<float>{}, gemm_scale<float>{scale})");
};
/// Whether an argument behind the tensors is a floating-point number where sums are integers.
template <class TA, class TB, class... X>
inline constexpr bool gemm_scalars_are_fractions =
    (std::is_floating_point_v<X> || ...) &&
    std::is_integral_v<gemm_sum_t<typename TA::value_type, typename TB::value_type>>;
/// The mistake in a call, of its tensors or of the scalars behind them.
template <class Refusal, class TA, class TB>
using or_scalars =
    std::conditional_t<std::is_void_v<Refusal>,
                       gemm_scalars_are_sums<gemm_sum_t<typename TA::value_type, typename TB::value_type>>, Refusal>;

}  // namespace detail

/// The matrices of an operand in global memory, one for each batch. @tparam contiguous_ the mode of stride 1: 0 or 1
template <class T, int contiguous_>
struct gemm_operand {
  using value_type = T;
  static constexpr int contiguous = contiguous_;
  T* data;
  std::int64_t leading;  ///< elements from one row or column to the next
  std::int64_t batch;    ///< elements from one batch to the next

  /// The matrix of batch l, from element (x, y) on.
  COSMATI_HD constexpr auto matrix(int x, int y, int l) const {
    auto const first = make_gmem_ptr(data + l * batch);
    if constexpr (contiguous == 0)
      return make_tensor(first, make_shape(x, y), make_stride(C<1>{}, leading));
    else
      return make_tensor(first, make_shape(x, y), make_stride(leading, C<1>{}));
  }
  /// Whether all vectors of `bytes` bytes, at multiples of their length along the contiguous mode, can be accessed.
  bool is_aligned_to(std::size_t bytes) const {
    std::int64_t const vector_elements = static_cast<std::int64_t>(bytes / sizeof(T));
    return reinterpret_cast<std::uintptr_t>(data) % bytes == 0 &&
           (vector_elements < 2 || (leading % vector_elements == 0 && batch % vector_elements == 0));
  }
};

/// C = epilogue(alpha A B + beta C), in the form that a kernel takes. @tparam A, B, C gemm_operand
template <class A, class B, class C_>
struct gemm_problem {
  using sum_type = gemm_sum_t<std::remove_const_t<typename A::value_type>, std::remove_const_t<typename B::value_type>>;
  int m, n, k, batches;
  A a;
  B b;
  C_ c;
  sum_type alpha, beta;

  /// The matrices of batch `l`.
  COSMATI_HD constexpr auto matrix_a(int l) const { return a.matrix(m, k, l); }
  COSMATI_HD constexpr auto matrix_b(int l) const { return b.matrix(n, k, l); }
  COSMATI_HD constexpr auto matrix_c(int l) const { return c.matrix(m, n, l); }
  /// Whether there is nothing to write.
  constexpr bool is_empty() const { return m == 0 || n == 0 || batches == 0; }
};

namespace detail {

template <char name>
inline int gemm_extent(char mode, std::int64_t extent) {
  if (extent < 0 || extent > 0x7fffffff) {
    throw error("gemm: %c has extent %lld along %c; extents are 0 to 2147483647", name, static_cast<long long>(extent),
                mode);
  }
  return static_cast<int>(extent);
}
template <class T>
constexpr std::int64_t gemm_batches(T const& t) {
  if constexpr (T::rank == 3)
    return static_cast<std::int64_t>(size<2>(t));
  else
    return 1;
}

/// @param x, y the names of its modes
template <char name, class E, class L>
auto make_gemm_operand(Tensor<E, L> const& t, char x, char y) {
  using T = Tensor<E, L>;
  constexpr int mode = gemm_contiguous_mode<T>;
  static_assert(std::is_void_v<typename decltype(gemm_operand_mistake<name, T>())::type>);
  using Element = std::remove_pointer_t<decltype(raw_pointer_cast(t.data()))>;
  gemm_operand<Element, (mode == 1 ? 1 : 0)> r{raw_pointer_cast(t.data()), 0, 0};
  if constexpr (mode >= 0 && (T::rank == 2 || T::rank == 3)) {
    r.leading = static_cast<std::int64_t>(get<1 - mode>(t.layout().stride()));
    if constexpr (T::rank == 3) r.batch = static_cast<std::int64_t>(get<2>(t.layout().stride()));
    int const along = gemm_extent<name>(mode == 0 ? x : y, static_cast<std::int64_t>(size<mode>(t)));
    int const across = gemm_extent<name>(mode == 0 ? y : x, static_cast<std::int64_t>(size<1 - mode>(t)));
    if (across > 1 && r.leading < along) {
      throw error(
          "gemm: %c has %d elements along %c, its contiguous mode, but the stride along %c is %lld, so that they "
          "overlap; the stride must be %d or more",
          name, along, mode == 0 ? x : y, mode == 0 ? y : x, static_cast<long long>(r.leading), along);
    }
    if (along > 0 && across > 0) {
      if (r.data == nullptr) throw error("gemm: %c has elements but its address is null", name);
      char const text[] = {name, '\0'};
      expect_device_memory("gemm", text, r.data);
    }
  }
  return r;
}

/// Throws `error` if batches of C share elements.
/// @param along, across the extents of the mode of stride 1 and of the other mode
inline void check_gemm_results(std::int64_t along, std::int64_t across, std::int64_t leading, std::int64_t batches,
                               std::int64_t batch) {
  if (along == 0 || across == 0 || batches < 2) return;
  std::int64_t const apart = batch < 0 ? -batch : batch;
  bool const side_by_side = apart >= along && (across == 1 || leading >= apart * (batches - 1) + along);
  if (apart >= leading * (across - 1) + along || side_by_side) return;
  for (std::int64_t l = 1; l < batches; ++l) {
    std::int64_t const rows = across == 1 ? 0 : l * apart / leading;
    for (std::int64_t row = rows; row <= rows + 1 && row < across; ++row) {
      std::int64_t const distance = l * apart - row * leading;
      if (distance < along && distance > -along)
        throw error(
            "gemm: batches 0 and %lld of C share elements, because batches are %lld elements apart; each batch of C "
            "has memory of its own, only those of A and B may be shared",
            static_cast<long long>(l), static_cast<long long>(batch));
    }
  }
}

/// Throws `error` unless the tensors' extents fit each other.
template <class TA, class TB, class TC>
void check_gemm_extents(TA const& a, TB const& b, TC const& c) {
  auto const m = static_cast<long long>(size<0>(a)), n = static_cast<long long>(size<0>(b));
  auto const k = static_cast<long long>(size<1>(a)), other_k = static_cast<long long>(size<1>(b));
  auto const cm = static_cast<long long>(size<0>(c)), cn = static_cast<long long>(size<1>(c));
  if (k != other_k) {
    throw error("gemm: A (M, K) is (%lld, %lld), B (N, K) is (%lld, %lld): K differs; is B given as (K, N)?", m, k, n,
                other_k);
  }
  if (m != cm || n != cn) {
    throw error(
        "gemm: A (M, K) is (%lld, %lld), B (N, K) is (%lld, %lld), but C is (%lld, %lld), not (M, N) = (%lld, %lld)", m,
        k, n, k, cm, cn, m, n);
  }
  long long const batches = gemm_batches(c);
  auto const check = [&](char name, bool has, long long of) {
    if (has ? of != batches : false)
      throw error("gemm: C has %lld batches, %c has %lld; give %c as many, or two modes to use it in every batch",
                  batches, name, of, name);
  };
  check('A', TA::rank == 3, gemm_batches(a));
  check('B', TB::rank == 3, gemm_batches(b));
}

}  // namespace detail

/// The problem of these tensors. If they do not fit, it throws `error` with the operand, the extents and the fix.
template <class EA, class LA, class EB, class LB, class EC, class LC, class Scalar>
auto make_gemm_problem(Tensor<EA, LA> const& A, Tensor<EB, LB> const& B, Tensor<EC, LC> const& C, Scalar const& alpha,
                       Scalar const& beta) {
  auto const a = detail::make_gemm_operand<'A'>(A, 'M', 'K');
  auto const b = detail::make_gemm_operand<'B'>(B, 'N', 'K');
  auto const c = detail::make_gemm_operand<'C'>(C, 'M', 'N');
  detail::check_gemm_extents(A, B, C);
  constexpr int mode = detail::gemm_contiguous_mode<Tensor<EC, LC>> == 1 ? 1 : 0;
  detail::check_gemm_results(static_cast<std::int64_t>(size<mode>(C)), static_cast<std::int64_t>(size<1 - mode>(C)),
                             c.leading, detail::gemm_batches(C), c.batch);
  return gemm_problem<std::remove_const_t<decltype(a)>, std::remove_const_t<decltype(b)>,
                      std::remove_const_t<decltype(c)>>{static_cast<int>(size<0>(A)),
                                                        static_cast<int>(size<0>(B)),
                                                        static_cast<int>(size<1>(A)),
                                                        detail::gemm_extent<'C'>('L', detail::gemm_batches(C)),
                                                        a,
                                                        b,
                                                        c,
                                                        alpha,
                                                        beta};
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
