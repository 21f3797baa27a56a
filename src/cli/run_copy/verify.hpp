// SPDX-License-Identifier: Apache-2.0
/// @file
/// The comparison of `cosmati run-copy`, and its texts about both arrays.
#pragma once

#include "../npy.hpp"

#include <nlohmann/json_fwd.hpp>

namespace cosmati::cli {

/// The copy element by element, from the two shapes alone. The device's result is compared with it.
/// @param order mode k of the output is mode order[k] of the input
/// @returns the elements in the order of the output file
std::vector<std::byte> copy_by_hand(npy_array const& input, npy_head const& output,
                                    std::vector<std::size_t> const& order);

/// The elements with every bit inverted, so that an element that is never written is certainly noticed.
std::vector<std::byte> inverted(std::vector<std::byte> const& wanted);

/// @throws command_error with the number of elements that differ, and the first of them
void expect_same(std::vector<std::byte> const& output, std::vector<std::byte> const& wanted, npy_head const& head);

/// The first part of `--json`: the device, and the file, type, shape and order of both arrays.
nlohmann::ordered_json json_of_arrays(std::string const& device, std::string const& in, npy_head const& input,
                                      std::string const& out, npy_head const& output);

}  // namespace cosmati::cli
