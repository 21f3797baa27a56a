// SPDX-License-Identifier: Apache-2.0
/// @file
/// Functions that issue matrix instructions: `Op::fma` of every operation in atom/.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/mma_asm.hpp>
#include <cosmati/arch/mma_simulated.hpp>
#include <cosmati/arch/target.hpp>
#include <cosmati/atom/mma_complex.hpp>
#include <cosmati/atom/mma_sm61.hpp>
#include <cosmati/atom/mma_traits.hpp>

namespace COSMATI_NAMESPACE {

/// d = a b + c by the whole warp. Each argument is one thread's registers. On the host, outside the simulated device,
/// it is an error.
template <class Op>
COSMATI_HD inline void mma(typename Op::DRegisters& d, typename Op::ARegisters const& a,
                           typename Op::BRegisters const& b, typename Op::CRegisters const& c);

namespace detail {

template <class Op>
COSMATI_HD inline void issue_mma([[maybe_unused]] typename Op::DRegisters& d,
                                 [[maybe_unused]] typename Op::ARegisters const& a,
                                 [[maybe_unused]] typename Op::BRegisters const& b,
                                 [[maybe_unused]] typename Op::CRegisters const& c) {
  if constexpr (mma_complex_operation<Op>) {
    using Real = typename Op::real_operation;
    constexpr int sums = std::extent_v<typename Op::DRegisters>;
    constexpr int na = std::extent_v<typename Op::ARegisters>, nb = std::extent_v<typename Op::BRegisters>;
    double x[std::size_t{na}], y[std::size_t{nb}], total[std::size_t{sums}];
    // adds signed products of parts of a and b, and a part of c, to a part of d
    auto const part = [&](auto of_a, auto of_b, auto of_sum, auto from) {
      COSMATI_UNROLL
      for (int i = 0; i < na; ++i) x[i] = of_a(a[i]);
      COSMATI_UNROLL
      for (int i = 0; i < nb; ++i) y[i] = of_b(b[i]);
      COSMATI_UNROLL
      for (int i = 0; i < sums; ++i) total[i] = from(i);
      issue_mma<Real>(total, x, y, total);
      COSMATI_UNROLL
      for (int i = 0; i < sums; ++i) of_sum(d[i]) = total[i];
    };
    using Z = complex<double>;
    auto const real_part = [](Z const& z) { return z.real(); };
    auto const imag_part = [](Z const& z) { return z.imag(); };
    if constexpr (std::is_same_v<typename Op::sum_type, gauss_complex>) {
      using G = gauss_complex;
      part([](Z const& z) { return z.real() + z.imag(); }, real_part, [](G& g) -> double& { return g.t0; },
           [&](int i) { return c[i].t0; });
      part(
          imag_part, [](Z const& z) { return z.real() + z.imag(); }, [](G& g) -> double& { return g.t1; },
          [&](int i) { return c[i].t1; });
      part(
          real_part, [](Z const& z) { return z.imag() - z.real(); }, [](G& g) -> double& { return g.t2; },
          [&](int i) { return c[i].t2; });
    } else {
      auto const minus_imag = [](Z const& z) { return -z.imag(); };
      auto const real_sum = [](Z& z) -> double& { return z.real(); };
      auto const imag_sum = [](Z& z) -> double& { return z.imag(); };
      part(real_part, real_part, real_sum, [&](int i) { return c[i].real(); });
      part(minus_imag, imag_part, real_sum, [&](int i) { return d[i].real(); });
      part(real_part, imag_part, imag_sum, [&](int i) { return c[i].imag(); });
      part(imag_part, real_part, imag_sum, [&](int i) { return d[i].imag(); });
    }
  } else {
    static_assert(
        sizeof(target_lacks_the_matrix_instruction<Op, (Op::lowest_sm < 75 ? 75 : Op::lowest_sm), COSMATI_TARGET_SM>) !=
        0);
#if defined(__CUDA_ARCH__)
    issue_mma_sync<Op>(d, a, b, c);
#elif defined(COSMATI_SIMULATED)
    simulate_mma_sync<Op>(d, a, b, c);
#else
    fail("%s: the host has no matrix instructions; call it in a kernel, on a GPU or on the simulated device",
         mma_mnemonic<Op>::value);
#endif
  }
}

/// Converts references to registers into arrays: those of D, then those of A, B and C.
template <class Op, class... Register>
COSMATI_HD inline void issue_mma_of_each(Register&&... registers) {
  constexpr int nd = std::extent_v<typename Op::DRegisters>, na = std::extent_v<typename Op::ARegisters>;
  constexpr int nb = std::extent_v<typename Op::BRegisters>, nc = std::extent_v<typename Op::CRegisters>;
  static_assert(sizeof...(Register) == nd + na + nb + nc,
                "fma(d..., a..., b..., c...): one argument a register of the operation's DRegisters, ARegisters, "
                "BRegisters and CRegisters");
  typename Op::DRegisters d;
  typename Op::ARegisters a;
  typename Op::BRegisters b;
  typename Op::CRegisters c;
  int i = 0;
  auto const take = [&](auto const& x) {
    using T = std::remove_cvref_t<decltype(x)>;
    if constexpr (std::is_convertible_v<T, std::remove_extent_t<typename Op::ARegisters>>)
      if (i >= nd && i < nd + na) a[i - nd] = x;
    if constexpr (std::is_convertible_v<T, std::remove_extent_t<typename Op::BRegisters>>)
      if (i >= nd + na && i < nd + na + nb) b[i - nd - na] = x;
    if constexpr (std::is_convertible_v<T, std::remove_extent_t<typename Op::CRegisters>>)
      if (i >= nd + na + nb) c[i - nd - na - nb] = x;
    ++i;
  };
  (take(registers), ...);
  issue_mma<Op>(d, a, b, c);
  i = 0;
  auto const give = [&](auto& x) {
    if constexpr (!std::is_const_v<std::remove_reference_t<decltype(x)>> &&
                  std::is_same_v<std::remove_cvref_t<decltype(x)>, std::remove_extent_t<typename Op::DRegisters>>)
      if (i < nd) x = d[i];
    ++i;
  };
  (give(registers), ...);
}

template <int sm, int m, int n, int k, class D, class A, class B, class C_, mma_major order, mma_variant what>
template <class... Register>
COSMATI_HD void mma_sync<sm, m, n, k, D, A, B, C_, order, what>::fma(Register&&... registers) {
  issue_mma_of_each<mma_sync>(registers...);
}
template <class Real, class Sum>
template <class... Register>
COSMATI_HD void mma_complex<Real, Sum>::fma(Register&&... registers) {
  issue_mma_of_each<mma_complex>(registers...);
}

}  // namespace detail

template <class Op>
COSMATI_HD inline void mma(typename Op::DRegisters& d, typename Op::ARegisters const& a,
                           typename Op::BRegisters const& b, typename Op::CRegisters const& c) {
  detail::issue_mma<Op>(d, a, b, c);
}

COSMATI_HD inline void SM61_DP4A::fma(std::int32_t& d, std::uint32_t a, std::uint32_t b, std::int32_t c) {
#if defined(__CUDA_ARCH__)
  d = __dp4a(static_cast<int>(a), static_cast<int>(b), c);
#else
  auto sum = static_cast<std::uint32_t>(c);
  for (int i = 0; i < 4; ++i)
    sum += static_cast<std::uint32_t>(static_cast<std::int8_t>(a >> (8 * i)) * static_cast<std::int8_t>(b >> (8 * i)));
  d = static_cast<std::int32_t>(sum);
#endif
}
COSMATI_HD inline void SM61_DP2A::fma(std::int32_t& d, std::uint32_t a, std::uint32_t b, std::int32_t c) {
#if defined(__CUDA_ARCH__)
  asm("dp2a.lo.s32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
#else
  auto sum = static_cast<std::uint32_t>(c);
  for (int i = 0; i < 2; ++i)
    sum +=
        static_cast<std::uint32_t>(static_cast<std::int16_t>(a >> (16 * i)) * static_cast<std::int8_t>(b >> (8 * i)));
  d = static_cast<std::int32_t>(sum);
#endif
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
