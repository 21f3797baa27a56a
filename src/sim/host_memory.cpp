// SPDX-License-Identifier: Apache-2.0
#include "host_memory.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace cosmati_sim {
namespace {

constexpr std::uint64_t unknown = std::numeric_limits<std::uint64_t>::max();

std::uint64_t available_kibibytes() {
  std::ifstream file("/proc/meminfo");
  std::string name;
  std::uint64_t number = 0;
  while (file >> name >> number) {
    if (name == "MemAvailable:") return number;
    std::getline(file, name);
  }
  return unknown / 1024;
}

/// The number in a file. A file that is not there, or says "max", has the largest number.
std::uint64_t number_in(char const* path) {
  std::uint64_t number = 0;
  return std::ifstream(path) >> number ? number : unknown;
}

}  // namespace

std::uint64_t host_bytes_left() {
  std::uint64_t const most = number_in("/sys/fs/cgroup/memory.max");
  std::uint64_t const used = most == unknown ? 0 : number_in("/sys/fs/cgroup/memory.current");
  std::uint64_t const of_group = most == unknown || used == unknown ? unknown : most - std::min(most, used);
  return std::min(available_kibibytes() * 1024, of_group);
}

}  // namespace cosmati_sim
