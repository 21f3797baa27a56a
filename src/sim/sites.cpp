// SPDX-License-Identifier: Apache-2.0
#include "sites.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string_view>
#include <tuple>

#include "formatted.hpp"
#include "symbols.hpp"

namespace cosmati_sim {
namespace {

struct all_sites {
  std::mutex mutex;
  std::vector<site_info> infos{site_info()};  // 0 is no site
  std::map<std::tuple<void const*, char const*, int, std::vector<void const*>>, std::uint32_t> numbers;
  std::map<std::uint32_t, program_line> lines;
};
all_sites& sites() {
  static auto* const all = new all_sites;
  return *all;
}

constexpr std::size_t most_calls = std::size_t{1} << 18;

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// Whether a file is a header of the library, of its folder compat/, of the CUDA toolkit or of the system.
bool is_library(std::string_view file) {
  static constexpr std::string_view folders[] = {
      "include/cosmati/", "include/cosmati-compat/", "compat/cosmati/", "compat/cute/", "compat/cutlass/",
      "compat/cuda/",     "/usr/include/",           "/include/c++/",   "/usr/lib/",    "/cuda/include/",
      "-linux/include/",
  };
  return std::any_of(std::begin(folders), std::end(folders),
                     [&](std::string_view folder) { return file.find(folder) != file.npos; });
}

/// Names of a line table may lack their folder. Then only source files count, because headers may be the library's.
bool is_of_program(std::string_view file) {
  return !is_library(file) && (file.find('/') != file.npos || file.find(".c") != file.npos);
}

/// The lines of an instruction as addr2line gives them, with the innermost inlined function's first.
std::vector<program_line> lines_of(void const* pc) {
  static std::mutex mutex;
  static auto* const known = new std::map<void const*, std::vector<program_line>>;
  std::lock_guard const lock(mutex);
  if (auto const found = known->find(pc); found != known->end()) return found->second;
  std::vector<program_line> lines;
  Dl_info info;
  link_map* map = nullptr;
  auto const address = reinterpret_cast<std::uintptr_t>(pc) - 1;
  if (dladdr1(reinterpret_cast<void const*>(address), &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) != 0) {
    std::string path = map->l_name != nullptr && map->l_name[0] != 0 ? map->l_name : "";
    if (path.empty()) {
      char self[4096];
      ssize_t const n = readlink("/proc/self/exe", self, sizeof self - 1);
      if (n > 0) path.assign(self, static_cast<std::size_t>(n));
    }
    if (path.find('\'') == std::string::npos) {
      std::string const command = formatted("addr2line -i -e '{}' {:#x} 2>/dev/null", path, address - map->l_addr);
      if (std::FILE* const pipe = popen(command.c_str(), "r")) {
        char text[4096];
        while (std::fgets(text, sizeof text, pipe) != nullptr) {
          char* const colon = std::strrchr(text, ':');
          if (colon == nullptr || text[0] == '?') continue;
          int const line = std::atoi(colon + 1);
          if (line != 0) lines.push_back({std::string(text, colon), line});
        }
        pclose(pipe);
      }
    }
  }
  // The innermost line comes from our own reader, because binutils 2.40 confuses the first file of some units.
  site const s = line_of(pc);
  if (s.file != nullptr) {
    if (lines.empty() || last_part(lines[0].file) != last_part(s.file)) {
      bool const known = std::any_of(lines.begin(), lines.end(), [&](program_line const& l) {
        return l.line == s.line && last_part(l.file) == last_part(s.file);
      });
      if (!lines.empty() && lines[0].line == s.line) {
        lines[0] = {s.file, s.line};
      } else if (!known) {
        lines.insert(lines.begin(), {s.file, s.line});
      }
    }
  }
  known->emplace(pc, lines);
  return lines;
}

}  // namespace

call_node* call_tree::other_child(call_node* parent, void const* pc) {
  auto const hash = (reinterpret_cast<std::uintptr_t>(pc) >> 1) + parent->hash;
  cached& c = cache_[hash % cache_.size()];
  call_node* child = c.parent == parent && c.child->pc == pc ? c.child : nullptr;
  for (auto it = parent->children.begin(); it != parent->children.end() && child == nullptr; ++it) {
    if ((*it)->pc == pc) child = *it;
  }
  if (child == nullptr) {
    if (nodes_.size() >= most_calls) return &root;  // a recursion without end, whose calls are not recorded
    quiet const hush;                               // memory that is moved to make room is no access of the lane
    child = &nodes_.emplace_back(parent);
    child->pc = pc;
    child->hash = (parent->hash + static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(pc))) * 0x9E3779B1u;
    parent->children.push_back(child);
  }
  c = {parent, child};
  parent->ways[way_of(pc)] = {pc, child};
  return child;
}

std::uint32_t new_site(void const* pc, site where, char const* instruction, call_node const* node,
                       site_cache::entry& entry) {
  quiet const hush;
  std::vector<void const*> calls;
  for (call_node const* n = node; n->pc != nullptr && calls.size() < 64; n = n->parent) calls.push_back(n->pc);
  all_sites& all = sites();
  std::lock_guard const lock(all.mutex);
  auto const [found, fresh] =
      all.numbers.try_emplace({pc, where.file, where.line, calls}, static_cast<std::uint32_t>(all.infos.size()));
  if (fresh) all.infos.push_back({pc, where, instruction, std::move(calls)});
  entry = {pc, where.file, node, where.line, found->second};
  return found->second;
}

site_info site_of(std::uint32_t number) {
  all_sites& all = sites();
  std::lock_guard const lock(all.mutex);
  return number < all.infos.size() ? all.infos[number] : site_info();
}

program_line line_of_site(site_info const& info) {
  program_line first;
  if (info.where.file != nullptr) {
    first = {info.where.file, info.where.line};
    if (!is_library(first.file)) return first;
  }
  auto const in = [&](void const* pc) -> program_line {
    for (program_line const& l : lines_of(pc)) {
      if (first.line == 0) first = l;
      if (is_of_program(l.file)) return l;
    }
    return {};
  };
  if (info.pc != nullptr) {
    if (program_line l = in(info.pc); l.line != 0) return l;
  }
  // Without the frames of inlined functions, the last line of the program before the library's code is used.
  auto const near = [](void const* pc) -> program_line {
    site const s = line_before(pc, [](std::string const& file) { return is_of_program(file); });
    return s.line != 0 ? program_line{s.file, s.line} : program_line{};
  };
  if (info.pc != nullptr) {
    if (program_line l = near(info.pc); l.line != 0) return l;
  }
  for (void const* const pc : info.calls) {
    if (program_line l = in(pc); l.line != 0) return l;
    if (program_line l = near(pc); l.line != 0) return l;
  }
  return first;
}

program_line line_of_site(std::uint32_t number) {
  all_sites& all = sites();
  {
    std::lock_guard const lock(all.mutex);
    if (auto const found = all.lines.find(number); found != all.lines.end()) return found->second;
  }
  program_line const line = line_of_site(site_of(number));
  std::lock_guard const lock(all.mutex);
  return all.lines.emplace(number, line).first->second;
}

std::string line_text(program_line const& l) {
  return l.file.empty() ? "source line unknown" : to_text(site{l.file.c_str(), l.line});
}

}  // namespace cosmati_sim
