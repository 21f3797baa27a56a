// SPDX-License-Identifier: Apache-2.0
/// @file
/// How many blocks of a kernel the simulated card runs at a time.
#pragma once

#include <cstddef>

namespace cosmati_sim {

/// The blocks of so many threads, each with so much dynamic shared memory, that a multiprocessor holds. Registers are
/// not counted.
unsigned resident_blocks(unsigned threads, std::size_t shared_bytes);
/// The same for the whole card.
unsigned resident_blocks_of_card(unsigned threads, std::size_t shared_bytes);
/// The most blocks that run side by side here. Each takes a thread of the host and about a megabyte.
inline constexpr unsigned most_simulated_blocks = 2200;

}  // namespace cosmati_sim
