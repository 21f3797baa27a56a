// SPDX-License-Identifier: Apache-2.0
/// @file
/// An access, in the form that all checks use.
#pragma once

#include "state.hpp"

namespace cosmati_sim {

inline constexpr int space_global = 0, space_shared = 1, space_local = 2, space_other = 3;

/// One access, with everything that is known about it.
struct memory_access {
  std::uintptr_t address;
  std::size_t bytes;
  int kind;  // one of the kinds below
  std::size_t alignment;
  void const* base;
  char const* instruction;
  cosmati_sim_describe describe;
  void const* context;
  site where;
  void const* pc;
};

/// Checks bounds and alignment of one side of an asynchronous copy, which must be in `space`, and traces it.
/// @return its shadow, or null if there is none
shadow_region* check_side(memory_access const& a, int space);

/// The kinds of accesses: those of cosmati_sim_access, and some that only instrumentation distinguishes. Volatile
/// accesses are meant to be visible to other threads, so they count as atomic among different warps.
inline constexpr int a_load = 0, a_store = 1, an_atomic = 2, an_atomic_load = 3, a_volatile_load = 4,
                     a_volatile_store = 5;
/// The only memory that the instruction of this name may access, or -1.
inline int space_of_instruction(char const* name) {
  auto const begins = [name](char const* with) {
    int i = 0;
    while (with[i] != 0 && with[i] == name[i]) ++i;
    return with[i] == 0;
  };
  if (begins("ldmatrix") || begins("stmatrix")) return 1;    // space_shared
  if (begins("ld.global") || begins("st.global")) return 0;  // space_global
  if (begins("ld.shared") || begins("st.shared")) return 1;
  return -1;
}
/// Checks and counts an access of the running lane whose instruction is known.
/// @param released whether it is an atomic that publishes the lane's earlier accesses
void access_of_text(memory_access const& a, bool released);

/// Whether the address is in the block's shared memory, static or dynamic.
bool is_shared_memory(worker const& w, std::uintptr_t at);

inline bool is_atomic(int kind) { return kind >= an_atomic; }
inline bool is_write(int kind) { return kind == a_store || kind == an_atomic || kind == a_volatile_store; }
inline bool is_volatile(int kind) { return kind >= a_volatile_load; }
/// The kind of access for a trace: load, store or atomic.
inline int traced_kind(int kind) {
  constexpr int of[] = {a_load, a_store, an_atomic, an_atomic, a_load, a_store};
  return of[kind];
}
/// The kind of access for the hardware's counters.
inline int counted_as(int kind) { return kind == an_atomic_load ? a_load : traced_kind(kind); }

/// The newest note of the running lane about these bytes, or null.
note const* note_of_address(worker const& w, std::uintptr_t address, std::size_t bytes);

/// Resets the shadow of shared memory to unwritten, when a block begins.
void shadow_of_shared_begins(worker& w);

}  // namespace cosmati_sim
