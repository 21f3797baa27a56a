// SPDX-License-Identifier: Apache-2.0
#include "array_command.hpp"

#include "run_copy/job.hpp"

#include <fmt/format.h>

namespace cosmati::cli {

bool runs_on_gpu([[maybe_unused]] std::string const& device) {
#if defined(COSMATI_CLI_CUDA)
  bool const there = cosmati_run_copy::gpu_is_available();
  if (device == "gpu" && !there)
    throw command_error(failure, "--device gpu: no GPU was found; --device sim runs without one");
  return device != "sim" && there;
#else
  if (device == "gpu") {
    throw command_error(failure,
                        "--device gpu: this command was built without nvcc; configure with -DCOSMATI_CUDA=ON, or take "
                        "--device sim");
  }
  return false;
#endif
}

std::string shape_text(std::vector<std::int64_t> const& shape) {
  return fmt::format("({}{})", fmt::join(shape, ","), shape.size() == 1 ? "," : "");
}

char const* order_of(npy_head const& head) { return head.fortran_order ? "F" : "C"; }

}  // namespace cosmati::cli
