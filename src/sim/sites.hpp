// SPDX-License-Identifier: Apache-2.0
/// @file
/// The place of an access in the program as a small number: the instruction, and the calls that led to it.
#pragma once

#include <deque>
#include <string>

#include "state.hpp"

namespace cosmati_sim {

/// The data of a site's number.
struct site_info {
  void const* pc = nullptr;
  site where;                         // as the caller of a function named it, otherwise from pc
  char const* instruction = nullptr;  // the library's name for it
  std::vector<void const*> calls;     // return addresses, innermost first
};

/// A call in progress.
struct call_node {
  void const* pc = nullptr;  // the return address
  call_node* parent;
  std::uint32_t hash = 0;
  struct way {
    void const* pc = nullptr;
    call_node* child = nullptr;
  };
  way ways[4];                       // the recent calls made here, by bits of their addresses
  std::vector<call_node*> children;  // all calls made here
  explicit call_node(call_node* in) : parent(in) {}
};

/// The frames of the calls in progress, as a tree that all lanes of a host thread share.
struct call_tree {
  call_node root{&root};  // a return from it stays there
  call_node* child(call_node* parent, void const* pc) {
    call_node::way const& w = parent->ways[way_of(pc)];
    return w.pc == pc ? w.child : other_child(parent, pc);
  }

 private:
  static unsigned way_of(void const* pc) {
    auto const at = reinterpret_cast<std::uintptr_t>(pc);
    return static_cast<unsigned>(at ^ at >> 2 ^ at >> 4) & 3u;
  }
  call_node* other_child(call_node* parent, void const* pc);

  struct cached {
    call_node const* parent = nullptr;
    call_node* child = nullptr;
  };
  std::array<cached, 1024> cache_;  // nodes that their parents' `ways` do not have
  std::deque<call_node> nodes_;
};

/// The numbers of sites that this host thread has seen recently.
struct site_cache {
  struct entry {
    void const* pc = nullptr;
    char const* file = nullptr;
    call_node const* node = nullptr;
    int line = 0;
    std::uint32_t number = 0;
  };
  std::array<entry, 2048> entries;
  static std::size_t place_of(void const* pc, call_node const* node, site const& where) {
    auto const hash = (reinterpret_cast<std::uintptr_t>(pc) >> 1) ^ (reinterpret_cast<std::uintptr_t>(node) >> 4);
    return (hash + static_cast<unsigned>(where.line)) % 2048;
  }
};

struct site_tables {
  call_tree calls;
  site_cache sites;
};

/// The number of a site. Equal sites have equal numbers on all host threads.
std::uint32_t new_site(void const* pc, site where, char const* instruction, call_node const* node,
                       site_cache::entry& entry);
inline std::uint32_t site_number(worker& w, void const* pc, site where = {}, char const* instruction = nullptr,
                                 lane const* of_lane = nullptr) {
  call_node const* const node = (of_lane != nullptr ? of_lane : &w.lanes[w.current])->frame;
  site_cache::entry& e = w.tables->sites.entries[site_cache::place_of(pc, node, where)];
  if (e.pc == pc && e.node == node && e.line == where.line && e.file == where.file) [[likely]]
    return e.number;
  return new_site(pc, where, instruction, node, e);
}
/// The site of the running lane, with its number. @param pc the return address of the called function
inline site site_here(worker& w, char const* file, int line, void const* pc, char const* instruction) {
  site where = {file, line};
  if (w.clocks != nullptr) where.number = site_number(w, pc, where, instruction);
  return where;
}
/// The site where a lane waits.
inline site site_of_lane(worker& w, lane const& l) {
  site where = l.where;
  if (w.clocks != nullptr && l.pc != nullptr) where.number = site_number(w, l.pc, where, l.what, &l);
  return where;
}
site_info site_of(std::uint32_t number);

/// The line of the program that a person would look at, outside the library's headers if possible.
struct program_line {
  std::string file;  // the file as it was given to the compiler; empty if unknown
  int line = 0;
};
program_line line_of_site(std::uint32_t number);
program_line line_of_site(site_info const& info);
/// Gives "kernel.cpp:41", or "source line unknown".
std::string line_text(program_line const& l);

}  // namespace cosmati_sim
