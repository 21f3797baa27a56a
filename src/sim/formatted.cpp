// SPDX-License-Identifier: Apache-2.0
#include "formatted.hpp"

namespace cosmati_sim {

std::string formatted_by(fmt::string_view format, fmt::format_args arguments) {
  return fmt::vformat(format, arguments);
}

}  // namespace cosmati_sim
