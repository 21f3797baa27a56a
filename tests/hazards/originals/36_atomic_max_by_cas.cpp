// SPDX-License-Identifier: Apache-2.0
// The greatest float of a grid, by compare-and-swap; who lost against another tries again.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void greatest(float const* in, unsigned n, unsigned* bits) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {  // [range]
    float const v = in[i];                                                                        // [load]
    unsigned old = atomicAdd(bits, 0u);                                                           // [look]
    while (__uint_as_float(old) < v) {
      unsigned const seen = atomicCAS(bits, old, __float_as_uint(v));  // [swap]
      if (seen == old) break;
      old = seen;
    }
  }
}

int main() {
  std::vector<float> host(700);
  float expected = 0;
  for (std::size_t i = 0; i < host.size(); ++i) {
    host[i] = static_cast<float>(i * i % 631);
    expected = expected < host[i] ? host[i] : expected;
  }
  device_buffer<float> in(host);
  device_buffer<unsigned> bits(1);
  bits.clear();  // [clear]
  launch(greatest, {.grid = 4, .block = 64}, in.data(), 700u, bits.data());
  unsigned const got = bits.download()[0];
  return __builtin_memcmp(&got, &expected, 4) == 0 ? 0 : 1;
}
