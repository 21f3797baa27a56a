// SPDX-License-Identifier: Apache-2.0
// Four floats a thread, and what is left over one by one.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

__global__ void scale(float const* in, float* out, int n, float by) {
  int const i = 4 * static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 3 < n) {                                        // [whole]
    float4 v = *reinterpret_cast<float4 const*>(in + i);  // [load]
    v = make_float4(by * v.x, by * v.y, by * v.z, by * v.w);
    *reinterpret_cast<float4*>(out + i) = v;  // [store]
  } else {
    for (int k = i; k < n; ++k) out[k] = by * in[k];  // [tail]
  }
}

int main() {
  std::vector<float> host(1001);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(i);
  device_buffer<float> in(host), out(host.size());
  launch(scale, {.grid = 4, .block = 64}, in.data(), out.data(), 1001, 3.f);
  auto const got = out.download();
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] != 3.f * host[i]) return 1;
  }
  return 0;
}
