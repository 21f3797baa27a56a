// SPDX-License-Identifier: Apache-2.0
/// @file
/// Ends the protection that cosmati/core/macros_begin.hpp begins.

#pragma pop_macro("COSMATI_IN_ITS_HEADERS")
#if !defined(COSMATI_IN_ITS_HEADERS)
#include <cosmati/core/macros_back.hpp>
#if defined(COSMATI_CUDA_FILE)
#pragma pop_macro("__CUDA_ARCH__")
#pragma pop_macro("__CUDACC__")
#endif
#endif
