// SPDX-License-Identifier: Apache-2.0
// The results of numeric intrinsics, as checksums that an H100 gave: over all values of 16 bits, and over 2^20 random
// values otherwise. All not-a-numbers of a type count as one value: their bits tell the simulated device what was never
// written. With -D PRINT the program prints its own table.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

using word = unsigned long long;

__host__ __device__ inline word mixed(word x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdull;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53ull;
  return x ^ x >> 33;
}
__device__ inline word bits(unsigned short x) { return x; }
__device__ inline word bits(unsigned char x) { return x; }
__device__ inline word bits(int x) { return static_cast<unsigned>(x); }
__device__ inline word bits(unsigned x) { return x; }
__device__ inline word bits(long long x) { return static_cast<word>(x); }
__device__ inline word bits(word x) { return x; }
__device__ inline word bits(bool x) { return x; }
__device__ inline word bits(float x) { return x != x ? 0x7fffffffu : __float_as_uint(x); }
__device__ inline word bits(double x) { return x != x ? ~0ull >> 1 : static_cast<word>(__double_as_longlong(x)); }
__device__ inline word bits(__half x) { return __hisnan(x) ? 0x7fffu : __half_as_ushort(x); }
__device__ inline word bits(__nv_bfloat16 x) { return __hisnan(x) ? 0x7fffu : __bfloat16_as_ushort(x); }
__device__ inline word bits(__half2 x) { return bits(__low2half(x)) | bits(__high2half(x)) << 16; }
__device__ inline word bits(__nv_bfloat162 x) { return bits(__low2bfloat16(x)) | bits(__high2bfloat16(x)) << 16; }

/// The bits, but for the not-a-number by which the simulated device knows what was never written: another one.
__device__ inline unsigned short written(unsigned x) {
  return static_cast<unsigned short>((x & 0x7fff) == 0x7ffd ? x + 1 : x);
}

/// The random words of one evaluation.
struct source {
  word state;
  __device__ word next() { return state = mixed(state + 0x9e3779b97f4a7c15ull); }
  __device__ unsigned u() { return static_cast<unsigned>(next()); }
  __device__ int s() { return static_cast<int>(u()); }
  __device__ float f() { return __uint_as_float(u()); }
  /// A float near 1, so that sums and products of two seldom overflow.
  __device__ float near() { return __uint_as_float((u() & 0x81ffffffu) + 0x3f000000u); }
  __device__ double d() { return __longlong_as_double(static_cast<long long>(next())); }
  __device__ double near_d() {
    return __longlong_as_double(static_cast<long long>((next() & 0x801fffffffffffffull) + 0x3fe0000000000000ull));
  }
  __device__ __half h() { return __ushort_as_half(written(u())); }
  __device__ __nv_bfloat16 b() { return __ushort_as_bfloat16(written(u())); }
};

/// Adds up the mixed results of evaluate(i, source) for i below `count`.
template <class Evaluate>
__global__ void sum_of(Evaluate evaluate, unsigned count, word* sum) {
  word own = 0;
  unsigned const threads = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads) {
    source of{i};
    own += mixed(evaluate(i, of) ^ static_cast<word>(i) << 40);
  }
  atomicAdd(sum, own);
}

struct row {
  char const* name;
  word sum;
};
row const table[] = {
#include "numbers_table.hpp"
};

int wrong = 0, checked = 0;

template <class Evaluate>
void check(char const* name, unsigned count, Evaluate evaluate) {
  word *sum, host = 0;
  cudaMalloc(reinterpret_cast<void**>(&sum), sizeof *sum);
  cudaMemset(sum, 0, sizeof *sum);
  sum_of<<<4, 64>>>(evaluate, count, sum);
  cudaMemcpy(&host, sum, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(sum);
#if defined(PRINT)
  std::printf("{\"%s\", 0x%016llxull},\n", name, host);
#endif
  for (row const& r : table) {
    if (std::strcmp(r.name, name) != 0) continue;
    ++checked;
    if (r.sum == host) return;
    std::printf("%s: the sum is %016llx, not %016llx\n", name, host, r.sum);
    ++wrong;
    return;
  }
#if !defined(PRINT)
  std::printf("%s is not in the table\n", name);
  ++wrong;
#endif
}

constexpr unsigned all16 = 65536, many = 1 << 20;

#define EACH16(name, expression)                                      \
  check(#name, all16, [] __device__(unsigned i, source&) -> word {    \
    [[maybe_unused]] unsigned short const x = written(i);             \
    [[maybe_unused]] __half const h = __ushort_as_half(x);            \
    [[maybe_unused]] __nv_bfloat16 const b = __ushort_as_bfloat16(x); \
    return bits(expression);                                          \
  })
// x, y and z are random values that the member `of` of the source gives, in this order.
#define RANDOM(name, of, expression)                              \
  check(#name, many, [] __device__(unsigned, source& r) -> word { \
    [[maybe_unused]] auto const x = r.of();                       \
    [[maybe_unused]] auto const y = r.of();                       \
    [[maybe_unused]] auto const z = r.of();                       \
    return bits(expression);                                      \
  })

void of_16_bits() {
  EACH16(half2float, __half2float(h));
  EACH16(half2int_rn, __half2int_rn(h));
  EACH16(half2int_rz, __half2int_rz(h));
  EACH16(half2int_rd, __half2int_rd(h));
  EACH16(half2int_ru, __half2int_ru(h));
  EACH16(half2uint_rn, __half2uint_rn(h));
  EACH16(half2ll_rd, __half2ll_rd(h));
  EACH16(half2ushort_rz, __half2ushort_rz(h));
  EACH16(ushort2half_rn, __ushort2half_rn(static_cast<unsigned short>(i)));
  EACH16(ushort2half_ru, __ushort2half_ru(static_cast<unsigned short>(i)));
  EACH16(habs, __habs(h));
  EACH16(hneg, __hneg(h));
  EACH16(htrunc, htrunc(h));
  EACH16(hceil, hceil(h));
  EACH16(hfloor, hfloor(h));
  EACH16(hrint, hrint(h));
  EACH16(hsqrt, hsqrt(h));
  EACH16(hisnan, __hisnan(h));
  EACH16(bfloat162float, __bfloat162float(b));
  EACH16(bfloat162int_rz, __bfloat162int_rz(b));
  EACH16(bf16_htrunc, htrunc(b));
  EACH16(bf16_hceil, hceil(b));
  EACH16(bf16_hneg, __hneg(b));
  EACH16(halfraw_to_e4m3,
         static_cast<unsigned char>(__nv_cvt_halfraw_to_fp8(__half_raw(h), __NV_SATFINITE, __NV_E4M3)));
  EACH16(halfraw_to_e5m2,
         static_cast<unsigned char>(__nv_cvt_halfraw_to_fp8(__half_raw(h), __NV_SATFINITE, __NV_E5M2)));
  EACH16(bfloat16raw_to_e4m3,
         static_cast<unsigned char>(__nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw(b), __NV_SATFINITE, __NV_E4M3)));
  EACH16(e4m3_to_halfraw, __half(__nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(i), __NV_E4M3)));
  EACH16(e5m2_to_halfraw, __half(__nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(i), __NV_E5M2)));
}
void of_random_halves() {
  RANDOM(hadd, h, __hadd(x, y));
  RANDOM(hadd_sat, h, __hadd_sat(x, y));
  RANDOM(hsub, h, __hsub(x, y));
  RANDOM(hmul, h, __hmul(x, y));
  RANDOM(hfma, h, __hfma(x, y, z));
  RANDOM(hfma_relu, h, __hfma_relu(x, y, z));
  RANDOM(hmax, h, __hmax(x, y));
  RANDOM(hmin_nan, h, __hmin_nan(x, y));
  RANDOM(hltu, h, __hltu(x, y));
  RANDOM(hadd2, h, __hadd2(__halves2half2(x, y), __half2half2(z)));
  RANDOM(bf16_hadd, b, __hadd(x, y));
  RANDOM(bf16_hmul, b, __hmul(x, y));
  RANDOM(bf16_hfma, b, __hfma(x, y, z));
  RANDOM(bf16_hmax, b, __hmax(x, y));
  RANDOM(float2half_rn, f, __float2half_rn(x));
  RANDOM(float2half_rz, f, __float2half_rz(x));
  RANDOM(float2half_ru, f, __float2half_ru(x));
  RANDOM(float2half_rd, f, __float2half_rd(x));
  RANDOM(float2bfloat16_rn, f, __float2bfloat16_rn(x));
  RANDOM(float2bfloat16_rz, f, __float2bfloat16_rz(x));
  RANDOM(double2half, near_d, __double2half(x));
  RANDOM(float_to_e4m3, f, static_cast<unsigned char>(__nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E4M3)));
  RANDOM(float_to_e5m2, f, static_cast<unsigned char>(__nv_cvt_float_to_fp8(x, __NV_NOSAT, __NV_E5M2)));
}
void of_directed_roundings() {
  RANDOM(fadd_rz, near, __fadd_rz(x, y));
  RANDOM(fadd_ru, f, __fadd_ru(x, y));
  RANDOM(fadd_rd, near, __fadd_rd(x, y));
  RANDOM(fmul_rz, near, __fmul_rz(x, y));
  RANDOM(fmul_ru, f, __fmul_ru(x, y));
  RANDOM(fmaf_rd, near, __fmaf_rd(x, y, z));
  RANDOM(fmaf_ru, f, __fmaf_ru(x, y, z));
  RANDOM(fdiv_rz, near, __fdiv_rz(x, y));
  RANDOM(fdiv_rd, near, __fdiv_rd(x, y));
  RANDOM(frcp_ru, near, __frcp_ru(x));
  RANDOM(fsqrt_rz, near, __fsqrt_rz(fabsf(x)));
  RANDOM(dadd_ru, near_d, __dadd_ru(x, y));
  RANDOM(dmul_rd, near_d, __dmul_rd(x, y));
  RANDOM(fma_rz, near_d, __fma_rz(x, y, z));
  RANDOM(ddiv_ru, near_d, __ddiv_ru(x, y));
  RANDOM(dsqrt_rd, near_d, __dsqrt_rd(fabs(x)));
  RANDOM(double2float_rz, near_d, __double2float_rz(x));
  RANDOM(double2float_ru, d, __double2float_ru(x));
  RANDOM(int2float_rd, s, __int2float_rd(x));
  RANDOM(ll2float_ru, next, __ll2float_ru(static_cast<long long>(x)));
  RANDOM(ull2double_rz, next, __ull2double_rz(x));
  RANDOM(float2int_ru, near, __float2int_ru(1e5f * x));
  RANDOM(float2uint_rd, f, __float2uint_rd(x));
  RANDOM(double2int_rn, near_d, __double2int_rn(1e6 * x));
  RANDOM(double2ll_rz, d, __double2ll_rz(x));
}
void of_words() {
  RANDOM(vadd4, u, __vadd4(x, y));
  RANDOM(vaddss2, u, __vaddss2(x, y));
  RANDOM(vsubus4, u, __vsubus4(x, y));
  RANDOM(vabsdiffs4, u, __vabsdiffs4(x, y));
  RANDOM(vavgu4, u, __vavgu4(x, y));
  RANDOM(vcmpgts2, u, __vcmpgts2(x, y));
  RANDOM(vmaxs4, u, __vmaxs4(x, y));
  RANDOM(vsadu4, u, __vsadu4(x, y));
  RANDOM(dp4a, s, __dp4a(x, y, z));
  RANDOM(dp2a_lo, s, __dp2a_lo(x, y, z));
  RANDOM(byte_perm, u, __byte_perm(x, y, z));
  RANDOM(funnelshift_l, u, __funnelshift_l(x, y, z));
  RANDOM(funnelshift_rc, u, __funnelshift_rc(x, y, z));
  RANDOM(fns, u, __fns(x, y & 31, static_cast<int>(z & 15) - 7));
  RANDOM(mul24, s, __mul24(x, y));
  RANDOM(umul24, u, __umul24(x, y));
  RANDOM(mulhi, s, __mulhi(x, y));
  RANDOM(umul64hi, next, __umul64hi(x, y));
  RANDOM(sad, u, __sad(static_cast<int>(x), static_cast<int>(y), z));
  RANDOM(rhadd, s, __rhadd(x, y));
  RANDOM(uhadd, u, __uhadd(x, y));
  RANDOM(brev, u, __brev(x));
  RANDOM(clzll, next, __clzll(static_cast<long long>(x)));
  RANDOM(ffs, s, __ffs(x));
}

int main() {
  of_16_bits();
  of_random_halves();
  of_directed_roundings();
  of_words();
  std::printf("%d checked, %d wrong\n", checked, wrong);
  return wrong != 0;
}
