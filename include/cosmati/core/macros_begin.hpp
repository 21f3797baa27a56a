// SPDX-License-Identifier: Apache-2.0
/// @file
/// Protects the headers from the program's macros. Every header includes this one first, and macros_end.hpp last.
///
/// Only the header that the program itself includes acts, because the program may define a macro between two includes.
/// A macro of one letter is an error (cosmati/core/macro_letters.hpp). Other macros are put aside until that header
/// ends.

#pragma push_macro("COSMATI_IN_ITS_HEADERS")
#if !defined(COSMATI_IN_ITS_HEADERS)
#include <cosmati/core/macro_letters.hpp>
#include <cosmati/core/macros_aside.hpp>
#define COSMATI_IN_ITS_HEADERS
#if defined(COSMATI_CUDA_FILE)  // `cosmati sim` of a CUDA file: the program sees them
#pragma push_macro("__CUDACC__")
#undef __CUDACC__
#pragma push_macro("__CUDA_ARCH__")
#undef __CUDA_ARCH__
#endif
#endif
