// SPDX-License-Identifier: Apache-2.0
/// @file
/// The cards that the simulated device stands for, as CUDA describes them.
#pragma once

#include <cosmati/cuda/device.hpp>

namespace cosmati_sim {

/// The properties of the card of this name of `device_models`; without a name those of a nameless card of compute
/// capability 9.0.
cudaDeviceProp properties_of_card(char const* name);

}  // namespace cosmati_sim
