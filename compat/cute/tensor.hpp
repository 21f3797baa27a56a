// SPDX-License-Identifier: Apache-2.0
/// @file
/// All that kernels below TMA use. Pictures have headers of their own: <cute/util/print_latex.hpp>,
/// <cute/util/print_svg.hpp>.
///
/// The standard headers are those that programs for CuTe take from it.
#pragma once
#include <cute/config.hpp>

// First and in this order, so that the errors which these headers explain do not begin with ten lines of "included
// from".
// clang-format off
#include <cosmati/core/tuple.hpp>
#include <cosmati/core/offset.hpp>
#include <cosmati/layout/make_layout.hpp>
#include <cosmati/atom/cp_async.hpp>
#include <cosmati/tiled/tiled_copy_check.hpp>
#include <cosmati/algorithm/copy/check/mistakes.hpp>
#include <cosmati/algorithm/copy/check/copy_check.hpp>
// clang-format on

#include <cute/algorithm/axpby.hpp>
#include <cute/algorithm/clear.hpp>
#include <cute/algorithm/cooperative_copy.hpp>
#include <cute/algorithm/cooperative_gemm.hpp>
#include <cute/algorithm/copy.hpp>
#include <cute/algorithm/fill.hpp>
#include <cute/algorithm/functional.hpp>
#include <cute/algorithm/gemm.hpp>
#include <cute/algorithm/prefer.hpp>
#include <cute/algorithm/prefetch.hpp>
#include <cute/algorithm/tensor_algorithms.hpp>
#include <cute/algorithm/tensor_reduce.hpp>
#include <cute/algorithm/tuple_algorithms.hpp>
#include <cute/arch/cluster_sm90.hpp>
#include <cute/arch/util.hpp>
#include <cute/atom/copy_atom.hpp>
#include <cute/atom/copy_traits.hpp>
#include <cute/atom/copy_traits_sm50.hpp>
#include <cute/atom/copy_traits_sm75.hpp>
#include <cute/atom/copy_traits_sm80.hpp>
#include <cute/atom/copy_traits_sm90.hpp>
#include <cute/atom/copy_traits_sm90_tma.hpp>
#include <cute/atom/mma_atom.hpp>
#include <cute/atom/mma_traits.hpp>
#include <cute/atom/mma_traits_sm61.hpp>
#include <cute/atom/mma_traits_sm70.hpp>
#include <cute/atom/mma_traits_sm75.hpp>
#include <cute/atom/mma_traits_sm80.hpp>
#include <cute/atom/mma_traits_sm89.hpp>
#include <cute/atom/mma_traits_sm90.hpp>
#include <cute/atom/mma_traits_sm90_gmma.hpp>
#include <cute/atom/mma_traits_sm90_gmma_sparse.hpp>
#include <cute/atom/partitioner.hpp>
#include <cute/container/array_aligned.hpp>
#include <cute/container/bit_field.hpp>
#include <cute/container/cuda_types.hpp>
#include <cute/container/type_list.hpp>
#include <cute/numeric/complex.hpp>
#include <cute/numeric/integer_sequence.hpp>
#include <cute/numeric/integral_ratio.hpp>
#include <cute/numeric/math.hpp>
#include <cute/numeric/numeric_types.hpp>
#include <cute/pointer_flagged.hpp>
#include <cute/pointer_sparse.hpp>
#include <cute/stride.hpp>
#include <cute/swizzle_layout.hpp>
#include <cute/tensor_impl.hpp>
#include <cute/tensor_zip.hpp>
#include <cute/util/debug.hpp>
#include <cute/util/print.hpp>
#include <cute/util/print_tensor.hpp>
#include <cute/util/type_traits.hpp>

// Last: from here on the words are the program's.
#include <cosmati/runtime/seen_builtins.hpp>
