// SPDX-License-Identifier: Apache-2.0
/// @file
/// The host's accesses to pinned and managed memory. Until the host has waited, kernels and copies may still use it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cosmati_sim {

/// Remembers that a copy of a stream uses this memory until the host waits. @param writes whether it is the destination
/// @param user what uses it, if it is a function of a library; the text has to stay
void copy_is_in_flight(std::uintptr_t at, std::size_t bytes, bool writes, void const* stream,
                       char const* user = "an asynchronous copy");

/// Registers memory of the host, which asynchronous copies use then. @return false if a part of it is registered
bool register_host_memory(std::uintptr_t at, std::size_t bytes);
/// @return false if the range is not registered
bool unregister_host_memory(std::uintptr_t at);
/// Whether the byte is registered. @param bytes receives the bytes of the range
bool registered_bytes(std::uintptr_t at, std::size_t& bytes);

/// Reports an access of the host to memory that a kernel or a copy may still use. @param pc of the access
void look_for_missing_wait(std::uintptr_t at, std::size_t bytes, bool writes, void const* pc);

/// While it lives, this thread runs a function in the order of a stream, and needs no wait.
class stream_function {
 public:
  stream_function() { ++depth; }
  ~stream_function() { --depth; }
  stream_function(stream_function const&) = delete;
  stream_function& operator=(stream_function const&) = delete;
  static bool runs() { return depth != 0; }

 private:
  static inline thread_local int depth = 0;
};

}  // namespace cosmati_sim
