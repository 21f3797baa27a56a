// SPDX-License-Identifier: Apache-2.0
// The host's report of a launch with an impossible configuration. The launch does not begin.
#include <execinfo.h>

#include "formatted.hpp"
#include "hazards.hpp"
#include "page.hpp"
#include "report.hpp"
#include "sites.hpp"
#include "symbols.hpp"

using namespace cosmati_sim;

extern "C" void cosmati_sim_refuses_launch(void const* kernel, char const* sentence) {
  if (!report_is_wanted() && !page_is_wanted()) return;  // the caller throws
  void* calls[64];
  int const depth = backtrace(calls, 64);
  site_info info;
  for (int i = 1; i < depth; ++i) {
    if (is_code_of_program(calls[i])) info.calls.push_back(calls[i]);
  }
  program_line const line = line_of_site(info);
  job j;
  j.kernel = kernel_name(kernel);
  j.kernel_text = kernel_text(kernel);
  hazard h;
  h.kind = hazard_kind::invalid_launch;
  h.of_block = true;
  h.where = {line.file.c_str(), line.line};
  h.message = sentence;
  j.hazards.push_back(std::move(h));
  std::vector<found_hazard> found;
  finish_hazards(j, {}, &found, true);
  for (found_hazard const& f : found) {
    if (page_is_wanted()) page_refused(f);
    if (report_is_wanted()) report_refused(j.kernel, f);
  }
}
