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
  void const* kernel;  ///< address of the kernel, from which the device finds its name
  void (*call)(void const* arguments);
  void const* arguments;
  std::size_t arguments_bytes;
  void const* const* pointers;  ///< the arguments that are pointers
  std::uint32_t pointer_count;
  void const* stream;  ///< stream of the launch; launches of one stream run in order
};
int cosmati_sim_launch(cosmati_sim_launch_request const* request, char* error, std::size_t error_bytes);

/// Allocates device memory. The first byte is aligned to 4096 bytes. The content is poison: 0x7FFD repeated, which is a
/// NaN in every format.
int cosmati_sim_allocate(void** out, std::size_t bytes, char* error, std::size_t error_bytes);
void cosmati_sim_free(void* pointer);
/// Tells the device that the host has written these bytes of device memory. A kernel may then read them: a kernel's
/// read of a byte that nobody wrote is an error.
void cosmati_sim_written(void const* pointer, std::size_t bytes);
/// Copies bytes between host and device memory for the library. An access of the host itself to device memory is an
/// error.
/// @param from source; null writes zeros
void cosmati_sim_move(void* to, void const* from, std::size_t bytes);
/// Whether `pointer` points to host memory, which kernels may not access: memory that is neither device memory nor a
/// variable of the program. A pointer that is null or nearly null is no host memory.
int cosmati_sim_is_host_memory(void const* pointer);
void cosmati_sim_poison(void* pointer, std::size_t bytes);
void cosmati_sim_device_info(int* multiprocessors, std::size_t* shared_bytes_per_block, char* name, std::size_t size);

/// Later launches of `stream` run after the launches of `event`: those that were given to its stream before the event
/// was recorded.
__attribute__((weak)) void cosmati_sim_event_record(void const* event, void const* stream);
__attribute__((weak)) void cosmati_sim_stream_wait(void const* stream, void const* event);
/// Tells the device that the host has waited.
/// @param what 0 for a stream, 1 for an event, 2 for all work of the device
__attribute__((weak)) void cosmati_sim_host_waits(int what, void const* of);

/// One access, or the count of equal accesses. The fields are those of runtime/trace.hpp.
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

/// Cost of the warp instructions of one kind. The fields are those of runtime/cost_trace.hpp.
struct cosmati_sim_instruction_counters {
  std::uint64_t instructions;
  std::uint64_t requests, sectors, ideal_sectors, lines, bytes_used, bytes_moved;         // global memory
  std::uint64_t wavefronts, wavefronts_floor, wavefronts_ideal, bank_conflicts, inexact;  // shared memory
};
/// Counters of all launches of a kernel. The order of the kinds in `of`: global load, global store; shared load, shared
/// store; ldmatrix, stmatrix; cp.async; global atomic, shared atomic; bulk copies and tensor copies to shared memory;
/// bulk copies and tensor copies to global memory; warpgroup matrix instructions.
struct cosmati_sim_kernel_counters {
  char const* kernel;
  std::uint64_t launches;
  struct cosmati_sim_instruction_counters of[12];
};
/// Starts to count launches, from zero. Returns 1 when the device counts already.
int cosmati_sim_counters_begin(void);
void cosmati_sim_counters_end(void);
/// Calls `visit` for each kernel launched since `begin`, in the order of the names. May be called between launches
/// only.
void cosmati_sim_counters_visit(void (*visit)(void* out, struct cosmati_sim_kernel_counters const* kernel), void* out);

// A lane calls the functions below. The functions that instructions call are in arch/simulated.hpp.

/// First byte of this block's dynamic shared memory, aligned to 1024.
void* cosmati_sim_dynamic_shared(void);
/// Shuffles between the lanes of a warp. The value and the result are the low bits of the 64.
/// @param kind 0 idx, 1 up, 2 down, 3 xor
std::uint64_t cosmati_sim_shuffle(int kind, unsigned mask, std::uint64_t value, int lane, int width, char const* name,
                                  char const* file, int line);
unsigned cosmati_sim_ballot(unsigned mask, int predicate, char const* name, char const* file, int line);
/// @param all null for match_any; for match_all, receives 1 if all values are equal
unsigned cosmati_sim_match(unsigned mask, std::uint64_t value, int* all, char const* name, char const* file, int line);
/// @param kind 0 add, 1 min, 2 max, 3 and, 4 or, 5 xor
std::uint32_t cosmati_sim_reduce(int kind, int is_signed, unsigned mask, std::uint32_t value, char const* name,
                                 char const* file, int line);
unsigned cosmati_sim_activemask(char const* file, int line);

/// A fence: the lane's next atomic publishes its earlier accesses.
/// @param device 1 __threadfence, 0 __threadfence_block
void cosmati_sim_thread_fence(int device);
/// Lets other lanes of the block run.
void cosmati_sim_yield(void);
/// Waits while the word has this value, without polls. Returns at once if the block has other lanes that can run.
/// @return 1 if all blocks wait, so that none will change the word, else 0
int cosmati_sim_wait_while(unsigned const* word, unsigned value);
/// Wakes the blocks that wait for a word, or that sleep between polls.
void cosmati_sim_wake_waiting(void);
/// Tells the device that a lane reads a clock. The lane may be waiting until some time has passed.
__attribute__((weak)) void cosmati_sim_reads_clock(void);
/// Ends the lane and the launch with this sentence.
/// @param kind kind of the hazard
[[noreturn]] void cosmati_sim_fail(char const* kind, char const* sentence, char const* file, int line);
/// Reports that the host was about to launch the kernel with an impossible configuration.
void cosmati_sim_refuses_launch(void const* kernel, char const* sentence);

}  // extern "C"
#endif

#include <cosmati/core/macros_end.hpp>
