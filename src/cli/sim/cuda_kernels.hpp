// SPDX-License-Identifier: Apache-2.0
/// @file
/// The kernels that a CUDA text declares.
#pragma once

#include "cuda_tokens.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cosmati::cli {

/// The declarations of the kernels of one name.
struct cuda_kernel {
  /// A definition.
  struct body {
    std::size_t open;     ///< the index of the `{`
    std::size_t cluster;  ///< the index of its `__cluster_dims__`; 0 if there is none
  };
  bool one_function = true;          ///< false for templates, overloads, and kernels with default arguments
  std::vector<body> bodies = {};     ///< the definitions
  std::size_t cluster = 0;           ///< the index of the last `__cluster_dims__`; 0 if there is none
  bool clusters_have_names = false;  ///< whether `__cluster_dims__` has names, which launches may not see
  std::string parameters = {};       ///< the types of the first declaration's parameters
};

/// The kernels of a preprocessed text, by their names without namespaces. Their declarations contain `__global__`.
std::map<std::string_view, cuda_kernel> cuda_kernels(std::vector<cuda_token> const& tokens);

/// The index of the bracket that closes the one at `open`: `(`, `[` or `{`. It is the number of tokens if there is
/// none.
std::size_t closing_bracket(std::vector<cuda_token> const& tokens, std::size_t open);
/// The index of the bracket that opens the one at `close`. It is the number of tokens if there is none.
std::size_t opening_bracket(std::vector<cuda_token> const& tokens, std::size_t close);

}  // namespace cosmati::cli
