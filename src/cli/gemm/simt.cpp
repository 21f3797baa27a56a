// SPDX-License-Identifier: Apache-2.0
// cosmati gemm --kernel simt, for the device of this compilation, and the choice of the kernel.
#include "run.hpp"

#include <cosmati/kernel/gemm/simt.hpp>

namespace cosmati_gemm {
namespace COSMATI_GEMM_HERE {
namespace {

template <class T, class Sum, class TC, bool any_order = false>
outcome run(product const& p) {
  return run_product<T, T, Sum, TC, any_order>(p, [](auto const&... x) { gemm_simt(x...); });
}

}  // namespace

outcome run_simt(product const& p) {
  switch (p.type) {
    case element::half:
      return run<half_t, float, half_t>(p);
    case element::float32:
      return run<float, float, float, true>(p);
    case element::float64:
      return run<double, double, double>(p);
    case element::int8:
      return run<std::int8_t, int, int>(p);
    default:
      return run<complex<float>, complex<float>, complex<float>>(p);
  }
}

}  // namespace COSMATI_GEMM_HERE

#if defined(COSMATI_SIMULATED)
outcome run_on_simulated_device(product const& p) {
  return p.by == kernel::simt ? simulated::run_simt(p) : simulated::run_mma(p);
}
#else
outcome run_on_gpu(product const& p) { return p.by == kernel::simt ? gpu::run_simt(p) : gpu::run_mma(p); }
#endif

}  // namespace cosmati_gemm
