// SPDX-License-Identifier: Apache-2.0
/// @file
/// Arrays in numpy's .npy files: versions 1.0 to 3.0; booleans, integers, floating-point and complex numbers; both byte
/// orders.
#pragma once

#include <cosmati/number/type_names.hpp>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace cosmati::cli {

/// An error of a file: its name, the byte at which the error was seen, and the reason.
class npy_error : public std::runtime_error {
 public:
  npy_error(bool malformed, std::string const& text) : std::runtime_error(text), malformed_(malformed) {}
  /// True if the content of the file is wrong; false if the system refused to read or write.
  bool malformed() const noexcept { return malformed_; }

 private:
  bool malformed_;
};

/// The content of a file's head.
struct npy_head {
  std::string descr;  ///< numpy's name of the type, with its byte order: `<f4`, `|u1`, `>i2`
  number_type type = number_type::uint8;
  int value_bytes = 1;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;

  std::int64_t count() const {
    std::int64_t n = 1;
    for (std::int64_t const extent : shape) n *= extent;
    return n;
  }
  std::size_t bytes() const { return static_cast<std::size_t>(count()) * static_cast<std::size_t>(value_bytes); }
};

struct npy_array : npy_head {
  std::vector<std::byte> data;  ///< the data as in the file, with the order and bytes of the elements
};

/// Reads a whole file. @throws npy_error
npy_array read_npy(std::string const& path);

/// Writes a whole file, or leaves the old one unchanged. @throws std::runtime_error
void write_npy(std::string const& path, npy_head const& head, std::vector<std::byte> const& data);

}  // namespace cosmati::cli
