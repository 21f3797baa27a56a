// SPDX-License-Identifier: Apache-2.0
#include "source_file.hpp"

#include "../command_end.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <vector>

namespace cosmati::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t most_bytes = std::uintmax_t{32} << 20;

[[noreturn]] void refuse(std::string const& path, std::string const& is) {
  throw command_error(bad_input,
                      fmt::format("sim: {} {}; give a C++ source that includes cosmati/cosmati.hpp", path, is));
}

/// A file format, with its first bytes.
struct beginning {
  std::string_view bytes;
  char const* is;
};
constexpr beginning beginnings[] = {
    {"\x93NUMPY", "is an array of numpy's (.npy)"},
    {"\x7f"
     "ELF",
     "is a program, an object or a library (ELF)"},
    {"!<arch>\n", "is a library (ar)"},
    {"\x89PNG", "is a picture (PNG)"},
    {"%PDF-", "is a document (PDF)"},
    {"PK\x03\x04", "is an archive (zip, .npz)"},
    {"\x1f\x8b", "is compressed (gzip)"},
    {"\xff\xfe", "is text in UTF-16, which compilers do not read"},
    {"\xfe\xff", "is text in UTF-16, which compilers do not read"},
};

/// Whether the byte occurs in no text, in any encoding that compilers read. Such bytes are control characters other
/// than blanks and escape.
bool is_no_text(char c) {
  auto const byte = static_cast<unsigned char>(c);
  return (byte < 32 && std::strchr("\t\n\v\f\r\x1b", c) == nullptr) || byte == 0 || byte == 127;
}

void check_content(std::string const& path, std::string_view text) {
  for (beginning const& b : beginnings) {
    if (text.starts_with(b.bytes)) refuse(path, b.is);
  }
  auto const strange = std::find_if(text.begin(), text.end(), is_no_text);
  if (strange != text.end()) {
    refuse(path, fmt::format("is no text: byte {} is 0x{:02x}", strange - text.begin(),
                             static_cast<unsigned>(static_cast<unsigned char>(*strange))));
  }
  if (text.find_first_not_of(" \t\n\v\f\r") == std::string_view::npos) refuse(path, "holds nothing but blanks");
}

}  // namespace

void check_source(std::string const& path) {
  std::error_code error;
  fs::file_status const status = fs::status(path, error);
  if (!fs::exists(status)) throw command_error(bad_input, fmt::format("sim: there is no file {}", path));
  if (fs::is_directory(status))
    throw command_error(bad_input, fmt::format("sim: {} is a folder; give one source file", path));
  if (!fs::is_regular_file(status)) refuse(path, "is no ordinary file, and it is read more than once");
  std::uintmax_t const bytes = fs::file_size(path, error);
  if (bytes == 0) refuse(path, "is empty");
  if (bytes > most_bytes) refuse(path, fmt::format("has {} bytes, more than the {} of any source", bytes, most_bytes));
  std::ifstream file(path, std::ios::binary);
  std::string text(static_cast<std::size_t>(bytes), '\0');
  if (!file.read(text.data(), static_cast<std::streamsize>(bytes)))
    throw command_error(bad_input, fmt::format("sim: {} cannot be read: {}", path, std::strerror(errno)));
  check_content(path, text);
}

}  // namespace cosmati::cli
