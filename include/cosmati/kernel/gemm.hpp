// SPDX-License-Identifier: Apache-2.0
/// @file
/// `gemm(A, B, C, alpha, ...)` on the host: a matrix product by the kernel that suits shape, type and device.
///
/// The algorithm `gemm(A, B, C)` without alpha is another function: one thread's product of its own elements
/// (algorithm/gemm.hpp).
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/copy.hpp>
#include <cosmati/kernel/gemm/known_plans.hpp>
#include <cosmati/kernel/gemm/plan.hpp>
#include <cosmati/runtime/stream_buffer.hpp>

namespace COSMATI_NAMESPACE {
namespace detail {

/// A copy of an operand that is contiguous along K, for the work of one stream. Rows begin at multiples of 16 bytes.
template <class T>
class copy_along_k {
  using Value = typename T::value_type;
  static constexpr std::int64_t vector = 16 / static_cast<std::int64_t>(sizeof(Value));

 public:
  copy_along_k(T const& from, stream_handle stream)
      : rows_(static_cast<int>(size<0>(from))),
        columns_(static_cast<int>(size<1>(from))),
        batches_(static_cast<int>(gemm_batches(from))),
        leading_((columns_ + vector - 1) / vector * vector),
        memory_(static_cast<std::size_t>(leading_ * rows_ * batches_), stream) {
    if (memory_.size() == 0) return;
    auto const to = make_tensor(make_gmem_ptr(memory_.data()), layout());
    if constexpr (T::rank == 3)
      copy_tensor(from, to, stream);
    else
      copy_tensor(from, to(_, _, 0), stream);
  }
  /// (X, K, L), contiguous along K.
  auto tensor() { return make_tensor(make_gmem_ptr(static_cast<Value const*>(memory_.data())), layout()); }

 private:
  auto layout() const {
    return make_layout(make_shape(rows_, columns_, batches_),
                       make_stride(leading_, C<1>{}, T::rank == 3 ? leading_ * rows_ : std::int64_t{0}));
  }
  int rows_, columns_, batches_;
  std::int64_t leading_;
  stream_buffer<Value> memory_;
};

/// Calls then(operand) with the operand, or with a copy of it that is contiguous along K.
template <bool copies, class T, class Then>
void with_operand(T const& of, stream_handle stream, Then const& then) {
  if constexpr (copies) {
    copy_along_k<T> copy(of, stream);
    then(copy.tensor());
  } else {
    then(of);
  }
}

/// `gemm_hopper` by a plan's configuration.
template <class Means, class TA, class TB, class TC, class Sum, class Epilogue>
void run_hopper_plan(gemm_plan const& plan, TA const& A, TB const& B, TC const& C, Sum alpha, Sum beta,
                     Epilogue const& epilogue, stream_handle stream) {
  make_gemm_problem(A, B, C, alpha, beta);  // its errors come before the copies
  with_operand<Means::copies_a>(A, stream, [&](auto const& a) {
    with_operand<Means::copies_b>(B, stream, [&](auto const& b) {
      run_chosen_hopper<0>({plan.config, plan.split}, make_gemm_problem(a, b, C, alpha, beta), epilogue, stream);
    });
  });
}

}  // namespace detail

/// C = epilogue(alpha A B + beta C) by a plan, queued on `stream`. If beta is zero, C is not read. Throws `error` if
/// extents do not fit each other, or if the plan is not one of these types.
/// @param plan of `plan_gemm` or `tune_gemm`, of tensors with the same types, alignments and extents
/// @param A (M, K[, L]), @param B (N, K[, L]), @param C (M, N[, L]), as kernel/gemm/problem.hpp says
template <class EA, class LA, class EB, class LB, class EC, class LC, class Epilogue = identity>
requires(detail::gemm_means<Tensor<EA, LA>, Tensor<EB, LB>, Tensor<EC, LC>>::any) void gemm(
    gemm_plan const& plan, Tensor<EA, LA> const& A, Tensor<EB, LB> const& B, Tensor<EC, LC> const& C,
    gemm_sum_t<typename EA::value_type, typename EB::value_type> alpha = 1,
    gemm_sum_t<typename EA::value_type, typename EB::value_type> beta = 0, Epilogue const& epilogue = {},
    stream_handle stream = nullptr) {
  using Means = detail::gemm_means<Tensor<EA, LA>, Tensor<EB, LB>, Tensor<EC, LC>>;
  if constexpr (Means::hopper) {
    if (plan.kernel == gemm_kernel::hopper && plan.copies_a == Means::copies_a && plan.copies_b == Means::copies_b)
      return detail::run_hopper_plan<Means>(plan, A, B, C, alpha, beta, epilogue, stream);
  }
  if constexpr (Means::mma) {
    if (plan.kernel == gemm_kernel::mma) return gemm_mma(A, B, C, alpha, beta, epilogue, stream);
  }
  if constexpr (Means::simt) {
    if (plan.kernel == gemm_kernel::simt) return gemm_simt(A, B, C, alpha, beta, epilogue, stream);
  }
  throw error("gemm: the plan \"%s\" does not suit the types and orders of A, B and C; make one by plan_gemm(A, B, C)",
              plan.text().c_str());
}

/// The same by the plan that `tune_gemm` has found in this process, or else by that of `plan_gemm`.
template <class EA, class LA, class EB, class LB, class EC, class LC, class Epilogue = identity>
requires(detail::gemm_means<Tensor<EA, LA>, Tensor<EB, LB>, Tensor<EC, LC>>::any) void gemm(
    Tensor<EA, LA> const& A, Tensor<EB, LB> const& B, Tensor<EC, LC> const& C,
    gemm_sum_t<typename EA::value_type, typename EB::value_type> alpha,
    gemm_sum_t<typename EA::value_type, typename EB::value_type> beta = 0, Epilogue const& epilogue = {},
    stream_handle stream = nullptr) {
  gemm_plan plan;
  if (!detail::find_tuned_gemm(A, B, C, plan)) plan = plan_gemm(A, B, C);
  gemm(plan, A, B, C, alpha, beta, epilogue, stream);
}

/// @name Calls that are known to be wrong: the type of the result names the mistake (core/refused.hpp)
/// @{
template <class EA, class LA, class EB, class LB, class EC, class LC, class... X>
requires(!detail::gemm_means<Tensor<EA, LA>, Tensor<EB, LB>, Tensor<EC, LC>>::any)
    detail::gemm_refusal<Tensor<EA, LA>, Tensor<EB, LB>, Tensor<EC, LC>> gemm(
        Tensor<EA, LA> const&, Tensor<EB, LB> const&, Tensor<EC, LC> const&,
        gemm_sum_t<typename EA::value_type, typename EB::value_type>, X const&...);
template <class EA, class LA, class EB, class LB, class EC, class LC, class Scalar, class... X>
requires(detail::gemm_means<Tensor<EA, LA>, Tensor<EB, LB>, Tensor<EC, LC>>::any&&
             detail::gemm_scalars_are_fractions<Tensor<EA, LA>, Tensor<EB, LB>, Scalar, X...>)
    detail::or_scalars<void, Tensor<EA, LA>, Tensor<EB, LB>> gemm(Tensor<EA, LA> const&, Tensor<EB, LB> const&,
                                                                  Tensor<EC, LC> const&, Scalar const&, X const&...);
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
