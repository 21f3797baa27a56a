// SPDX-License-Identifier: Apache-2.0
/// @file
/// A product of host arrays on the device of this compilation. g++ and clang compile it for the simulated device, nvcc
/// for a GPU under another COSMATI_NAMESPACE.
#pragma once

#include "../run_copy/permute_job.hpp"
#include "job.hpp"

#include <cosmati/kernel/gemm/epilogue.hpp>
#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/cost_trace.hpp>
#include <cosmati/runtime/device.hpp>
#include <cosmati/runtime/stream.hpp>

#if defined(COSMATI_SIMULATED)
#define COSMATI_GEMM_HERE simulated
#else
#define COSMATI_GEMM_HERE gpu
#endif

namespace cosmati_gemm::COSMATI_GEMM_HERE {

using namespace COSMATI_NAMESPACE;

/// Bias and rectifier, chosen at run time, so that one kernel serves all.
template <class T>
struct chosen_epilogue {
  T const* bias;
  std::int64_t bias_m, bias_n;
  bool relu;
  std::atomic<std::uint64_t>* finished;  ///< the counter on the simulated device
  template <class Sum>
  COSMATI_HD Sum operator()(Sum const& x, int m, int n, int) const {
#if defined(COSMATI_SIMULATED)
    if (finished != nullptr) finished->fetch_add(1, std::memory_order_relaxed);
#endif
    Sum const y = bias == nullptr ? x : x + static_cast<Sum>(bias[m * bias_m + n * bias_n]);
    if constexpr (requires { y > Sum(0); })
      return relu ? gemm_relu{}(y) : y;
    else
      return y;
  }
};

/// Elements of T on the host, as device_buffer takes them: the given ones, or those rounded from U.
template <class T, class U>
struct host_range {
  static constexpr bool same = std::is_same_v<T, U>;
  U const* first;
  std::size_t count;
  std::vector<T> converted = {};
  host_range(void const* from, std::size_t n) : first(static_cast<U const*>(from)), count(n) {
    if constexpr (!same) {
      converted.reserve(n);
      for (std::size_t i = 0; i < n; ++i) converted.push_back(static_cast<T>(first[i]));
    }
  }
  T const* data() const {
    if constexpr (same)
      return first;
    else
      return converted.data();
  }
  std::size_t size() const { return count; }
};

/// Matrices as the kernel needs them, one after the other. `copy_tensor` copies those with another order in memory on
/// the device.
template <class T, class U>
device_buffer<T> on_device(matrices const& of, int x, int y, int batches) {
  std::int64_t const one = std::int64_t{x} * y, several = of.batched ? batches : 1;
  auto const count = static_cast<std::size_t>(one * several);
  device_buffer<T> given(host_range<T, U>(of.data, count));
  if (!of.turned) return given;
  device_buffer<T> turned(count);
  cosmati_run_copy::permute_job const job = {
      sizeof(T),
      {{several, of.step_batch, one}, {x, of.step_x, of.along_y ? y : 1}, {y, of.step_y, of.along_y ? 1 : x}},
      count,
      given.data(),
      turned.data()};
#if defined(COSMATI_SIMULATED)
  cosmati_run_copy::permute_memory_of_simulated_device(job);
#else
  cosmati_run_copy::permute_memory_of_gpu(job);
#endif
  return turned;
}

#if defined(COSMATI_SIMULATED)
/// The costs of the only kernel that was launched.
inline std::vector<instruction_cost> costs_of(cost_trace const& trace) {
  std::vector<instruction_cost> all;
  for (kernel_costs const& kernel : trace.kernels()) {
    for (int i = 0; i < instruction_kinds; ++i) {
      instruction_costs const& c = kernel.of[i];
      if (c.instructions == 0) continue;
      all.push_back({instruction_kind_names[i], c.instructions, c.bytes_used, c.sectors, c.ideal_sectors, c.wavefronts,
                     c.bank_conflicts});
    }
  }
  return all;
}
#endif

/// @tparam T the type that is multiplied
/// @tparam U the type in the files
/// @tparam TC, Sum the types of C's elements and of the sums
/// @tparam any_order takes_any_order of such a product
/// @param multiply multiply(A, B, C, alpha, beta, epilogue), with tensors
template <class T, class U, class Sum, class TC, bool any_order, class Multiply>
outcome run_product(product const& p, Multiply const& multiply) {
  device_buffer<T> const a = on_device<T, U>(p.a, p.m, p.k, p.batches), b = on_device<T, U>(p.b, p.n, p.k, p.batches);
  device_buffer<TC> const bias(host_range<TC, TC>(p.bias, p.bias_count));
  device_buffer<TC> c = on_device<TC, TC>(p.before, p.m, p.n, p.batches);
  // (x, y, batches), contiguous along y or x
  auto const tensor = [&](auto* data, int x, int y, bool batched, auto along_y) {
    std::int64_t const batch = batched ? static_cast<std::int64_t>(x) * y : 0;
    auto const shape = make_shape(x, y, p.batches);
    if constexpr (decltype(along_y)::value)
      return make_tensor(make_gmem_ptr(data), shape, make_stride(std::int64_t{y}, C<1>{}, batch));
    else
      return make_tensor(make_gmem_ptr(data), shape, make_stride(C<1>{}, std::int64_t{x}, batch));
  };
  chosen_epilogue<TC> const epilogue{bias.data(), p.bias_m, p.bias_n, p.relu, p.finished};
  outcome r;
  r.device = current_device().name;
  if (c.empty()) return r;
#if defined(COSMATI_SIMULATED)
  cost_trace const trace;
#endif
  event start, stop;
  start.record();
  auto const run = [&](auto a_along_k, auto b_along_k) {
    multiply(tensor(a.data(), p.m, p.k, p.a.batched, a_along_k), tensor(b.data(), p.n, p.k, p.b.batched, b_along_k),
             tensor(c.data(), p.m, p.n, true, std::true_type{}), static_cast<Sum>(p.alpha), static_cast<Sum>(p.beta),
             epilogue);
  };
  if constexpr (any_order) {
    if (p.a.along_y)
      p.b.along_y ? run(std::true_type{}, std::true_type{}) : run(std::true_type{}, std::false_type{});
    else
      p.b.along_y ? run(std::false_type{}, std::true_type{}) : run(std::false_type{}, std::false_type{});
  } else {
    run(std::true_type{}, std::true_type{});
  }
  stop.record();
  r.seconds = static_cast<double>(elapsed_ms(start, stop)) / 1000;
#if defined(COSMATI_SIMULATED)
  r.costs = costs_of(trace);
#endif
  c.download_to(static_cast<TC*>(p.c));
  return r;
}

/// @name The product by each kernel, in a file of its own
/// @{
outcome run_simt(product const& p);
outcome run_mma(product const& p);
/// @}

}  // namespace cosmati_gemm::COSMATI_GEMM_HERE
