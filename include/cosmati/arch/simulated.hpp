// SPDX-License-Identifier: Apache-2.0
/// @file
/// What the instructions of this layer ask of the simulated device: a part of runtime/sim_abi.hpp, which says what each
/// function does and stands higher.
#pragma once

#include <cosmati/core/access.hpp>
#include <cosmati/core/config.hpp>
#include <cstddef>
#include <cstdint>

#if defined(COSMATI_SIMULATED)
extern "C" {

unsigned cosmati_sim_lane(void);
void cosmati_sim_meet(unsigned mask, void* argument, void (*together)(void* const* arguments, unsigned lanes),
                      char const* name, char const* file, int line);
unsigned cosmati_sim_barrier(int id, unsigned count, int reduce, int predicate, char const* name, char const* file,
                             int line);
unsigned cosmati_sim_barrier_arrive(int id, unsigned count, char const* file, int line);

void cosmati_sim_cp_async(void* shared, void const* global, unsigned bytes, unsigned source_bytes, int level,
                          void const* shared_base, void const* global_base, cosmati_sim_describe describe_shared,
                          void const* shared_context, cosmati_sim_describe describe_global, void const* global_context,
                          char const* file, int line);
void cosmati_sim_cp_async_commit(char const* file, int line);
void cosmati_sim_cp_async_wait(int pending, char const* file, int line);
void cosmati_sim_cp_async_mbarrier_arrive(std::uint64_t* barrier, int noinc, char const* file, int line);

void cosmati_sim_bulk_load(void* shared, void const* global, unsigned bytes, std::uint64_t* barrier, char const* file,
                           int line);
void cosmati_sim_bulk_store(void* global, void const* shared, unsigned bytes, char const* file, int line);
void cosmati_sim_bulk_commit(char const* file, int line);
void cosmati_sim_bulk_wait(int pending, int read, char const* file, int line);
void cosmati_sim_fence_proxy_async(int space, char const* file, int line);

void cosmati_sim_mbarrier_init(std::uint64_t* barrier, unsigned count, char const* file, int line);
void cosmati_sim_mbarrier_inval(std::uint64_t* barrier, char const* file, int line);
void cosmati_sim_fence_mbarrier_init(char const* file, int line);
std::uint64_t cosmati_sim_mbarrier_arrive(std::uint64_t* barrier, unsigned count, char const* file, int line);
std::uint64_t cosmati_sim_mbarrier_arrive_expect_tx(std::uint64_t* barrier, unsigned bytes, char const* file, int line);
void cosmati_sim_mbarrier_expect_tx(std::uint64_t* barrier, unsigned bytes, char const* file, int line);
int cosmati_sim_mbarrier_test_wait(std::uint64_t* barrier, std::uint64_t state, char const* file, int line);
int cosmati_sim_mbarrier_try_wait_parity(std::uint64_t* barrier, unsigned parity, char const* file, int line);
void cosmati_sim_mbarrier_wait_parity(std::uint64_t* barrier, unsigned parity, char const* file, int line);

}  // extern "C"
#endif
