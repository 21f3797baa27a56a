// SPDX-License-Identifier: Apache-2.0
/// @file
/// Bulk copies of one run of bytes: what one-dimensional copies and the rows of a tensor copy have in common.
#pragma once

#include "async.hpp"

namespace cosmati_sim {

/// Checks that the instruction moves a multiple of 16 bytes.
void check_bulk_size(char const* name, unsigned bytes, site where);

/// A bulk copy to the shared memory of the block `rank` of the cluster, and to its mbarrier. Both are given by the same
/// places in the running block's memory.
void bulk_send(worker& w, char const* name, void* shared, unsigned rank, void const* from, unsigned bytes,
               std::uint64_t* barrier, reduction const& reduces, site where, void const* pc);

/// A bulk copy of the running lane whose two sides are checked: bounds, memory space and alignment.
/// @param alignment of the address in global memory, bytes
/// @param name of the instruction, @param pc the caller of the entry point
async_copy bulk_copy_between(worker& w, copy_kind kind, char const* name, void const* shared, void const* global,
                             unsigned bytes, std::size_t alignment, site where, void const* pc);

/// The same for bytes that no memory gives: `complete_tx` counts them, and they arrive as `fill`.
/// @param fill one element of `fill_bytes` bytes
async_copy bulk_fill(worker& w, char const* name, void const* shared, unsigned bytes, std::uint64_t fill,
                     unsigned fill_bytes, site where, void const* pc);

/// The copy to shared memory is in flight from now on and will signal the barrier.
void begin_bulk_load(worker& w, async_copy&& copy, std::uint64_t* barrier);

/// The same for a copy to the shared memory of `owner`, another block of the cluster or the running one, and to the
/// mbarrier there.
void begin_bulk_load_to(worker& w, worker& owner, async_copy&& copy, std::uint64_t* barrier);

/// st.async and red.async of one element to shared memory, of the running block or another one of the cluster, and to
/// an mbarrier there. @param at, barrier generic addresses @param reduces what happens to the element
void async_store(worker& w, char const* name, std::uintptr_t at, unsigned bytes, std::uint64_t value,
                 std::uintptr_t barrier, reduction const& reduces, site where, void const* pc);

/// The copy to global memory is in flight from now on, in the lane's open bulk group.
void begin_bulk_store(worker& w, async_copy&& copy);

}  // namespace cosmati_sim
