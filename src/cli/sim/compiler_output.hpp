// SPDX-License-Identifier: Apache-2.0
/// @file
/// The output of a compiler.
#pragma once

#include <string>

namespace cosmati::cli {

/// Cuts the output of a compiler. The result begins a few lines before the first error.
std::string cut_output(std::string const& text);

/// Whether all errors of a compiler are about `static const float one = 1;` in a class. g++ wants constexpr there. nvcc
/// does not where only kernels use the class, because g++ then sees no use of it.
bool refuses_only_initializers(std::string const& text);

}  // namespace cosmati::cli
