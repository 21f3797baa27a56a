// SPDX-License-Identifier: Apache-2.0
/// @file
/// The whole library: everything that a kernel and its launch need. The text forms (layout/text.hpp, layout/parse.hpp)
/// and interoperation (interop/) are opt-in.
#pragma once
#include <cosmati/core/macros_begin.hpp>

// These come first and in this order, so that the errors which they explain do not begin with ten lines of "included
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

// IWYU pragma: begin_exports
#include <cosmati/algorithm/axpby.hpp>
#include <cosmati/algorithm/clear.hpp>
#include <cosmati/algorithm/cooperative_copy.hpp>
#include <cosmati/algorithm/copy.hpp>
#include <cosmati/algorithm/copy_if.hpp>
#include <cosmati/algorithm/fill.hpp>
#include <cosmati/algorithm/for_each.hpp>
#include <cosmati/algorithm/prefetch.hpp>
#include <cosmati/algorithm/reduce.hpp>
#include <cosmati/algorithm/transform.hpp>
#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/arch/cp_async.hpp>
#include <cosmati/arch/ldmatrix.hpp>
#include <cosmati/arch/mbarrier.hpp>
#include <cosmati/arch/movmatrix.hpp>
#include <cosmati/arch/named_barrier.hpp>
#include <cosmati/arch/prefetch.hpp>
#include <cosmati/arch/stmatrix.hpp>
#include <cosmati/core/coordinate_iterator.hpp>
#include <cosmati/core/round_down.hpp>
#include <cosmati/core/tuple/elements.hpp>
#include <cosmati/core/tuple/flatten.hpp>
#include <cosmati/core/tuple/fold.hpp>
#include <cosmati/core/tuple/transform.hpp>
#include <cosmati/layout/composed_common.hpp>
#include <cosmati/layout/composed_inverse.hpp>
#include <cosmati/layout/composed_layout.hpp>
#include <cosmati/number/number_types.hpp>
#include <cosmati/pipeline/cp_async_stages.hpp>
#include <cosmati/pipeline/mbarrier_ring.hpp>
#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/cuda_words.hpp>
#include <cosmati/runtime/debug.hpp>
#include <cosmati/runtime/device.hpp>
#include <cosmati/runtime/dynamic_shared.hpp>
#include <cosmati/runtime/launch.hpp>
#include <cosmati/runtime/stream.hpp>
#include <cosmati/tensor/local_tile.hpp>
#include <cosmati/tensor/swizzle_tensor.hpp>
#include <cosmati/tensor/zip_tensor.hpp>
#include <cosmati/tiled/print.hpp>
#include <cosmati/tiled/tiled_copy.hpp>

// This comes last: from here on the builtins are the program's.
#include <cosmati/runtime/seen_builtins.hpp>
// IWYU pragma: end_exports

#include <cosmati/core/macros_end.hpp>
