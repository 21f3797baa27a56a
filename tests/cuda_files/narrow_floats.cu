// SPDX-License-Identifier: Apache-2.0
// cuda_fp4.h and cuda_fp6.h: checksums of all conversions, on the host and in a kernel. The expected ones are what the
// toolkit's headers compute on the host: compiled by nvcc with -DPRINT, this program prints them without a GPU.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstring>

struct checksum {
  std::uint64_t value = 0xcbf29ce484222325ull;
  __host__ __device__ void add(std::uint64_t x) { value = (value ^ x) * 0x100000001b3ull; }
};
__host__ __device__ inline std::uint64_t bits_of(float v) {
  std::uint32_t b;
  memcpy(&b, &v, 4);
  return b;
}

struct of_fp4 {
  using one = __nv_fp4_e2m1;
  using two = __nv_fp4x2_e2m1;
  using four = __nv_fp4x4_e2m1;
  static constexpr int codes = 16, pairs = 256;
  __host__ __device__ static unsigned from(__half_raw v, cudaRoundMode r) {
    return __nv_cvt_halfraw_to_fp4(v, __NV_E2M1, r);
  }
  __host__ __device__ static unsigned from(__nv_bfloat16_raw v, cudaRoundMode r) {
    return __nv_cvt_bfloat16raw_to_fp4(v, __NV_E2M1, r);
  }
  __host__ __device__ static unsigned from(float v, cudaRoundMode r) { return __nv_cvt_float_to_fp4(v, __NV_E2M1, r); }
  __host__ __device__ static unsigned from(double v, cudaRoundMode r) {
    return __nv_cvt_double_to_fp4(v, __NV_E2M1, r);
  }
  __host__ __device__ static unsigned from(float2 v, cudaRoundMode r) {
    return __nv_cvt_float2_to_fp4x2(v, __NV_E2M1, r);
  }
  __host__ __device__ static unsigned from(double2 v, cudaRoundMode r) {
    return __nv_cvt_double2_to_fp4x2(v, __NV_E2M1, r);
  }
  __host__ __device__ static unsigned from(__half2_raw v, cudaRoundMode r) {
    return __nv_cvt_halfraw2_to_fp4x2(v, __NV_E2M1, r);
  }
  __host__ __device__ static unsigned from(__nv_bfloat162_raw v, cudaRoundMode r) {
    return __nv_cvt_bfloat16raw2_to_fp4x2(v, __NV_E2M1, r);
  }
  __host__ __device__ static __half_raw half_of(unsigned v) { return __nv_cvt_fp4_to_halfraw(v, __NV_E2M1); }
  __host__ __device__ static __half2_raw halves_of(unsigned v) { return __nv_cvt_fp4x2_to_halfraw2(v, __NV_E2M1); }
};
template <__nv_fp6_interpretation_t format, class One, class Two, class Four>
struct of_fp6 {
  using one = One;
  using two = Two;
  using four = Four;
  static constexpr int codes = 64, pairs = 65536;
  __host__ __device__ static unsigned from(__half_raw v, cudaRoundMode r) {
    return __nv_cvt_halfraw_to_fp6(v, format, r);
  }
  __host__ __device__ static unsigned from(__nv_bfloat16_raw v, cudaRoundMode r) {
    return __nv_cvt_bfloat16raw_to_fp6(v, format, r);
  }
  __host__ __device__ static unsigned from(float v, cudaRoundMode r) { return __nv_cvt_float_to_fp6(v, format, r); }
  __host__ __device__ static unsigned from(double v, cudaRoundMode r) { return __nv_cvt_double_to_fp6(v, format, r); }
  __host__ __device__ static unsigned from(float2 v, cudaRoundMode r) { return __nv_cvt_float2_to_fp6x2(v, format, r); }
  __host__ __device__ static unsigned from(double2 v, cudaRoundMode r) {
    return __nv_cvt_double2_to_fp6x2(v, format, r);
  }
  __host__ __device__ static unsigned from(__half2_raw v, cudaRoundMode r) {
    return __nv_cvt_halfraw2_to_fp6x2(v, format, r);
  }
  __host__ __device__ static unsigned from(__nv_bfloat162_raw v, cudaRoundMode r) {
    return __nv_cvt_bfloat16raw2_to_fp6x2(v, format, r);
  }
  __host__ __device__ static __half_raw half_of(unsigned v) { return __nv_cvt_fp6_to_halfraw(v, format); }
  __host__ __device__ static __half2_raw halves_of(unsigned v) { return __nv_cvt_fp6x2_to_halfraw2(v, format); }
};

// Every half and bfloat16, in two roundings and alone and as a pair.
template <class Of>
__host__ __device__ std::uint64_t of_16_bits(cudaRoundMode r) {
  checksum sum;
  for (unsigned i = 0; i < 65536; ++i) {
    unsigned short const x = static_cast<unsigned short>(i), y = static_cast<unsigned short>(i * 40503u);
    __half_raw h = {};
    h.x = x;
    __nv_bfloat16_raw b = {};
    b.x = x;
    __half2_raw h2 = {};
    h2.x = x;
    h2.y = y;
    __nv_bfloat162_raw b2 = {};
    b2.x = x;
    b2.y = y;
    sum.add(Of::from(h, r));
    sum.add(Of::from(b, r));
    sum.add(Of::from(h2, r));
    sum.add(Of::from(b2, r));
    sum.add(typename Of::one(__half(h)).__x);
    sum.add(typename Of::one(__nv_bfloat16(b)).__x);
    sum.add(typename Of::two(__half2(h2)).__x);
    sum.add(typename Of::two(__nv_bfloat162(b2)).__x);
    sum.add(typename Of::four(__half2(h2), __half2(h2)).__x);
  }
  return sum.value;
}
// Floats with every exponent and the bits that rounding needs; doubles beside them and beside ties.
template <class Of>
__host__ __device__ std::uint64_t of_32_bits(cudaRoundMode r) {
  checksum sum;
  std::uint32_t const step = 4093;
  for (std::uint32_t i = 0; i < 200000; ++i) {
    std::uint32_t const bits = i < 100000 ? i * step * 10 : 0x3d000000u + (i - 100000) * 1024u;
    float x;
    memcpy(&x, &bits, 4);
    double const dx = x, just_above = dx * (1 + 0x1p-50), just_below = dx * (1 - 0x1p-50);
    sum.add(Of::from(x, r));
    sum.add(Of::from(dx, r));
    sum.add(Of::from(just_above, r));
    sum.add(Of::from(just_below, r));
    sum.add(Of::from(float2{x, -x / 3}, r));
    sum.add(Of::from(double2{just_above, -just_below}, r));
    sum.add(typename Of::one(x).__x);
    sum.add(typename Of::one(just_above).__x);
    sum.add(typename Of::four(float4{x, -x, x / 2, x / 7}).__x);
  }
  for (int i = -300; i < 300; ++i) {
    sum.add(typename Of::one(i).__x);
    sum.add(typename Of::one(static_cast<short>(i)).__x);
    sum.add(typename Of::one(static_cast<unsigned long long>(i)).__x);
  }
  return sum.value;
}
template <class Of>
__host__ __device__ std::uint64_t of_codes() {
  checksum sum;
  for (int i = 0; i < Of::codes; ++i) {
    typename Of::one v;
    v.__x = static_cast<unsigned char>(i);
    sum.add(Of::half_of(i).x);
    sum.add(bits_of(static_cast<float>(v)));
    sum.add(bits_of(static_cast<float>(static_cast<double>(v))));
    sum.add(static_cast<__half_raw>(static_cast<__half>(v)).x);
    sum.add(static_cast<__nv_bfloat16_raw>(static_cast<__nv_bfloat16>(v)).x);
    sum.add(static_cast<unsigned char>(static_cast<signed char>(v)));
    sum.add(static_cast<unsigned char>(v));
    sum.add(static_cast<std::uint64_t>(static_cast<long long>(v)));
    sum.add(static_cast<unsigned>(static_cast<int>(v)));
    sum.add(static_cast<unsigned>(v));
    sum.add(static_cast<bool>(v));
  }
  for (int i = 0; i < Of::pairs; ++i) {
    typename Of::two v;
    v.__x = static_cast<decltype(v.__x)>(i);
    if ((v.__x & 0xc0c0) != 0 && Of::codes == 64) continue;  // no codes
    float2 const values = static_cast<float2>(v);
    __half2_raw const halves = Of::halves_of(i), of_type = static_cast<__half2_raw>(static_cast<__half2>(v));
    sum.add(bits_of(values.x) << 32 | bits_of(values.y));
    sum.add(halves.x << 16 | halves.y);
    sum.add(of_type.x << 16 | of_type.y);
  }
  return sum.value;
}
template <class Of>
__host__ __device__ void compute(std::uint64_t* out) {
  out[0] = of_16_bits<Of>(cudaRoundNearest);
  out[1] = of_16_bits<Of>(cudaRoundZero);
  out[2] = of_32_bits<Of>(cudaRoundNearest);
  out[3] = of_32_bits<Of>(cudaRoundZero);
  out[4] = of_codes<Of>();
}
using e2m3 = of_fp6<__NV_E2M3, __nv_fp6_e2m3, __nv_fp6x2_e2m3, __nv_fp6x4_e2m3>;
using e3m2 = of_fp6<__NV_E3M2, __nv_fp6_e3m2, __nv_fp6x2_e3m2, __nv_fp6x4_e3m2>;
__host__ __device__ void compute_all(std::uint64_t* out) {
  compute<of_fp4>(out);
  compute<e2m3>(out + 5);
  compute<e3m2>(out + 10);
}
static_assert(sizeof(__nv_fp4x2_e2m1) == 1 && sizeof(__nv_fp4x4_e2m1) == 2 && sizeof(__nv_fp6x4_e3m2) == 4);

__global__ void in_kernel(unsigned short* out) {
  unsigned const i = threadIdx.x;
  __nv_fp4_e2m1 const x(0.25f * i);
  out[i] = static_cast<unsigned short>(x.__x | __nv_fp4x2_e2m1(float2{float(i), 0.5f}).__x << 8);
}

int main() {
  static std::uint64_t const expected[15] = {0xf11f8c4adeaa442dull, 0x81cd53d9b2b1a6cdull, 0x0add3d0a83431fe5ull,
                                             0xce79275b167a38abull, 0xa23ae3648de6d44dull, 0x767e0129e5bc5845ull,
                                             0xf83f4afd9a6c3f85ull, 0x03e3dc36f743f060ull, 0xb46df59864f3523aull,
                                             0xe0f410e14d4b648dull, 0x6827a6a8d1822ac5ull, 0xd58ed4cb5abc5455ull,
                                             0x70d806d6419b7d96ull, 0x3afb6ffd6b68ac70ull, 0x39be5168059f2515ull};
  std::uint64_t found[15];
  compute_all(found);
  bool ok = true;
  for (int i = 0; i < 15; ++i) {
#if defined(PRINT)
    std::printf("0x%016llxull,\n", static_cast<unsigned long long>(found[i]));
#endif
    if (found[i] == expected[i]) continue;
    std::printf("checksum %d: %016llx\n", i, static_cast<unsigned long long>(found[i]));
    ok = false;
  }
#if defined(PRINT)
  return 0;
#endif
  unsigned short *device, of_lanes[32];
  cudaMalloc(&device, sizeof of_lanes);
  in_kernel<<<1, 32>>>(device);
  cudaMemcpy(of_lanes, device, sizeof of_lanes, cudaMemcpyDeviceToHost);
  cudaFree(device);
  for (int i = 0; i < 32; ++i) {
    unsigned const x = __nv_fp4_e2m1(0.25f * i).__x, pair = __nv_fp4x2_e2m1(float2{float(i), 0.5f}).__x;
    ok = of_lanes[i] == (x | pair << 8) && ok;
  }
  return ok ? 0 : 1;
}
