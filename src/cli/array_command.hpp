// SPDX-License-Identifier: Apache-2.0
/// @file
/// What commands share that take arrays to a device: where they run, how they speak of arrays, and how they end.
#pragma once

#include "command_end.hpp"
#include "npy.hpp"

#include <new>

namespace cosmati::cli {

/// What `--device` (auto, sim or gpu) means here. @throws command_error where a GPU is asked for and there is none
bool runs_on_gpu(std::string const& device);

/// "(3,4)", "(3,)"
std::string shape_text(std::vector<std::int64_t> const& shape);
/// "C" or "F"
char const* order_of(npy_head const& head);

/// The work's result. What goes wrong with files and devices becomes a command_error.
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
