// SPDX-License-Identifier: Apache-2.0
/// @file
/// The macros that declare sparse warpgroup matrix instructions of one N by CuTe's names. Only the headers with the
/// names include this file. It has no include guard; `macros_gmma_sparse_end.hpp` removes its macros.
// clang-format off
/// An instruction's name: of a class, which messages show. Programs for CuTe get other names of what the selectors give.
#if defined(COSMATI_CUTE_PROGRAM)
#define COSMATI_GMMA_NAME_(name, ...) using name = __VA_ARGS__;
#else
#define COSMATI_GMMA_NAME_(name, ...) \
  struct name : __VA_ARGS__ {};
#endif
#define COSMATI_GMMA_SPARSE_16_OF_(n, from, source, name, d, ab) \
  template <GMMA::Major a, GMMA::Major b, GMMA::ScaleIn sa = GMMA::ScaleIn::One, \
            GMMA::ScaleIn sb = GMMA::ScaleIn::One, GMMA::SparseSel sel = GMMA::SparseSel::Zero> \
    COSMATI_GMMA_NAME_(GMMA_64x##n##x32_##name##_##from, COSMATI_NAMESPACE::detail::wgmma_sparse_async<n, d, ab, \
      ab, source, a, b, sa, sb, sel>)
#define COSMATI_GMMA_SPARSE_16_(n, name, d, ab) \
  COSMATI_GMMA_SPARSE_16_OF_(n, SS, COSMATI_NAMESPACE::detail::wgmma_source::shared, name, d, ab) \
  COSMATI_GMMA_SPARSE_16_OF_(n, RS, COSMATI_NAMESPACE::detail::wgmma_source::registers, name, d, ab)
#define COSMATI_GMMA_SPARSE_TN_OF_(n, k, from, source, name, d, a, b) \
  template <GMMA::ScaleIn sa = GMMA::ScaleIn::One, GMMA::ScaleIn sb = GMMA::ScaleIn::One, \
            GMMA::SparseSel sel = GMMA::SparseSel::Zero> \
    COSMATI_GMMA_NAME_(GMMA_64x##n##x##k##_##name##_##from##_TN, \
      COSMATI_NAMESPACE::detail::wgmma_sparse_async<n, d, a, b, source, GMMA::Major::K, GMMA::Major::K, sa, sb, \
      sel>)
#define COSMATI_GMMA_SPARSE_TN_(n, k, name, d, a, b) \
  COSMATI_GMMA_SPARSE_TN_OF_(n, k, SS, COSMATI_NAMESPACE::detail::wgmma_source::shared, name, d, a, b) \
  COSMATI_GMMA_SPARSE_TN_OF_(n, k, RS, COSMATI_NAMESPACE::detail::wgmma_source::registers, name, d, a, b)
#define COSMATI_GMMA_SPARSE_8_(n, a, b, name_a, name_b) \
  COSMATI_GMMA_SPARSE_TN_(n, 64, F32##name_a##name_b, float, a, b) \
  COSMATI_GMMA_SPARSE_TN_(n, 64, F16##name_a##name_b, half_t, a, b)
#define COSMATI_GMMA_SPARSE_FLOATS_(n) \
  COSMATI_GMMA_SPARSE_16_(n, F16F16F16, half_t, half_t) \
  COSMATI_GMMA_SPARSE_16_(n, F32F16F16, float, half_t) \
  COSMATI_GMMA_SPARSE_16_(n, F32BF16BF16, float, bfloat16_t) \
  COSMATI_GMMA_SPARSE_TN_(n, 16, F32TF32TF32, float, tfloat32_t, tfloat32_t) \
  COSMATI_GMMA_SPARSE_8_(n, float_e4m3_t, float_e4m3_t, E4M3, E4M3) \
  COSMATI_GMMA_SPARSE_8_(n, float_e4m3_t, float_e5m2_t, E4M3, E5M2) \
  COSMATI_GMMA_SPARSE_8_(n, float_e5m2_t, float_e4m3_t, E5M2, E4M3) \
  COSMATI_GMMA_SPARSE_8_(n, float_e5m2_t, float_e5m2_t, E5M2, E5M2)
#define COSMATI_GMMA_SPARSE_OF_(n, from, source, name_a, name_b, a, b) \
  template <GMMA::SparseSel sel = GMMA::SparseSel::Zero> \
    COSMATI_GMMA_NAME_(GMMA_64x##n##x64_S32##name_a##name_b##_##from##_TN, \
      COSMATI_NAMESPACE::detail::wgmma_sparse_async<n, std::int32_t, a, b, source, GMMA::Major::K, \
      GMMA::Major::K, GMMA::ScaleIn::One, GMMA::ScaleIn::One, sel>) \
  template <GMMA::SparseSel sel = GMMA::SparseSel::Zero> \
    COSMATI_GMMA_NAME_(GMMA_64x##n##x64_S32##name_a##name_b##_##from##_TN_SATURATE, \
      COSMATI_NAMESPACE::detail::wgmma_sparse_async<n, std::int32_t, a, b, source, GMMA::Major::K, \
      GMMA::Major::K, GMMA::ScaleIn::One, GMMA::ScaleIn::One, sel, COSMATI_NAMESPACE::mma_variant::saturate>)
#define COSMATI_GMMA_SPARSE_BYTES_(n, name_a, name_b, a, b) \
  COSMATI_GMMA_SPARSE_OF_(n, SS, COSMATI_NAMESPACE::detail::wgmma_source::shared, name_a, name_b, a, b) \
  COSMATI_GMMA_SPARSE_OF_(n, RS, COSMATI_NAMESPACE::detail::wgmma_source::registers, name_a, name_b, a, b)
#define COSMATI_GMMA_SPARSE_INTEGERS_(n) \
  COSMATI_GMMA_SPARSE_BYTES_(n, S8, S8, std::int8_t, std::int8_t) \
  COSMATI_GMMA_SPARSE_BYTES_(n, S8, U8, std::int8_t, std::uint8_t) \
  COSMATI_GMMA_SPARSE_BYTES_(n, U8, S8, std::uint8_t, std::int8_t) \
  COSMATI_GMMA_SPARSE_BYTES_(n, U8, U8, std::uint8_t, std::uint8_t)
// clang-format on
