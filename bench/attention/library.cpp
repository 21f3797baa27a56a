// SPDX-License-Identifier: Apache-2.0
// The kernel of examples/attention/forward.hpp as a C function, which run.py calls with PyTorch's tensors.
#include <cstdio>

#include "../../examples/attention/forward.hpp"

namespace {

template <int HEAD, int TILE>
void forward(attention::problem const& p, bool causal, void* stream) {
  auto const queue = static_cast<cosmati::stream_handle>(stream);
  if (causal)
    attention::forward<HEAD, true, TILE>(p, queue);
  else
    attention::forward<HEAD, false, TILE>(p, queue);
}

}  // namespace

/// O = softmax(scale Q K^T) V for contiguous tensors (batches, heads, length, head) of bfloat16.
/// @param tile keys of a tile
/// @return 0, or 1 after a sentence on stderr
extern "C" int attention_forward(void* q, void* k, void* v, void* o, int batches, int heads, int queries, int keys,
                                 int head, int causal, int tile, float scale, void* stream) {
  auto const matrix = [&](void* data, int length) {
    std::int64_t const all = std::int64_t{length} * head;
    return attention::matrix{static_cast<cosmati::bfloat16_t*>(data), head, all, all * heads};
  };
  attention::problem const p{
      matrix(q, queries), matrix(k, keys), matrix(v, keys), matrix(o, queries), queries, keys, heads, batches, scale};
  try {
    if (head == 64 && tile == 128)
      forward<64, 128>(p, causal != 0, stream);
    else if (head == 128 && tile == 128)
      forward<128, 128>(p, causal != 0, stream);
    else if (head == 128 && tile == 176)
      forward<128, 176>(p, causal != 0, stream);
    else if (head == 256 && tile == 64)
      forward<256, 64>(p, causal != 0, stream);
    else if (head == 256 && tile == 80)
      forward<256, 80>(p, causal != 0, stream);
    else
      throw cosmati::error("attention_forward: head %d with tiles of %d keys is not built; see library.cpp", head,
                           tile);
  } catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
  return 0;
}
