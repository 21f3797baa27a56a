// SPDX-License-Identifier: Apache-2.0
/// @file
/// Validators for numbers of options. A number outside its range is refused; the message and `--help` name the range.
#pragma once

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <type_traits>

namespace cosmati::cli {

/// Parses the whole text as a number of that type. @returns false if it is none, or does not fit
template <class Number>
bool reads_as(std::string const& text, Number& number) {
  char const* const end = text.data() + text.size();
  if constexpr (std::is_integral_v<Number>) {
    auto const read = std::from_chars(text.data(), end, number);
    return read.ec == std::errc() && read.ptr == end;
  } else {  // the browser's standard library has no `from_chars` for floating-point numbers
    char* read_to = nullptr;
    number = std::strtod(text.c_str(), &read_to);
    return !text.empty() && !std::isspace(static_cast<unsigned char>(text[0])) && read_to == end;
  }
}

/// An integer from `least` to `most`.
template <class Integer = std::int64_t>
CLI::Validator integer_in(Integer least, Integer most) {
  return {[=](std::string& text) {
            Integer x = 0;
            return reads_as(text, x) && x >= least && x <= most
                       ? std::string()
                       : fmt::format("'{}' is no integer from {} to {}", text, least, most);
          },
          fmt::format("{} to {}", least, most)};
}

/// A number from `least` to `most`.
inline CLI::Validator number_in(double least, double most) {
  return {[=](std::string& text) {
            double x = 0;
            return reads_as(text, x) && x >= least && x <= most
                       ? std::string()
                       : fmt::format("'{}' is no number from {:g} to {:g}", text, least, most);
          },
          fmt::format("{:g} to {:g}", least, most)};
}

/// A time limit: 0 for none, up to about 30 years.
inline CLI::Validator seconds_or_0() { return number_in(0, 1e9); }

}  // namespace cosmati::cli
