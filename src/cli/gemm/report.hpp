// SPDX-License-Identifier: Apache-2.0
/// @file
/// What `cosmati gemm` computes, and what it says of it.
#pragma once

#include "../array_command.hpp"
#include "check.hpp"
#include "job.hpp"

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace cosmati::cli {

/// The command line.
struct gemm_options {
  std::string a, b, c, bias;
  std::string by = "auto", round = "tfloat32", device = "auto", check = "auto";
  double alpha = 1, beta = 0;
  bool relu = false;
  bool json = false;
  bool progress = false;
};

/// What a type of the files makes of a product.
struct gemm_type {
  char const* descr;
  cosmati_gemm::element type;
  char const* result;  ///< C's type
  int result_bytes;
  cosmati_gemm::kernel by;  ///< unless --kernel chooses another
  char const* sums;
};

/// The product to compute, with the memory that `what` points to.
struct gemm_job {
  cosmati_gemm::product what;
  gemm_type const* row = nullptr;
  npy_head result;
  struct operand {
    std::string is;          ///< the file, type, shape and order
    char const* order;       ///< the order in the file: C or F
    char const* contiguous;  ///< the contiguous mode as the kernel needs it: K, M or N
    bool turned;             ///< whether it differs from the order in the file
  };
  operand operands[2];  ///< the operands A and B
  npy_array a, b, before;
  std::vector<std::byte> bias, c;
  std::int64_t compared = 0;
};

/// The answer as JSON. @param found the comparison with sums in higher precision
nlohmann::ordered_json json_of(gemm_options const& o, gemm_job const& j, cosmati_gemm::outcome const& done,
                               cosmati_gemm::comparison const& found);
/// The same as lines for a reader.
std::string text_of(gemm_options const& o, gemm_job const& j, cosmati_gemm::outcome const& done,
                    cosmati_gemm::comparison const& found);

}  // namespace cosmati::cli
