// SPDX-License-Identifier: Apache-2.0
/// @file
/// `cosmati run-copy --permute`, and an order of modes as `cosmati plan --permute` takes it too.
#pragma once

#include "../npy.hpp"
#include "permute_job.hpp"

namespace cosmati::cli {

/// The numbers of "2,0,1", or of an argument each.
/// @throws command_error where one is missing, is no integer, or is none of 64 bits
std::vector<std::int64_t> read_integers(std::string const& option, std::vector<std::string> const& arguments);

/// Mode k of the output is mode order[k] of the input, as numpy's transpose has it.
/// @throws command_error unless each of the modes is there once
std::vector<std::size_t> read_order(std::vector<std::int64_t> const& order, std::size_t rank);

/// Of an array in C or Fortran order to another of both.
std::vector<cosmati_run_copy::permuted_mode> permuted_modes(npy_head const& input, npy_head const& output,
                                                            std::vector<std::size_t> const& order);

struct permute_options {
  std::string in, out, output_order, device;
  std::vector<std::int64_t> order;
  bool json = false;
};

/// Reads, copies, compares and writes. @returns what the command prints @throws command_error, npy_error
std::string run_permuted(permute_options const& options);

}  // namespace cosmati::cli
