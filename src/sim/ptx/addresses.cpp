// SPDX-License-Identifier: Apache-2.0
#include "addresses.hpp"

#include "../cluster.hpp"
#include "../memory.hpp"

namespace cosmati_sim::ptx {
namespace {

/// The address at or above `low` with these lowest bits.
std::uintptr_t at_or_above(std::uintptr_t low, std::uint64_t place, std::uint64_t mask) {
  return low + ((place - low) & mask);
}

constexpr std::uint64_t low_32 = 0xffffffffu, low_18 = 0x3ffffu;
constexpr std::size_t gap = 1024;  // unused bytes behind a __shared__ array, which `cosmati sim` puts there

/// The address in the dynamic shared memory or the variables of a block, or 0. @param mask the bits that are known
std::uintptr_t in_block(worker const& w, std::uint64_t place, std::uint64_t mask, std::size_t dynamic_bytes) {
  auto const dynamic = reinterpret_cast<std::uintptr_t>(w.shared_low);
  if (std::uintptr_t const at = at_or_above(dynamic, place, mask); at - dynamic < dynamic_bytes) return at;
  for (thread_local_variable const& v : w.thread_locals) {
    auto const low = reinterpret_cast<std::uintptr_t>(v.low);
    if (!v.shared) continue;
    if (std::uintptr_t const at = at_or_above(low, place, mask); at - low < v.bytes + gap) return at;
  }
  return 0;
}

}  // namespace

std::uintptr_t shared_place(worker& w, std::uint64_t place) {
  if ((place & low_32 & ~low_18) != 0) {
    if (std::uintptr_t const at = in_block(w, place, low_32, max_shared_bytes); at != 0) return at;
    for (unsigned i = 0; w.cluster != nullptr && i < w.cluster->group->size; ++i) {
      worker const& other = *w.cluster->group->of[i];
      if (&other == &w) continue;
      if (std::uintptr_t const at = in_block(other, place, low_32, max_shared_bytes); at != 0) return at;
    }
  }
  if (std::uintptr_t const at = in_block(w, place, low_18, w.shared_bytes); at != 0) return at;
  return at_or_above(reinterpret_cast<std::uintptr_t>(w.shared_low), place, low_18);
}

bool is_shared(instruction const& i) {
  for (std::string const& m : i.modifiers) {
    if (m == "shared" || m == "shared::cta" || m == "shared::cluster") return true;
  }
  return false;
}

std::uintptr_t address_of(thread const& t, operand const& o, bool shared) {
  std::uint64_t const at = o.kind == operand_kind::address ? t.address(o) : t.get<std::uint64_t>(o);
  return shared ? shared_place(running_lane("ld.shared"), at) : static_cast<std::uintptr_t>(at);
}

void note(thread const& t, instruction const& i, std::uintptr_t at, std::size_t bytes, int kind, bool released) {
  access_of_text({at, bytes, kind, bytes, nullptr, i.name.c_str(), nullptr, nullptr, {t.file, t.line}, t.pc}, released);
}

}  // namespace cosmati_sim::ptx
