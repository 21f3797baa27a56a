// SPDX-License-Identifier: Apache-2.0
/// @file
/// `cutlass::CommandLine`: options `--name=value` of a program.
/// If CUTLASS's own header is later on the include path, this header forwards to it.
#pragma once
#include <cute/config.hpp>

#if __has_include_next(<cutlass/util/command_line.h>)
#include_next <cutlass/util/command_line.h>
#else

#include <cosmati/core/macros_begin.hpp>

#include <cutlass/cutlass.h>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace cutlass {

/// `--name` and `--name=value`; anything else is a bare argument.
struct CommandLine {
  std::vector<std::string> keys, values, args;

  CommandLine(int count, char const** arguments) {
    for (int i = 1; i < count; ++i) {
      std::string const text = arguments[i];
      if (text.rfind("--", 0) != 0) {
        args.push_back(text);
        continue;
      }
      std::size_t const equals = text.find('=');
      keys.push_back(text.substr(2, equals == std::string::npos ? equals : equals - 2));
      values.push_back(equals == std::string::npos ? std::string() : text.substr(equals + 1));
    }
  }

  bool check_cmd_line_flag(char const* name) const { return place(name) < keys.size(); }
  int num_naked_args() const { return static_cast<int>(args.size()); }

  /// Leaves `value` as it is where the option is not given or is no such value.
  template <class T>
  void get_cmd_line_argument(char const* name, T& value) const {
    std::size_t const i = place(name);
    if (i < keys.size()) read(values[i], value);
  }
  /// The same, with a value for an option that is not given.
  template <class T>
  void get_cmd_line_argument(char const* name, T& value, T const& otherwise) const {
    value = otherwise;
    get_cmd_line_argument(name, value);
  }
  /// `--name=1,2,3`.
  template <class T>
  void get_cmd_line_arguments(char const* name, std::vector<T>& all, char separator = ',') const {
    std::size_t const i = place(name);
    if (i == keys.size()) return;
    all.clear();
    std::istringstream text(values[i]);
    for (std::string part; std::getline(text, part, separator);) {
      T value{};
      read(part, value);
      all.push_back(value);
    }
  }

 private:
  std::size_t place(char const* name) const {
    std::size_t i = 0;
    while (i < keys.size() && keys[i] != name) ++i;
    return i;
  }
  template <class T>
  static void read(std::string const& text, T& value) {
    if constexpr (std::is_same_v<T, std::string>) {
      value = text;
    } else if constexpr (std::is_same_v<T, bool>) {
      value = text != "false" && text != "0";
    } else {
      std::istringstream(text) >> value;
    }
  }
};

}  // namespace cutlass

#include <cosmati/core/macros_end.hpp>

#endif
