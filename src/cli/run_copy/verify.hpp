// SPDX-License-Identifier: Apache-2.0
/// @file
/// What `cosmati run-copy` compares, and what it says of both arrays.
#pragma once

#include "../npy.hpp"

#include <nlohmann/json_fwd.hpp>

namespace cosmati::cli {

/// The copy element by element, from the two shapes alone: what the device's work is compared with.
/// @param order mode k of the output is mode order[k] of the input
/// @returns the elements in the order of the output file
std::vector<std::byte> copy_by_hand(npy_array const& input, npy_head const& output,
                                    std::vector<std::size_t> const& order);

/// With every bit wrong: an element that nobody writes is seen for certain.
std::vector<std::byte> inverted(std::vector<std::byte> const& wanted);

/// @throws command_error that counts the elements that differ, and names the first
void expect_same(std::vector<std::byte> const& output, std::vector<std::byte> const& wanted, npy_head const& head);

/// What `--json` says first: the device, and file, type, shape and order of both arrays.
nlohmann::ordered_json json_of_arrays(std::string const& device, std::string const& in, npy_head const& input,
                                      std::string const& out, npy_head const& output);

}  // namespace cosmati::cli
