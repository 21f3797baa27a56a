// SPDX-License-Identifier: Apache-2.0
/// @file
/// Descriptors of tensor copies, as the instructions read them.
#pragma once

#include <cosmati/arch/simulated.hpp>

#include "state.hpp"

namespace cosmati_sim {

/// A descriptor with its fields as wide as calculations need them. For im2col, `box[0]` is the number of channels.
/// Where channels are interleaved, a sixth mode is needed for those of a slice (tensor_slices.cpp).
struct tensor_map {
  static constexpr int most_modes = 6;
  unsigned char* data = nullptr;
  std::int64_t extent[most_modes] = {}, stride[most_modes] = {};  // elements, bytes
  int box[most_modes] = {}, step[most_modes] = {};
  int rank = 0, element_bytes = 0, type = 0, swizzle = 0, fill = 0, interleave = 0;
  bool of_slices = false;  // mode 0 are the channels of a slice, and the last mode but one are slices
  int pixels = 0;          // 0: the mode is tile
  int lower[3] = {}, upper[3] = {};
};

tensor_map unpacked(cosmati_sim_tensor_map const& t);

/// The descriptor, which the running lane's instruction uses: it is where instructions find one, and behind the fences
/// that its changes need. @param name of the instruction
tensor_map descriptor_for(worker& w, char const* name, cosmati_sim_tensor_map const* t, site where);

}  // namespace cosmati_sim
