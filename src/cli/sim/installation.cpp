// SPDX-License-Identifier: Apache-2.0
#include "installation.hpp"

#include "../command_end.hpp"

#include <fmt/format.h>
#include <system_error>
#include <vector>

// Given by the build.
#if !defined(COSMATI_SOURCE_INCLUDE) || !defined(COSMATI_LIBDIR)
#error "COSMATI_SOURCE_INCLUDE and COSMATI_LIBDIR are to be defined"
#endif

namespace cosmati::cli {

namespace {

namespace fs = std::filesystem;

}  // namespace

bool is_there(fs::path const& p) {
  std::error_code ignored;
  return fs::exists(p, ignored);
}

installation find_installation() {
  std::error_code error;
  fs::path const self = fs::read_symlink("/proc/self/exe", error);
  fs::path const above = self.parent_path().parent_path(), source = COSMATI_SOURCE_INCLUDE;
  fs::path const installed_cuda = above / "include" / "cosmati-compat" / "cuda";
  std::vector<installation> const candidates = {
      {above / "include", above / COSMATI_LIBDIR / "libcosmati_sim.a", installed_cuda},
      {above / "include", above / "lib" / "libcosmati_sim.a", installed_cuda},
      {above / "include", above / "lib64" / "libcosmati_sim.a", installed_cuda},
      {source, above / "src" / "sim" / "libcosmati_sim.a", source.parent_path() / "compat" / "cuda"},
  };
  for (installation const& c : candidates) {
    if (is_there(c.include / "cosmati" / "cosmati.hpp") && is_there(c.library)) return c;
  }
  throw command_error(failure,
                      fmt::format("sim: neither cosmati/cosmati.hpp and libcosmati_sim.a of an installation nor "
                                  "those of a build are beside {}: looked for {} and {}",
                                  self.string(), candidates[0].library.string(), candidates[3].library.string()));
}

}  // namespace cosmati::cli
