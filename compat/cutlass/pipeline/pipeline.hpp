// SPDX-License-Identifier: Apache-2.0
/// @file
/// The pipelines.
/// Where CUTLASS's own header is further back on the include path, this one stands aside.
#pragma once
#include <cute/config.hpp>

#if __has_include_next(<cutlass/pipeline/pipeline.hpp>)
#include_next <cutlass/pipeline/pipeline.hpp>
#else

#include <cutlass/pipeline/sm90_pipeline.hpp>

#endif
