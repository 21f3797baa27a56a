// SPDX-License-Identifier: Apache-2.0
/// @file
/// The part of the simulated device's C interface that the instructions of this layer call. runtime/sim_abi.hpp has the
/// rest.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/access.hpp>
#include <cosmati/core/config.hpp>
#include <cstddef>
#include <cstdint>

#if defined(COSMATI_SIMULATED)
/// Precedes a function that must know which call in the source this is. The type of the default argument is different
/// at every place where the call is written, even on one line or in one macro. It is the same in all copies of a call
/// that a compiler makes. clang 14 fails if such a function comes from a precompiled header. With clang the column
/// distinguishes calls instead, so two calls in one macro count as one.
#if defined(__clang__)
#define COSMATI_CALL_ inline
#define COSMATI_CALL_PARAMETER_ , unsigned column = __builtin_COLUMN()
#define COSMATI_AND_CALL_ , column
#define COSMATI_PLACE_OF_CALL_ reinterpret_cast<void const*>(static_cast<std::uintptr_t>(column))
#else
#define COSMATI_CALL_ template <class Call = decltype([] {})>
#define COSMATI_CALL_PARAMETER_
#define COSMATI_AND_CALL_
#define COSMATI_PLACE_OF_CALL_ &cosmati_cuda::place_of_call<Call>
#endif

namespace cosmati_cuda {
/// An object whose address is unique to the call.
template <class Call>
inline constexpr char place_of_call = 0;
}  // namespace cosmati_cuda

extern "C" {

/// The lane's place in its warp, 0 to 31.
unsigned cosmati_sim_lane(void);
/// Waits until all lanes in `mask` have come here with the same name. The last lane calls `together(arguments, lanes)`.
void cosmati_sim_meet(unsigned mask, void* argument, void (*together)(void* const* arguments, unsigned lanes),
                      char const* name, char const* file, int line);
/// Waits for all lanes of the warp. Then each lane takes 16-bit pieces that other lanes give.
/// @param table the number of pieces that a lane takes, as an int; then two bytes for each piece, lane after lane: the
///   lane that gives it, and the index among that lane's pieces
/// @return the lanes that met; if not all 32 did, nothing was exchanged
unsigned cosmati_sim_exchange(std::uint16_t const* give, std::uint16_t* take, int const* table, char const* name,
                              char const* file, int line);
/// Waits for all threads of the block. @param name the word that the caller used, a literal
/// @param call an address that no other call has, even one on the same line; null if it is unknown
void cosmati_sim_syncthreads(char const* name, char const* file, int line, void const* call);
/// Waits at barrier `id` for `count` threads, or for the whole block if it is 0. @param reduce 0 none, 1 count, 2 and,
/// 3 or
unsigned cosmati_sim_barrier(int id, unsigned count, int reduce, int predicate, char const* name, char const* file,
                             int line, void const* call);
/// Announces a load through the read-only cache. The launch may not have written the bytes. @param name the instruction
__attribute__((weak)) void cosmati_sim_read_only(void const* address, std::size_t bytes, char const* name,
                                                 char const* file, int line);
/// bar.arrive: arrives at the barrier without waiting. @param count as in cosmati_sim_barrier
unsigned cosmati_sim_barrier_arrive(int id, unsigned count, char const* file, int line);

// Asynchronous copies and mbarriers. The destination holds poison until a copy completes. A describer may be null. A
// base may be null too; otherwise it is as in cosmati_sim_access.

/// A tensor of `rank` modes in global memory, and the box of it that one tensor copy moves. 128 bytes, as on
/// a GPU, where it is aligned to 64. g++ notes each function that takes an object of that alignment.
struct alignas(16) cosmati_sim_tensor_map {
  unsigned char* data;
  std::int64_t stride[5];  // bytes; that of mode 0 is the element's size
  std::uint32_t last[5];   // the last coordinate of each mode: extents of 2^32 are possible
  std::uint16_t box[5];    // elements
  std::uint16_t pixels;    // im2col: the number of pixels that one copy moves; 0: the mode is tile
  std::int16_t lower[3];   // im2col: the corners of the box of pixels along modes 1, 2, 3
  std::int16_t upper[3];   // im2col: relative to the last pixel
  std::uint8_t step[5];    // elements of the tensor from one element of the box to the next
  std::uint8_t rank, element_bytes;
  std::uint8_t type;        // of tensor_map_type
  std::uint8_t swizzle;     // of TMA::SmemSwizzleBits
  std::uint8_t interleave;  // of TMA::Interleave
  std::uint8_t fill;        // of TMA::OOBFill
  std::uint8_t unused[25];  // 128 bytes in all
};

/// cp.async of `bytes` (4, 8, 16) to shared memory. The first `source_bytes` come from global memory; the others become
/// zero.
/// @param level 0 for .ca, 1 for .cg (16 bytes only)
void cosmati_sim_cp_async(void* shared, void const* global, unsigned bytes, unsigned source_bytes, int level,
                          void const* shared_base, void const* global_base, cosmati_sim_describe describe_shared,
                          void const* shared_context, cosmati_sim_describe describe_global, void const* global_context,
                          char const* file, int line);
void cosmati_sim_cp_async_commit(char const* file, int line);
/// Waits until at most `pending` of the newest groups are in flight. -1 waits for all copies, committed or not.
void cosmati_sim_cp_async_wait(int pending, char const* file, int line);
/// The barrier receives an arrival when all earlier copies of this thread are complete.
void cosmati_sim_cp_async_mbarrier_arrive(std::uint64_t* barrier, int noinc, char const* file, int line);

/// cp.async.bulk to shared memory. On completion it does `complete_tx` of `bytes` on the barrier.
void cosmati_sim_bulk_load(void* shared, void const* global, unsigned bytes, std::uint64_t* barrier, char const* file,
                           int line);
/// cp.async.bulk to the shared memory of the block `rank` of the cluster, where the mbarrier is too. Both are given by
/// the same places in the running block's memory.
void cosmati_sim_bulk_send(void* shared, unsigned rank, void const* from, unsigned bytes, std::uint64_t* barrier,
                           char const* file, int line);
/// st.async of 32 bits to the shared memory of the block `rank` of the cluster, whose mbarrier counts them. Both places
/// are those in the running block's memory.
void cosmati_sim_store_remote(void* shared, unsigned rank, std::uint32_t value, std::uint64_t* barrier,
                              char const* file, int line);
/// cp.async.bulk to global memory, in the thread's bulk groups.
void cosmati_sim_bulk_store(void* global, void const* shared, unsigned bytes, char const* file, int line);
/// cp.reduce.async.bulk to global memory, in the thread's bulk groups. @param operation of tma_reduction, @param type
/// of tensor_map_type
void cosmati_sim_bulk_reduce(void* global, void const* shared, unsigned bytes, int operation, int type,
                             char const* file, int line);
/// The same to the shared memory of the block `rank` of the cluster, as cosmati_sim_bulk_send.
void cosmati_sim_bulk_reduce_send(void* shared, unsigned rank, void const* from, unsigned bytes, std::uint64_t* barrier,
                                  int operation, int type, char const* file, int line);
void cosmati_sim_bulk_commit(char const* file, int line);
/// @param read 1 waits only until the groups' sources have been read
void cosmati_sim_bulk_wait(int pending, int read, char const* file, int line);
/// cp.async.bulk.tensor to shared memory: where the box leaves the tensor it brings the tensor's fill. The barrier's
/// `complete_tx` counts all bytes of the box. @param first element of the box along each of the `rank` modes
void cosmati_sim_tensor_load(void* shared, struct cosmati_sim_tensor_map const* tensor, int rank, int const* first,
                             std::uint64_t* barrier, char const* file, int line);
/// The same to the same place in each block of the cluster whose bit is in `mask`, and to its mbarrier.
void cosmati_sim_tensor_load_multicast(void* shared, struct cosmati_sim_tensor_map const* tensor, int rank,
                                       int const* first, std::uint64_t* barrier, unsigned mask, char const* file,
                                       int line);
/// cp.async.bulk.tensor to global memory, in the thread's bulk groups: what leaves the tensor is not written.
void cosmati_sim_tensor_store(struct cosmati_sim_tensor_map const* tensor, void const* shared, int rank,
                              int const* first, char const* file, int line);
/// cp.reduce.async.bulk.tensor. @param operation of tma_reduction; the elements' type is the tensor's
void cosmati_sim_tensor_reduce(struct cosmati_sim_tensor_map const* tensor, void const* shared, int rank,
                               int const* first, int operation, char const* file, int line);
/// cp.async.bulk.prefetch.tensor: looks at its arguments only. @param offsets of the mode im2col; null: the mode is
/// tile
void cosmati_sim_tensor_prefetch(struct cosmati_sim_tensor_map const* tensor, int rank, int const* first,
                                 int const* offsets, char const* file, int line);
/// cp.async.bulk.tensor in the mode im2col. @param offsets rank - 2 numbers that are added to the pixels' coordinates
/// @param mask the blocks of the cluster that get the pixels; -1: the running one alone
void cosmati_sim_tensor_load_im2col(void* shared, struct cosmati_sim_tensor_map const* tensor, int rank,
                                    int const* first, int const* offsets, std::uint64_t* barrier, int mask,
                                    char const* file, int line);
/// The same to global memory, without offsets, in the thread's bulk groups.
void cosmati_sim_tensor_store_im2col(struct cosmati_sim_tensor_map const* tensor, void const* shared, int rank,
                                     int const* first, char const* file, int line);
/// cp.reduce.async.bulk.tensor in the mode im2col. @param operation of tma_reduction
void cosmati_sim_tensor_reduce_im2col(struct cosmati_sim_tensor_map const* tensor, void const* shared, int rank,
                                      int const* first, int operation, char const* file, int line);

/// @name Changes of descriptors (`tensormap.replace`) and the fences of the tensormap proxy
/// @{
/// A field of the descriptor is about to change. Does not return when the value is impossible.
/// @param field of tensor_map_field, @param mode 0 to 4 for fields of one mode
void cosmati_sim_tensor_map_replace(struct cosmati_sim_tensor_map const* tensor, int field, int mode,
                                    std::uint64_t value, char const* file, int line);
/// tensormap.cp_fenceproxy has copied to the descriptor in global memory. Called by each lane of the warp.
void cosmati_sim_tensor_map_copied(struct cosmati_sim_tensor_map const* global,
                                   struct cosmati_sim_tensor_map const* shared, char const* file, int line);
/// fence.proxy.tensormap::generic.release
void cosmati_sim_tensor_map_release(char const* file, int line);
/// fence.proxy.tensormap::generic.acquire
void cosmati_sim_tensor_map_acquire(struct cosmati_sim_tensor_map const* global, char const* file, int line);
/// @}
/// fence.proxy.async. @param space 0 every space, 1 shared memory, 2 global memory
void cosmati_sim_fence_proxy_async(int space, char const* file, int line);

/// @name Clusters of blocks. In a cluster of one block there is only its place
/// @{
/// The number of blocks, and the place of the running one among them.
unsigned cosmati_sim_cluster_blocks(void);
unsigned cosmati_sim_cluster_rank(void);
/// Gives x, y and z of the blocks of a cluster, of the block in it, of the cluster in the grid, and of the clusters of
/// the grid. @param place 12 numbers
void cosmati_sim_cluster_place(unsigned* place);
void cosmati_sim_cluster_arrive(int relaxed, char const* file, int line);
void cosmati_sim_cluster_wait(char const* file, int line);
/// Both of them. @pre the cluster has several blocks
void cosmati_sim_cluster_sync(char const* file, int line);
/// mapa: the place in the shared memory of the block `rank` that corresponds to one in the running block's.
void* cosmati_sim_map_shared_rank(void const* shared, unsigned rank, char const* file, int line);
/// @}

/// @name Warpgroup matrix instructions (wgmma). Their sums reach the registers when their group is waited for
/// @{
/// The lane's warp, counted within its block.
unsigned cosmati_sim_warp(void);
/// The address in the block's shared memory whose lowest 18 bits these are; null: there is none.
void* cosmati_sim_shared_of(std::uint32_t low_bits);
/// wgmma.fence
void cosmati_sim_matrix_fence(void);
/// Checks that the running lane has executed wgmma.fence where the instruction needs it. @param a four registers of A;
/// null where A is in shared memory
void cosmati_sim_matrix_begins(std::uint32_t const* a, char const* name, char const* file, int line);
/// The running lane's instruction reads shared memory through the asynchronous proxy until its group is waited for.
void cosmati_sim_matrix_read(void const* shared, unsigned bytes, char const* name, char const* file, int line);
/// The sums that registers of a lane of the running warp will hold when all instructions before are complete.
void const* cosmati_sim_matrix_sums(unsigned lane, void const* registers);
/// The registers will hold `value`; until the wait they hold poison.
/// @param float_bytes of a sum that is a number of floating point, 4 or 2; 0: the sums are integers
void cosmati_sim_matrix_result(unsigned lane, void* registers, void const* value, unsigned bytes, unsigned float_bytes);
/// Counts the running warp's part of a matrix instruction with N columns. @param warp its number in the warpgroup
void cosmati_sim_matrix_counts(int n, int a_in_shared, int warp);
void cosmati_sim_matrix_commit(void);
void cosmati_sim_matrix_wait(int pending);
/// setmaxnreg. @param takes 1 .inc, 0 .dec
void cosmati_sim_register_budget(unsigned registers, int takes, char const* file, int line);
/// @}

void cosmati_sim_mbarrier_init(std::uint64_t* barrier, unsigned count, char const* file, int line);
void cosmati_sim_mbarrier_inval(std::uint64_t* barrier, char const* file, int line);
void cosmati_sim_fence_mbarrier_init(char const* file, int line);
/// @return the state for cosmati_sim_mbarrier_test_wait
std::uint64_t cosmati_sim_mbarrier_arrive(std::uint64_t* barrier, unsigned count, char const* file, int line);
std::uint64_t cosmati_sim_mbarrier_arrive_expect_tx(std::uint64_t* barrier, unsigned bytes, char const* file, int line);
/// An arrival at the mbarrier at the same place in the block `rank` of the cluster. @param expects whether it also
/// waits for `bytes` bytes
void cosmati_sim_mbarrier_arrive_remote(std::uint64_t* barrier, unsigned rank, int expects, unsigned bytes,
                                        char const* file, int line);
/// Takes `bytes` from what the mbarrier at the same place in the block `rank` of the cluster waits for.
void cosmati_sim_mbarrier_complete_tx(std::uint64_t* barrier, unsigned rank, unsigned bytes, char const* file,
                                      int line);
void cosmati_sim_mbarrier_expect_tx(std::uint64_t* barrier, unsigned bytes, char const* file, int line);
/// 1 if the phase in which `state` was returned is complete.
int cosmati_sim_mbarrier_test_wait(std::uint64_t* barrier, std::uint64_t state, char const* file, int line);
/// 1 if the phase of this parity is complete. Other lanes run before the function returns 0.
int cosmati_sim_mbarrier_try_wait_parity(std::uint64_t* barrier, unsigned parity, char const* file, int line);
/// Waits until the phase of this parity is complete.
void cosmati_sim_mbarrier_wait_parity(std::uint64_t* barrier, unsigned parity, char const* file, int line);

}  // extern "C"
#endif

#include <cosmati/core/macros_end.hpp>
