// SPDX-License-Identifier: Apache-2.0
/// @file
/// Removes the macros of `macros_gmma_sparse_begin.hpp`.
#undef COSMATI_GMMA_SPARSE_16_OF_
#undef COSMATI_GMMA_SPARSE_16_
#undef COSMATI_GMMA_SPARSE_TN_OF_
#undef COSMATI_GMMA_SPARSE_TN_
#undef COSMATI_GMMA_SPARSE_8_
#undef COSMATI_GMMA_SPARSE_FLOATS_
#undef COSMATI_GMMA_SPARSE_OF_
#undef COSMATI_GMMA_SPARSE_BYTES_
#undef COSMATI_GMMA_SPARSE_INTEGERS_
#undef COSMATI_GMMA_NAME_
