// SPDX-License-Identifier: Apache-2.0
/// @file
/// Removes the macros of `macros_gmma_begin.hpp`.
#undef COSMATI_GMMA_16_
#undef COSMATI_GMMA_TN_
#undef COSMATI_GMMA_8_
#undef COSMATI_GMMA_FLOATS_
#undef COSMATI_GMMA_OF_
#undef COSMATI_GMMA_BYTES_
#undef COSMATI_GMMA_INTEGERS_
#undef COSMATI_GMMA_NAME_
