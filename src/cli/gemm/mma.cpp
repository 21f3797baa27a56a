// SPDX-License-Identifier: Apache-2.0
// cosmati gemm --kernel mma, for the device of this compilation.
#include "run.hpp"

#include <cosmati/kernel/gemm/mma.hpp>

namespace cosmati_gemm::COSMATI_GEMM_HERE {
namespace {

template <class T, class U, class Sum, class TC, bool any_order = false>
outcome run(product const& p) {
  return run_product<T, U, Sum, TC, any_order>(p, [](auto const&... x) { gemm_mma(x...); });
}

}  // namespace

outcome run_mma(product const& p) {
  switch (p.type) {
    case element::half:
      return run<half_t, half_t, float, half_t, true>(p);
    case element::float32:
      return p.rounded == rounding::bfloat16 ? run<bfloat16_t, float, float, float>(p)
                                             : run<tfloat32_t, float, float, float>(p);
    case element::float64:
      return run<double, double, double, double>(p);
    case element::int8:
      return run<std::int8_t, std::int8_t, int, int>(p);
    default:
      throw error("gemm: no matrix instruction multiplies complex numbers of 64 bits; take --kernel simt");
  }
}

}  // namespace cosmati_gemm::COSMATI_GEMM_HERE
