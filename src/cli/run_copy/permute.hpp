// SPDX-License-Identifier: Apache-2.0
/// @file
/// `cosmati run-copy --permute`, and the order of modes that `cosmati plan --permute` takes too.
#pragma once

#include "../npy.hpp"
#include "permute_job.hpp"

namespace cosmati::cli {

/// The numbers of "2,0,1", or of one argument for each.
/// @throws command_error if one is missing, is no integer, or does not fit in 64 bits
std::vector<std::int64_t> read_integers(std::string const& option, std::vector<std::string> const& arguments);

/// Mode k of the output is mode order[k] of the input, as in numpy's transpose.
/// @throws command_error unless each mode occurs once
std::vector<std::size_t> read_order(std::vector<std::int64_t> const& order, std::size_t rank);

/// The modes of a copy between arrays in C or Fortran order.
std::vector<cosmati_run_copy::permuted_mode> permuted_modes(npy_head const& input, npy_head const& output,
                                                            std::vector<std::size_t> const& order);

struct permute_options {
  std::string in, out, output_order, device;
  std::vector<std::int64_t> order;
  bool json = false;
};

/// Reads, copies, compares and writes. @returns the output of the command
/// @throws command_error, npy_error
std::string run_permuted(permute_options const& options);

}  // namespace cosmati::cli
