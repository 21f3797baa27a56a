// SPDX-License-Identifier: Apache-2.0
/// @file
/// Descriptors of tensor copies, as the instructions read them.
#pragma once

#include <cosmati/arch/simulated.hpp>

#include "state.hpp"

namespace cosmati_sim {

/// A descriptor with its fields as wide as calculations need them. For im2col, `box[0]` is the number of channels.
struct tensor_map {
  unsigned char* data = nullptr;
  std::int64_t extent[5] = {}, stride[5] = {};  // elements, bytes
  int box[5] = {}, step[5] = {};
  int rank = 0, element_bytes = 0, type = 0, swizzle = 0, fill = 0, interleave = 0;
  int pixels = 0;  // 0: the mode is tile
  int lower[3] = {}, upper[3] = {};
};

tensor_map unpacked(cosmati_sim_tensor_map const& t);

/// The descriptor, which the running lane's instruction uses: it is where instructions find one, and behind the fences
/// that its changes need. @param name of the instruction
tensor_map descriptor_for(worker& w, char const* name, cosmati_sim_tensor_map const* t, site where);

}  // namespace cosmati_sim
