// SPDX-License-Identifier: Apache-2.0
#include "source_unit.hpp"

namespace cosmati::cli {

bool includes_cute(std::string const& text) {
  for (char const* const begin : {"<cute/", "\"cute/", "<cutlass/", "\"cutlass/"})
    if (text.find(begin) != std::string::npos) return true;
  return false;
}

bool includes_only_cuda(std::string const& text) {
  if (text.find("<cosmati/") != std::string::npos || text.find("\"cosmati/") != std::string::npos) return false;
  for (char const* const header :
       {"<cuda_runtime.h>", "<cuda_runtime_api.h>", "<cuda.h>", "\"cuda_runtime.h\"", "\"cuda.h\"", "helper_cuda.h",
        "cublas_v2.h", "cublasLt.h", "<curand.h>", "\"curand.h\""}) {
    if (text.find(header) != std::string::npos) return true;
  }
  return false;
}

}  // namespace cosmati::cli
