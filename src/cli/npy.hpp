// SPDX-License-Identifier: Apache-2.0
/// @file
/// Arrays in numpy's .npy files: versions 1.0 to 3.0, truth values, integers, floating point and complex numbers, both
/// byte orders.
#pragma once

#include <cosmati/number/type_names.hpp>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace cosmati::cli {

/// What went wrong with a file: its name, the byte where that was seen, and why.
class npy_error : public std::runtime_error {
 public:
  npy_error(bool malformed, std::string const& text) : std::runtime_error(text), malformed_(malformed) {}
  /// True: the file's content is not what it should be. False: the system refused to read or write.
  bool malformed() const noexcept { return malformed_; }

 private:
  bool malformed_;
};

/// What the head of a file says.
struct npy_head {
  std::string descr;  ///< numpy's name of the type with its byte order: `<f4`, `|u1`, `>i2`
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
  std::vector<std::byte> data;  ///< as in the file: order and bytes of the elements are kept
};

/// Reads a whole file. @throws npy_error
npy_array read_npy(std::string const& path);

/// Writes a whole file, or leaves what was there. @throws std::runtime_error
void write_npy(std::string const& path, npy_head const& head, std::vector<std::byte> const& data);

}  // namespace cosmati::cli
