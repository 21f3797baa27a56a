// SPDX-License-Identifier: Apache-2.0
/// @file
/// Where `cosmati run-copy` runs, what it compares, and how it speaks of arrays.
#pragma once

#include "../npy.hpp"

#include <nlohmann/json_fwd.hpp>

namespace cosmati::cli {

/// What `--device` means here. @throws command_error where a GPU is asked for and there is none
bool runs_on_gpu(std::string const& device);

/// The copy element by element, from the two shapes alone: what the device's work is compared with.
/// @param order mode k of the output is mode order[k] of the input
/// @returns the elements in the order of the output file
std::vector<std::byte> copy_by_hand(npy_array const& input, npy_head const& output,
                                    std::vector<std::size_t> const& order);

/// With every bit wrong: an element that nobody writes is seen for certain.
std::vector<std::byte> inverted(std::vector<std::byte> const& wanted);

/// @throws command_error that counts the elements that differ, and names the first
void expect_same(std::vector<std::byte> const& output, std::vector<std::byte> const& wanted, npy_head const& head);

std::string shape_text(std::vector<std::int64_t> const& shape);
char const* order_of(npy_head const& head);

/// What `--json` says first: the device, and file, type, shape and order of both arrays.
nlohmann::ordered_json json_of_arrays(std::string const& device, std::string const& in, npy_head const& input,
                                      std::string const& out, npy_head const& output);

}  // namespace cosmati::cli
