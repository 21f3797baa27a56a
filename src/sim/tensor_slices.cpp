// SPDX-License-Identifier: Apache-2.0
// Interleaved channels (NC/8HWC8, NC/16HWC16): a pixel's channels lie in slices of 16 or 32 bytes. The tensor's modes
// are width, height, depth, slices of channels, images. Pixels along the width follow each other without gaps.
//
// No document says so: it was measured on an H100 (bench/notes/interleaved-tensor-copies.md).

#include "tensor_pieces.hpp"

namespace cosmati_sim {

slice_copy::slice_copy(tensor_map const& t, beginning const& from) : tensor(t), at{first, from.offsets} {
  int const slice_bytes = 16 * t.interleave, elements = slice_bytes / t.element_bytes;
  for (int mode = 0; mode < t.rank; ++mode) {
    tensor.extent[mode + 1] = t.extent[mode];
    tensor.stride[mode + 1] = mode == 0 ? slice_bytes : t.stride[mode];
    tensor.box[mode + 1] = t.box[mode];
    tensor.step[mode + 1] = t.step[mode];
    first[mode + 1] = from.first[mode];
  }
  tensor.extent[0] = tensor.box[0] = elements;
  tensor.stride[0] = t.element_bytes;
  tensor.step[0] = 1;
  tensor.rank = t.rank + 1;
  tensor.interleave = 0;
  tensor.of_slices = true;
  tensor.box[t.rank - 1] = tensor.step[t.rank - 1] = 1;  // a copy moves one slice of each pixel
}

}  // namespace cosmati_sim
