// SPDX-License-Identifier: Apache-2.0
/// @file
/// `gemm_plan`: the kernel that does a matrix product, and `plan_gemm`, which chooses it by shape, type and device.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/gemm/hopper.hpp>
#include <cosmati/kernel/gemm/mma.hpp>
#include <cosmati/kernel/gemm/simt.hpp>
#include <cosmati/runtime/device.hpp>
#include <string>

namespace COSMATI_NAMESPACE {

/// The kernels of a matrix product.
enum class gemm_kernel : std::uint8_t {
  simt,   ///< `gemm_simt`, by multiply-adds of threads
  mma,    ///< `gemm_mma`, by `mma.sync`
  hopper  ///< `gemm_hopper`, by `wgmma`
};

/// How a product is done. `plan_gemm` and `tune_gemm` make plans.
struct gemm_plan {
  gemm_kernel kernel = gemm_kernel::simt;
  int config = 0;                           ///< of `hopper`: the number of its configuration
  int split = 1;                            ///< of `hopper`: the blocks that share the sum over K
  bool copies_a = false, copies_b = false;  ///< whether A or B is first copied, to be contiguous along K

  constexpr bool operator==(gemm_plan const&) const = default;
  /// One line for people: `hopper, configuration 3, K split by 4, A copied`.
  std::string text() const {
    if (kernel != gemm_kernel::hopper) return kernel == gemm_kernel::mma ? "mma" : "simt";
    return "hopper, configuration " + std::to_string(config) +
           (split > 1 ? ", K split by " + std::to_string(split) : std::string()) + (copies_a ? ", A copied" : "") +
           (copies_b ? ", B copied" : "");
  }
};

namespace detail {

#if defined(__CUDACC__)
/// Its static shared memory tells whether the code for the current GPU has warpgroup instructions (sm_90a).
template <class = void>
__global__ void warpgroup_probe() {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  __shared__ volatile int is_there;
  is_there = 1;
#endif
}
#endif

/// Whether the current device runs warpgroup instructions, and the program is compiled for them.
inline bool device_has_warpgroup_products() {
#if defined(__CUDACC__)
  int id = 0, major = 0;
  check_cuda(cudaGetDevice(&id), "finding the current GPU");
  check_cuda(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, id), "reading a GPU's properties");
  if (major != 9) return false;
  static bool const compiled = [] {
    cudaFuncAttributes found = {};
    check_cuda(cudaFuncGetAttributes(&found, warpgroup_probe<>), "reading a kernel's properties");
    return found.sharedSizeBytes != 0;
  }();
  return compiled;
#else
  return true;
#endif
}

/// Whether the current device runs the matrix instruction of elements of T.
template <class T>
bool device_has_matrix_products() {
#if defined(__CUDACC__)
  int id = 0, major = 0;
  check_cuda(cudaGetDevice(&id), "finding the current GPU");
  check_cuda(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, id), "reading a GPU's properties");
  return major >= (std::is_same_v<T, double> ? 9 : 8);
#else
  return true;
#endif
}

/// A tensor's type after a copy that makes it contiguous along its second mode.
template <class T>
using along_k_tensor =
    decltype(make_tensor(make_gmem_ptr(static_cast<typename T::value_type const*>(nullptr)),
                         make_layout(make_shape(0, 0, 0), make_stride(std::int64_t{}, C<1>{}, std::int64_t{}))));

/// What the types of a product allow.
template <class TA, class TB, class TC>
struct gemm_means {
  /// wgmma reads elements of other sizes than 2 bytes only along K.
  template <class T>
  static constexpr bool needs_copy = sizeof(typename T::value_type) != 2 && gemm_contiguous_mode<T> == 0;
  template <class T>
  using hopper_operand = std::conditional_t<needs_copy<T>, along_k_tensor<T>, T>;

  static constexpr bool copies_a = needs_copy<TA>, copies_b = needs_copy<TB>;
  static constexpr bool hopper = [] {
    if constexpr (std::is_void_v<gemm_mistake_t<TA, TB, TC>>)
      return hopper_accepts<hopper_config{}, hopper_operand<TA>, hopper_operand<TB>, TC>;
    else
      return false;
  }();
  static constexpr bool mma = mma_accepts_by_itself<TA, TB, TC>;
  static constexpr bool simt = simt_accepts<simt_config{}, TA, TB, TC>;
  static constexpr bool any = hopper || mma || simt;
};

/// The mistake of a call that no kernel can do.
template <class TA, class TB, class TC>
using gemm_refusal = simt_refusal<simt_config{}, TA, TB, TC>;

/// The product of a B or A with this many rows pays for the copy of the other operand. Its copy takes the time in which
/// a GPU of 3 TB/s does some 800 multiply-adds of each element faster by `wgmma` than by `mma.sync`.
inline constexpr int gemm_rows_that_pay_for_copy = 1024;

/// Whether tensor copies can move an operand's matrices.
template <class Operand>
bool tensor_copies_move(Operand const& of, int batches) {
  auto const bytes = static_cast<std::int64_t>(sizeof(typename Operand::value_type));
  auto const fits = [&](std::int64_t elements) { return elements > 0 && elements < (std::int64_t{1} << 40) / bytes; };
  return of.is_aligned_to(16) && fits(of.leading) && (batches == 1 || of.batch == 0 || fits(of.batch));
}

/// Whether `gemm_hopper` can do a product, and, if it needs copies, whether they pay.
/// @param must_pay whether copies that do not pay are a reason against it
template <class Means, class Problem>
bool hopper_can_do(Problem const& p, bool must_pay = true) {
  if (!device_has_warpgroup_products()) return false;
  if (!tensor_copies_move(p.c, p.batches)) return false;
  if (!Means::copies_a && !tensor_copies_move(p.a, p.batches)) return false;
  if (!Means::copies_b && !tensor_copies_move(p.b, p.batches)) return false;
  if constexpr (!Means::mma && !Means::simt) must_pay = false;
  bool const pays = (!Means::copies_a || p.n >= gemm_rows_that_pay_for_copy) &&
                    (!Means::copies_b || p.m >= gemm_rows_that_pay_for_copy);
  return pays || !must_pay;
}

template <class TA, class TB>
using gemm_sum_of = gemm_sum_t<typename TA::value_type, typename TB::value_type>;

/// The configurations of `gemm_hopper` that can do products of these types, a bit for each.
template <class TA, class TB, class TC>
constexpr unsigned usable_gemm_configs() {
  using Means = gemm_means<TA, TB, TC>;
  using Sum = gemm_sum_of<TA, TB>;
  using Problem = decltype(make_gemm_problem(std::declval<typename Means::template hopper_operand<TA>>(),
                                             std::declval<typename Means::template hopper_operand<TB>>(),
                                             std::declval<TC>(), Sum(1), Sum(0)));
  return usable_hopper_configs<Problem>(make_seq<hopper_config_count>{});
}

}  // namespace detail

/// The plan by which `gemm` does this product on the current device: `gemm_hopper` where the device and the operands
/// allow it, otherwise `gemm_mma`, otherwise `gemm_simt`. Throws `error` if extents do not fit each other.
/// @param A (M, K[, L]), @param B (N, K[, L]), @param C (M, N[, L]), as kernel/gemm/problem.hpp says
template <class EA, class LA, class EB, class LB, class EC, class LC>
requires(detail::gemm_means<Tensor<EA, LA>, Tensor<EB, LB>, Tensor<EC, LC>>::any) gemm_plan
    plan_gemm(Tensor<EA, LA> const& A, Tensor<EB, LB> const& B, Tensor<EC, LC> const& C) {
  using Means = detail::gemm_means<Tensor<EA, LA>, Tensor<EB, LB>, Tensor<EC, LC>>;
  using Sum = gemm_sum_t<typename EA::value_type, typename EB::value_type>;
  auto const p = make_gemm_problem(A, B, C, Sum(1), Sum(0));
  if constexpr (Means::hopper) {
    if (detail::hopper_can_do<Means>(p)) {
      auto const chosen = detail::choose_hopper_config(
          p.m, p.n, p.k, p.batches, static_cast<int>(sizeof(typename EA::value_type)), multiprocessors(),
          detail::usable_gemm_configs<Tensor<EA, LA>, Tensor<EB, LB>, Tensor<EC, LC>>(),
          detail::gemm_contiguous_mode<Tensor<EC, LC>> == 1);
      return {gemm_kernel::hopper, chosen.config, chosen.split, Means::copies_a, Means::copies_b};
    }
  }
  if constexpr (Means::mma) {
    if (!Means::simt || detail::device_has_matrix_products<typename EA::value_type>()) return {gemm_kernel::mma};
  }
  if constexpr (!Means::mma && !Means::simt)
    throw error(
        "gemm: elements of 8-bit floats need warpgroup instructions: a GPU of compute capability 9.0, a program for "
        "sm_90a, and addresses and strides that are multiples of 16 bytes");
  return {gemm_kernel::simt};
}

/// A call that is known to be wrong: the type of the result names the mistake (core/refused.hpp).
template <class EA, class LA, class EB, class LB, class EC, class LC>
requires(!detail::gemm_means<Tensor<EA, LA>, Tensor<EB, LB>, Tensor<EC, LC>>::any)
    detail::gemm_refusal<Tensor<EA, LA>, Tensor<EB, LB>, Tensor<EC, LC>> plan_gemm(Tensor<EA, LA> const&,
                                                                                   Tensor<EB, LB> const&,
                                                                                   Tensor<EC, LC> const&);

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
