// SPDX-License-Identifier: Apache-2.0
/// @file
/// Where the files are that `cosmati sim` compiles programs with.
#pragma once

#include <filesystem>

namespace cosmati::cli {

/// Whether there is a file or folder of this name. Where that cannot be known, the answer is no.
bool is_there(std::filesystem::path const& name);

/// The folders of the headers and the simulated device's library.
struct installation {
  std::filesystem::path include;
  std::filesystem::path library;
  std::filesystem::path cuda;  ///< headers with the names of CUDA's
};

/// The installation of this executable: the build folder that it was made in, or the prefix that it was installed to.
/// @throws command_error if there is none
installation find_installation();

}  // namespace cosmati::cli
