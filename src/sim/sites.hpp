// SPDX-License-Identifier: Apache-2.0
/// @file
/// Where in the program an access is made, as a small number: the instruction, and the calls that led there.
#pragma once

#include <string>

#include "state.hpp"

namespace cosmati_sim {

/// What stands behind a site's number.
struct site_info {
  void const* pc = nullptr;
  site where;                         // as the caller of a function named it; else from pc
  char const* instruction = nullptr;  // the library's name for it
  std::vector<void const*> calls;     // return addresses, innermost first
};

/// The frames of the calls in progress, as a tree that all lanes of a host thread share.
struct call_tree {
  struct node {
    void const* pc;
    std::uint32_t parent;
  };
  struct cached {
    void const* pc = nullptr;
    std::uint32_t parent = 0, child = 0;
  };
  std::vector<node> nodes{{nullptr, 0}};
  std::array<cached, 1024> cache;
  std::uint32_t child(std::uint32_t parent, void const* pc) {
    auto const hash = (reinterpret_cast<std::uintptr_t>(pc) >> 1) + parent * 0x9E3779B1u;
    cached& c = cache[hash % cache.size()];
    return c.pc == pc && c.parent == parent && c.child != 0 ? c.child : new_child(parent, pc, c);
  }

 private:
  std::uint32_t new_child(std::uint32_t parent, void const* pc, cached& c);
};

/// Numbers of sites that this host thread has seen lately.
struct site_cache {
  struct entry {
    void const* pc = nullptr;
    char const* file = nullptr;
    std::uint32_t node = 0;
    int line = 0;
    std::uint32_t number = 0;
  };
  std::array<entry, 2048> entries;
};

struct site_tables {
  call_tree calls;
  site_cache sites;
};

/// The number of a site; equal sites have equal numbers on all host threads.
std::uint32_t new_site(void const* pc, site where, char const* instruction, std::uint32_t node, worker& w,
                       site_cache::entry& entry);
inline __attribute__((always_inline)) std::uint32_t site_number(worker& w, void const* pc, site where = {},
                                                                char const* instruction = nullptr,
                                                                std::uint32_t const* of_frame = nullptr) {
  std::uint32_t const node = of_frame != nullptr ? *of_frame : w.lanes[w.current].frame;
  auto const hash =
      (reinterpret_cast<std::uintptr_t>(pc) >> 1) + node * 0x9E3779B1u + static_cast<unsigned>(where.line);
  site_cache::entry& e = w.tables->sites.entries[hash % 2048];
  if (e.pc == pc && e.node == node && e.line == where.line && e.file == where.file && e.number != 0) return e.number;
  return new_site(pc, where, instruction, node, w, e);
}
/// Where the running lane is, with its number. @param pc the return address of the function that it called
inline site site_here(worker& w, char const* file, int line, void const* pc, char const* instruction) {
  site where = {file, line};
  if (w.clocks != nullptr) where.number = site_number(w, pc, where, instruction);
  return where;
}
/// Where a lane waits.
inline site site_of_lane(worker& w, lane const& l) {
  site where = l.where;
  if (w.clocks != nullptr && l.pc != nullptr) where.number = site_number(w, l.pc, where, l.what, &l.frame);
  return where;
}
site_info site_of(std::uint32_t number);

/// The line of the program that a person would look at: outside of the library's headers where that is possible.
struct program_line {
  std::string file;  // as the compiler was given it; empty when unknown
  int line = 0;
};
program_line line_of_site(std::uint32_t number);
program_line line_of_site(site_info const& info);
/// "kernel.cpp:41", or "source line unknown".
std::string line_text(program_line const& l);

}  // namespace cosmati_sim
