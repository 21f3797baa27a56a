// SPDX-License-Identifier: Apache-2.0
/// @file
/// The C interface of the simulated device (library `cosmati_sim`). Its names do not depend on `COSMATI_NAMESPACE`. A
/// function that can fail returns 0, or 1 after writing a sentence to `error`.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/simulated.hpp>
#include <cstddef>
#include <cstdint>

#if defined(COSMATI_SIMULATED)
extern "C" {

/// One launch. `call(arguments)` runs the kernel's body once, in one lane.
struct cosmati_sim_launch_request {
  std::uint32_t struct_bytes;
  std::uint32_t grid[3], block[3], cluster[3];
  std::size_t shared_bytes;
  void const* kernel;  ///< the kernel's address: gives its name
  void (*call)(void const* arguments);
  void const* arguments;
  std::size_t arguments_bytes;
  void const* const* pointers;  ///< the arguments that are pointers
  std::uint32_t pointer_count;
  void const* stream;  ///< whose launches are in order
};
int cosmati_sim_launch(cosmati_sim_launch_request const* request, char* error, std::size_t error_bytes);

/// Device memory. The first byte is aligned to 4096; content is poison (0x7FFD repeated, a NaN in every format).
int cosmati_sim_allocate(void** out, std::size_t bytes, char* error, std::size_t error_bytes);
void cosmati_sim_free(void* pointer);
/// The host has written these bytes of device memory: reads of what nobody wrote are errors of kernels.
void cosmati_sim_written(void const* pointer, std::size_t bytes);
/// Between the host and the device, as the library does it: the host's own accesses to device memory are errors.
/// @param from null: zeros
void cosmati_sim_move(void* to, void const* from, std::size_t bytes);
/// Whether kernels may not go there: it is no device memory, none of the program's variables, and not null or nearly.
int cosmati_sim_is_host_memory(void const* pointer);
void cosmati_sim_poison(void* pointer, std::size_t bytes);
void cosmati_sim_device_info(int* multiprocessors, std::size_t* shared_bytes_per_block, char* name, std::size_t size);

/// What comes next in the stream comes after the event's launches: those that were given to its stream before it.
__attribute__((weak)) void cosmati_sim_event_record(void const* event, void const* stream);
__attribute__((weak)) void cosmati_sim_stream_wait(void const* stream, void const* event);
/// The host has waited. @param what 0 for a stream, 1 for an event, 2 for all that the device was given
__attribute__((weak)) void cosmati_sim_host_waits(int what, void const* of);

/// One access, or how often it was done: the fields of runtime/trace.hpp.
struct cosmati_sim_traced {
  std::uint64_t block, allocation, offset, accesses;
  std::uint32_t thread, bytes;
  int kind, space;
  char const* instruction;
};
int cosmati_sim_trace_begin(std::uint32_t records_per_thread, std::uint64_t blocks_recorded);
void cosmati_sim_trace_end(void);
void cosmati_sim_trace_counts(void (*visit)(void* out, struct cosmati_sim_traced const* count), void* out);
void cosmati_sim_trace_records(void (*visit)(void* out, struct cosmati_sim_traced const* record), void* out);

/// What warp instructions of one kind cost: the fields of runtime/cost_trace.hpp.
struct cosmati_sim_instruction_counters {
  std::uint64_t instructions;
  std::uint64_t requests, sectors, ideal_sectors, lines, bytes_used, bytes_moved;         // global memory
  std::uint64_t wavefronts, wavefronts_floor, wavefronts_ideal, bank_conflicts, inexact;  // shared memory
};
/// All launches of a kernel. `of`: global load, store; shared load, store; ldmatrix, stmatrix; cp.async; global, shared
/// atomic; bulk copies and tensor copies to shared memory, and to global memory.
struct cosmati_sim_kernel_counters {
  char const* kernel;
  std::uint64_t launches;
  struct cosmati_sim_instruction_counters of[11];
};
/// From now on launches are counted, from zero. Returns 1 when they are already.
int cosmati_sim_counters_begin(void);
void cosmati_sim_counters_end(void);
/// Calls `visit` for each kernel launched since `begin`, by name. Between launches only.
void cosmati_sim_counters_visit(void (*visit)(void* out, struct cosmati_sim_kernel_counters const* kernel), void* out);

// What follows is called by a lane; what instructions ask of the device is in arch/simulated.hpp.

/// First byte of this block's dynamic shared memory, aligned to 1024.
void* cosmati_sim_dynamic_shared(void);
/// @param kind 0 idx, 1 up, 2 down, 3 xor; value and result are the low bits of 64
std::uint64_t cosmati_sim_shuffle(int kind, unsigned mask, std::uint64_t value, int lane, int width, char const* name,
                                  char const* file, int line);
unsigned cosmati_sim_ballot(unsigned mask, int predicate, char const* name, char const* file, int line);
/// @param all null for match_any; else receives 1 when all values are equal
unsigned cosmati_sim_match(unsigned mask, std::uint64_t value, int* all, char const* name, char const* file, int line);
/// @param kind 0 add, 1 min, 2 max, 3 and, 4 or, 5 xor
std::uint32_t cosmati_sim_reduce(int kind, int is_signed, unsigned mask, std::uint32_t value, char const* name,
                                 char const* file, int line);
unsigned cosmati_sim_activemask(char const* file, int line);

/// What the lane did before is published by its next atomic. @param device 1 __threadfence, 0 __threadfence_block
void cosmati_sim_thread_fence(int device);
/// Lets other lanes of the block run.
void cosmati_sim_yield(void);
/// A lane reads a clock: what it waits for may be the time.
__attribute__((weak)) void cosmati_sim_reads_clock(void);
/// Ends the lane and the launch with this sentence. @param kind of the hazard that it is
[[noreturn]] void cosmati_sim_fail(char const* kind, char const* sentence, char const* file, int line);
/// The host was about to launch the kernel, and its configuration is impossible.
void cosmati_sim_refuses_launch(void const* kernel, char const* sentence);

}  // extern "C"
#endif

#include <cosmati/core/macros_end.hpp>
