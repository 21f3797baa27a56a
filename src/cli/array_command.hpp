// SPDX-License-Identifier: Apache-2.0
/// @file
/// The common parts of commands that bring arrays to a device: the choice of the device, texts about arrays, and the
/// handling of errors.
#pragma once

#include "command_end.hpp"
#include "npy.hpp"

#include <new>

namespace cosmati::cli {

/// Whether `--device` (auto, sim or gpu) means a GPU. @throws command_error if a GPU is requested and there is none
bool runs_on_gpu(std::string const& device);

/// Gives "(3,4)" or "(3,)".
std::string shape_text(std::vector<std::int64_t> const& shape);
/// Gives "C" or "F".
char const* order_of(npy_head const& head);

/// The result of the work. Errors of files and devices become a command_error.
template <class Work>
auto reported(Work&& work) {
  try {
    return work();
  } catch (npy_error const& e) {
    throw command_error(e.malformed() ? bad_input : failure, e.what());
  } catch (command_error const&) {
    throw;
  } catch (std::bad_alloc const&) {
    throw command_error(failure, "the arrays have no room in memory");
  } catch (std::exception const& e) {
    throw command_error(failure, e.what());
  }
}

}  // namespace cosmati::cli
