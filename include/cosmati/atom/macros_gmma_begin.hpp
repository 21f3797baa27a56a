// SPDX-License-Identifier: Apache-2.0
/// @file
/// The macros that declare warpgroup matrix instructions of one N by CuTe's names. Only the headers with the names
/// include this file. It has no include guard; `macros_gmma_end.hpp` removes its macros.
// clang-format off
/// An instruction's name: of a class, which messages show. Programs for CuTe get other names of what the selectors give.
/// COSMATI_GMMA_OWN_NAMES: `MMA_64x...`, the names of CuTe's classes, where the file is included in namespace GMMA.
#if defined(COSMATI_GMMA_OWN_NAMES)
#define COSMATI_GMMA_NAME_(name, ...) using MMA_##name = __VA_ARGS__;
#elif defined(COSMATI_CUTE_PROGRAM)
#define COSMATI_GMMA_NAME_(name, ...) using SM90_##name = __VA_ARGS__;
#else
#define COSMATI_GMMA_NAME_(name, ...) \
  struct SM90_##name : __VA_ARGS__ {};
#endif
#define COSMATI_GMMA_16_(n, name, d, ab) \
  template <GMMA::Major a, GMMA::Major b, GMMA::ScaleIn sa = GMMA::ScaleIn::One, \
            GMMA::ScaleIn sb = GMMA::ScaleIn::One> \
    COSMATI_GMMA_NAME_(64x##n##x16_##name##_SS, detail::wgmma_async<n, d, ab, ab, \
      detail::wgmma_source::shared, a, b, sa, sb>) \
  template <GMMA::Major a, GMMA::Major b, GMMA::ScaleIn sa = GMMA::ScaleIn::One, \
            GMMA::ScaleIn sb = GMMA::ScaleIn::One> \
    COSMATI_GMMA_NAME_(64x##n##x16_##name##_RS, detail::wgmma_async<n, d, ab, ab, \
      detail::wgmma_source::registers, a, b, sa, sb>)
#define COSMATI_GMMA_TN_(n, k, name, d, a, b) \
  template <GMMA::ScaleIn sa = GMMA::ScaleIn::One, GMMA::ScaleIn sb = GMMA::ScaleIn::One> \
    COSMATI_GMMA_NAME_(64x##n##x##k##_##name##_SS_TN, detail::wgmma_async<n, d, a, b, \
      detail::wgmma_source::shared, GMMA::Major::K, GMMA::Major::K, sa, sb>) \
  template <GMMA::ScaleIn sa = GMMA::ScaleIn::One, GMMA::ScaleIn sb = GMMA::ScaleIn::One> \
    COSMATI_GMMA_NAME_(64x##n##x##k##_##name##_RS_TN, detail::wgmma_async<n, d, a, b, \
      detail::wgmma_source::registers, GMMA::Major::K, GMMA::Major::K, sa, sb>)
#define COSMATI_GMMA_8_(n, a, b, name_a, name_b) \
  COSMATI_GMMA_TN_(n, 32, F32##name_a##name_b, float, a, b) COSMATI_GMMA_TN_(n, 32, F16##name_a##name_b, half_t, a, b)
#define COSMATI_GMMA_FLOATS_(n) \
  COSMATI_GMMA_16_(n, F16F16F16, half_t, half_t) \
  COSMATI_GMMA_16_(n, F32F16F16, float, half_t) \
  COSMATI_GMMA_16_(n, F32BF16BF16, float, bfloat16_t) \
  COSMATI_GMMA_TN_(n, 8, F32TF32TF32, float, tfloat32_t, tfloat32_t) \
  COSMATI_GMMA_8_(n, float_e4m3_t, float_e4m3_t, E4M3, E4M3) \
  COSMATI_GMMA_8_(n, float_e4m3_t, float_e5m2_t, E4M3, E5M2) \
  COSMATI_GMMA_8_(n, float_e5m2_t, float_e4m3_t, E5M2, E4M3) \
  COSMATI_GMMA_8_(n, float_e5m2_t, float_e5m2_t, E5M2, E5M2)

#define COSMATI_GMMA_OF_(n, from, source, name_a, name_b, a, b) \
    COSMATI_GMMA_NAME_(64x##n##x32_S32##name_a##name_b##_##from##_TN, detail::wgmma_async<n, std::int32_t, \
      a, b, source>) \
    COSMATI_GMMA_NAME_(64x##n##x32_S32##name_a##name_b##_##from##_TN_SATURATE, detail::wgmma_async<n, \
      std::int32_t, a, b, source, GMMA::Major::K, GMMA::Major::K, GMMA::ScaleIn::One, GMMA::ScaleIn::One, \
      mma_variant::saturate>)
#define COSMATI_GMMA_BYTES_(n, name_a, name_b, a, b) \
  COSMATI_GMMA_OF_(n, SS, detail::wgmma_source::shared, name_a, name_b, a, b) \
  COSMATI_GMMA_OF_(n, RS, detail::wgmma_source::registers, name_a, name_b, a, b)
#define COSMATI_GMMA_INTEGERS_(n) \
  COSMATI_GMMA_BYTES_(n, S8, S8, std::int8_t, std::int8_t) \
  COSMATI_GMMA_BYTES_(n, S8, U8, std::int8_t, std::uint8_t) \
  COSMATI_GMMA_BYTES_(n, U8, S8, std::uint8_t, std::int8_t) COSMATI_GMMA_BYTES_(n, U8, U8, std::uint8_t, std::uint8_t)
// clang-format on
