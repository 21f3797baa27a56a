// SPDX-License-Identifier: Apache-2.0
/// @file
/// The pipelines.
/// If CUTLASS's own header is later on the include path, this header forwards to it.
#pragma once
#include <cute/config.hpp>

#if __has_include_next(<cutlass/pipeline/pipeline.hpp>)
#include_next <cutlass/pipeline/pipeline.hpp>
#else

#include <cutlass/pipeline/sm90_pipeline.hpp>

#endif
